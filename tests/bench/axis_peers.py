#!/usr/bin/env python3
"""Rotation axis on 20 simulated scans: Tomoloom by gradients against algotom's and scikit-image-based methods.

usage: axis_peers.py --tomoloom PROGRAM [--scans 20]     with the Python of run.sh's environment
Each scan is half a turn of a parallel beam with photon noise; phantom, width, number of views, photons and axis differ.
Times are those of the search alone: no start of a program, no reading, the peers' second call (the first one compiles).
An answer that is wrong by more than half a pixel, with nothing that says so, is counted as silently wrong.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np


def cases(count):
    """Phantom, columns, views, photons, true axis [px from the detector's centre]."""
    random = np.random.default_rng(7)
    for n in range(count):
        yield {"phantom": ("shepp_logan", "ellipses")[n % 2], "cols": (256, 255, 384)[n % 3], "views": (180, 90, 360, 45)[n % 4],
               "photons": (1e4, 1e3)[n // 2 % 2], "axis": round(float(random.uniform(-30, 30)), 3), "seed": n + 1}


def simulate(program, case, path):
    command = [program, "simulate", "-o", path, "--quiet"]
    values = {"phantom": case["phantom"], "views": case["views"], "rows": 5, "cols": case["cols"], "range": "180 deg",
              "axis": f"{case['axis']} px", "photons": case["photons"], "seed": case["seed"], "size": "0.7"}
    for name, value in values.items():
        command += [f"--{name}", str(value)]
    subprocess.run(command, check=True)


def absorption(path):
    """[view, row, col] after flat-field and logarithm."""
    import h5py
    with h5py.File(path) as f:
        detector = f["entry/instrument/detector"]
        frames, key = detector["data"][...].astype(np.float32), detector["image_key"][...]
    dark = frames[key == 2].mean(0) if (key == 2).any() else 0
    flat = frames[key == 1].mean(0) - dark
    return -np.log(np.clip((frames[key == 0] - dark) / flat, 1e-5, None))


class Tomoloom:
    name = "Tomoloom, axis-by-gradient"

    def __init__(self, program, folder):
        self._program, self._folder = program, folder

    def __call__(self, path, _):
        out = self._folder / "found.json"
        done = subprocess.run([self._program, "learn", "axis-by-gradient", "--input", path, "-o", out, "--overwrite", "--json"],
                              capture_output=True, text=True, check=False)
        last = json.loads(done.stdout.splitlines()[-1])
        if last["event"] != "done":
            raise RuntimeError(last.get("what", done.stderr))
        result = json.loads(out.read_text())
        found = next(p for p in result["parameters"] if p["name"] == "axis" and p.get("verdict"))
        return found["value"], found.get("uncertainty", 0), found["verdict"], last["seconds"]


class Peer:
    def __call__(self, _, data):
        centre = 0.5 * (data.shape[2] - 1)
        self.find(data)
        start = time.perf_counter()
        found = self.find(data) - centre
        return found, None, None, time.perf_counter() - start


class AlgotomVo(Peer):
    def __init__(self):
        from algotom.prep import calculation
        self._find, self.name = calculation.find_center_vo, "algotom, Vo"

    def find(self, data):
        return float(self._find(np.ascontiguousarray(data[:, data.shape[1] // 2]), start=None, stop=None))


class AlgotomPhase(Peer):
    def __init__(self):
        from algotom.prep import calculation
        self._find, self.name = calculation.find_center_based_phase_correlation, "algotom, phase correlation"

    def find(self, data):
        return float(self._find(data[0], data[-1]))


class SkimagePhase(Peer):
    """Phase correlation of the first view and the mirrored last one, to a hundredth of a pixel."""

    def __init__(self):
        from skimage.registration import phase_cross_correlation
        self._find, self.name = phase_cross_correlation, "scikit-image, phase correlation"

    def find(self, data):
        shift = self._find(data[0], data[-1][:, ::-1], upsample_factor=100, normalization=None)[0]
        return 0.5 * (data.shape[2] - 1) + 0.5 * float(shift[1])


class SkimageEntropy(Peer):
    """Least entropy of iradon's slice within 4 px of the phase correlation, in steps of a quarter, then a parabola."""

    def __init__(self):
        from skimage.transform import iradon
        self._iradon, self._near, self.name = iradon, SkimagePhase(), "scikit-image, iradon and entropy"

    def find(self, data):
        sinogram, near = data[:, data.shape[1] // 2], self._near.find(data)
        centre, theta = data.shape[2] // 2, np.arange(data.shape[0]) * 180.0 / data.shape[0]
        columns = np.arange(data.shape[2])
        edges = None
        candidates, scores = near + np.arange(-4, 4.01, 0.25), []
        for c in candidates:
            moved = np.stack([np.interp(columns + c - centre, columns, line) for line in sinogram])
            image = self._iradon(moved.T, theta=theta, filter_name="ramp", circle=True)
            edges = np.histogram_bin_edges(image, 64) if edges is None else edges
            share = np.histogram(image, edges)[0] / image.size
            scores.append(-np.sum(share[share > 0] * np.log2(share[share > 0])))
        best = int(np.clip(np.argmin(scores), 1, len(scores) - 2))
        a, b, c = scores[best - 1:best + 2]
        bend = a - 2 * b + c
        return candidates[best] + (0.25 * 0.5 * (a - c) / bend if bend > 0 else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tomoloom", required=True)
    parser.add_argument("--scans", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        methods = [Tomoloom(options.tomoloom, folder)]
        for peer in (AlgotomVo, AlgotomPhase, SkimagePhase, SkimageEntropy):
            try:
                methods.append(peer())
            except ImportError as reason:
                print(f"{peer.__name__} is not available: {reason}", file=sys.stderr)
        rows = {m.name: [] for m in methods}
        for number, case in enumerate(cases(options.scans)):
            path = folder / f"scan_{number}.nx"
            simulate(options.tomoloom, case, path)
            data = absorption(path)
            for m in methods:
                try:
                    found, sigma, verdict, seconds = m(path, data)
                except Exception as reason:  # a peer that gives up says so
                    print(f"{m.name}, scan {number}: {reason}", file=sys.stderr)
                    found, sigma, verdict, seconds = float("nan"), None, "error", float("nan")
                rows[m.name].append((found - case["axis"], sigma, verdict, seconds))
                print(f"scan {number} {case}: {m.name}: {found - case['axis']:+.3f} px, {verdict}, {seconds:.2f} s", file=sys.stderr)
            path.unlink()
    print("| method | median error | 90 % of errors below | worst | silently wrong | median time |\n|---|---|---|---|---|---|")
    for name, results in rows.items():
        errors = np.abs([r[0] for r in results])
        known = errors[np.isfinite(errors)]
        if known.size == 0:
            print(f"| {name} | no result | | | | |")
            continue
        silent = sum(1 for e, s, v, _ in results if np.isfinite(e) and abs(e) > max(0.5, 3 * (s or 0)) and v in (None, "resolved"))
        print(f"| {name} | {np.median(known):.3f} px | {np.quantile(known, 0.9):.3f} px | {known.max():.2f} px | "
              f"{silent} of {len(results)} | {1e3 * np.nanmedian([r[3] for r in results]):.0f} ms |")


if __name__ == "__main__":
    main()
