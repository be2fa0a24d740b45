#!/usr/bin/env python3
"""Runs one pipeline over many scans on the command line: lists, tables, errors, a kill in the middle, folders watched.

usage: cli_many_test.py TOMOLOOM SOURCE_DIR
"""
import csv
import json
import shutil
import subprocess
import sys

from cli_box import expect, fresh, run_all


def scans_in(box, folder, names):
    scans = folder / "scans"
    scans.mkdir(exist_ok=True)
    for name in names:
        shutil.copy(box.scan(), scans / name)
    return scans


def table_of(folder):
    with open(folder / "scans.csv", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def errors_are_reported_and_the_others_run(box):
    folder = fresh(box, "many")
    pipeline, out = box.pipeline("many.json"), folder / "out"
    scans = scans_in(box, folder, ["a.h5", "c.h5"])
    (scans / "b.h5").write_text("no scan at all")
    result = box.run("run", pipeline, "--inputs", scans, "--out", out)
    expect(result, 1, "1 of 3: a: done in", "2 of 3: b: failed", "3 of 3: c: done in", "2 done, 0 were done already, 1 failed")
    rows = table_of(out)
    assert [rows[n]["state"] for n in "abc"] == ["done", "failed", "done"], rows
    assert "b.h5" in rows["b"]["error"] and rows["a"]["files"], rows
    assert (out / rows["a"]["files"]).exists(), rows["a"]
    # It goes on where it stopped.
    shutil.copy(box.scan(), scans / "b.h5")
    result = box.run("run", pipeline, "--inputs", scans, "--out", out, "--json")
    expect(result, 0)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    found = [(l["name"], l["state"], l["done_before"]) for l in lines if l["event"] == "scan"]
    assert found == [("a", "done", True), ("b", "done", False), ("c", "done", True)], found
    assert lines[-1]["event"] == "sum" and lines[-1]["done"] == 1 and lines[-1]["done_before"] == 2, lines[-1]


def a_table_gives_parameters(box):
    folder = fresh(box, "table")
    pipeline, out = box.pipeline("table.json"), folder / "out"
    scans_in(box, folder, ["a.h5"])
    (folder / "list.csv").write_text("scan,fbp.cutoff\nscans/a.h5,\nscans/a.h5,0.2\nscans/a.h5,7\n")
    result = box.run("run", pipeline, "--inputs", folder / "list.csv", "--out", out)
    expect(result, 1, "1 of 3: a: done", "2 of 3: a-2: done", "3 of 3: a-3: failed", "cutoff")
    volumes = [(out / table_of(out)[name]["files"]).read_bytes() for name in ("a", "a-2")]
    assert volumes[0] != volumes[1]
    # Results among the scans would be taken for scans.
    for command in (["run", pipeline, "--inputs", "scans"], ["watch", "scans", "--pipeline", pipeline]):
        expect(box.run(*command, "--out", "scans", cwd=folder), 1, "among the scans", "--out")
    assert [p.name for p in (folder / "scans").iterdir()] == ["a.h5"], list((folder / "scans").iterdir())
    # The list itself is not an output, and a table of the user's is not one of ours.
    expect(box.run("run", pipeline, "--inputs", folder / "scans", "--input", folder / "scans" / "a.h5"), 2, "excludes")
    (folder / "scans.csv").write_text("scan\nscans/a.h5\n")
    before = (folder / "scans.csv").read_bytes()
    expect(box.run("run", pipeline, "--inputs", folder / "scans.csv", "--out", folder), 1, "scans.csv")
    assert (folder / "scans.csv").read_bytes() == before


def a_killed_run_goes_on(box):
    folder = fresh(box, "killed_many")
    pipeline, out = box.pipeline("killed.json"), folder / "out"
    scans = scans_in(box, folder, [f"s{i}.h5" for i in range(4)])
    arguments = ["run", pipeline, "--inputs", scans, "--out", out]
    p = subprocess.Popen([box.program, *map(str, arguments)], cwd=box.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert "1 of 4" in p.stdout.readline()
    p.kill()
    p.communicate()
    done = [n for n, row in table_of(out).items() if row["state"] == "done"]
    assert "s0" in done and len(table_of(out)) == 4, table_of(out)
    result = box.run(*arguments)
    expect(result, 0, "s0: was done already", " 0 failed")
    assert all(row["state"] == "done" for row in table_of(out).values()), table_of(out)
    assert not (out / ".scans.lock").exists()


def a_folder_is_watched(box):
    folder = fresh(box, "watched")
    pipeline, out = box.pipeline("watched.json"), folder / "out"
    scans = scans_in(box, folder, ["a.h5"])
    whole = box.scan().read_bytes()
    (scans / "late.h5").write_bytes(whole[: len(whole) // 2])
    p = subprocess.Popen([box.program, "watch", str(scans), "--pipeline", str(pipeline), "--out", str(out), "--quiet-time", "0.5"],
                         cwd=box.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "1: a: done in" in p.stdout.readline()
    (scans / "late.h5").write_bytes(whole)
    assert "2: late: done in" in p.stdout.readline()
    # Another one refuses the folder and names this one.
    expect(box.run("watch", scans, "--pipeline", pipeline, "--out", out), 3, f"process {p.pid} on ")
    p.terminate()
    rest = p.communicate(timeout=600)[0]
    assert p.returncode == 0 and "2 done" in rest, (p.returncode, rest)
    assert {n: row["state"] for n, row in table_of(out).items()} == {"a": "done", "late": "done"}
    # Once each, also for the next watch.
    expect(box.run("watch", scans, "--pipeline", pipeline, "--out", out, "--quiet-time", "0", "--end-after", "1"), 0,
           "a: was done already", "0 done, 2 were done already")


def one_model_labels_many_scans(box):
    folder = fresh(box, "model")
    pipeline = json.loads((box.source / "resources" / "pipelines" / "paint-and-classify.json").read_text())
    (folder / "apply.json").write_text(json.dumps(pipeline))
    # Strokes by a program: the middle and the upper of three classes.
    pipeline["nodes"]["strokes"] = {"type": "segment.threshold", "version": 1, "parameters": {"method": "multi_otsu", "classes": 3}}
    (folder / "train.json").write_text(json.dumps(pipeline))
    few = ["--set", "classifier.trees=10", "--set", "classifier.sigmas=1"]
    result = box.run("run", folder / "train.json", "--input", box.scan(), "--out", folder / "trained", *few)
    expect(result, 0)
    scans = scans_in(box, folder, ["a.h5"])
    shutil.copy(box.scan(rows=6), scans / "b.h5")
    once = ["--set", "classifier.training=once", "--set", f"classifier.model={folder / 'trained' / 'model.safetensors'}"]
    result = box.run("run", folder / "apply.json", "--inputs", scans, "--out", folder / "out", *few, *once)
    expect(result, 0, "2 done", " 0 failed")
    assert set(table_of(folder / "out")) == {"a", "b"}, table_of(folder / "out")
    # The scan that it was trained with gets the same labels as then; the other has its own.
    trained, again, other = (folder / name / "labels.tif" for name in ("trained", "out/a", "out/b"))
    result = box.run("score", trained, again, "--json")
    expect(result, 0)
    assert json.loads(result.stdout.splitlines()[-1])["accuracy"] == 1, result.stdout
    assert other.stat().st_size > again.stat().st_size
    # Without a model nothing is painted, and that is said for each scan.
    result = box.run("run", folder / "apply.json", "--inputs", scans, "--out", folder / "none", *few)
    expect(result, 1, "nothing is painted yet", "Load labels", "--set NODE.file=", "2 failed")


TESTS = [one_model_labels_many_scans, errors_are_reported_and_the_others_run, a_table_gives_parameters, a_killed_run_goes_on, a_folder_is_watched]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
