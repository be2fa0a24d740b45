#!/usr/bin/env python3
"""Tuning on the command line: spaces are replayed, judged and converted; bad ones are refused with their place and no output.

usage: cli_tune_test.py TOMOLOOM SOURCE_DIR
"""
import csv
import io
import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from cli_box import Skip, expect, fresh, run_all


def space(path, sizes=(4, 5, 3), failed=7, **changes):
    """A cache of a Kernel Tuner: a bowl with failures."""
    values = {f"p{i}": list(range(1, n + 1)) for i, n in enumerate(sizes)}
    entries = {}
    for number, combination in enumerate(itertools.product(*values.values())):
        key, entry = ",".join(map(str, combination)), dict(zip(values, combination))
        mean = 1 + sum((v - 2) ** 2 for v in combination)
        entry |= {"time": "RuntimeFailedConfig"} if number % failed == 3 else {"time": mean, "times": [mean - .1, mean + .1]}
        entries[key] = entry
    whole = {"device_name": "d", "kernel_name": "k", "tune_params_keys": list(values), "tune_params": values, "cache": entries}
    path.write_text(json.dumps(whole | changes, indent=1))
    return path


def shared(box, name):
    path = pathlib.Path(os.environ.get("TL_SHARED_DATA") or box.source.parent / "shared/data") / name
    if not path.exists():
        raise Skip(f"{name} is not there (TL_SHARED_DATA)")
    return path


def rows(path):
    return list(csv.DictReader(io.StringIO(path.read_text())))


def curves_have_their_columns_and_repeat(box):
    folder = fresh(box, "replay")
    file = space(folder / "bowl.json")
    for name in ("a.csv", "b.csv"):
        options = ["--optimiser", "all", "--budgets", "5,20", "--runs", 3, "--seed", 7, "-o", folder / name]
        expect(box.run("tune", "replay", file, *options), 0, "first_ils")
    assert (folder / "a.csv").read_text() == (folder / "b.csv").read_text()
    table = rows(folder / "a.csv")
    assert list(table[0]) == "space,optimiser,budget,runs,mean_fraction,sd_fraction,success,mean_evaluations".split(","), table[0]
    assert {(r["space"], r["runs"]) for r in table} == {("bowl", "3")} and {r["budget"] for r in table} == {"5", "20"}
    assert len(table) == 2 * 15 and all(0 < float(r["mean_fraction"]) <= 1 for r in table), table
    options = ["--optimiser", "first_mls,best_tabu", "--budgets", 200, "--runs", 4, "--noisy", "--json"]
    noisy = box.run("tune", "replay", file, *options)
    expect(noisy, 0)
    lines = [json.loads(line) for line in noisy.stdout.splitlines() if '"curve"' in line]
    assert [l["optimiser"] for l in lines] == ["first_mls", "best_tabu"], lines
    assert all(l["mean_evaluations"] == 200 for l in lines), lines
    expect(box.run("tune", "replay", file, "--optimiser", "irace"), 4, "irace")
    expect(box.run("tune", "replay", file, "--optimiser", "hill"), 1, "no such optimiser", "first_mls")
    expect(box.run("tune", "replay", file, "--budgets", "0"), 2)
    expect(box.run("tune", "replay", file, "-o", ""), 2)
    expect(box.run("tune"), 2)


def wins_are_counted(box):
    folder = fresh(box, "compete")
    head = "space,optimiser,budget,runs,mean_fraction,sd_fraction,success,mean_evaluations\n"
    (folder / "c.csv").write_text(head + "s,a,25,50,.9,.2,0,25\ns,b,25,50,.8,.2,0,25\ns,c,25,50,.85,.2,0,25\n")
    expect(box.run("tune", "compete", folder / "c.csv", "--budgets", 25, "-o", folder / "w.csv"), 0)
    assert (folder / "w.csv").read_text().split() == ["optimiser,wins,losses", "a,1,0", "b,0,1", "c,0,0"]
    expect(box.run("tune", "compete", folder / "c.csv", "--budgets", 25, "--n", 150, "-o", folder / "w.csv", "--overwrite"), 0)
    assert (folder / "w.csv").read_text().split()[1:] == ["a,2,0", "b,0,2", "c,1,1"]
    expect(box.run("tune", "compete", folder / "c.csv", "--budgets", 50), 1, "no row")
    expect(box.run("tune", "compete", folder / "w.csv", "--budgets", 25), 1, "not a table of curves")


def bad_spaces_are_refused_with_their_place_and_without_an_output(box):
    folder = fresh(box, "bad")
    good = space(folder / "good.json").read_text()
    many = {"a": list(range(4000)), "b": list(range(4000))}
    head = {"device_name": "", "kernel_name": "", "tune_params_keys": ["a", "b"], "cache": {}}
    t1 = {"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Type": "int", "Values": "[1, 2]"}],
                                 "Conditions": [{"Expression": "open('x', 'w')", "Parameters": []}]},
          "KernelSpecification": {"KernelName": "k"}}
    cases = {"keys": (good.replace('"tune_params"', '"other"'), "missing"),
             "twice": (good.replace('"1,1,2"', '"1,1,1"'), "occurs twice"),
             "nan": (good.replace('"time": 4', '"time": NaN', 1), "not valid JSON"),
             "version": ('{"schema_version": "7.0.0",' + good[1:], "7.0.0"),
             "many": (json.dumps(head | {"tune_params": many}), "more than 10000000"),
             "cut": (good[:len(good) // 2], "not valid JSON"), "text": ("nothing", "not valid JSON"),
             "call": (json.dumps(t1), "calls")}
    for name, (text, words) in cases.items():
        file, out = folder / f"{name}.json", folder / f"{name}.out"
        file.write_text(text)
        for command in (["replay", file, "-o", out], ["difficulty", file, "-o", out], ["convert", file, out]):
            expect(box.run("tune", *command), 1, words, f"{name}.json")
            assert not out.exists(), (name, command)
    expect(box.run("tune", "replay", folder / "absent.json"), 3)


def outputs_never_replace_what_is_there(box):
    folder = fresh(box, "outputs")
    file = space(folder / "s.json")
    before = file.read_text()
    for command in (["replay", file, "--budgets", 5, "--runs", 1, "-o"], ["difficulty", file, "-o"], ["convert", file]):
        (folder / "there.csv").write_text("mine")
        expect(box.run("tune", *command, folder / "there.csv"), 1, "exists already")
        expect(box.run("tune", *command, folder / "there.csv", "--overwrite"), 0)
        expect(box.run("tune", *command, file, "--overwrite"), 1, "would replace an input")
    assert file.read_text() == before


def a_path_has_the_difficulty_by_hand(box):
    folder = fresh(box, "difficulty")
    values = [1, 2, 3, 4]
    entries = {str(v): {"x": v, "time": t} for v, t in zip(values, [4, 1, 3, 2])}
    whole = {"device_name": "", "kernel_name": "", "tune_params_keys": ["x"], "tune_params": {"x": values}, "cache": entries}
    (folder / "path.json").write_text(json.dumps(whole))
    r = box.run("tune", "difficulty", folder / "path.json", "-o", folder / "poc.csv", "--json")
    expect(r, 0)
    found = json.loads(r.stdout.splitlines()[-1])
    assert found["edges"] == 3 and [m["configuration"] for m in found["minima"]] == ["2", "4"], found
    table = rows(folder / "poc.csv")
    assert len(table) == 16 and abs(float(table[0]["proportion"]) - .614865) < 1e-6, table[0]
    r = box.run("tune", "difficulty", folder / "path.json", "--sampled", 20000, "--seed", 3, "--json")
    first = json.loads(r.stdout.splitlines()[-1])["proportion_of_centrality"][0]
    assert first["low"] < .614865 < first["high"] and first["high"] - first["low"] < .04, first
    for option in (["--edges", "below"], ["--neighbours", "circular"], ["--neighbours", "hamming"], ["--pagerank", "networkx"]):
        expect(box.run("tune", "difficulty", folder / "path.json", *option), 0, "local minima")
    expect(box.run("tune", "difficulty", folder / "path.json", "--edges", "above"), 2)
    expect(box.run("tune", "difficulty", folder / "path.json", "--sampled", 10, "--pagerank", "networkx"), 1)


def spaces_come_back_from_the_other_format(box):
    folder = fresh(box, "convert")
    file = space(folder / "s.json")
    expect(box.run("tune", "convert", file, folder / "t4.json"), 0, "T4 results")
    expect(box.run("tune", "convert", folder / "t4.json", folder / "cache.json"), 0, "Kernel Tuner cache")
    first, last = json.loads(file.read_text()), json.loads((folder / "cache.json").read_text())
    assert first["cache"].keys() == last["cache"].keys()
    assert all(first["cache"][k]["time"] == last["cache"][k]["time"] for k in first["cache"])
    # A cache that is still written has no end.
    closed = (folder / "cache.json").read_text().rstrip()
    (folder / "open.json").write_text(closed.removesuffix("}").rstrip().removesuffix("}") + ",")
    expect(box.run("tune", "convert", folder / "open.json", folder / "closed.json", "--to", "cache"), 0)
    assert json.loads((folder / "closed.json").read_text()) == last
    (folder / "t1.json").write_text(json.dumps({"ConfigurationSpace": {
        "TuningParameters": [{"Name": "a", "Type": "int", "Values": "list(range(1, 5))"},
                             {"Name": "b", "Type": "int", "Values": "[1, 2]"}],
        "Conditions": [{"Expression": "a * b <= 4", "Parameters": ["a", "b"]}]}, "KernelSpecification": {"KernelName": "k"}}))
    expect(box.run("tune", "convert", folder / "t1.json", folder / "of_t1.json"), 0, "6 of 8 combinations")
    assert json.loads((folder / "of_t1.json").read_text())["tune_params"] == {"a": [1, 2, 3, 4], "b": [1, 2]}
    expect(box.run("tune", "convert", folder / "t1.json", folder / "x.json", "--to", "t4"), 1, "results alone")
    expect(box.run("tune", "replay", folder / "t1.json"), 1, "nothing was measured")


def energies_of_the_a4000(box):
    file = shared(box, "synthetic_fp32_RTX_A4000.json")
    r = box.run("tune", "ridge", file, "--json")
    expect(r, 0)
    ridge = json.loads(r.stdout.splitlines()[-1])
    assert abs(ridge["ridge_mhz"] - 1350) < .05 * 1350 and 0 < ridge["uncertainty"] < 200, ridge
    r = box.run("tune", "front", file, "--json")
    assert [json.loads(line)["mhz"] for line in r.stdout.splitlines()] == [1905, 1710, 1530, 1335], r.stdout
    expect(box.run("tune", "front", file), 0, "4 of 10 clocks")
    expect(box.run("tune", "ridge", space(fresh(box, "no_power") / "s.json")), 4, "both a clock and a power")


def all_optimisers_replay_the_mi50_space_in_time(box):
    file = shared(box, "convolution_MI50.json")
    folder = fresh(box, "mi50")
    expect(box.run("tune", "replay", file, "-o", folder / "c.csv"), 0)
    assert len(rows(folder / "c.csv")) == 15 * 7
    expect(box.run("tune", "compete", folder / "c.csv", "--budgets", "25,50,100,200"), 0, "dual_annealing")


def a_signal_ends_a_replay_without_an_output(box):
    folder = fresh(box, "signal")
    file = space(folder / "s.json", sizes=(9, 9, 9))
    command = [box.program, "tune", "replay", str(file), "--runs", "1000000", "-o", str(folder / "c.csv")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 5, process.returncode
    assert sorted(p.name for p in folder.iterdir()) == ["s.json"]


TESTS = [curves_have_their_columns_and_repeat, wins_are_counted, bad_spaces_are_refused_with_their_place_and_without_an_output,
         outputs_never_replace_what_is_there, a_path_has_the_difficulty_by_hand, spaces_come_back_from_the_other_format,
         energies_of_the_a4000, all_optimisers_replay_the_mi50_space_in_time, a_signal_ends_a_replay_without_an_output]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
