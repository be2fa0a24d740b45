#!/usr/bin/env python3
"""Segmentation compared with scikit-learn and scikit-image, alternately on the same data; prints a Markdown table.

usage: segmentation_peers.py --program build/release/bench/bench_segmentation [--rounds 5] [--threads 2] [--cases forest,...]
with the Python of run.sh's environment (numpy, scipy, scikit-image, scikit-learn). The program is built by
  cmake --build build/release --target bench_segmentation        (TL_BENCH=ON)

Each round runs ours and theirs once after the other (ours once more before, uncounted); the best of all rounds counts,
since other programs on the machine only make a run slower. Both have as many threads as --threads says where they use
several (scikit-image's operators use one).
"""
import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import ndimage as ndi
from skimage import measure, segmentation
from sklearn.ensemble import RandomForestClassifier

TARGETS = {"forest, training": 3, "forest, applying": 3, "random-walker": 3, "watershed": 1, "components": 1, "regions": 5}


def now():
    return np.array([time.perf_counter(), time.process_time()])


def blobs(shape, sigma, seed):
    noise = np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
    smooth = ndi.gaussian_filter(noise, sigma)
    return smooth / smooth.std()


def features(slices):
    """Gaussian, Laplacian and gradient of six scales with their powers: as many features as a classifier has, 48."""
    planes = []
    for sigma in (0.7, 1, 1.6, 3.5, 5, 10):
        smooth = [ndi.gaussian_filter(s, sigma) for s in slices]
        slope = [ndi.gaussian_gradient_magnitude(s, sigma) for s in slices]
        laplace = [ndi.gaussian_laplace(s, sigma) for s in slices]
        planes += [smooth, slope, laplace, np.square(smooth), np.abs(laplace), np.subtract(slices, smooth),
                   np.multiply(slope, smooth), np.multiply(laplace, smooth)]
    return np.array(planes, np.float32).reshape(len(planes), -1)


class Cases:
    def __init__(self, options, folder):
        self.options, self.folder = options, Path(folder)

    def raw(self, name, values):
        path = self.folder / name
        np.ascontiguousarray(values, np.float32).tofile(path)
        return path

    def ours(self, case, **arguments):
        command = [self.options.program, f"case={case}", f"threads={self.options.threads}", "repeat=1"]
        command += [f"{k}={v}" for k, v in arguments.items()]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return [np.array([line["seconds"], line["processor_seconds"]]) for line in lines]

    def by_turns(self, ours, theirs):
        """Lists of several parts each: seconds by the clock and of the processor; the best of each part."""
        best = [None, None]
        for _ in range(self.options.rounds):
            for i, run in enumerate((ours, theirs)):
                seconds = run()
                best[i] = seconds if best[i] is None else [np.minimum(a, b) for a, b in zip(best[i], seconds)]
        return best

    def forest(self):
        n = 512
        # Three materials of other brightness and other texture, with noise; a tenth of the voxels is hard to classify.
        classes = np.digitize(blobs((1, n, n), 8, 3), (-0.5, 0.5))
        picture = 0.5 * classes + np.choose(classes, [0.2, 0.4, 0.8]) * blobs((1, n, n), 2, 1) + 0.4 * blobs((1, n, n), 0, 2)
        classes = classes.ravel()
        x = features(picture)
        chosen = np.random.default_rng(4).choice(n * n, 20000, replace=False)
        train, names = np.ascontiguousarray(x[:, chosen].T), classes[chosen]
        every = np.ascontiguousarray(x.T)
        files = {"in": self.raw("x", x[:, chosen]), "classes": self.raw("y", names), "apply": self.raw("all", x)}
        out = self.folder / "shares"
        found = {}

        def theirs():
            start = now()
            forest = RandomForestClassifier(n_estimators=100, n_jobs=self.options.threads, random_state=0).fit(train, names)
            middle = now()
            found["shares"] = forest.predict_proba(every)
            return [middle - start, now() - middle]

        def ours():
            return self.ours("forest", features=len(x), samples=len(chosen), pixels=n * n, output=out, **files)

        seconds = self.by_turns(ours, theirs)
        rest = np.setdiff1d(np.arange(n * n), chosen)
        mine = np.fromfile(out, np.float32).reshape(3, -1).argmax(0)
        accuracy = [(c[rest] == classes[rest]).mean() for c in (mine, found["shares"].argmax(1))]
        size = f"48 features, 20 000 samples, 100 trees; 512^2 pixels (accuracy {accuracy[0]:.4f}, theirs {accuracy[1]:.4f})"
        yield "forest, training", "scikit-learn", size, seconds[0][0], seconds[1][0]
        yield "forest, applying", "scikit-learn", "", seconds[0][1], seconds[1][1]

    def one(self, case, peer, size, volume, labels, work, **more):
        files = {"volume": self.raw("volume", volume), "labels": self.raw("labels", labels)}
        shape = dict(zip(("nz", "ny", "nx"), volume.shape))

        def theirs():
            start = now()
            work()
            return [now() - start]

        seconds = self.by_turns(lambda: self.ours(case, **files, **shape, **more), theirs)
        yield case, peer, size, seconds[0][0], seconds[1][0]

    def components(self):
        mask = blobs((256, 256, 256), 2, 5) > 0.6
        yield from self.one("components", "scikit-image", "256^3, 26 neighbours", mask, mask,
                            lambda: measure.label(mask, connectivity=3))

    def watershed(self):
        volume = blobs((128, 128, 128), 2, 6)
        markers = measure.label(volume < -1.6)
        yield from self.one("watershed", "scikit-image", "128^3, markers", volume, markers,
                            lambda: segmentation.watershed(volume, markers))

    def walker(self):
        volume = blobs((64, 96, 96), 3, 7) + 0.2 * blobs((64, 96, 96), 0, 8)
        seeds = np.where(volume < -1.8, 1, np.where(volume > 1.8, 2, 0)).astype(np.int32)
        yield from self.one("random-walker", "scikit-image", "64 x 96 x 96, cg_j, tolerance 1e-3", volume, seeds,
                            lambda: segmentation.random_walker(volume, seeds, mode="cg_j", tol=1e-3), tolerance=1e-3)

    def regions(self):
        volume = blobs((192, 192, 192), 2, 9)
        labels = measure.label(volume > 0.8, connectivity=3)
        names = ("label", "area", "centroid", "bbox", "inertia_tensor", "intensity_mean", "intensity_std", "intensity_min",
                 "intensity_max", "equivalent_diameter_area")
        yield from self.one("regions", "scikit-image", f"192^3, {labels.max()} objects", volume, labels,
                            lambda: measure.regionprops_table(labels, volume, properties=names))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cases", default="forest,walker,watershed,components,regions")
    options = parser.parse_args()
    print("| case | against | size | Tomoloom [s] | theirs [s] | ratio, clock | ratio, processor | target |\n" + "| --- " * 8 + "|")
    for case in options.cases.split(","):
        with tempfile.TemporaryDirectory() as folder:
            for name, peer, size, ours, theirs in getattr(Cases(options, folder), case)():
                clock, processor = theirs / ours
                print(f"| {name} | {peer} | {size} | {ours[0]:.4g} | {theirs[0]:.4g} | {clock:.2f} | {processor:.2f} | {TARGETS[name]} |",
                      flush=True)


if __name__ == "__main__":
    main()
