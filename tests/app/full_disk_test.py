#!/usr/bin/env python3
"""Every command that writes files, volumes in all formats, on a file system that is full: exit code 3, an error that
says what and where, and nothing left but what a run goes on from. Also standard output on a full disk.

usage: full_disk_test.py TOMOLOOM SOURCE_DIR
"""
import re
import subprocess
import sys

from cli_box import Skip, expect, run_all

# In a mount namespace of its own: a tmpfs on the folder, the command there, then what is left, each name on a line.
ON_A_SMALL_DISK = ('mount -t tmpfs -o size="$1",nr_inodes=40 tmpfs "$2" || exit 125; cd "$2" || exit 125; list=$3; shift 3; "$@"; code=$?; '
                   'find . -mindepth 1 > "$list"; exit $code')


def on_a_small_disk(box, size, *arguments):
    """The finished command and the names of what it left."""
    disk, left = box.folder / "disk", box.folder / "left.txt"
    disk.mkdir(exist_ok=True)
    left.write_text("")
    r = subprocess.run(["unshare", "-rm", "sh", "-c", ON_A_SMALL_DISK, "sh", str(size), str(disk), str(left), box.program, *map(str, arguments)],
                       capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    if r.returncode == 125 or "unshare" in r.stderr:
        raise Skip(f"no file system may be mounted: {r.stderr.strip()}")
    return r, sorted(left.read_text().split())


def formats(box):
    ids = re.search(r"Format of the new\s+file:([^-]*)", box.run("convert", "--help").stdout.replace("\n", " ")).group(1)
    found = [i for i in re.split(r"[,\s]+", ids) if i]
    assert len(found) >= 6, found
    return found


def commands(box):
    """Of each kind of output one, volumes in all formats."""
    scan, pipeline = box.scan(16, 96, 60), box.pipeline("full.json")
    volume = box.folder / "whole.tif"
    if not volume.exists():
        expect(box.run("reconstruct", scan, "-o", volume, "--axis", 3), 0)
    for format in formats(box):
        integers = ["--set", "save.type=uint16", "--set", "save.low=0", "--set", "save.high=1"] if format == "dicom" else []
        yield f"run {format}", ["run", pipeline, "--input", scan, "--set", f"save.format={format}", "--set", "save.file=v", *integers, "--out", "."]
        yield f"convert {format}", ["convert", volume, "v", "--format", format]
    yield "picture", ["reconstruct", scan, "-o", "v.tif", "--axis", 3, "--picture", "p.png"]
    yield "pipeline", ["reconstruct", scan, "-o", "v.tif", "--axis", 3, "--save-pipeline", "p.json"]
    yield "simulate", ["simulate", "-o", "s.nx", "--cols", 64, "--rows", 16, "--views", 60]
    yield "sweep", ["sweep", pipeline, "--over", "fbp.cutoff=0.5,1", "-o", "s"]
    yield "learn", ["learn", "axis-by-gradient", "--input", scan, "-o", "found.json", "--no-errors", "--no-survey"]
    yield "template", ["templates", "parallel", "-o", "t.json"]
    yield "many scans", ["run", pipeline, "--inputs", scan, "--out", "many"]
    yield "slab", ["run", pipeline, "--input", scan, "--out", ".", "--slab", "1/2"]
    for format in ("httomo", "nabu", "ewoks"):
        yield f"translate {format}", ["translate", pipeline, "p.x", "--to", format]


def a_full_file_system_is_a_file_error(box):
    for name, command in commands(box):
        for size in ("4k", "16k", "64k"):
            r, left = on_a_small_disk(box, size, *command)
            if r.returncode in (0, 6):  # it found room
                assert size != "4k" or name in SMALL, (name, size, left)
                continue
            # Over many scans a full disk is what failed with one of them: in its line, and code 1 as for all failures.
            assert r.returncode == 3 or (name == "many scans" and r.returncode == 1), (name, size, r.returncode, r.stderr)
            said = r.stderr + r.stdout
            assert "No space left on device" in said or "not enough space" in said, (name, size, said)
            litter = [n for n in left if not n.startswith(STAYS)]
            assert not litter, (name, size, litter, r.stderr)


# From which a run goes on, folders, and the pipeline that is saved before it runs.
STAYS = ("./found.json.journal", "./s.sweep", "./many", "./volume.tif.slabs", "./p.json")
SMALL = ("template", "translate httomo", "translate nabu", "translate ewoks")


def a_full_standard_output_is_a_file_error(box):
    scan, pipeline = box.scan(16, 96, 60), box.pipeline("full.json")
    for command in (["nodes", "--markdown"], ["nodes"], ["templates", "parallel"], ["info", scan], ["check", pipeline], ["--help"]):
        with open("/dev/full", "w") as full:
            r = subprocess.run([box.program, *map(str, command)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
        assert r.returncode == 3, (command, r.returncode, r.stderr)


TESTS = [a_full_file_system_is_a_file_error, a_full_standard_output_is_a_file_error]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
