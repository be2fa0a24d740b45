#!/usr/bin/env python3
"""Common code of the command-line tests: a scratch folder with the program and scans, and the loop over tests.

Scans are made by h5py in the tests' own Python (TL_TEST_PYTHON); without it those tests are skipped and say so.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MAKE_SCAN = """
import sys, numpy as np, h5py
path, rows, cols, views = sys.argv[1], *map(int, sys.argv[2:5])
axis = (cols - 1) / 2 + 3.0
theta = np.arange(views) * 180.0 / views
s = np.arange(cols) - axis
def disc(t, x, y, r, mu):
    d = s - (x * np.cos(np.radians(t)) + y * np.sin(np.radians(t)))
    return 2 * mu * np.sqrt(np.maximum(r * r - d * d, 0))
p = np.array([disc(t, 0, 0, 0.35 * cols, 0.02) + disc(t, 0.1 * cols, 0.12 * cols, 0.08 * cols, 0.03) for t in theta])
data = (100 + 9900 * np.exp(-p)).astype(np.float32)[:, None, :].repeat(rows, 1)
with h5py.File(path, "w") as f:
    f["exchange/data"] = data
    f["exchange/data_white"] = np.full((4, rows, cols), 10000, np.float32)
    f["exchange/data_dark"] = np.full((4, rows, cols), 100, np.float32)
    f["exchange/theta"] = theta
    f["exchange/theta"].attrs["units"] = "deg"
"""


os.environ.setdefault("TL_HISTORY", "off")  # that of the user is not for tests


class Skip(Exception):
    pass


class Box:
    """A scratch folder, the program, and scans made once."""

    def __init__(self, program, source):
        self.program, self.source = program, pathlib.Path(source)
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.scans = {}

    def run(self, *arguments, **more):
        more.setdefault("cwd", self.folder)
        return subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, **more)

    def scan(self, rows=4, cols=64, views=60):
        python = os.environ.get("TL_TEST_PYTHON")
        if not python:
            raise Skip("TL_TEST_PYTHON is not set (installer/setup.sh --test-python makes that environment)")
        key = (rows, cols, views)
        if key not in self.scans:
            path = self.folder / f"scan_{rows}_{cols}_{views}.h5"
            subprocess.run([python, "-c", MAKE_SCAN, str(path), *map(str, key)], check=True)
            self.scans[key] = path
        return self.scans[key]

    def pipeline(self, name="pipeline.json", axis="3 px", **changes):
        """A parallel pipeline with a given axis; changes: replaced pieces of the text."""
        path = self.folder / name
        with tempfile.TemporaryDirectory(dir=self.folder) as unused:
            r = self.run("reconstruct", self.scan(), "-o", f"{unused}/volume.tif", "--axis", axis.split()[0], "--save-pipeline", path)
        assert path.exists(), r.stderr
        text = path.read_text()
        for old, new in changes.items():
            text = text.replace(old, new)
        path.write_text(text)
        return path


def expect(result, code, *words):
    assert result.returncode == code, f"exit {result.returncode}, not {code}: {result.stderr}{result.stdout}"
    for word in words:
        assert word in result.stderr + result.stdout, f"\"{word}\" is not in: {result.stderr}{result.stdout}"


def min_budget(box):
    """The least --max-memory that is not refused, in MB."""
    r = box.run("simulate", "-o", box.folder / "never.nx", "--max-memory", "1MB")
    expect(r, 1, "Give at least")
    return int(re.search(r"Give at least (\d+) MB", r.stderr).group(1))


def fresh(box, name):
    folder = box.folder / name
    folder.mkdir()
    return folder


def run_all(tests, program, source):
    counts = {"PASS   ": 0, "FAIL!  ": 0, "SKIP   ": 0}
    box = Box(program, source)
    for test in tests:
        verdict, text = "PASS   ", ""
        try:
            test(box)
        except Skip as reason:
            verdict, text = "SKIP   ", f" {reason}"
        except (AssertionError, subprocess.SubprocessError, json.JSONDecodeError, OSError, KeyError) as error:
            verdict, text = "FAIL!  ", f" {type(error).__name__}: {error}"
        counts[verdict] += 1
        print(f"{verdict}: CommandLine::{test.__name__}(){text}", flush=True)
    print("Totals: {} passed, {} failed, {} skipped, 0 blacklisted".format(*counts.values()))
    return 1 if counts["FAIL!  "] else 0
