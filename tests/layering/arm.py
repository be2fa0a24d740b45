#!/usr/bin/env python3
"""What names a processor in core and gpu compiles for ARM: runs installer/check_arm.sh with one compiler at a time.

usage: arm.py SOURCE_DIR BUILD_DIR
"""
import os
import pathlib
import shutil
import subprocess
import sys

NAME = "Arm::what_names_a_processor_compiles"


def result(verdict, *lines):
    print(f"{verdict.ljust(7)}: {NAME}(){''.join(chr(10) + '   ' + line for line in lines)}")
    counts = [int(verdict == one) for one in ("PASS", "FAIL!", "SKIP")]
    print("Totals: {} passed, {} failed, {} skipped, 0 blacklisted".format(*counts))
    return counts[1]


def main(arguments):
    if len(arguments) != 2:
        print(__doc__)
        return 2
    source, build = (pathlib.Path(one).resolve() for one in arguments)
    if shutil.which("aarch64-linux-gnu-g++") is None:
        return result("SKIP", "there is no compiler for ARM (installer/setup.sh --test-python installs it on Debian)")
    if build != source / "build/release":
        return result("SKIP", "the command lines of the preset release are checked, and this is another build")
    run = subprocess.run(["bash", source / "installer/check_arm.sh", "--processor-specific"], env={**os.environ, "TL_ARM_JOBS": "1"},
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result("FAIL!" if run.returncode else "PASS", *run.stdout.splitlines()[:20])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
