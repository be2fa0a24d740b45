#!/usr/bin/env python3
"""Runs Tomoloom and its peers alternately on the same data and prints a Markdown table. Started by run.sh."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

import numpy as np

import peers
from phantoms import inside_circle, rms, sinogram, slice_image, slice_means

N, VIEWS = 512, 512


class Ours:
    """A benchmark program with its arguments; times() are what it measured itself, `line` what it printed."""

    def __init__(self, bench, program, shape=None, **arguments):
        self._out = bench.folder / "out.raw" if shape else None
        self._shape, self.line, self.lines = shape, {}, []
        self._command = [str(bench.programs / f"bench_{program}"), f"threads={bench.threads}"]
        arguments.setdefault("repeat", 1)
        self._command += [f"{name}={value}" for name, value in arguments.items()]
        if self._out:
            self._command.append(f"output={self._out}")

    def times(self):
        # Threads that wait without spinning: else a busy machine's waiting would count as processor time.
        done = subprocess.run(self._command, capture_output=True, text=True, check=False,
                              env={**os.environ, "OMP_WAIT_POLICY": "passive"})
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(self._command)}: {done.stderr.strip()}")
        self.lines = [json.loads(line) for line in done.stdout.strip().splitlines()]
        self.line = self.lines[-1]
        return np.array([self.line["seconds"], self.line["processor_seconds"]])

    @property
    def result(self):
        return np.fromfile(self._out, np.float32).reshape(self._shape)


class Bench:
    def __init__(self, options, folder):
        self.programs, self.folder = Path(options.programs), Path(folder)
        self.threads, self.rounds, self.rows = options.threads, options.rounds, []

    def raw(self, name, values):
        path = self.folder / name
        np.ascontiguousarray(values, np.float32).tofile(path)
        return path

    def by_turns(self, peer, ours, warm=False):
        """Medians over the rounds, after one uncounted run of the peer (our programs warm up by themselves). `warm`: an
        uncounted run before each counted one, as ours do, where giving pages takes as long as the work."""
        def theirs():
            if warm:
                peer.times()
            return peer.times()
        peer.times()
        times = np.array([(theirs(), ours.times()) for _ in range(self.rounds)])
        return np.median(times, axis=0)

    def alone(self, ours):
        return np.median([ours.times() for _ in range(self.rounds)], axis=0)

    def row(self, case, work, peer, theirs, mine, updates, bar, accuracy):
        """theirs and mine: seconds by the clock and of processor time."""
        ratio = [f"{t / m:.2f}" if t else "" for t, m in zip(theirs, mine)]
        self.rows.append((case, work, peer, f"{theirs[0]:.3g}" if theirs[0] else "", f"{mine[0]:.3g}",
                          f"{updates / mine[0]:.3g}", ratio[0], ratio[1], bar, accuracy))
        print(f"bench: {case} {ratio[0]} by the clock, {ratio[1]} in processor time", file=sys.stderr)


def compare_rms(theirs, mine, truth="truth"):
    verdict = "not worse" if mine <= theirs * 1.001 else "WORSE"
    return f"rms to {truth} {mine:.4g}, theirs {theirs:.4g}: {verdict}"


def stack(image, rows):
    """Rows that differ, so that a mixed-up row shows: the same image times 1, 1.01, 1.02..."""
    return image[:, None, :] * (1 + 0.01 * np.arange(rows))[None, :, None]


def d1(b):
    ours = Ours(b, "reconstruction", case="back_projection", n=N, views=VIEWS, rows=64)
    mine = b.alone(ours)
    b.row("D1", "parallel back-projection, 64 rows", "none", (0, 0), mine, N * N * 64 * VIEWS, "12e9 updates/s", "")


def d2(b):
    angles = np.arange(VIEWS) * np.pi / VIEWS
    sino, centres, means = sinogram(N, angles), slice_image(N), slice_means(N)
    inside = inside_circle(centres)
    away = inside & np.isclose(centres, means, rtol=0, atol=1e-9)  # pixels that no edge crosses
    truths = (("pixel means", means, inside), ("values at centres", centres, inside), ("both away from edges", means, away))
    data = b.raw("sinogram.raw", sino)
    for make, bar in ((lambda: peers.Iradon(sino, angles), "45x"), (lambda: peers.Astra("FBP", N, angles, sino), "20x")):
        peer = make()
        ours = Ours(b, "reconstruction", (N, N), case="fbp", n=N, views=VIEWS, rows=1, input=data)
        theirs, mine = b.by_turns(peer, ours)
        accuracy = "; ".join(compare_rms(rms((peer.result - truth)[where]), rms((ours.result[::-1] - truth)[where]), name)
                             for name, truth, where in truths)
        b.row("D2", "one slice, filter included", peer.name, theirs, mine, N * N * VIEWS, bar,
              accuracy)


def d3(b):
    n, views, source, detector = 256, 360, 600.0, 600.0
    peer = peers.RtkFdk(n, views, source, detector, 100.0)
    data = b.raw("cone.raw", peer.projections())
    ours = Ours(b, "reconstruction", (n, n, n), case="fdk", n=n, views=views, rows=n, input=data,
                source_to_axis=int(source), axis_to_detector=int(detector))
    theirs, mine = b.by_turns(peer, ours)
    truth = peer.truth()
    # The cylinder that every view sees, and the middle half of the slices.
    inside = np.zeros(truth.shape, bool)
    inside[:, n // 4:3 * n // 4, :] = inside_circle(np.zeros((n, n)))[:, None, :]
    accuracy = compare_rms(rms((peer.result - truth)[inside]), rms((peer.in_its_frame(ours.result) - truth)[inside]))
    b.row("D3", "FDK 256^3, 360 views of 256^2", peer.name, theirs, mine, n**3 * views, "20x",
          accuracy)


def ramp_response(length):
    kernel = np.zeros(length)
    odd = np.arange(1, length // 2, 2)
    kernel[0] = 0.25
    kernel[odd] = kernel[length - odd] = -1 / (np.pi * odd) ** 2
    return np.fft.rfft(kernel).real


def d4(b, rows=262144, cols=1024):
    values = np.random.default_rng(1).standard_normal((rows, cols), np.float32)
    response = ramp_response(2 * cols)
    data = b.raw("rows.raw", values)
    peer = peers.ScipyRamp(values, response, b.threads)
    ours = Ours(b, "ramp_filter", (rows, cols), rows=rows, cols=cols, input=data)
    theirs, mine = b.by_turns(peer, ours, warm=True)
    some = slice(0, rows, max(1, rows // 512))
    truth = np.fft.irfft(np.fft.rfft(values[some].astype(np.float64), 2 * cols) * response)[:, :cols]
    accuracy = compare_rms(rms(peer.result[some] - truth), rms(ours.result[some] - truth))
    b.row("D4", f"ramp filter, {rows} rows of {cols}", peer.name, theirs, mine, rows * cols, "2x", accuracy)


def d5(b):
    ours = Ours(b, "load", frames=1000, size=1024, folder=b.folder)
    mine = b.alone(ours)
    plain = (ours.line["plain_seconds"], ours.line["plain_processor"])
    b.row("D5", "1000 uint16 TIFFs of 1024^2 to absorption", "plain loop in the same program", plain, mine,
          1000 * 1024**2, "0.8x", ours.line["check"])


def d6(b, slices=4, rows=64):
    angles = np.arange(VIEWS) * np.pi / VIEWS
    sino, image = sinogram(N, angles), slice_image(N)
    peer = peers.Astra("FP", N, angles, image, slices)
    volume = b.raw("volume.raw", stack(image[::-1], rows).transpose(1, 0, 2))
    ours = Ours(b, "projector", (VIEWS, rows, N), case="forward", n=N, views=VIEWS, rows=rows, input=volume)
    theirs, mine = b.by_turns(peer, ours)
    theirs *= rows / slices
    # The volume's slice k lies in row rows - 1 - k.
    last = 1 + 0.01 * (rows - 1)
    accuracy = compare_rms(rms(peer.result - sino), rms(ours.result[:, 0] / last - sino))
    updates = N * N * VIEWS * rows
    b.row("D6", f"projector, {rows} rows", f"{peer.name}, {rows} slices", theirs, mine, updates,
          "20x", accuracy)

    back = peers.Astra("BP", N, angles, sino, slices)
    data = b.raw("projections.raw", stack(sino, rows))
    ours = Ours(b, "projector", (rows, N, N), case="transpose", n=N, views=VIEWS, rows=rows, input=data)
    theirs, mine = b.by_turns(back, ours)
    theirs *= rows / slices
    wanted = back.result[::-1] * last
    accuracy = f"differs from theirs by {rms(ours.result[0] - wanted) / rms(wanted):.1e} (rms, relative)"
    b.row("D6", f"its transpose, {rows} rows", f"{back.name}, {rows} slices", theirs, mine, updates,
          "20x", accuracy)


def d7(b):
    """Oblique planes in both beams, from filtered views, against the rate of D3: FDK of 256^3 with everything included."""
    updates = N * N * 360
    for beam in ("cone", "parallel"):
        rate_of = Ours(b, "reconstruction", case="fdk", beam="cone", n=256, views=360, rows=256)
        plane = Ours(b, "reconstruction", case="oblique", beam=beam, n=N, views=360, rows=N, repeat=5)
        theirs, mine = b.by_turns(rate_of, plane)
        b.row("D7", f"oblique slice of {N}^2, {beam} beam", "our own FDK of D3, scaled",
              theirs * updates / (256**3 * 360), mine, updates, "0.67x", "")


def small(b):
    """Small work must not pay for big work."""
    ours = Ours(b, "reconstruction", case="fbp", n=256, views=180, rows=1, repeat=25)
    mine = b.alone(ours)
    b.row("small", "one slice of 256^2 from 180 views, filter included", "3 ms", (3e-3, 0), mine, 256 * 256 * 180, "1x", "")


def make_scan(path, rows):
    """A Data Exchange file of uint16 counts of the slices of stack(), with ten flats and ten darks."""
    import h5py
    angles = np.arange(VIEWS) * np.pi / VIEWS
    sino = sinogram(N, angles)
    sino *= 2 / sino.max()
    with h5py.File(path, "w") as f:
        data = f.create_dataset("exchange/data", (VIEWS, rows, N), np.uint16)
        for first in range(0, VIEWS, 64):
            part = slice(first, first + 64)
            data[part] = np.round(100 + 50000 * np.exp(-stack(sino[part], rows) / (1 + 0.01 * rows))).astype(np.uint16)
        f["exchange/data_white"] = np.full((10, rows, N), 50100, np.uint16)
        f["exchange/data_dark"] = np.full((10, rows, N), 100, np.uint16)
        f["exchange/theta"] = np.degrees(angles)
    return angles


def whole(b, rows=512, slices=4):
    """From file to file: the job against its slowest part, and against a script of the usual libraries."""
    scan = b.folder / "scan.h5"
    angles = make_scan(scan, rows)
    for output, name in (("nxtomoproc", "peer.h5"), ("imagej_tiff", "peer.tif")):
        peer = peers.FileToFile(scan, N, angles, slices, b.folder / name)
        ours = Ours(b, "whole_job", scan=scan, folder=b.folder, format=output, repeat=3)
        theirs, mine = b.by_turns(peer, ours)
        line = ours.line
        parts = ", ".join(f"{part} {line[part + '_seconds']:.3g} s" for part in ("read", "compute", "write"))
        b.row("whole", f"HDF5 scan to {output}, {N}^2 x {rows} from {VIEWS} views", f"{peer.name}, {slices} slices scaled",
              theirs * rows / slices, mine, N * N * rows * VIEWS, "",
              f"{line['over_slowest']:.2f} of the slowest part alone ({parts})")


def iterations(b):
    """Iterations of the solvers against one projection and one transpose."""
    print("\n| iteration of | beam | seconds | over (forward + back) | the same in processor time |")
    print("| --- | --- | --- | --- | --- |")
    for beam in ("parallel", "cone"):
        ours = Ours(b, "solver", beam=beam, repeat=7)
        ours.times()
        for line in ours.lines[1:]:
            print(f"| {line['case']} | {beam} | {line['seconds']:.3g} | {line['over_forward_and_back']:.2f} | "
                  f"{line['in_processor_time']:.2f} |", flush=True)


def scaling(b):
    """How the rates grow: size, rows and threads, one line each."""
    print("\n| program | case | n | views | rows | threads | seconds | updates/s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    sizes = [(n, 32) for n in (256, 512, 1024)] + [(512, rows) for rows in (1, 8, 64, 512)]
    for program, case in (("reconstruction", "back_projection"), ("projector", "forward"), ("projector", "transpose")):
        for n, rows in sizes:
            for b.threads in (1, 2):
                ours = Ours(b, program, case=case, n=n, views=n, rows=rows)
                ours.times()
                line = ours.line
                print(f"| {program} | {case} | {n} | {n} | {rows} | {b.threads} | {line['seconds']:.3g} | "
                      f"{line['updates_per_s']:.3g} |", flush=True)


def hardware():
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8") if os.path.exists("/proc/cpuinfo") else ""
    model = next((line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")), "unknown")
    vectors = "AVX-512" if "avx512dq" in text else "AVX2" if "avx2" in text else "no AVX2"
    return f"{model}, {os.cpu_count()} cores, {vectors}"


def commit():
    done = subprocess.run(["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def main():
    cases = {"D1": d1, "D2": d2, "D3": d3, "D4": d4, "D5": d5, "D6": d6, "D7": d7, "small": small, "whole": whole}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--cases", default=",".join(cases))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--scaling", action="store_true")
    options = parser.parse_args()
    before, missing = os.getloadavg()[0], []
    with tempfile.TemporaryDirectory(prefix="tomoloom-bench-") as folder:
        bench = Bench(options, folder)
        for case in options.cases.split(","):
            try:
                cases[case](bench)
            except (ImportError, RuntimeError, OSError) as reason:
                missing.append(f"{case} was not measured: {reason}")
        print(f"{hardware()}; {options.threads} threads; commit {commit()}; {date.today()}; medians of {options.rounds} "
              f"alternating rounds; load average {before:.1f} before and {os.getloadavg()[0]:.1f} after.\n")
        print("| case | work | peer | peer [s] | ours [s] | ours, updates/s | ratio | ratio of processor time | bar | "
              "accuracy |")
        print("|" + " --- |" * 10)
        for row in bench.rows:
            print("| " + " | ".join(row) + " |")
        for line in missing:
            print(f"\n{line}")
        if options.scaling:
            iterations(bench)
            scaling(bench)


if __name__ == "__main__":
    main()
