#!/usr/bin/env python3
"""Kills a run between the renames of its outputs and records: opening a record that does not belong to its volume
gives a warning, and the same command repairs it.

usage: killed_commit_test.py TOMOLOOM SOURCE_DIR LIBRARY      (LIBRARY: tests/support/kill_at_rename.cpp)
"""
import hashlib
import os
import signal
import sys

from cli_box import expect, fresh, run_all

LIBRARY = sys.argv[3]
OF_ANOTHER_RUN = "not the one that this record describes"


def killed_at(rename):
    return {**os.environ, "LD_PRELOAD": LIBRARY, "TL_KILL_AT_RENAME": str(rename)}


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


TESTS = [a_volume_and_its_record, a_folder_of_slices_and_its_record]
sys.exit(run_all(TESTS, sys.argv[1], sys.argv[2]))
