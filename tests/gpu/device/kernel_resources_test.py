#!/usr/bin/env python3
"""Registers, stack and shared memory of every CUDA kernel, as the compiler left them in the module.

usage: kernel_resources_test.py MODULE [--markdown]     MODULE: libtl_cuda.so; without --markdown the checks run
cuobjdump is taken from PATH or from the Python environment of the tests (TL_TEST_PYTHON); without it the test is skipped.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ARCHITECTURE = "sm_90"  # of the table; the checks look at all
# Kernels that take the time of a reconstruction: everything stays in registers.
HOT = ("BackProjectTile", "StoreHalf", "BackProjectVoxel", "FlatFieldPixel", "GridPoint")


def cuobjdump():
    python = os.environ.get("TL_TEST_PYTHON")
    bundled = sorted(pathlib.Path(python).parent.parent.glob("lib/python*/site-packages/nvidia/cu13/bin/cuobjdump")) if python else []
    return shutil.which("cuobjdump") or (str(bundled[0]) if bundled else None)


def kernels(tool, module):
    """(architecture, functor, registers, stack, shared, local) of every kernel."""
    text = subprocess.run([tool, "--dump-resource-usage", module], capture_output=True, text=True, check=True).stdout
    text = subprocess.run(["c++filt"], input=re.sub(r"Function (\S+):", r"Function \1", text), capture_output=True, text=True, check=True).stdout
    architecture = functor = None
    for line in text.splitlines():
        if found := re.match(r"arch = (\w+)", line):
            architecture = found[1]
        elif found := re.match(r" *Function (.*)", line):
            functor = found[1]
        elif found := re.search(r"REG:(\d+) STACK:(\d+) SHARED:(\d+) LOCAL:(\d+)", line):
            yield (architecture, short(functor), *map(int, found.groups()))


def short(name):
    """void tl::cuda::for_each_index<tl::ops::ProjectRay<float> >(...) -> ProjectRay<float>"""
    found = re.search(r"for_each_\w+<(.*)>\(", name)
    return re.sub(r"(?:\w+::)+", "", found[1] if found else name).replace(" >", ">").strip()


def main(arguments):
    if not arguments or arguments[1:] not in ([], ["--markdown"]):
        print(__doc__)
        return 2
    tool = cuobjdump()
    if tool is None:
        print("SKIP   : KernelResources::kernels() no cuobjdump in PATH or next to TL_TEST_PYTHON")
        print("Totals: 0 passed, 0 failed, 1 skipped, 0 blacklisted")
        return 0
    rows = sorted(set(kernels(tool, arguments[0])))
    if arguments[1:]:
        print(f"| kernel ({ARCHITECTURE}) | registers | stack [bytes] | shared [bytes] |\n| --- | --- | --- | --- |")
        for architecture, functor, registers, stack, shared, _ in rows:
            if architecture == ARCHITECTURE:
                print(f"| `{functor}` | {registers} | {stack} | {shared} |")
        return 0
    checks = {
        "kernels_are_found": [] if any(row[0] == ARCHITECTURE for row in rows) else [f"none for {ARCHITECTURE} in {arguments[0]}"],
        "nothing_is_in_local_memory": [f"{row[1]} ({row[0]}): {row[5]} bytes" for row in rows if row[5] > 0],
        "hot_kernels_need_no_stack": [f"{row[1]} ({row[0]}): {row[3]} bytes" for row in rows if row[3] > 0 and row[1].startswith(HOT)],
        "hot_kernels_are_there": [name for name in HOT if not any(row[1].startswith(name) for row in rows)],
    }
    for name, problems in checks.items():
        print(f"{'FAIL!  ' if problems else 'PASS   '}: KernelResources::{name}()")
        for problem in problems:
            print(f"   {problem}")
    failed = sum(1 for problems in checks.values() if problems)
    print(f"Totals: {len(checks) - failed} passed, {failed} failed, 0 skipped, 0 blacklisted")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
