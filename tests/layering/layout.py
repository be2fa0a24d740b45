#!/usr/bin/env python3
"""Are all C++ sources laid out as .clang-format says? By clang-format 16, whose layout other versions do not share.

usage: layout.py SOURCE_DIR
Looks for clang-format-16 next to $TL_TEST_PYTHON and in PATH; without it the test is skipped, and says so.
"""
import os
import pathlib
import shutil
import subprocess
import sys

NAME = "Layout::sources_are_laid_out_by_clang_format_16"


def is_16(program):
    try:
        return "version 16." in subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    except OSError:
        return False


def clang_format():
    bundled = pathlib.Path(os.environ.get("TL_TEST_PYTHON", "/nowhere")).parent / "clang-format"
    names = [str(bundled), "clang-format-16", "clang-format"]
    return next((found for found in map(shutil.which, names) if found and is_16(found)), None)


def sources(root):
    folders = ["app", "core", "gpu", "tests", "widgets"]
    return sorted(str(f) for folder in folders for f in (root / folder).rglob("*") if f.suffix in (".h", ".cpp"))


def complaints(program, files, at_once=80):
    lines = []
    for first in range(0, len(files), at_once):
        run = subprocess.run([program, "--dry-run", *files[first:first + at_once]], capture_output=True, text=True)
        lines += [line for line in run.stderr.splitlines() if "warning:" in line or "error:" in line]
    return lines


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    program = clang_format()
    if program is None:
        print(f"SKIP   : {NAME}() there is no clang-format 16 (installer/setup.sh --test-python installs it)")
        print("Totals: 0 passed, 0 failed, 1 skipped, 0 blacklisted")
        return 0
    lines = complaints(program, sources(pathlib.Path(arguments[0]).resolve()))
    print(f"{'FAIL!  ' if lines else 'PASS   '}: {NAME}()")
    for line in lines[:20]:
        print(f"   {line}")
    print(f"Totals: {0 if lines else 1} passed, {1 if lines else 0} failed, 0 skipped, 0 blacklisted")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
