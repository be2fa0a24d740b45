#!/usr/bin/env python3
"""A volume larger than the memory that is allowed, against the same one with all memory: acceptance D8.

usage: out_of_core.py PROGRAM [--size 1024] [--max-memory 4GB] [--folder DIR]     with the Python of run.sh's environment
The folder needs room for the scan and twice the volume. Simulates a parallel scan of SIZE views of SIZE^2, reconstructs it with and without --max-memory, and compares the two.
Prints the time, the time per update (voxel times view) and the largest resident memory of both, as the kernel counted them.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def timed(command):
    """Seconds, and GB resident at most."""
    start = time.perf_counter()
    child = subprocess.Popen(command)
    _, status, used = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - start, used.ru_maxrss * 1024 / 1e9


def apart(first, second):
    """The largest difference of two volumes, over the range of the first."""
    import tifffile
    one, other = tifffile.memmap(first, mode="r"), tifffile.memmap(second, mode="r")
    low = high = largest = 0.0
    for a, b in zip(one, other):
        low, high = min(low, float(a.min())), max(high, float(a.max()))
        largest = max(largest, float(abs(a - b).max()))
    return largest / (high - low)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--max-memory", default="4GB")
    parser.add_argument("--folder")
    o = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tomoloom-large-", dir=o.folder) as name:
        folder = Path(name)
        scan = folder / "scan.h5"
        n = str(o.size)
        took, _ = timed([o.program, "simulate", "-o", scan, "--quiet", "--phantom", "shepp_logan_3d", "--views", n, "--rows", n,
                         "--cols", n, "--range", "180 deg", "--flats", "4", "--darks", "4"])
        print(f"simulated {scan.stat().st_size / 1e9:.2f} GB in {took:.0f} s\n", flush=True)
        print("| memory allowed | seconds | ns per update | resident at most [GB] |\n| --- | --- | --- | --- |")
        volumes = []
        for allowed in ([], ["--max-memory", o.max_memory]):
            volumes.append(folder / f"volume{len(volumes)}.tif")
            seconds, resident = timed([o.program, "reconstruct", scan, "-o", volumes[-1], "--axis", "0", "--quiet", *allowed])
            print(f"| {allowed[-1] if allowed else 'all'} | {seconds:.1f} | {1e9 * seconds / o.size**4:.4f} | {resident:.2f} |",
                  flush=True)
        print(f"\nThe two volumes differ by {apart(*volumes):.1e} of their range at most.")


if __name__ == "__main__":
    main()
