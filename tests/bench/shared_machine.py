#!/usr/bin/env python3
"""What a second thread costs next to busy programs, and what following other programs costs on a quiet machine.

usage: shared_machine.py BUILD [--table busy|quiet|both] [--busy N] [--rounds N] [--seconds S] [--only NAME,NAME]
BUILD is a folder such as build/release with the program and its bench_* programs (TL_BENCH=ON).

busy: starts as many loops as there are to be busy programs (four) and runs each work by turns with one thread, with at most
two, which follow the free cores, and with two whatever others do (OMP_DYNAMIC=false). It prints the medians and how they
compare with one thread in the same round.
quiet: starts no loops and compares a fixed number of threads with threads that follow the free cores, with a fixed number
that falls asleep at once (OMP_WAIT_POLICY=passive) and with one that spins (active). It means something only while nothing
else runs.

Works have up to --rounds rounds (5), at least one, as --seconds (220, of all tables) allow; the last column says how many.
The exit code is 1 where threads that follow take more than 1.3 times as long as one next to busy programs, or 1.02 times as
long as a fixed number on a quiet machine.
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

SLOWER_ALLOWED = 1.3  # at most two threads next to busy programs, relative to one
LOSS_ALLOWED = 1.02  # threads that follow relative to a fixed number, on a quiet machine
EDGE = 96  # voxels of the volume that is trained on

# The time of the program from start to end: a call that is shorter than a slice of the scheduler says nothing by itself
# next to busy programs (its median is that of the calls which were not interrupted).
WHOLE = "whole"

# Name, program, arguments, what counts: a case of a benchmark, or nodes of a pipeline (None: the last case; of training
# the time from start to end, as with WHOLE).
WORK = [
    ("train, 20 steps, patch 64", "train", None, None),
    ("FBP 512^2, 16 rows", "reconstruction", dict(case="fbp", n=512, views=512, rows=16), None),
    ("FBP, one slice, 1000 times", "reconstruction", dict(case="fbp", n=256, views=180, rows=1, repeat=1000), WHOLE),
    ("FDK 128^3", "reconstruction", dict(case="fdk", n=128, views=180, rows=128), None),
    ("SIRT, an iteration", "solver", dict(n=128, views=90, rows=32), "SIRT"),
    ("TV, an iteration", "solver", dict(n=128, views=90, rows=32), "Chambolle-Pock TV"),
    ("ramp filter", "ramp_filter", dict(rows=32768, cols=1024), None),
    ("removal of stripes", "ring_speed", dict(n=512, rows=16), "automatic removal of stripes"),
    ("filter: median", "run", "filter.median", "filter"),
    ("filter: Gaussian", "run", "filter.gaussian", "filter"),
    ("filter: bilateral", "run", "filter.bilateral", "filter"),
    ("segmentation: features", "segmentation", dict(case="features"), None),
    ("segmentation: watershed", "segmentation", dict(case="watershed"), None),
    ("segmentation: random walker", "segmentation", dict(case="random-walker"), None),
    ("segmentation: forest", "segmentation", dict(case="forest"), None),
]


class Way:
    """A number of threads, and how they wait and follow other programs."""

    def __init__(self, name, threads, **environment):
        self.name, self.threads, self.environment = name, threads, environment


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


def write_pipeline(file, node):
    nodes = {
        "load": {"type": "input.load_volume", "version": 1, "parameters": {"file": "grey.nrrd"}},
        "filter": {"type": node, "version": 1, "parameters": {}},
        "save": {"type": "output.save_volume", "version": 1, "parameters": {"file": "filtered.tif"}},
    }
    links = [{"from": f"{a}.volume", "to": f"{b}.volume"} for a, b in (("load", "filter"), ("filter", "save"))]
    file.write_text(json.dumps({"format": "tomoloom-pipeline", "schema_version": 1, "nodes": nodes, "links": links}))


def command_of(build, work, threads, folder):
    _, program, arguments, _ = work
    if program == "train":
        command = [build / "tomoloom", "train", folder / "grey.nrrd", folder / "labels.nrrd", "--patch", 64, "--epochs", 1]
        return command + ["--steps", 20, "--seed", 1, "--threads", threads, "--overwrite", "-o", folder / "net.safetensors"]
    if program == "run":
        write_pipeline(folder / "filter.json", arguments)
        return [build / "tomoloom", "run", folder / "filter.json", "--threads", threads, "--out", folder, "--overwrite"]
    command = [build / "bench" / f"bench_{program}", f"threads={threads}"]
    return command + [f"{name}={value}" for name, value in {"repeat": 3, **arguments}.items()]


def seconds(build, work, way, folder):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    command = [str(part) for part in command_of(build, work, way.threads, folder)]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**environment, **way.environment})
    total = time.monotonic() - start
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    _, program, _, counts = work
    if program == "train" or counts == WHOLE:
        return total
    if program == "run":
        return json.loads((folder / "filtered.tif.json").read_text())["run"]["nodes"][counts]["seconds"]
    cases = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [one["seconds"] for one in cases if counts is None or one["case"] == counts][-1]


def busy_loops(count):
    """Each ends with this program, however that ends."""
    loop = "import os, sys\nparent = os.getppid()\nwhile os.getppid() == parent:\n for _ in range(10**6): pass"
    return [subprocess.Popen([sys.executable, "-c", loop]) for _ in range(count)]


def ways_of(table):
    """The first is what the others are compared with."""
    if table == "busy":
        return [Way("1 thread", 1), Way("at most 2", 2), Way("2, fixed", 2, OMP_DYNAMIC="false")]
    cores = os.cpu_count()
    asleep = Way("fixed, asleep", cores, OMP_DYNAMIC="false", OMP_WAIT_POLICY="passive")
    spinning = Way("fixed, spinning", cores, OMP_DYNAMIC="false", OMP_WAIT_POLICY="active")
    return [Way("fixed", cores, OMP_DYNAMIC="false"), Way("following", cores), asleep, spinning]


def rounds_of(build, work, ways, folder, most, until):
    """The times of each way, in each round; another round only where it will end in time."""
    rounds, longest = [], 0
    while len(rounds) < most and (not rounds or time.monotonic() + longest < until):
        begin = time.monotonic()
        order = ways if len(rounds) % 2 == 0 else ways[::-1]
        times = {way.name: seconds(build, work, way, folder) for way in order}
        rounds.append([times[way.name] for way in ways])
        longest = max(longest, time.monotonic() - begin)
    return rounds


def compare(build, table, works, options, folder, until):
    """Returns how many works are slower in the second way than allowed, or do not run."""
    ways = ways_of(table)
    allowed = LOSS_ALLOWED if table == "quiet" else SLOWER_ALLOWED
    heads = [f"{way.name} [s]" for way in ways]
    heads += [f"{way.name} / {ways[0].name} (lowest ... highest)" for way in ways[1:]] + ["rounds"]
    print(f"\n{table}\n\n| work | " + " | ".join(heads) + " |\n|" + " --- |" * (len(heads) + 1), flush=True)
    slower = 0
    for place, work in enumerate(works):
        share = (until - time.monotonic()) / (len(works) - place)
        try:
            rounds = rounds_of(build, work, ways, folder, options.rounds, time.monotonic() + share)
        except RuntimeError as error:
            print(f"| {work[0]} | failed: {error} |", flush=True)
            slower += 1
            continue
        cells = [f"{statistics.median(column):.3g}" for column in zip(*rounds)]
        for i in range(1, len(ways)):
            ratios = sorted(times[i] / times[0] for times in rounds)
            cells.append(f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} ... {ratios[-1]:.2f})")
            slower += i == 1 and statistics.median(ratios) > allowed
        print(f"| {work[0]} | " + " | ".join(cells) + f" | {len(rounds)} |", flush=True)
    return slower


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--table", choices=["busy", "quiet", "both"], default="busy")
    parser.add_argument("--busy", type=int, default=4, help="busy programs")
    parser.add_argument("--rounds", type=int, default=5, help="at most")
    parser.add_argument("--seconds", type=float, default=220, help="of all tables, about")
    parser.add_argument("--only", default="", help="parts of names of works")
    options = parser.parse_args()
    names = [name for name in options.only.split(",") if name]
    works = [work for work in WORK if not names or any(one in work[0] for one in names)]
    tables = ["quiet", "busy"] if options.table == "both" else [options.table]
    end = time.monotonic() + options.seconds
    slower = 0
    with tempfile.TemporaryDirectory() as folder:
        write_training_data(Path(folder))
        for place, table in enumerate(tables):
            until = time.monotonic() + (end - time.monotonic()) / (len(tables) - place)
            loops = busy_loops(options.busy) if table == "busy" else []
            try:
                slower += compare(options.build, table, works, options, Path(folder), until)
            finally:
                for loop in loops:
                    loop.kill()
                    loop.wait()
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
