#!/usr/bin/env python3
"""Runs the commands of odd inputs next to the repository, and checks the result of each.

usage: shared_test.py TOMOLOOM SOURCE_DIR [CASE...]

A case is a folder of ../shared/cases ($TL_CASES for another place) with inputs, a COMMAND.txt, in which T is the program,
and an EXPECTED.txt for people to read. Commands run in a copy of the case. What a case must come to stands in
expectations.py; a case without an entry there fails.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

LONGEST = 300  # [s] of a command; they take seconds


class Case:
    """A copy of a case in a scratch folder, and the results of its commands."""

    def __init__(self, program, source, folder):
        self.program, self.folder = program, pathlib.Path(folder) / source.name
        shutil.copytree(source, self.folder)
        for place in [self.folder, *self.folder.rglob("*")]:
            place.chmod(0o755 if place.is_dir() else 0o644)
        self.results = [self.run(*command) for command in commands_of((source / "COMMAND.txt").read_text())]

    def run(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=LONGEST)


def commands_of(text):
    """Arguments of the commands that begin with T; what else stands between semicolons is for people."""
    words = shlex.shlex(text, posix=True, punctuation_chars=";\n")
    words.whitespace, words.whitespace_split, words.commenters = " \t", True, ""
    found, current = [], []
    for word in [*words, ";"]:
        if not word.strip(";\n"):
            found += [current[1:]] if current[:1] == ["T"] else []
            current = []
        else:
            current.append(word)
    return found


def verdict_of(program, source, expectation):
    """PASS or FAIL with the reason."""
    if expectation is None:
        return "FAIL!  ", f" the case is unknown: add what must come of it to tests/cases/expectations.py: {(source / 'EXPECTED.txt').read_text()}"
    try:
        with tempfile.TemporaryDirectory() as scratch:
            case = Case(program, source, scratch)
            if not case.results:
                return "FAIL!  ", " COMMAND.txt holds no command that begins with T"
            expectation(case)
    except (AssertionError, subprocess.SubprocessError, OSError, KeyError, ValueError) as error:
        return "FAIL!  ", re.sub(r"\s*\n\s*", " | ", f" {type(error).__name__}: {error}")
    return "PASS   ", ""


def main(program, root, names):
    folder = pathlib.Path(os.environ.get("TL_CASES") or pathlib.Path(root).resolve().parent / "shared" / "cases")
    python = os.environ.get("TL_TEST_PYTHON")
    if not folder.is_dir():
        print(f"SKIP   : Cases::shared() there is no folder {folder} (TL_CASES names another)")
    elif not python:
        print("SKIP   : Cases::shared() TL_TEST_PYTHON is not set (installer/setup.sh --test-python makes that environment)")
    else:
        if pathlib.Path(sys.executable).absolute() != pathlib.Path(python).absolute():
            sys.stdout.flush()
            os.execv(python, [python, "-B", *sys.argv])
        return walk(program, folder, names)
    print("Totals: 0 passed, 0 failed, 1 skipped, 0 blacklisted")
    return 0


def walk(program, folder, names):
    from expectations import EXPECTATIONS

    failed = passed = 0
    for source in sorted(p for p in folder.iterdir() if (p / "COMMAND.txt").is_file()):
        if names and source.name not in names:
            continue
        verdict, text = verdict_of(program, source, EXPECTATIONS.get(source.name))
        print(f"{verdict}: Cases::{source.name}(){text}", flush=True)
        failed, passed = failed + (verdict == "FAIL!  "), passed + (verdict == "PASS   ")
    if failed + passed == 0:
        print(f"FAIL!  : Cases::shared() {folder} holds no such case")
        failed = 1
    print(f"Totals: {passed} passed, {failed} failed, 0 skipped, 0 blacklisted")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]))
