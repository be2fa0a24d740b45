#!/usr/bin/env python3
"""Runs the command line with failing files, disks, terminals and pipes: no data is lost, no partial file is left.

usage: cli_safety_test.py TOMOLOOM SOURCE_DIR
"""
import json
import os
import resource
import signal
import subprocess
import sys

from cli_box import expect, fresh, min_budget, run_all


def inputs_outlive_every_command(box):
    """The real program on the worst cases: what the law of tests/app/outputs_and_inputs.cpp walks in one process."""
    folder = fresh(box, "inputs")
    scan = folder / "scan.h5"
    scan.write_bytes(box.scan().read_bytes())
    pipeline = box.pipeline("sacred.json")
    (folder / "link.tif").symlink_to(scan)
    os.link(scan, folder / "hard.tif")
    before = {p: p.read_bytes() for p in (scan, pipeline)}
    axis = ["--axis", 3, "--overwrite"]
    for command in (["reconstruct", scan, "-o", folder / "link.tif", *axis], ["reconstruct", scan, "-o", folder / "hard.tif", *axis],
                    ["reconstruct", scan, "-o", folder / "v.tif", "--picture", scan, *axis],
                    ["reconstruct", scan, "-o", folder / "v.tif", "--save-pipeline", scan, *axis],
                    ["run", pipeline, "--input", scan, "--set", f"save.file={pipeline}", "--overwrite"],
                    ["sweep", pipeline, "--input", scan, "--over", "fbp.cutoff=0.5,1", "-o", pipeline, "--overwrite"],
                    ["learn", pipeline, "--input", scan, "-o", scan, "--learn", "axis.axis", "--objective", "fbp.volume", "--overwrite"]):
        expect(box.run(*command), 1, "an input")
        for path, text in before.items():
            assert path.read_bytes() == text, (path, command)
    assert sorted(p.name for p in folder.iterdir()) == ["hard.tif", "link.tif", "scan.h5"], list(folder.iterdir())


def what_lies_in_an_output_folder_is_asked_for(box):
    """Commands that choose the names in their folder: each again, without consent and with it."""
    pipeline = box.pipeline("again.json")
    for arguments, option in ((["nodes", "recon.fbp"], "--pictures"), (["first-light"], "-o"), (["run", pipeline], "--out")):
        folder = fresh(box, "again_" + arguments[0])
        expect(box.run(*arguments, option, folder), 0)
        made = sorted(p for p in folder.rglob("*") if p.is_file())
        assert made, arguments
        for one in made:
            one.write_bytes(b"mine")
        for one in made:
            hidden = [other for other in made if other != one]
            for other in hidden:
                other.rename(other.with_name("away " + other.name))
            r = box.run(*arguments, option, folder)
            assert r.returncode != 0 and "exists already" in r.stderr, (arguments, one, r.returncode, r.stderr)
            assert one.read_bytes() == b"mine", (arguments, one)
            for other in hidden:
                other.with_name("away " + other.name).rename(other)
        assert all(one.read_bytes() == b"mine" for one in made), arguments
        expect(box.run(*arguments, option, folder, "--overwrite"), 0)
        assert not any(one.read_bytes() == b"mine" for one in made), arguments


def outputs_outside_of_the_folder_are_asked_for(box):
    folder = fresh(box, "outside")
    pipeline = box.pipeline("leaves.json")
    text = pipeline.read_text().replace('"volume.tif"', '"../elsewhere.tif"')
    assert "../elsewhere.tif" in text
    pipeline.write_text(text)
    (folder / "out").mkdir()
    expect(box.run("check", pipeline), 0, "writes outside of the output folder", "save.file", "elsewhere.tif")
    lines = [json.loads(line) for line in box.run("check", pipeline, "--json").stdout.splitlines()]
    assert lines[0]["writes_outside"]["save.file"].endswith("/elsewhere.tif"), lines[0]
    expect(box.run("run", pipeline, "--out", folder / "out"), 1, "outside of the output folder", "--allow-outside")
    assert [p.name for p in folder.iterdir()] == ["out"] and not list((folder / "out").iterdir())
    # What the user names is meant.
    expect(box.run("run", pipeline, "--out", folder / "out", "--set", f"save.file={folder / 'mine.tif'}"), 0, "mine.tif")
    expect(box.run("run", pipeline, "--out", folder / "out", "--allow-outside"), 0, "elsewhere.tif")
    assert (folder / "elsewhere.tif").exists() and (folder / "mine.tif").exists()


def limits_of_file_size_are_file_errors(box):
    """Volume, stack, record, scan, table: wherever the disk ends, exit code 3, and nothing is left."""
    pipeline = box.pipeline("limited.json")
    learning = box.source / "resources/pipelines/axis-by-gradient.json"
    scan = box.scan()
    commands = (["reconstruct", scan, "--axis", 3, "-o", "v.tif"], ["reconstruct", scan, "--axis", 3, "-o", "stack"],
                ["reconstruct", scan, "--axis", 3, "-o", "v.tif", "--picture", "p.png"],
                ["run", pipeline], ["simulate", "-o", "s.nx", "--cols", 24, "--rows", 4, "--views", 20],
                ["sweep", pipeline, "--over", "fbp.cutoff=0.5,1", "-o", "s"],
                ["learn", learning, "--input", scan, "-o", "found.json", "--no-errors"])
    for number, command in enumerate(commands):
        for limit in (0, 600, 3000):
            folder = fresh(box, f"limit_{number}_{limit}")
            r = box.run(*command, cwd=folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            assert r.returncode == 3, (command, limit, r.returncode, r.stderr)
            left = [p.name for p in folder.iterdir()]
            # Learning and sweeps keep what is done, to go on from there.
            assert all(name in ("found.json.journal", "s.sweep") for name in left), (command, limit, left)
            if "found.json.journal" in left or "s.sweep" in left:
                again = box.run(*command, cwd=folder)
                assert again.returncode in (0, 6), (command, limit, again.returncode, again.stderr)


def signals_leave_nothing(box):
    scan = box.scan(96, 512, 360)
    for name in ("SIGHUP", "SIGQUIT", "SIGTERM", "SIGXCPU"):
        folder = fresh(box, name)
        p = subprocess.Popen([box.program, "reconstruct", str(scan), "-o", str(folder / "v.tif"), "--axis", "3", "--json", "--max-memory", f"{min_budget(box) + 20}MB"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in p.stdout:
            if json.loads(line)["event"] in ("progress", "node"):
                break
        p.send_signal(getattr(signal, name))
        rest, errors = p.communicate(timeout=60)
        assert p.returncode == 5, (name, p.returncode, rest[-500:], errors)
        assert not list(folder.iterdir()), (name, list(folder.iterdir()))


def a_reader_that_went_away_leaves_nothing(box):
    scan = box.scan(96, 512, 360)
    folder = fresh(box, "pipe")
    p = subprocess.Popen([box.program, "reconstruct", str(scan), "-o", str(folder / "v.tif"), "--axis", "3", "--json", "--max-memory", f"{min_budget(box) + 20}MB"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    p.stdout.readline()
    p.stdout.close()
    errors = p.stderr.read()
    assert p.wait(timeout=60) == 3, (p.returncode, errors)
    assert not list(folder.iterdir()), list(folder.iterdir())


def nohup_is_respected(box):
    folder = fresh(box, "nohup")
    scan = box.scan(24, 256, 180)
    p = subprocess.Popen([box.program, "reconstruct", str(scan), "-o", str(folder / "v.tif"), "--axis", "3", "--json", "--max-memory", f"{min_budget(box) + 20}MB"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    for line in p.stdout:
        if json.loads(line)["event"] in ("progress", "node"):
            break
    p.send_signal(signal.SIGHUP)
    p.communicate(timeout=60)
    assert p.returncode == 0 and (folder / "v.tif").exists(), p.returncode


def texts_of_files_do_not_steer_the_terminal(box):
    steering = "\x1b[2J\x1b]0;owned\x07\u202e"
    folder = fresh(box, "steering")
    pipeline = box.pipeline("steering.json")
    graph = json.loads(pipeline.read_text())
    evil = folder / f"evil{steering}.h5"
    evil.write_bytes(b"no scan")
    load = next(n for n in graph["nodes"].values() if n["type"] == "input.load_scan")
    load["parameters"]["file"] = str(evil)
    named = folder / f"p{steering}.json"
    named.write_text(json.dumps(graph))
    bad = folder / f"bad{steering}.json"
    bad.write_text(json.dumps({"format": steering, "nodes": {steering: {}}}))
    for arguments in (["check", named], ["run", named, "--out", folder], ["info", evil], ["check", bad], ["run", pipeline, "--set", f"save.fil{steering}=1"]):
        r = box.run(*arguments)
        assert r.returncode in (1, 3), (arguments, r.returncode, r.stderr)
        assert "\x1b" not in r.stderr + r.stdout and "\u202e" not in r.stderr + r.stdout and "\x07" not in r.stderr + r.stdout, repr(r.stderr)
        assert "\\x1b" in r.stderr, r.stderr


def plugin_folders_of_the_environment_are_reported(box):
    environment = {**os.environ, "HDF5_PLUGIN_PATH": "/opt/filters\x1b[2J"}
    pipeline = box.pipeline("plugins.json")
    for command in (["info", box.scan()], ["check", pipeline], ["run", pipeline, "--out", fresh(box, "plugins")]):
        r = box.run(*command, env=environment)
        expect(r, 0, "HDF5 loads code", "/opt/filters\\x1b[2J")
        assert "HDF5_PLUGIN_PATH" in r.stderr, r.stderr


TESTS = [inputs_outlive_every_command, what_lies_in_an_output_folder_is_asked_for, outputs_outside_of_the_folder_are_asked_for, limits_of_file_size_are_file_errors,
         signals_leave_nothing, a_reader_that_went_away_leaves_nothing, nohup_is_respected, texts_of_files_do_not_steer_the_terminal,
         plugin_folders_of_the_environment_are_reported]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
