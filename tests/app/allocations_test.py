#!/usr/bin/env python3
"""Refuses allocations: the program ends well or reports out of memory, never dies by a signal, and leaves no output.

usage: allocations_test.py TOMOLOOM SOURCE_DIR LIBRARY      (LIBRARY: tests/support/preloaded/fail_allocation.cpp)
TL_ALLOCATION_TRIALS=900 for more points, TL_ALLOCATION_SEED for others. Half of the points are among all allocations of
a run, half among those of 4 kB and more: tensors, stacks, buffers. One allocation is refused, or, in every other round,
so many in a row that the program's reserve of memory is used up and operator new throws.
"""
import collections
import os
import random
import subprocess
import sys
import tempfile

TRIALS = int(os.environ.get("TL_ALLOCATION_TRIALS", "40"))
SEED = int(os.environ.get("TL_ALLOCATION_SEED", "1"))
# Codes that are an answer: done (the allocation was not needed), a library's own words on a file, out of memory, and
# for learning a verdict that is not "resolved".
ANSWERS = {0, 3, 4, 6}
# Refused in a row: one more than core/base/memory_reserve.cpp has blocks.
IN_A_ROW = 17
# Known, and not good: with the reserve used up, an allocation in a destructor (nlohmann/json makes one, LibTorch some)
# ends the program by an abort. Outputs stay whole. More than this share of the rounds without a reserve fails.
ABORTS_WITHOUT_RESERVE = 0.05


class Trials:
    def __init__(self, program, library):
        self.program, self.library = program, library
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = self.scratch.name
        self.scan = os.path.join(self.folder, "scan.nx")
        subprocess.run([program, "simulate", "-o", self.scan, "--cols", "48", "--rows", "6", "--views", "40", "--range", "360 deg",
                        "--flats", "2", "--quiet"], check=True)
        self.pipeline = os.path.join(self.folder, "pipeline.json")
        subprocess.run([program, "reconstruct", self.scan, "-o", os.path.join(self.folder, "v.tif"), "--save-pipeline", self.pipeline,
                        "--quiet"], check=True)

    def commands(self, out):
        """By name: arguments, and the outputs that are there after a run that ends with 0."""
        volume = os.path.join(out, "v.tif")
        return {
            "reconstruct": (["reconstruct", self.scan, "-o", volume, "--picture", os.path.join(out, "v.png")],
                            {"v.tif", "v.tif.json", "v.png", "v.png.json"}),
            "run": (["run", self.pipeline, "--input", self.scan, "--out", out, "--set", "save.file=w.tif", "--json"],
                    {"w.tif", "w.tif.json"}),
            "learn": (["learn", "axis-by-gradient", "--input", self.scan, "-o", os.path.join(out, "l.json"), "--iterations", "2",
                       "--no-survey"], {"l.json"}),
            "sweep": (["sweep", self.pipeline, "--input", self.scan, "--over", "fbp.filter=hann,none", "-o", os.path.join(out, "s")],
                      {"s.json", "s.csv", "s.png"}),
            "check": (["check", self.pipeline, "--json"], set()),
        }

    def run(self, name, **environment):
        """Exit code (negative: a signal), what is left, the last line that was said."""
        with tempfile.TemporaryDirectory(dir=self.folder) as out:
            arguments, outputs = self.commands(out)[name]
            settings = {"LD_PRELOAD": self.library, **{key: str(value) for key, value in environment.items()}}
            try:
                r = subprocess.run([self.program, *arguments], env={**os.environ, **settings}, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=120)
                code, text = r.returncode, r.stdout.decode(errors="replace").strip().splitlines()
            except subprocess.TimeoutExpired:
                code, text = "hung", []
            left = set(os.listdir(out))
            # A journal of learning and the points of a sweep are there to go on from.
            left -= {"l.json.journal", "s.sweep"}
            return code, left, outputs, text[-1] if text else ""

    def count(self, name, above):
        file = os.path.join(self.folder, "count")
        code, left, outputs, text = self.run(name, TL_FAIL_ALLOCATION=0, TL_FAIL_ABOVE=above, TL_COUNT_FILE=file)
        assert code in (0, 6) and outputs <= left, (name, code, left, text)
        with open(file) as f:
            return int(f.read())


def wrong(code, left, outputs):
    """What is wrong with the end of a run, or ""."""
    if code == "hung":
        return "hung"
    if code < 0:
        return f"signal {-code}"
    if code not in ANSWERS:
        return f"exit {code}"
    if code in (0, 6) and left != outputs:
        return f"exit {code} without its outputs" if outputs - left else "litter"
    if code in (3, 4) and left:
        return "outputs left behind"
    return ""


def main(program, library):
    trials = Trials(program, library)
    points = random.Random(SEED)
    names = list(trials.commands(""))
    counts = {(name, above): trials.count(name, above) for name in names for above in (1, 4096)}
    ends, failed, aborts = collections.Counter(), [], 0
    for i in range(TRIALS):
        name, above = names[i % len(names)], (1, 4096)[i // len(names) % 2]
        number = points.randint(1, counts[name, above])
        times = (1, IN_A_ROW)[i // (2 * len(names)) % 2]
        code, left, outputs, text = trials.run(name, TL_FAIL_ALLOCATION=number, TL_FAIL_ABOVE=above, TL_FAIL_TIMES=times)
        ends[times, code] += 1
        reason = wrong(code, left, outputs)
        where = f"{name}, {times} from allocation {number} of at least {above} bytes"
        if code == -6 and times > 1 and not left & outputs:
            aborts += 1
            print(f"{where}: abort without a reserve", flush=True)
        elif reason:
            failed.append(f"{where}: {reason}; left {sorted(left)}: {text[:160]}")
            print(failed[-1], flush=True)
    for times in (1, IN_A_ROW):
        print(f"{times} refused: " + ", ".join(f"{n} times {code}" for (t, code), n in sorted(ends.items(), key=str) if t == times))
    if aborts > ABORTS_WITHOUT_RESERVE * TRIALS / 2:
        failed.append(f"{aborts} aborts without a reserve")
        print(failed[-1], flush=True)
    verdict = "FAIL!  " if failed else "PASS   "
    print(f"{verdict}: Allocations::a_refused_allocation_is_an_error()")
    print(f"Totals: {0 if failed else 1} passed, {1 if failed else 0} failed, 0 skipped, 0 blacklisted")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[3]))
