#!/usr/bin/env python3
"""Tests installer/count_tests.py: what is counted, and that nothing which went wrong counts as passed.

usage: count_tests_test.py SOURCE_DIR
"""
import contextlib
import io
import pathlib
import sys
import tempfile
import xml.sax.saxutils as sax

QT = """********* Start testing of UnitsTest *********
PASS   : UnitsTest::initTestCase()
PASS   : UnitsTest::first()
PASS   : UnitsTest::second(row a)
PASS   : UnitsTest::cleanupTestCase()
{extra}Totals: {passed} passed, {failed} failed, {skipped} skipped, 0 blacklisted, 5ms
"""


def qt(passed=4, failed=0, skipped=0, extra=""):
    return QT.format(passed=passed, failed=failed, skipped=skipped, extra=extra)


def run(module, cases, ctest_status=0, report_exists=True):
    """Counts a report of (name, status, output) cases: (exit status, printed lines)."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "tests.xml"
        body = "".join(f'<testcase name="{n}" status="{s}"><system-out>{sax.escape(o)}</system-out></testcase>' for n, s, o in cases)
        if report_exists:
            report.write_text(f"<testsuite>{body}</testsuite>")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = module.main([str(report), str(ctest_status)])
    return status, printed.getvalue().splitlines()


def hooks_are_not_counted(m):
    assert run(m, [("a", "run", qt())]) == (0, ["2 passed, 0 failed, 0 skipped"])


def skips_show_their_reason(m):
    status, lines = run(m, [("a", "run", qt(4, 0, 1, "SKIP   : UnitsTest::third() no data folder\n   Loc: [x.cpp(1)]\n"))])
    assert status == 0 and lines[-1] == "2 passed, 0 failed, 1 skipped", lines
    assert lines[0] == "SKIPPED a UnitsTest::third(): no data folder", lines


def failures_fail(m):
    status, lines = run(m, [("a", "fail", qt(4, 2)), ("b", "run", qt())], 8)
    assert status == 1 and lines[-1] == "4 passed, 2 failed, 0 skipped", lines


def crash_without_totals_fails(m):
    status, lines = run(m, [("a", "fail", "PASS   : A::b()\n")], 8)
    assert status == 1 and lines[-1] == "0 passed, 1 failed, 0 skipped", lines


def silent_success_fails(m):
    assert run(m, [("a", "run", "")])[0] == 1
    assert run(m, [("a", "run", qt(2, 0, 0).replace("first", "initTestCase").replace("second(row a)", "cleanupTestCase()"))])[0] == 1


def crash_after_totals_fails(m):
    status, lines = run(m, [("a", "fail", qt())], 8)
    assert status == 1 and lines[-1] == "2 passed, 1 failed, 0 skipped", lines


def missing_executable_fails(m):
    assert run(m, [("a", "notrun", "Unable to find executable")], 8)[0] == 1


def ctest_failure_alone_fails(m):
    assert run(m, [("a", "run", qt())], 8)[0] == 1


def no_report_or_no_test_fails(m):
    assert run(m, [], 8, report_exists=False)[0] == 1
    assert run(m, [])[0] == 1


def blacklisted_fails(m):
    assert run(m, [("a", "run", qt().replace("0 blacklisted", "1 blacklisted"))])[0] == 1


def several_reports_are_summed(m):
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for build, output in (("release", qt()), ("asan", qt(4, 1))):
            report = pathlib.Path(folder) / build / "tests.xml"
            report.parent.mkdir()
            report.write_text(f'<testsuite><testcase name="a" status="run"><system-out>{sax.escape(output)}</system-out></testcase></testsuite>')
            arguments += [str(report), "0"]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = m.main(arguments)
        lines = printed.getvalue().splitlines()
        assert status == 1 and lines == ["FAILED  asan a: 1 test functions", "4 passed, 1 failed, 0 skipped"], lines
        pathlib.Path(arguments[2]).unlink()
        with contextlib.redirect_stdout(io.StringIO()):
            assert m.main(arguments) == 1


TESTS = [hooks_are_not_counted, skips_show_their_reason, failures_fail, crash_without_totals_fails, silent_success_fails,
         crash_after_totals_fails, missing_executable_fails, ctest_failure_alone_fails, no_report_or_no_test_fails, blacklisted_fails,
         several_reports_are_summed]


def main(source_dir):
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(pathlib.Path(source_dir) / "installer"))
    import count_tests
    failed = 0
    for test in TESTS:
        try:
            test(count_tests)
            print(f"PASS   : CountTests::{test.__name__}()")
        except AssertionError as error:
            failed += 1
            print(f"FAIL!  : CountTests::{test.__name__}() {error}")
    print(f"Totals: {len(TESTS) - failed} passed, {failed} failed, 0 skipped, 0 blacklisted")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
