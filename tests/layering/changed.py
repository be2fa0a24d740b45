#!/usr/bin/env python3
"""The changed sources compile alone, and clang-tidy finds nothing in them: runs installer/check_changed.sh with one
compiler at a time.

usage: changed.py SOURCE_DIR BUILD_DIR
"""
import os
import pathlib
import subprocess
import sys

STEPS = {"compile": "each_compiles_alone", "tidy": "clang_tidy_finds_nothing"}
IMPOSSIBLE = 77


def run(source, build, step):
    """(verdict, lines) of one step of the script."""
    if build != source / "build/release":
        return "SKIP", ["the command lines of the preset release are checked, and this is another build"]
    done = subprocess.run(["bash", source / "installer/check_changed.sh", step], env={**os.environ, "TL_CHECK_JOBS": "1"},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.splitlines()
    if done.returncode == IMPOSSIBLE:
        return "SKIP", lines[-1:]
    return ("FAIL!" if done.returncode else "PASS"), lines[:60]


def main(arguments):
    if len(arguments) != 2:
        print(__doc__)
        return 2
    source, build = (pathlib.Path(one).resolve() for one in arguments)
    counts = dict.fromkeys(("PASS", "FAIL!", "SKIP"), 0)
    for step, name in STEPS.items():
        verdict, lines = run(source, build, step)
        counts[verdict] += 1
        between = " " if verdict == "SKIP" else "\n   "  # the reason for a skip is read from its line
        print(between.join([f"{verdict.ljust(7)}: Changed::{name}()", *lines]))
    print("Totals: {} passed, {} failed, {} skipped, 0 blacklisted".format(*counts.values()))
    return counts["FAIL!"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
