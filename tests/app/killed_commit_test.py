#!/usr/bin/env python3
"""Kills a run between the renames of its outputs and records: opening a record that does not belong to its volume
gives a warning, and the same command repairs it. Kills a join, a sweep and a learning run at each rename and each removal: the
same command ends with the bytes of an undisturbed one and leaves nothing else.

usage: killed_commit_test.py TOMOLOOM SOURCE_DIR LIBRARY      (LIBRARY: tests/support/preloaded/kill_at_rename.cpp)
"""
import hashlib
import json
import os
import shutil
import signal
import sys

from cli_box import expect, fresh, run_all
from cli_slabs_test import pipeline_of, slabs

LIBRARY = sys.argv[3]
OF_ANOTHER_RUN = "not the one that this record describes"


def killed_at(count, step="RENAME", **more):
    return {**os.environ, "LD_PRELOAD": LIBRARY, f"TL_KILL_AT_{step}": str(count), **more}


def content(path):
    """Of a file, or of the slices of a folder."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()


def states_after_kills(box, name):
    folder = fresh(box, name)
    volume, record = folder / name, folder / f"{name}.json"

    def command(axis, **options):
        return box.run("reconstruct", box.scan(), "-o", volume, "--axis", axis, "--overwrite", **options)

    observed = set()
    for rename in range(1, 20):
        expect(command(3), 0)
        old_volume, old_record = content(volume), record.read_bytes()
        result = command(8, env=killed_at(rename))
        if result.returncode == 0:
            assert rename > 2, "nothing was killed"
            break
        assert result.returncode == -signal.SIGKILL, (result.returncode, result.stderr)
        replaced = (content(volume) != old_volume, record.read_bytes() != old_record)
        observed.add(replaced)
        # Also the outputs of this run go elsewhere: what is next to the record stays.
        for verb, options in (("run", ["--out", fresh(box, f"{name}_again_{rename}")]), ("check", [])):
            again = box.run(verb, record, *options, "--set", f"save.file={box.folder / f'other_{rename}_{verb}_{name}'}", *(["--overwrite"] if verb == "run" else []))
            expect(again, 0)
            reported = OF_ANOTHER_RUN in again.stderr + again.stdout
            assert reported == (replaced[0] != replaced[1]), (verb, rename, replaced, again.stderr)
        expect(command(8), 0)
        assert OF_ANOTHER_RUN not in box.run("check", record).stderr
        left = sorted(p.name for p in folder.iterdir())
        assert left == sorted([name, record.name]), left
    assert any(volume_new != record_new for volume_new, record_new in observed), f"no run ended between the two: {observed}"


def a_volume_and_its_record(box):
    states_after_kills(box, "v.tif")


def a_folder_of_slices_and_its_record(box):
    states_after_kills(box, "slices")


def without_exchange(box, name, plain):
    """On a file system that cannot exchange names (NFS, SMB, FUSE): a run is killed while it replaces an output, and the
    next one before it has a result of its own. The old output or the new one, whole, has the name."""
    folder = fresh(box, f"plain_{plain}_{name}")
    volume = folder / name

    def command(axis, *more, **options):
        return box.run("reconstruct", box.scan(), "-o", volume, "--axis", axis, "--overwrite", *more, **options)

    expect(command(8), 0)
    new = content(volume)
    vanished = 0
    for rename in range(1, 30):
        expect(command(3), 0)
        old = content(volume)
        result = command(8, env=killed_at(rename, TL_PLAIN_RENAMES=plain))
        if result.returncode == 0:
            assert rename > 4, "nothing was killed"
            break
        assert result.returncode == -signal.SIGKILL, (result.returncode, result.stderr)
        vanished += not volume.exists()
        # The first rename of the next run gives the name back, or is the first of its own outputs.
        again = command(8, env=killed_at(1 if volume.exists() else 2, TL_PLAIN_RENAMES=plain))
        assert again.returncode == -signal.SIGKILL, (again.returncode, again.stderr)
        assert content(volume) in (old, new), rename
        expect(command(3), 0)
        assert content(volume) == old
        left = sorted(p.name for p in folder.iterdir())
        assert left == sorted([name, f"{name}.json"]), left
    has_moment = plain == "2" or not name.endswith(".tif")
    assert (vanished > 0) == has_moment, (vanished, plain, name)


def files_without_exchange(box):
    without_exchange(box, "v.tif", "1")


def files_without_exchange_and_links(box):
    without_exchange(box, "v.tif", "2")


def folders_without_exchange(box):
    without_exchange(box, "slices", "1")


def a_header_and_its_voxels(box):
    """.mhd and .raw of two conversions with other ranges: the header of the one is never read with voxels of the other."""
    folder = fresh(box, "meta")
    volume = folder / "v.tif"
    expect(box.run("reconstruct", box.scan(), "-o", volume, "--axis", 3), 0)

    def convert(high, **options):
        return box.run("convert", volume, folder / "v.mhd", "--type", "uint16", "--low", 0, "--high", high, "--overwrite", **options)

    def values():
        result = box.run("convert", folder / "v.mhd", folder / "read.nrrd", "--type", "float32", "--overwrite")
        return (folder / "read.nrrd").read_bytes()[-4096:] if result.returncode == 0 else result.stderr

    observed = set()
    expect(convert(10), 0)
    new = values()
    for rename in range(1, 20):
        expect(convert(1), 0)
        old = values()
        result = convert(10, env=killed_at(rename))
        if result.returncode == 0:
            break
        found = values()
        refused = isinstance(found, str)
        observed.add("refused" if refused else "whole")
        said = "the data for which this header was written"
        assert found in (old, new) or (refused and said in found), (rename, found)
    assert observed == {"refused", "whole"}, observed


def labels_and_their_table(box):
    """Labels of two conversions with other classes: those of the one are never read with the names of the other, also where
    the names that are replaced were written by hand."""
    folder = fresh(box, "labels")
    numbers = {"pore": 1, "grain": 2}
    for name, number in numbers.items():
        header = b"NRRD0005\ntype: uint8\ndimension: 3\nsizes: 4 5 6\nencoding: raw\n\n"
        (folder / f"{name}.nrrd").write_bytes(header + bytes([number]) * (4 * 5 * 6))
        (folder / f"{name}.nrrd.labels.json").write_text(json.dumps({"classes": [{"number": 0, "name": name}]}))

    def read(labels):
        """The name of the class, and the number of the voxels; or why they are not read."""
        result = box.run("convert", labels, folder / "read.nrrd", "--type", "uint8", "--low", 0, "--high", 255, "--overwrite")
        if result.returncode != 0:
            assert result.returncode == 1, result.stderr
            return result.stderr
        text = (folder / "read.nrrd").read_bytes()
        return [name for name in numbers if f'name\\":\\"{name}'.encode() in text or f'"name":"{name}"'.encode() in text], text[-1]

    observed = set()
    # Folders are replaced only where they embed the record of a run, which these sources do not have.
    for form in ("v.mhd", "v.mha", "v.tif", "v.nrrd"):
        labels, table = folder / form, folder / f"{form}.labels.json"

        def write(name, **options):
            return box.run("convert", folder / f"{name}.nrrd", labels, "--overwrite", **options)

        for rename in range(1, 20):
            table.write_text(json.dumps({"classes": [{"number": 0, "name": "pore"}]}))
            expect(write("pore"), 0)
            assert read(labels) == (["pore"], 1), read(labels)
            if rename % 2 == 0:
                table.write_text(json.dumps({"classes": [{"number": 0, "name": "pore"}]}))
            result = write("grain", env=killed_at(rename))
            found = read(labels)
            if result.returncode == 0:
                assert found == (["grain"], 2), (form, found)
                break
            assert result.returncode == -signal.SIGKILL, (result.returncode, result.stderr)
            refused = isinstance(found, str)
            observed.add("refused" if refused else "whole")
            assert (refused and "not written for" in found or "for which this header" in found) or found in ((["pore"], 1), (["grain"], 2)), (form, rename, found)
            expect(write("grain"), 0)
            assert read(labels) == (["grain"], 2), (form, rename)
    assert observed == {"refused", "whole"}, observed


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


def a_join(box):
    """Killed at any step, the same command ends with the bytes of an undisturbed one; slabs are not lost before that."""
    whole = fresh(box, "join_whole")
    pipeline = pipeline_of(box, "joined")
    slabs(box, pipeline, whole, 3)
    untouched = box.folder / "join_slabs"
    shutil.copytree(whole, untouched)
    expect(box.run("join", whole), 0)
    expected = contents_of(whole)
    for step in ("RENAME", "REMOVAL"):
        for count in range(1, 60):
            out = box.folder / f"join_{step}_{count}"
            shutil.copytree(untouched, out)
            result = box.run("join", out, env=killed_at(count, step))
            if result.returncode == 0:
                assert count > 2, f"nothing was killed at {step}"
                break
            assert result.returncode == -signal.SIGKILL, (result.returncode, result.stderr)
            if contents_of(out) != expected or (out / "joined.tif.slabs").exists():
                expect(box.run("join", out), 0)
            assert contents_of(out) == expected, (step, count, sorted(contents_of(out)))
            assert not (out / "joined.tif.slabs").exists(), (step, count)


def newer_slabs_are_not_taken_for_joined_ones(box):
    """A join is killed while it removes slabs; then others are computed into the same folder."""
    pipeline = pipeline_of(box, "newer")
    out = fresh(box, "newer")
    slabs(box, pipeline, out, 3)
    assert box.run("join", out, env=killed_at(2, "REMOVAL")).returncode == -signal.SIGKILL
    volume = (out / "newer.tif").read_bytes()
    slabs(box, pipeline, out, 3, "--set", "fbp.cutoff=0.5", "--overwrite")
    before = contents_of(out)
    expect(box.run("join", out), 1, "exists already")
    assert contents_of(out) == before
    expect(box.run("join", out, "--overwrite"), 0)
    assert (out / "newer.tif").read_bytes() != volume and not (out / "newer.tif.slabs").exists()


def a_sweep(box):
    pipeline = box.pipeline("sweep.json")
    goes_on_from_every_kill(box, "sweep", lambda out: ["sweep", pipeline, "--over", "fbp.cutoff=0.5,1", "-o", out / "found.json"])


def a_learning_run(box):
    goes_on_from_every_kill(box, "learn", lambda out: ["learn", "axis-by-gradient", "--input", box.scan(), "-o", out / "found.json"])


def another_file_is_never_replaced(box):
    """A sweep's folder next to a result that is not its own."""
    pipeline = box.pipeline("sweep.json")
    for count in range(1, 60):
        out = fresh(box, f"others_{count}")
        command = ["sweep", pipeline, "--over", "fbp.cutoff=0.5,1", "-o", out / "found.json"]
        result = box.run(*command, env=killed_at(count))
        assert result.returncode == -signal.SIGKILL, "no kill left the folder of points next to one output"
        named = [p for p in out.iterdir() if p.is_file() and not p.name.startswith(".")]
        if named:
            break
    named[0].write_bytes(b"mine")
    expect(box.run(*command), 1, "exists already")
    assert named[0].read_bytes() == b"mine"


TESTS = [a_volume_and_its_record, a_folder_of_slices_and_its_record, files_without_exchange, files_without_exchange_and_links, folders_without_exchange,
         a_header_and_its_voxels, labels_and_their_table, a_join, newer_slabs_are_not_taken_for_joined_ones, a_sweep, a_learning_run, another_file_is_never_replaced]
sys.exit(run_all(TESTS, sys.argv[1], sys.argv[2]))
