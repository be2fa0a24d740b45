#!/usr/bin/env python3
"""Excessive pipelines and command lines: they run or end with a message, never by a signal, never with exit code 70.

usage: limits_test.py TOMOLOOM SOURCE_DIR
"""
import json
import os
import resource
import subprocess
import sys

from cli_box import expect, fresh, min_budget, run_all

SMALL = {"views": 8, "rows": 2, "cols": 16}


def document(nodes, links):
    return json.dumps({"format": "tomoloom-pipeline", "schema_version": 1, "title": "t", "nodes": nodes,
                       "links": [{"from": a, "to": b} for a, b in links]})


def node(kind, **parameters):
    return {"type": kind, "version": 1, "parameters": parameters}


def source():
    nodes = {"scan": node("input.simulate_scan", **SMALL), "flat": node("correct.flat_field")}
    return nodes, [("scan.projections", "flat.projections")]


def chain(count):
    nodes, links = source()
    last = "flat.projections"
    for i in range(count):
        nodes[f"f{i}"] = node("filter.view_gaussian")
        links.append((last, f"f{i}.projections"))
        last = f"f{i}.projections"
    nodes.update(fbp=node("recon.fbp"), save=node("output.save_volume", file="v.tif"))
    return document(nodes, links + [(last, "fbp.projections"), ("fbp.volume", "save.volume")])


def sums(count, kind="objective.entropy", port="loss"):
    nodes, links = source()
    nodes.update(fbp=node("recon.fbp"), m=node(kind), save=node("output.save_parameters", file="p.json"))
    links += [("flat.projections", "fbp.projections"), ("fbp.volume", "m.volume")]
    last = f"m.{port}"
    for i in range(count):
        nodes[f"s{i}"] = node("objective.sum")
        links += [(last, f"s{i}.{letter}") for letter in "abcd"]
        last = f"s{i}.loss"
    return document(nodes, links + [(last, "save.value")])


def long_pipelines_run(box):
    folder = fresh(box, "long")
    (folder / "p.json").write_text(chain(2200))
    expect(box.run("check", folder / "p.json"), 0, "valid")
    expect(box.run("run", folder / "p.json", "--out", folder), 0, "wrote")
    assert (folder / "v.tif").exists()


def pipelines_beyond_any_size_are_refused_at_once(box):
    folder = fresh(box, "beyond")
    for count, words in ((10_000, "10004 nodes, more than 4000"), (100_000, "100004 nodes, more than 4000")):
        (folder / "p.json").write_text(chain(count))
        for command in ("check", "run"):
            before = os.times().children_user
            expect(box.run(command, folder / "p.json"), 1, words, "p.json:")
            # Reading 13 MB of text is all that is done, in some 1.2 s of work; it was more than a minute.
            assert os.times().children_user - before < 15, os.times().children_user - before
    key = "k" * (8 << 20)
    (folder / "p.json").write_text('{"' + key + '": [' + ",".join(["[]"] * 20000) + "]}")
    expect(box.run("check", folder / "p.json"), 1, "bytes, more than 1000")


def sums_of_sums_end(box):
    folder = fresh(box, "sums")
    (folder / "sums.json").write_text(sums(30))
    for command in (["check"], ["run", "--out", folder]):
        expect(box.run(command[0], folder / "sums.json", *command[1:]), 0)
    assert (folder / "p.json").exists()


def learning_may_sum_a_measured_number(box):
    folder = fresh(box, "measured")
    for kind, port in (("measure.statistics", "variance"), ("measure.histogram", "low")):
        nodes, links = source()
        nodes.update(geometry=node("geometry.set"), fbp=node("recon.fbp"), m=node(kind), s=node("objective.sum"))
        links += [("flat.projections", "geometry.projections"), ("geometry.projections", "fbp.projections"),
                  ("fbp.volume", "m.volume"), (f"m.{port}", "s.a")]
        (folder / "p.json").write_text(document(nodes, links))
        r = box.run("learn", folder / "p.json", "--learn", "geometry.axis", "--objective", "s.loss", "--iterations", 2,
                    "-o", folder / f"{port}.json")
        assert r.returncode in (0, 1, 4, 6), (r.returncode, r.stderr)


def empty_values_are_usage_errors(box):
    scan = box.folder / "small.nx"
    expect(box.run("simulate", "-o", scan, "--cols", 16, "--rows", 2, "--views", 8, "--quiet"), 0)
    folder = fresh(box, "empty")
    out = folder / "v.tif"
    for arguments in (["reconstruct", "", "-o", out], ["reconstruct", scan, "-o", ""], ["run", ""], ["check", ""], ["info", ""],
                      ["reconstruct", scan, "-o", out, "--picture", ""], ["reconstruct", scan, "-o", out, "--save-pipeline", ""],
                      ["reconstruct", scan, "-o", out, "--max-memory", ""], ["learn", "axis-by-gradient", "-o", ""],
                      ["sweep", scan, "--over", "a.b=1", "-o", ""], ["simulate", "-o", ""], ["first-light", "-o", ""]):
        expect(box.run(*arguments), 2, "is empty")
    assert not list(folder.iterdir()), list(folder.iterdir())


def names_that_are_not_utf8_are_named(box):
    scan = box.folder / "bytes.nx"
    expect(box.run("simulate", "-o", scan, "--cols", 16, "--rows", 2, "--views", 8, "--quiet"), 0)
    folder = os.fsencode(fresh(box, "bytes"))
    odd = os.path.join(folder, b"v\xff\xfe.tif")
    (box.folder / "plain.json").write_text(sums(1))
    nodes, links = source()
    nodes.update(geometry=node("geometry.set"), fbp=node("recon.fbp"), m=node("objective.entropy"))
    links += [("flat.projections", "geometry.projections"), ("geometry.projections", "fbp.projections"), ("fbp.volume", "m.volume")]
    (box.folder / "learn.json").write_text(document(nodes, links))
    pipeline = os.path.join(folder, b"p\xff.json")
    with open(pipeline, "wb") as f:
        f.write(sums(1).encode())
    linked = os.path.join(folder, b"s\xff.nx")
    os.link(scan, linked)

    def run(*arguments):
        r = subprocess.run([box.program, *arguments], capture_output=True, stdin=subprocess.DEVNULL, cwd=folder, timeout=120)
        return r.returncode, r.stdout + r.stderr

    for more in ([], ["--json"]):
        for arguments in (["reconstruct", scan, "-o", odd], ["reconstruct", linked, "-o", "a.tif"], ["run", pipeline],
                          ["reconstruct", scan, "-o", "b.tif", "--axis", "0", "--picture", b"p\xff.png"],
                          ["reconstruct", scan, "-o", "c.tif", "--axis", "0", "--save-pipeline", b"q\xff.json"],
                          ["check", pipeline], ["run", box.folder / "plain.json", "--out", b"o\xff"],
                          ["run", box.folder / "plain.json", "--input", b"i\xff.nx"],
                          ["check", box.folder / "plain.json", "--set", b"save.file=\xff"],
                          ["learn", box.folder / "learn.json", "-o", b"l\xff.json", "--learn", "geometry.axis", "--iterations", "2"],
                          ["sweep", box.folder / "plain.json", "--over", b"fbp.cutoff=\xff,1", "-o", b"w\xff"]):
            code, text = run(*arguments, *more)
            assert code in (0, 1, 3, 6), (arguments, code, text)
            if more and text:
                for line in text.splitlines():
                    json.loads(line)
        for name in os.listdir(folder):
            if name not in (b"p\xff.json", b"s\xff.nx"):
                path = os.path.join(folder, name)
                subprocess.run(["rm", "-r", path], check=True)


def budgets_that_hold_nothing_are_refused(box):
    scan = box.folder / "budget.nx"
    expect(box.run("simulate", "-o", scan, "--cols", 16, "--rows", 2, "--views", 8, "--quiet"), 0)
    folder = fresh(box, "budget")
    for amount in ("1", "1B", "0.0001", "0", "-1", "1MB", "60MB"):
        r = box.run("reconstruct", scan, "-o", folder / "v.tif", f"--max-memory={amount}")
        expect(r, 1, "--max-memory")
        if amount in ("1", "1B", "1MB", "60MB"):
            expect(r, 1, "too small", "Give at least", "MB")
    assert not list(folder.iterdir()), list(folder.iterdir())


def the_resident_set_stays_within_the_budget(box):
    scan = box.folder / "large.nx"
    if not scan.exists():
        expect(box.run("simulate", "-o", scan, "--cols", 384, "--rows", 128, "--views", 360, "--flats", 2, "--quiet"), 0)
    folder = fresh(box, "within")
    # [MB] What the program itself takes differs by some 20 MB from start to start.
    for amount in (min_budget(box) + 40, min_budget(box) + 100):
        output = folder / f"v{amount}.tif"
        run = subprocess.Popen([box.program, "reconstruct", scan, "-o", output, "--axis", "0", "--max-memory", f"{amount}MB"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        text = run.stdout.read().decode()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        peak = usage.ru_maxrss * 1024 / 1e6
        print(f"  {amount} MB allowed, {peak:.0f} MB taken", flush=True)
        assert run.returncode == 0, text
        assert peak <= amount, (peak, amount)
        record = json.loads((folder / f"v{amount}.tif.json").read_text())
        assert record["run"]["memory_budget_bytes"] == amount * 1e6, record["run"]
        assert len(record["run"]["sections"]) and record["run"]["block_budget_bytes"] < amount * 1e6


def limits_for_files_are_file_errors(box):
    scan = box.folder / "limited.nx"
    expect(box.run("simulate", "-o", scan, "--cols", 64, "--rows", 16, "--views", 60, "--flats", 2, "--quiet"), 0)
    folder = fresh(box, "limited")

    for most in (500, 20000):
        for command in (["reconstruct", scan, "-o", folder / "v.tif", "--axis", 0],
                        ["reconstruct", scan, "-o", folder / "w.tif", "--axis", 0, "--picture", folder / "w.png"],
                        ["simulate", "-o", folder / "s.nx", "--cols", 64, "--rows", 16, "--views", 60]):
            r = box.run(*command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
            # The shared memory of pixels that are read is a file to such a limit, too: then memory is what is short.
            expect(r, 3 if command[0] == "simulate" or r.returncode != 4 else 4)
            assert not list(folder.iterdir()), (command, list(folder.iterdir()))


TESTS = [long_pipelines_run, pipelines_beyond_any_size_are_refused_at_once, sums_of_sums_end, learning_may_sum_a_measured_number,
         empty_values_are_usage_errors, names_that_are_not_utf8_are_named, budgets_that_hold_nothing_are_refused,
         the_resident_set_stays_within_the_budget, limits_for_files_are_file_errors]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
