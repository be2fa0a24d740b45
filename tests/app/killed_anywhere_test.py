#!/usr/bin/env python3
"""Kills run, learn, sweep and runs over many scans at random moments: an output is the old one or the whole new one,
and the same command once more ends with the bytes of an undisturbed run and leaves nothing else behind.

usage: killed_anywhere_test.py TOMOLOOM SOURCE_DIR
TL_KILLS: how often each command is killed (6); TL_KILL_SEED: seed of the moments (1).
"""
import os
import random
import shutil
import subprocess
import sys
import time

from cli_box import expect, fresh, run_all

KILLS = int(os.environ.get("TL_KILLS", "6"))
SEED = int(os.environ.get("TL_KILL_SEED", "1"))


def seconds_of(box, *arguments):
    start = time.monotonic()
    expect(box.run(*arguments), 0)
    return time.monotonic() - start


def killed_after(box, seconds, *arguments):
    """Whether the command was still running then."""
    p = subprocess.Popen([box.program, *map(str, arguments)], cwd=box.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                         stdin=subprocess.DEVNULL)
    try:
        p.wait(seconds)
    except subprocess.TimeoutExpired:
        pass
    p.kill()
    return p.wait() != 0


def moments(name, whole):
    """Moments from the start to a little after the end of an undisturbed run, the same for a seed."""
    draw = random.Random(f"{SEED} {name}")
    return [draw.uniform(0, 1.1 * whole) for _ in range(KILLS)]


def names_in(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def contents_of(folder):
    return {n: (folder / n).read_bytes() for n in names_in(folder)}


def print_kills(name, killed):
    print(f"INFO   : {name}: killed {killed} times of {KILLS}, seed {SEED}", flush=True)
    assert killed > 0, "no run was killed: all ended before"


def a_run_replaces_the_whole_volume_or_nothing(box):
    folder = fresh(box, "run")
    pipeline = box.pipeline("run.json")

    def command(out, cutoff):
        return ["run", pipeline, "--set", f"fbp.cutoff={cutoff}", "--out", out, "--overwrite"]

    seconds_of(box, *command(folder / "old", 0.5))
    whole = seconds_of(box, *command(folder / "new", 1))
    volume, record = names_in(folder / "old")
    old, new = (folder / "old" / volume).read_bytes(), (folder / "new" / volume).read_bytes()
    assert old != new
    killed = 0
    for after in moments("run", whole):
        out = folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(folder / "old", out)
        killed += killed_after(box, after, *command(out, 1))
        assert (out / volume).read_bytes() in (old, new), after
        expect(box.run(*command(out, 1)), 0)
        assert (out / volume).read_bytes() == new, after
        assert names_in(out) == [volume, record], names_in(out)
    print_kills("run", killed)


def goes_on(box, name, *arguments):
    """Killed and started again, the command writes what an undisturbed run wrote."""
    folder = fresh(box, name)
    (folder / "whole").mkdir()
    whole = seconds_of(box, *arguments, "-o", folder / "whole" / "found.json")
    expected = contents_of(folder / "whole")
    killed = 0
    for after in moments(name, whole):
        out = folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        killed += killed_after(box, after, *arguments, "-o", out / "found.json")
        for finished in set(names_in(out)) & set(expected):
            assert (out / finished).read_bytes() == expected[finished], (after, finished)
        if contents_of(out) != expected:  # else it had ended, and what is there is never replaced unasked
            expect(box.run(*arguments, "-o", out / "found.json"), 0)
        assert contents_of(out) == expected, (after, names_in(out), sorted(expected))
    print_kills(name, killed)


def learning_goes_on(box):
    goes_on(box, "learn", "learn", "axis-by-gradient", "--input", box.scan(), "--restarts", "10")


def a_sweep_goes_on(box):
    goes_on(box, "sweep", "sweep", box.pipeline("sweep.json"), "--over", "fbp.cutoff=0.3:1:4")


def many_scans_go_on(box):
    folder = fresh(box, "many")
    pipeline = box.pipeline("many.json")
    scans = folder / "scans"
    scans.mkdir()
    for name in "abc":
        shutil.copy(box.scan(), scans / f"{name}.h5")

    def command(out):
        return ["run", pipeline, "--inputs", scans, "--out", out]

    def volumes(out):
        return {n: (out / n).read_bytes() for n in names_in(out) if n.endswith(".tif")}

    whole = seconds_of(box, *command(folder / "whole"))
    expected, names = volumes(folder / "whole"), names_in(folder / "whole")
    assert len(expected) == 3, names
    killed = 0
    for after in moments("many", whole):
        out = folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        killed += killed_after(box, after, *command(out))
        for name, content in (volumes(out) if out.exists() else {}).items():
            assert content == expected.get(name), (after, name)
        expect(box.run(*command(out)), 0)
        assert volumes(out) == expected, after
        assert names_in(out) == names, (names_in(out), names)
    print_kills("many", killed)


TESTS = [a_run_replaces_the_whole_volume_or_nothing, learning_goes_on, a_sweep_goes_on, many_scans_go_on]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
