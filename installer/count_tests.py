#!/usr/bin/env python3
"""Counts test functions in ctest's JUnit reports and prints each skip with its reason; the last line is the sum.

usage: count_tests.py REPORT.xml CTEST_EXIT_STATUS [REPORT.xml CTEST_EXIT_STATUS ...]
A report after the first is of another build, whose folder's name stands before its tests: build/asan/tests.xml gives
"asan core/io/reading".
Every test prints Qt Test's line "Totals: P passed, F failed, S skipped, B blacklisted"; one that ends without it counts
as failed, and so does one that ctest calls failed although its totals do not (a crash, a time-out).
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

TOTALS = re.compile(r"^Totals: (\d+) passed, (\d+) failed, (\d+) skipped, (\d+) blacklisted", re.MULTILINE)
# Qt Test counts these two hooks as tests; nobody wrote them as tests.
HOOKS = re.compile(r"^PASS\s*: \S+::(?:initTestCase|cleanupTestCase)\(\)", re.MULTILINE)
SKIP = re.compile(r"^SKIP\s*: (\S+?\(.*?\)) ?(.*)$", re.MULTILINE)


def count_case(name, status, output):
    """Counts one ctest entry: (passed, failed, skipped, lines to print)."""
    if status == "disabled":
        return 0, 0, 1, [f"SKIPPED {name}: disabled in CMake"]
    totals = TOTALS.findall(output)
    if not totals:
        return 0, 1, 0, [f"FAILED  {name}: it ended ({status}) without printing its totals"]
    passed, failed, skipped, blacklisted = (sum(int(t[i]) for t in totals) for i in range(4))
    passed -= len(HOOKS.findall(output))
    lines = [f"SKIPPED {name} {function}: {reason or 'no reason given'}" for function, reason in SKIP.findall(output)]
    if blacklisted:
        failed += blacklisted
        lines.append(f"FAILED  {name}: {blacklisted} blacklisted results; this project allows none")
    if passed + failed + skipped == 0:
        failed = 1
        lines.append(f"FAILED  {name}: it ran no test")
    elif status != "run" and failed == 0:
        failed = 1
        lines.append(f"FAILED  {name}: ctest says \"{status}\" although its totals show no failure (crash or time-out)")
    elif failed:
        lines.append(f"FAILED  {name}: {failed} test functions")
    return max(passed, 0), failed, skipped, lines


def count_report(root, prefix):
    """Sums all entries of a JUnit tree."""
    sums, lines = [0, 0, 0], []
    for case in root.iter("testcase"):
        result = count_case(prefix + case.get("name"), case.get("status"), case.findtext("system-out") or "")
        sums = [a + b for a, b in zip(sums, result)]
        lines += result[3]
    return sums, lines


def count_run(report, ctest_status, prefix):
    """Counts one run of ctest: sums and lines to print."""
    try:
        sums, lines = count_report(xml.parse(report).getroot(), prefix)
    except (OSError, xml.ParseError) as error:
        sums, lines = [0, 1, 0], [f"FAILED  {prefix}ctest wrote no readable report: {error}"]
    if ctest_status != 0 and sums[1] == 0:
        sums[1] += 1
        lines.append(f"FAILED  {prefix}ctest ended with status {ctest_status}")
    if sum(sums) == 0:
        sums[1] = 1
        lines.append(f"FAILED  {prefix}no test was run")
    return sums, lines


def main(arguments):
    sums, lines = [0, 0, 0], []
    for number, (report, status) in enumerate(zip(arguments[::2], arguments[1::2])):
        prefix = f"{pathlib.Path(report).parent.name} " if number else ""
        result = count_run(report, int(status), prefix)
        sums = [a + b for a, b in zip(sums, result[0])]
        lines += result[1]
    for line in sorted(lines, reverse=True):
        print(line)
    print(f"{sums[0]} passed, {sums[1]} failed, {sums[2]} skipped")
    return 1 if sums[1] or not sum(sums) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
