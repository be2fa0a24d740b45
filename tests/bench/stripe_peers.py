#!/usr/bin/env python3
"""Stripe removal on random sinograms: Tomoloom against algotom at the same settings.

usage: stripe_peers.py --program build/release/bench/bench_stripe [--phantoms 4] [--details]
       stripe_peers.py --program ... --alarms 100     false alarms on clean scans alone
with the Python of run.sh's environment (algotom, numpy, scipy). The program is built by
  cmake --build build/release --target bench_stripe        (TL_BENCH=ON)

Each phantom is a body with random ellipses, half a turn of a parallel beam, absorption with photon noise. Six kinds of
stripes at three noise levels, and the scan without stripes. Two errors: of the corrected sinogram against the one
without noise and stripes (rms), and of its reconstruction by filtered back-projection against that of the one without
noise and stripes (rms in the disc of the detector). Numbers are in units of what the uncorrected scan without stripes
has: 1 = as if there had been no stripe. "all columns" is the method as in its paper, "found" (the default of the nodes) on
the columns in which a stripe is found. algotom's methods that divide by levels work on absorption and on transmission;
the better of the two counts.
"""
import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse

COLS, VIEWS = 320, 240
KINDS = ("offset", "gain", "partial", "fluctuating", "dead", "large", "clean")
PHOTONS = (1e6, 1e4, 1e3)
SETTINGS = {"size": 11, "large-size": 51, "snr": 3, "order": 2, "smoothing": 10, "low-pass": 3, "levels": 4, "moments": 5,
            "damping": 2, "fine": 10}
METHODS = ("sorting", "filtering", "fitting", "large", "dead", "all", "fourier-wavelet", "double-flat")


def body(random):
    """[view, col]: a wide ellipse with eight smaller ones; line integrals in closed form, 4 rays per column."""
    ellipses = [(1.0, 0.75, 0.6, 0.0, 0.0, random.uniform(0, np.pi))]
    for _ in range(8):
        r, t = 0.45 * np.sqrt(random.uniform()), random.uniform(0, 2 * np.pi)
        ellipses.append((random.uniform(-0.6, 0.8), *random.uniform(0.04, 0.2, 2), r * np.cos(t), r * np.sin(t), random.uniform(0, np.pi)))
    t = np.pi * np.arange(VIEWS)[:, None] / VIEWS
    u = 2 * ((np.arange(4 * COLS) + 0.5) / (4 * COLS))[None, :] - 1
    out = np.zeros((VIEWS, 4 * COLS))
    for value, a, b, x, y, turn in ellipses:
        square = (a * np.cos(t - turn)) ** 2 + (b * np.sin(t - turn)) ** 2
        d = u - x * np.cos(t) - y * np.sin(t)
        out += value * 2 * a * b * np.sqrt(np.maximum(square - d**2, 0)) / square
    out = out.reshape(VIEWS, COLS, 4).mean(2)
    return 2 * out / out.max()


def noisy(clean, photons, random):
    return -np.log(np.maximum(random.poisson(photons * np.exp(-clean)), 1) / photons)


def striped(kind, clean, photons, random):
    """Stripes lie anywhere but in the outermost columns, at least 12 columns apart."""
    places = 20 + 24 * random.permutation((COLS - 40) // 24)[:8] + random.integers(0, 12, 8)
    x = clean.copy()
    if kind == "large":
        for i, c in enumerate(places[:3]):
            x[:, c:c + 10 + 2 * i] += -np.log(1.7) if i % 2 else np.log(1.7)
        return noisy(x, photons, random)
    for i, c in enumerate(places):
        wide = slice(c, c + 1 + i % 3)
        sign, part = (-1) ** i, slice(VIEWS // 5, 4 * VIEWS // 5) if i % 2 else slice(0, VIEWS // 2)
        if kind == "offset":
            x[:, wide] += 0.08 * sign
        elif kind == "gain":
            x[:, wide] *= 1 + 0.06 * sign
        elif kind == "partial":
            x[part, wide] += 0.1 * sign
    x = noisy(x, photons, random)
    for c in places[:5]:
        if kind == "fluctuating":
            x[:, c] += 0.4 * random.standard_normal(VIEWS)
        elif kind == "dead":  # answers with a constant and the noise of its amplifier
            x[:, c:c + 2] = random.uniform(0.3, 1.7) + 0.01 * random.standard_normal((VIEWS, 2))
    return x


class Fbp:
    def __init__(self):
        n = COLS
        c = np.arange(n) - (n - 1) / 2
        y, x = np.meshgrid(-c, c, indexing="ij")
        inside = (x**2 + y**2 < (0.48 * n) ** 2).ravel()
        x, y = x.ravel()[inside], y.ravel()[inside]
        rows, columns, values = [], [], []
        for k in range(VIEWS):
            t = np.pi * k / VIEWS
            u = x * np.cos(t) + y * np.sin(t) + (n - 1) / 2
            i = np.clip(np.floor(u).astype(int), 0, n - 2)
            for j, w in ((i, 1 - (u - i)), (i + 1, u - i)):
                rows.append(np.arange(x.size))
                columns.append(k * n + j)
                values.append((w * np.pi / VIEWS).astype(np.float32))
        self._back = scipy.sparse.csr_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
                                             shape=(x.size, VIEWS * n))
        kernel = np.zeros(2 * n)
        k = np.arange(1, n, 2)
        kernel[0], kernel[k], kernel[-k] = 0.25, -1 / (np.pi * k) ** 2, -1 / (np.pi * k) ** 2
        self._ramp = np.fft.rfft(kernel)

    def __call__(self, sinograms):
        """[view, row, col] -> [voxel in the disc, row]"""
        filtered = np.fft.irfft(np.fft.rfft(sinograms, 2 * COLS, axis=2) * self._ramp, axis=2)[..., :COLS]
        return self._back @ filtered.transpose(0, 2, 1).reshape(VIEWS * COLS, -1).astype(np.float32)


def ours(program, folder, columns):
    def run(method, data):
        data.astype(np.float32).tofile(folder / "in.f32")
        command = [program, f"in={folder}/in.f32", f"out={folder}/out.f32", f"method={method}", f"columns={columns}", f"views={VIEWS}",
                   f"rows={data.shape[1]}", f"cols={COLS}"] + [f"{k}={v}" for k, v in SETTINGS.items()]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return np.fromfile(folder / "out.f32", np.float32).reshape(data.shape)
    return run


def algotom(method, data):
    from algotom.prep import removal
    s = SETTINGS
    calls = {
        "sorting": lambda x: removal.remove_stripe_based_sorting(x, s["size"]),
        "filtering": lambda x: removal.remove_stripe_based_filtering(x, s["low-pass"], s["size"]),
        "fitting": lambda x: removal.remove_stripe_based_fitting(x, s["order"], s["smoothing"]),
        "large": lambda x: removal.remove_large_stripe(x, s["snr"], s["large-size"]),
        "dead": lambda x: removal.remove_dead_stripe(x, s["snr"], s["large-size"]),
        "all": lambda x: removal.remove_all_stripe(x, s["snr"], s["large-size"], s["size"]),
        "fourier-wavelet": lambda x: removal.remove_stripe_based_wavelet_fft(x, s["levels"], s["damping"], f"db{s['moments']}"),
        "double-flat": lambda x: removal.remove_stripe_based_normalization(x, s["fine"]),
    }
    work = calls[method]
    rows = [data[:, row].astype(np.float32) for row in range(data.shape[1])]
    plain = np.stack([work(x) for x in rows], 1)
    if method not in ("fitting", "large", "dead", "all"):
        return plain, plain
    return plain, np.stack([-np.log(np.clip(work(np.exp(-x)), 1e-6, None)) for x in rows], 1)


def cases(phantoms):
    """Name, photons and sinogram of each case, and the sinogram without noise and stripes."""
    for n in range(phantoms):
        clean = body(np.random.default_rng(100 + n))
        for photons in PHOTONS:
            for kind in KINDS:
                random = np.random.default_rng([n, int(photons), KINDS.index(kind)])
                yield kind, photons, striped(kind, clean, photons, random), clean


def disc(radius, axis):
    """Mean absorption of a disc on the rotation axis, as every view sees it: [column]; radii in columns."""
    u = (np.arange(8 * COLS) + 0.5) / 8 - COLS / 2 - axis
    return (2 * np.sqrt(np.maximum(radius**2 - u**2, 0))).reshape(COLS, 8).mean(1)


def box(value, a, b, x, y, turn):
    t = np.pi * np.arange(VIEWS)[:, None] / VIEWS
    u = 2 * ((np.arange(4 * COLS) + 0.5) / (4 * COLS))[None, :] - 1
    c, s = np.abs(np.cos(t - turn)), np.abs(np.sin(t - turn))
    across = (a * c + b * s - np.abs(u - x * np.cos(t) - y * np.sin(t))) / np.maximum(c * s, 1e-12)
    chord = np.minimum(2 * a / np.maximum(s, 1e-12), 2 * b / np.maximum(c, 1e-12))
    return value * np.clip(across, 0, chord).reshape(VIEWS, COLS, 4).mean(2)


def clean_scan(shape, random):
    """Without stripes: what an object could do that looks like one."""
    axis = random.uniform(-12, 12)
    if shape == "random ellipses":
        x = body(random)
    elif shape == "random boxes":
        x = box(1, 0.6, 0.45, 0, 0, random.uniform(0, np.pi))
        for _ in range(6):
            x = x + box(random.uniform(-0.5, 0.8), *random.uniform(0.02, 0.2, 2), *random.uniform(-0.3, 0.3, 2), random.uniform(0, np.pi))
    elif shape == "disc on the axis":
        x = np.tile(disc(random.uniform(20, 130), axis), (VIEWS, 1))
    elif shape == "tube on the axis":
        outer = random.uniform(40, 130)
        x = np.tile(disc(outer, axis) - disc(outer - random.uniform(1.5, 12), axis), (VIEWS, 1))
    elif shape == "concentric rings":
        x = np.tile(sum(random.uniform(-1, 1) * disc(r, axis) for r in random.uniform(8, 120, 8)) + 1.5 * disc(130, axis), (VIEWS, 1))
    else:  # a thin pin on the axis within a random body
        x = 0.7 * body(random) + np.tile(disc(random.uniform(1, 6), axis), (VIEWS, 1)) / 20
    return 2 * x / x.max()


SHAPES = ("random ellipses", "random boxes", "disc on the axis", "tube on the axis", "concentric rings", "pin on the axis")


def alarms(program, count):
    """How many scans without stripes are changed at all, and what that does to the error."""
    print("| object, no stripes | photons | scans changed | columns changed, worst | error over that before, worst |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        run = ours(program, Path(folder), "found")
        for shape in SHAPES:
            for photons in PHOTONS:
                random = np.random.default_rng([SHAPES.index(shape), int(photons)])
                clean = np.stack([clean_scan(shape, random) for _ in range(count)], 1)
                data = noisy(clean, photons, random).astype(np.float32)
                done = run("all", data)
                changed = (done != data).any(0).sum(1)
                ratio = rms(done - clean, (0, 2)) / rms(data - clean, (0, 2))
                print(f"| {shape} | {photons:.0e} | {(changed > 0).sum()} of {count} | {changed.max()} of {COLS} | {ratio.max():.3f} |")


def rms(x, axis):
    return np.sqrt(np.mean(np.square(x, dtype=np.float64), axis=axis))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--phantoms", type=int, default=4)
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--details", action="store_true", help="one line per noise level")
    parser.add_argument("--alarms", type=int, help="count false alarms on this many clean scans of each kind, nothing else")
    args = parser.parse_args()
    if args.alarms:
        return alarms(args.program, args.alarms)
    all_cases = list(cases(args.phantoms))
    data = np.stack([c[2] for c in all_cases], 1)
    clean = np.stack([c[3] for c in all_cases], 1)
    fbp = Fbp()
    truth = fbp(clean)

    def errors(x):
        return rms(x - clean, (0, 2)), rms(fbp(x) - truth, 0)

    names = [(c[0], c[1], i // (len(KINDS) * len(PHOTONS))) for i, c in enumerate(all_cases)]
    unit = [np.empty(len(names)) for _ in range(2)]
    untouched = errors(data)
    for i, (kind, photons, n) in enumerate(names):
        for u, e in zip(unit, untouched):
            u[i] = e[names.index(("clean", photons, n))]
    with tempfile.TemporaryDirectory() as folder:
        programs = {"all columns": ours(args.program, Path(folder), "all"), "found": ours(args.program, Path(folder), "found")}
        heads = [f"{name} {what}" for what in ("sinogram", "slice") for name in ("none", *programs, "algotom")]
        print("| method | stripes | photons | " + " | ".join(heads) + " |\n" + "|---" * (len(heads) + 3) + "|")
        worse = {}
        for method in args.methods.split(","):
            found = {"none": untouched, **{name: errors(run(method, data)) for name, run in programs.items()}}
            found["algotom"] = [np.fmin(*e) for e in zip(*(errors(x) for x in algotom(method, data)))]
            for kind in KINDS:
                for photons in PHOTONS if args.details else (None,):
                    chosen = [i for i, c in enumerate(names) if c[0] == kind and photons in (None, c[1])]
                    cells = [np.mean(found[name][k][chosen] / unit[k][chosen]) for k in range(2) for name in found]
                    print(f"| {method} | {kind} | {photons or 'mean'} | " + " | ".join(f"{c:.2f}" for c in cells) + " |")
            for i, (kind, photons, n) in enumerate(names):
                for k in range(2):
                    limit = 1.05 * unit[k][i] if kind == "clean" else 1.05 * found["algotom"][k][i]
                    if found["found"][k][i] > limit:
                        worse.setdefault((method, "clean" if kind == "clean" else "striped", ("sinogram", "slice")[k]), []).append(
                            (kind, photons, n, round(float(found["found"][k][i] / limit * 1.05), 2)))
        print("\nMore than 5 % worse than algotom (striped), or than no correction (clean):")
        for key, where in worse.items():
            print(f"- {', '.join(key)}: {len(where)} of {sum((c[0] == 'clean') == (key[1] == 'clean') for c in names)}, worst {max(where, key=lambda w: w[3])}")


if __name__ == "__main__":
    main()
