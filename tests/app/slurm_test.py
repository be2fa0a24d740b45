#!/usr/bin/env python3
"""Submits pipelines to a real Slurm of one node: slabs and scans, a task that fails and is submitted again alone.

usage: slurm_test.py TOMOLOOM SOURCE_DIR
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from cli_box import expect, fresh, run_all
from cli_slabs_test import SAME_VOXELS, pipeline_of
from slurm_box import Slurm

FEW = ["--cores", "1", "--max-memory", "1000MB", "--minutes", "30"]


def states(box, out, slurm):
    result = box.run("jobs", out, "--json", env=slurm.environment)
    assert result.returncode in (0, 1), result.stderr
    return {line["name"]: line for line in map(json.loads, result.stdout.splitlines())}


def wait_for_end(box, out, slurm):
    """The states when nothing waits or runs any more."""
    while True:
        now = states(box, out, slurm)
        if not any(s["state"] in ("waiting", "running") for s in now.values()):
            return {name: s["state"] for name, s in now.items()}, now
        time.sleep(0.5)


def with_slurm(test):
    def run(box):
        with tempfile.TemporaryDirectory(prefix="slurm", ignore_cleanup_errors=True) as folder, Slurm(folder) as slurm:
            test(box, slurm)
    run.__name__ = test.__name__
    return run


@with_slurm
def slabs_become_a_volume(box, slurm):
    folder = fresh(box, "slabs")
    pipeline = pipeline_of(box, "slurm")
    out = folder / "out"
    expect(box.run("submit", pipeline, "--slabs", "3", "--out", out, *FEW, "--dry-run", env=slurm.environment), 0, "3 tasks of 1 cores")
    # The time comes from computing some slices, the memory from the forecast.
    unasked = box.run("submit", pipeline, "--slabs", "3", "--out", out, "--dry-run", env=slurm.environment)
    expect(unasked, 0, "3 tasks of", "GB, 10 min 00 s at most")
    assert not out.exists()
    expect(box.run("submit", pipeline, "--slabs", "3", "--out", out, *FEW, env=slurm.environment), 0, "submitted")
    ended, _ = wait_for_end(box, out, slurm)
    assert ended == {"1/3": "done", "2/3": "done", "3/3": "done", "join": "done"}, (ended, [p.read_text() for p in out.glob("jobs/*.log")])
    expect(box.run("run", pipeline, "--out", folder / "whole"), 0)
    subprocess.run([os.environ["TL_TEST_PYTHON"], "-c", SAME_VOXELS, str(folder / "whole/slurm.tif"), str(out / "slurm.tif")], check=True)
    expect(box.run("jobs", out, env=slurm.environment), 0, "4 done, 0 running, 0 waiting, 0 failed")
    expect(box.run("submit", pipeline, "--slabs", "3", "--out", out, *FEW, env=slurm.environment), 1, "submission already")


@with_slurm
def what_failed_is_submitted_again_alone(box, slurm):
    folder = fresh(box, "again")
    scans = folder / "scans"
    scans.mkdir()
    for name in "ac":
        shutil.copy(box.scan(), scans / f"{name}.h5")
    (scans / "b.h5").write_text("half a file")
    out = folder / "out"
    expect(box.run("submit", box.pipeline("again.json"), "--inputs", scans, "--out", out, *FEW, env=slurm.environment), 0)
    ended, lines = wait_for_end(box, out, slurm)
    assert ended == {"a": "done", "b": "failed", "c": "done"}, ended
    assert "b.h5" in lines["b"]["last_line"], lines["b"]
    expect(box.run("jobs", out, env=slurm.environment), 1, "b: failed", "2 done, 0 running, 0 waiting, 1 failed")
    first = {p: p.stat().st_mtime_ns for p in (out / "a").iterdir()}
    shutil.copy(box.scan(), scans / "b.h5")
    expect(box.run("jobs", out, "--again", env=slurm.environment), 0, "submitted again: 1")
    ended, _ = wait_for_end(box, out, slurm)
    assert set(ended.values()) == {"done"}, ended
    assert {p: p.stat().st_mtime_ns for p in (out / "a").iterdir()} == first
    expect(box.run("jobs", out, "--again", env=slurm.environment), 0, "no task has failed")


@with_slurm
def a_refusal_is_reported(box, slurm):
    folder = fresh(box, "refused")
    pipeline = box.pipeline("refused.json")
    result = box.run("submit", pipeline, "--slabs", "2", "--out", folder / "out", *FEW, "--partition", "nowhere", env=slurm.environment)
    expect(result, 4, "sbatch refused", "partition")
    # The same folder may be used then.
    expect(box.run("submit", pipeline, "--slabs", "2", "--out", folder / "out", *FEW, env=slurm.environment), 0)
    expect(box.run("jobs", folder / "out", "--cancel", env=slurm.environment), 1)
    wait_for_end(box, folder / "out", slurm)


FAKE = {"sbatch": "echo 17", "squeue": "true", "scancel": "true"}


def nothing_is_replaced_without_consent(box):
    """With programs instead of Slurm's; the tasks are run by hand."""
    folder = fresh(box, "consent")
    programs = fresh(box, "consent_bin")
    for name, body in FAKE.items():
        (programs / name).write_text(f"#!/bin/sh\n{body}\n")
        (programs / name).chmod(0o755)
    slurm = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    pipeline = pipeline_of(box, "consent")
    for asked, names in ((["--slabs", "2"], ["consent.tif", "consent.tif.json", "consent.tif.slabs/2-of-2.tif"]),
                         (["--inputs", box.scan(rows=7)], ["scan_7_64_60/consent.tif", "scan_7_64_60/consent.tif.json"])):
        out = folder / asked[0]
        command = ["submit", pipeline, *asked, "--out", out, *FEW]
        for name in [*names, "jobs/1.sh", "jobs/pipeline.json"]:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_text("mine")
            expect(box.run(*command, env=slurm), 1, "exists already", name)
            assert (out / name).read_text() == "mine"
            (out / name).unlink()
        expect(box.run(*command, env=slurm), 0)
        assert not any("--overwrite" in s.read_text() for s in out.glob("jobs/*.sh"))
        # What appears after that is kept by the task.
        (out / names[-1]).parent.mkdir(parents=True, exist_ok=True)
        (out / names[-1]).write_text("mine")
        task = sorted(out.glob("jobs/[0-9]*.sh"))[-1]
        assert subprocess.run(["bash", task], capture_output=True).returncode == 1
        assert (out / names[-1]).read_text() == "mine"
        (out / names[-1]).unlink()
        for script in [*sorted(out.glob("jobs/[0-9]*.sh")), *out.glob("jobs/join.sh")]:
            subprocess.run(["bash", script], check=True, capture_output=True)
        expect(box.run("jobs", out, env=slurm), 0, " 0 failed")
        assert (out / names[0]).exists()
        # With consent all is done again.
        expect(box.run(*command, env=slurm), 1, "submission already")
        expect(box.run(*command, "--overwrite", env=slurm), 0)
        assert all("--overwrite" in s.read_text() for s in out.glob("jobs/[0-9j]*.sh"))


def without_slurm_there_is_an_error(box):
    folder = fresh(box, "without")
    nothing = {**os.environ, "PATH": "/nonexistent"}
    expect(box.run("submit", box.pipeline("without.json"), "--slabs", "2", "--out", folder / "out", *FEW, env=nothing), 4, "sbatch is not installed")
    expect(box.run("submit", box.folder / "without.json", "--out", folder / "out2", *FEW), 1, "--slabs N or --inputs")
    expect(box.run("jobs", folder), 3, "nothing was submitted")
    jobs = folder / "damaged/jobs"
    jobs.mkdir(parents=True)
    for text in ("", "{", "[]", "{\"format\": 1}", "{\"format\": \"tomoloom-submission\", \"tasks\": [{}]}"):
        (jobs / "submission.json").write_text(text)
        expect(box.run("jobs", folder / "damaged"), 1)


TESTS = [slabs_become_a_volume, what_failed_is_submitted_again_alone, a_refusal_is_reported, nothing_is_replaced_without_consent,
         without_slurm_there_is_an_error]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
