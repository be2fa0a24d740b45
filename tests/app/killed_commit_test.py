#!/usr/bin/env python3
"""Kills a run between the renames of its outputs and records: opening a record that does not belong to its volume
gives a warning, and the same command repairs it. Kills a sweep and a learning run at each rename and each removal: the
same command ends with the bytes of an undisturbed one and leaves nothing else.

usage: killed_commit_test.py TOMOLOOM SOURCE_DIR LIBRARY      (LIBRARY: tests/support/kill_at_rename.cpp)
"""
import hashlib
import os
import signal
import sys

from cli_box import expect, fresh, run_all

LIBRARY = sys.argv[3]
OF_ANOTHER_RUN = "not the one that this record describes"


def killed_at(count, step="RENAME"):
    return {**os.environ, "LD_PRELOAD": LIBRARY, f"TL_KILL_AT_{step}": str(count)}


def content(path):
    """Of a file, or of the slices of a folder."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()


def states_after_kills(box, name):
    folder = fresh(box, name)
    volume, record = folder / name, folder / f"{name}.json"

    def command(axis, **options):
        return box.run("reconstruct", box.scan(), "-o", volume, "--axis", axis, "--overwrite", **options)

    seen = set()
    for rename in range(1, 20):
        expect(command(3), 0)
        old_volume, old_record = content(volume), record.read_bytes()
        result = command(8, env=killed_at(rename))
        if result.returncode == 0:
            assert rename > 2, "nothing was killed"
            break
        assert result.returncode == -signal.SIGKILL, (result.returncode, result.stderr)
        replaced = (content(volume) != old_volume, record.read_bytes() != old_record)
        seen.add(replaced)
        # Also the outputs of this run go elsewhere: what is beside the record stays.
        for verb, options in (("run", ["--out", fresh(box, f"{name}_again_{rename}")]), ("check", [])):
            again = box.run(verb, record, *options, "--set", f"save.file={box.folder / f'other_{name}_{rename}_{verb}'}", *(["--overwrite"] if verb == "run" else []))
            expect(again, 0)
            told = OF_ANOTHER_RUN in again.stderr + again.stdout
            assert told == (replaced[0] != replaced[1]), (verb, rename, replaced, again.stderr)
        expect(command(8), 0)
        assert OF_ANOTHER_RUN not in box.run("check", record).stderr
        left = sorted(p.name for p in folder.iterdir())
        assert left == sorted([name, record.name]), left
    assert any(volume_new != record_new for volume_new, record_new in seen), f"no run ended between the two: {seen}"


def a_volume_and_its_record(box):
    states_after_kills(box, "v.tif")


def a_folder_of_slices_and_its_record(box):
    states_after_kills(box, "slices")


def contents_of(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def goes_on_from_every_kill(box, name, command):
    """command(out): what writes into that folder."""
    whole = fresh(box, f"{name}_whole")
    expect(box.run(*command(whole)), 0)
    expected = contents_of(whole)
    unasked = 0
    for step in ("RENAME", "REMOVAL"):
        for count in range(1, 60):
            out = fresh(box, f"{name}_out_{step}_{count}")
            result = box.run(*command(out), env=killed_at(count, step))
            if result.returncode == 0:
                assert count > 1, f"nothing was killed at {step}"
                break
            assert result.returncode == -signal.SIGKILL, (result.returncode, result.stderr)
            there = contents_of(out)
            unasked += not there.keys().isdisjoint(expected)
            # One that had ended has nothing to do again; else no --overwrite is needed.
            if there != expected or [p for p in out.iterdir() if p.is_dir()]:
                again = box.run(*command(out))
                assert again.returncode == (1 if there == expected else 0), (step, count, again.stderr)
            assert contents_of(out) == expected, (step, count, sorted(contents_of(out)))
            assert not [p for p in out.iterdir() if p.is_dir()], (step, count)
    assert unasked > 0, "no run was killed when outputs had their names"


def a_sweep(box):
    pipeline = box.pipeline("sweep.json")
    goes_on_from_every_kill(box, "sweep", lambda out: ["sweep", pipeline, "--over", "fbp.cutoff=0.5,1", "-o", out / "found.json"])


def a_learning_run(box):
    goes_on_from_every_kill(box, "learn", lambda out: ["learn", "axis-by-gradient", "--input", box.scan(), "-o", out / "found.json"])


def another_file_is_never_replaced(box):
    """A sweep's folder beside a result that is not its own."""
    pipeline = box.pipeline("sweep.json")
    for count in range(1, 60):
        out = fresh(box, f"others_{count}")
        command = ["sweep", pipeline, "--over", "fbp.cutoff=0.5,1", "-o", out / "found.json"]
        result = box.run(*command, env=killed_at(count))
        assert result.returncode == -signal.SIGKILL, "no kill left the folder of points beside one output"
        named = [p for p in out.iterdir() if p.is_file() and not p.name.startswith(".")]
        if named:
            break
    named[0].write_bytes(b"mine")
    expect(box.run(*command), 1, "exists already")
    assert named[0].read_bytes() == b"mine"


TESTS = [a_volume_and_its_record, a_folder_of_slices_and_its_record, a_sweep, a_learning_run, another_file_is_never_replaced]
sys.exit(run_all(TESTS, sys.argv[1], sys.argv[2]))
