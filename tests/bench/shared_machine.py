#!/usr/bin/env python3
"""What a second thread costs next to busy programs, and what passive waiting costs on a quiet machine.

usage: shared_machine.py BUILD [--busy N] [--rounds N] [--only NAME,NAME] [--quiet]
BUILD is a folder such as build/release with the program and its bench_* programs. Starts as many loops as there are to be
busy programs (four), runs each work with one thread and with two by turns, and prints the medians and their ratio; the
exit code is 1 where two threads take more than 1.3 times as long. --quiet instead starts no loops and compares threads
that wait asleep (OMP_WAIT_POLICY=passive, what programs choose) with threads that wait awake; asked for: 2 % at most. That
comparison means something only while nothing else runs.
"""
import argparse
import array
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SLOWER_ALLOWED = 1.3  # two threads next to busy programs, relative to one
LOSS_ALLOWED = 1.02  # asleep relative to awake, on a quiet machine
EDGE = 96  # voxels of the volume that is trained on

# Name, program, arguments, the case whose seconds count (None: the last one). `tomoloom` is timed from start to end.
WORK = [
    ("train, 20 steps, patch 64", "tomoloom", None, None),
    ("FBP 512^2, 16 rows", "reconstruction", dict(case="fbp", n=512, views=512, rows=16), None),
    ("FBP, one slice", "reconstruction", dict(case="fbp", n=256, views=180, rows=1, repeat=25), None),
    ("FDK 128^3", "reconstruction", dict(case="fdk", n=128, views=180, rows=128), None),
    ("SIRT, an iteration", "solver", dict(n=128, views=90, rows=32), "SIRT"),
    ("TV, an iteration", "solver", dict(n=128, views=90, rows=32), "Chambolle-Pock TV"),
    ("ramp filter", "ramp_filter", dict(rows=32768, cols=1024), None),
    ("removal of stripes", "ring_speed", dict(n=512, rows=16), "automatic removal of stripes"),
    ("segmentation: features", "segmentation", dict(case="features"), None),
    ("segmentation: watershed", "segmentation", dict(case="watershed"), None),
    ("segmentation: random walker", "segmentation", dict(case="random-walker"), None),
    ("segmentation: forest", "segmentation", dict(case="forest"), None),
]


def write_nrrd(path, kind, values):
    header = f"NRRD0004\ntype: {kind}\ndimension: 3\nsizes: {EDGE} {EDGE} {EDGE}\nencoding: raw\nendian: little\n\n"
    path.write_bytes(header.encode() + values.tobytes())


def write_training_data(folder):
    """A volume of waves, and labels of where they are high."""
    wave = [math.sin(0.21 * i) for i in range(EDGE)]
    grey, labels = array.array("f"), array.array("B")
    for z in range(EDGE):
        for y in range(EDGE):
            row = [wave[z] + wave[y] + w for w in wave]
            grey.extend(row)
            labels.extend(2 if v > 0.5 else 1 for v in row)
    write_nrrd(folder / "grey.nrrd", "float", grey)
    write_nrrd(folder / "labels.nrrd", "uint8", labels)


def seconds(build, work, threads, policy, folder):
    _, program, arguments, case = work
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    environment["OMP_WAIT_POLICY"] = policy
    if program == "tomoloom":
        command = [build / "tomoloom", "train", folder / "grey.nrrd", folder / "labels.nrrd", "--patch", 64, "--epochs", 1]
        command += ["--steps", 20, "--seed", 1, "--threads", threads, "--overwrite", "-o", folder / "net.safetensors"]
    else:
        command = [build / "bench" / f"bench_{program}", f"threads={threads}"]
        command += [f"{name}={value}" for name, value in {"repeat": 3, **arguments}.items()]
    start = time.monotonic()
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, env=environment)
    total = time.monotonic() - start
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(str(part) for part in command)}: {done.stderr.strip()}")
    if program == "tomoloom":
        return total
    cases = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [one["seconds"] for one in cases if case is None or one["case"] == case][-1]


def busy_loops(count):
    """Each ends with this program, however that ends."""
    loop = "import os, sys\nparent = os.getppid()\nwhile os.getppid() == parent:\n for _ in range(10**6): pass"
    return [subprocess.Popen([sys.executable, "-c", loop]) for _ in range(count)]


def compare(build, options, folder):
    """Of the columns: (name, threads, policy). Returns how many works are slower than allowed."""
    if options.quiet:
        columns = [("awake [s]", os.cpu_count(), "active"), ("asleep [s]", os.cpu_count(), "passive")]
    else:
        columns = [("1 thread [s]", 1, "passive"), ("2 threads [s]", 2, "passive")]
    allowed = LOSS_ALLOWED if options.quiet else SLOWER_ALLOWED
    names = [name for name in options.only.split(",") if name]
    print(f"| work | {columns[0][0]} | {columns[1][0]} | ratio | lowest ... highest |\n| --- | --- | --- | --- | --- |", flush=True)
    slower = 0
    for work in WORK:
        if names and not any(one in work[0] for one in names):
            continue
        pairs = []
        for turn in range(options.rounds):
            times = {}
            for _, threads, policy in columns if turn % 2 else reversed(columns):
                times[threads, policy] = seconds(build, work, threads, policy, folder)
            pairs.append([times[threads, policy] for _, threads, policy in columns])
        ratios = sorted(second / first for first, second in pairs)
        ratio = statistics.median(ratios)
        slower += ratio > allowed
        first, second = (statistics.median(column) for column in zip(*pairs))
        print(f"| {work[0]} | {first:.3g} | {second:.3g} | {ratio:.2f} | {ratios[0]:.2f} ... {ratios[-1]:.2f} |", flush=True)
    return slower


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--busy", type=int, default=4, help="busy programs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="parts of names of works")
    parser.add_argument("--quiet", action="store_true", help="no busy programs: compare how threads wait")
    options = parser.parse_args()
    loops = [] if options.quiet else busy_loops(options.busy)
    try:
        with tempfile.TemporaryDirectory() as folder:
            write_training_data(Path(folder))
            return 1 if compare(options.build, options, Path(folder)) else 0
    finally:
        for loop in loops:
            loop.kill()


if __name__ == "__main__":
    sys.exit(main())
