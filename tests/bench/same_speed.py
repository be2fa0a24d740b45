#!/usr/bin/env python3
"""Is one build as fast as another? Runs the benchmark programs of both alternately and prints the ratio of their times.

usage: same_speed.py OLD NEW [--rounds N] [--threads N] [--only NAME,NAME]
OLD and NEW are folders with bench_* programs (build/release/bench of two checkouts, target `benchmarks`). A ratio below 1
is a gain of NEW. The median of the ratios of neighbouring runs is compared with 1.05; the exit code is 1 where one is above.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ALLOWED = 1.05  # neighbouring runs of one program differ by some 3 %

# The work of acceptance D1 to D7, and what learning and small slices take: name, program, arguments.
WORK = [
    ("D1 back-projection, 64 rows", "reconstruction", dict(case="back_projection", n=512, views=512, rows=64)),
    ("D2 one slice, filtered", "reconstruction", dict(case="fbp", n=512, views=512, rows=1, repeat=15)),
    ("D3 FDK 256^3", "reconstruction", dict(case="fdk", n=256, views=360, rows=256)),
    ("D4 ramp filter", "ramp_filter", dict(rows=262144, cols=1024)),
    ("D5 TIFF to absorption", "load", dict(frames=400, size=1024)),
    ("D6 projector", "projector", dict(case="forward", n=512, views=512, rows=64)),
    ("D6 its transpose", "projector", dict(case="transpose", n=512, views=512, rows=64)),
    ("D7 oblique, cone", "reconstruction", dict(case="oblique", beam="cone", n=512, views=360, rows=512, repeat=5)),
    ("D7 oblique, parallel", "reconstruction", dict(case="oblique", beam="parallel", n=512, views=360, rows=512, repeat=5)),
    ("small slice", "reconstruction", dict(case="fbp", n=256, views=180, rows=1, repeat=25)),
]


def seconds(programs, program, arguments, threads, folder):
    """What the program measured itself; of several lines the last."""
    command = [str(programs / f"bench_{program}"), f"threads={threads}"]
    command += [f"{name}={value}" for name, value in {"repeat": 1, **arguments}.items()]
    if program == "load":
        command.append(f"folder={folder}")
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "OMP_WAIT_POLICY": "passive"})
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout.strip().splitlines()[-1])["seconds"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    names = [name for name in options.only.split(",") if name]
    slower = 0
    print("| work | old [s] | new [s] | ratio | lowest ... highest |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, program, arguments in WORK:
            if names and not any(one in name for one in names):
                continue
            pairs = []
            for round_ in range(options.rounds + 1):  # the first pair warms up
                order = (options.old, options.new) if round_ % 2 else (options.new, options.old)
                times = {where: seconds(where, program, arguments, options.threads, folder) for where in order}
                pairs.append((times[options.old], times[options.new]))
            pairs = pairs[1:]
            ratios = sorted(new / old for old, new in pairs)
            ratio = statistics.median(ratios)
            slower += ratio > ALLOWED
            old, new = (statistics.median(column) for column in zip(*pairs))
            print(f"| {name} | {old:.4g} | {new:.4g} | {ratio:.2f} | {ratios[0]:.2f} ... {ratios[-1]:.2f} |", flush=True)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
