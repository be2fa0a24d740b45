#!/usr/bin/env python3
"""A figure of every case of learning, from the bundled pipelines: slices before and after, and how the values went.

usage: learn_figures.py --tomoloom PROGRAM OUT [--only NAME] [--tooth aps_tooth.h5] [--pairs foam_limited_angle.h5]   with the Python of run.sh's environment
Scans are simulated with known truths (the tooth is a measured one), learned with `tomoloom learn`, and drawn with
matplotlib; h5py shifts the views of the jitter case. Small scans: the cases at full size are in bench_learn_cases.
"""
import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

BLUE, PINK, GREY = "#2a7ab8", "#b0558a", "#6b7280"
UNRESOLVED = 6  # exit code: found, and not resolved


def call(command, also=0):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    if done.returncode not in (0, also):
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def simulate(program, path, **values):
    command = [program, "simulate", "-o", path, "--quiet"]
    for name, value in values.items():
        command += ["--" + name.replace("_", "-"), value]
    call(command)


def jitter(path, views, largest, drift, seed):
    """Moves every view by whole pixels, which leaves its noise alone. Gives the shifts along rows and columns."""
    import h5py
    random = np.random.default_rng(seed)
    along_rows = random.integers(-largest, largest + 1, views) + np.rint(drift * np.arange(views) / views).astype(int)
    along_columns = random.integers(-largest, largest + 1, views)
    with h5py.File(path, "r+") as f:
        frames = f["entry/instrument/detector/data"]
        which = np.flatnonzero(f["entry/instrument/detector/image_key"][...] == 0)
        for frame, across, along in zip(which, along_rows, along_columns):
            frames[frame] = np.roll(frames[frame], (along, across), (0, 1))
    return along_rows, along_columns


def read_tiff(path):
    from skimage.io import imread
    volume = imread(path)
    return volume if volume.ndim == 2 else volume[len(volume) // 2]


class Case:
    """One bundled pipeline on one scan: what it found, and the middle slices before and after."""

    def __init__(self, program, template, scan, folder, reconstruction=None, options=()):
        record = folder / "found.json"
        call([program, "learn", template, "--input", scan, "-o", record, "--overwrite", "--quiet", *options], also=UNRESOLVED)
        record = json.loads(record.read_text())
        self.found = [p for p in record["parameters"] if "derivative" in p]
        self.history = record["learning"]["history"]
        pipeline = record["pipeline"]
        for node in pipeline["nodes"].values():
            if node["type"] == "recon.fbp" and reconstruction:
                node["type"] = reconstruction
        self.after = self.slice_of(program, pipeline, folder)
        for p in self.found:
            node = pipeline["nodes"][p["node"]]
            node["parameters"].pop(p["name"], None)
            if node["type"] == "input.number":  # of which no value would do as well as another
                node["parameters"][p["name"]] = p["start"]
        self.before = self.slice_of(program, pipeline, folder)

    @staticmethod
    def slice_of(program, pipeline, folder):
        file = folder / "run.json"
        file.write_text(json.dumps(pipeline))
        call([program, "run", file, "--out", folder, "--overwrite", "--quiet"])
        return read_tiff(folder / "volume.tif")

    def course(self, p):
        """Iterations and values of a parameter that is one number, of the descent that was taken."""
        steps = [s for s in self.history if s["parameters"].get(f"{p['node']}.{p['name']}") is not None]
        last = steps[-1]["descent"] if steps else 0
        steps = [s for s in steps if s["descent"] == last]
        return [s["iteration"] for s in steps], [s["parameters"][f"{p['node']}.{p['name']}"] for s in steps]


def show_slices(axes, case):
    low, high = np.percentile(case.after, (1, 99.7))
    for ax, image, title in ((axes[0], case.before, "before"), (axes[1], case.after, "after")):
        ax.imshow(image, cmap="gray", vmin=low, vmax=high, interpolation="nearest")
        ax.set_title(title)
        ax.axis("off")


def words(p):
    unit = {"deg": "°"}.get(p["unit"], f" {p['unit']}" if p["unit"] else "")
    sigma = p["uncertainty"]
    if not isinstance(sigma, float) or sigma <= 0:
        return f"{p['value']:.4g}{unit}, {p['verdict']}"
    digits = max(0, 1 - math.floor(math.log10(sigma)))
    return f"{p['value']:.{digits}f} ± {sigma:.{digits}f}{unit}, {p['verdict']}"


def show_number(ax, case, p, truth):
    iterations, values = case.course(p)
    ax.plot(iterations, values, "o-", color=BLUE, markersize=4, label="learned")
    if isinstance(p["uncertainty"], float):
        ax.axhspan(p["value"] - p["uncertainty"], p["value"] + p["uncertainty"], color=BLUE, alpha=0.2, lw=0)
    if truth is not None:
        ax.axhline(truth, color=PINK, ls="--", lw=1.2, label="truth")
    ax.set_title(words(p), fontsize=10)
    ax.set_ylabel(f"{p['name'].replace('_', ' ')} [{p['unit']}]")
    ax.set_xlabel("iteration")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(frameon=False, fontsize=8)


def without(values, directions):
    """Least squares without what no data can determine."""
    basis = np.stack(directions, 1)
    return values - basis @ np.linalg.lstsq(basis, values, rcond=None)[0]


def show_list(ax, p, truth, directions):
    views = np.arange(len(truth))
    found, wanted = (without(np.asarray(v, float), directions) for v in (p["value"], truth))
    ax.plot(views, wanted, color=PINK, lw=2.5, alpha=0.5, label="truth")
    ax.plot(views, found, color=BLUE, lw=0.9, label="learned")
    rms = math.sqrt(np.mean((found - wanted) ** 2))
    sigma = math.sqrt(np.mean(np.square(p["uncertainty"])))
    ax.set_title(f"rms error {rms:.3f}, sigma {sigma:.3f} {p['unit']}, {p['verdict']}", fontsize=10)
    ax.set_ylabel(f"{p['name'].replace('_', ' ')} [{p['unit']}]")
    ax.set_xlabel("view")
    ax.legend(frameon=False, fontsize=8)


def figure(path, title, case, panels):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    fig, axes = pyplot.subplots(1, 2 + len(panels), figsize=(3.1 * 2 + 3.7 * len(panels), 3.3), constrained_layout=True,
                                gridspec_kw={"width_ratios": [1, 1] + [1.15] * len(panels)})
    show_slices(axes, case)
    for ax, draw in zip(axes[2:], panels):
        draw(ax)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(color=GREY, alpha=0.2)
    fig.suptitle(title, fontsize=11)
    fig.savefig(path, dpi=100)
    pyplot.close(fig)
    print(f"{path.name}: " + "; ".join(f"{p['name']} {words(p)}" for p in case.found if isinstance(p["value"], float)),
          flush=True)


def show_array(ax, case, p):
    """How large an image became; its numbers stand in the pipeline."""
    iterations, values = case.course(p)
    ax.plot(iterations, values, "-", color=BLUE)
    shape = " x ".join(map(str, p["value"]["shape"]))
    ax.set_title(f"{p['name']}: {shape} numbers", fontsize=10)
    ax.set_ylabel("root mean square")
    ax.set_xlabel("iteration")


def numbers(case, truths):
    return [lambda ax, p=p: show_number(ax, case, p, truths.get(p["name"])) for p in case.found]


def full_turn(o, folder, scan):
    simulate(o.tomoloom, scan, beam="cone", views=360, rows=1, cols=256, range="360 deg", axis="3 px", source_to_axis="300 mm",
             axis_to_detector="0 mm", pixel_size="0.5 mm", photons=1e4, rays=4, seed=1)
    case = Case(o.tomoloom, "axis-by-gradient", scan, folder, "recon.fdk")
    figure(o.out / "learn-axis-full-turn.png", "Rotation axis, full turn of a fan: variance of the back-projection", case,
           numbers(case, {"axis": 3}))


def half_turn(o, folder, scan):
    simulate(o.tomoloom, scan, views=180, rows=5, cols=256, range="180 deg", axis="-17.3 px", photons=1e4, rays=4,
             seed=1)
    case = Case(o.tomoloom, "axis-by-gradient", scan, folder)
    figure(o.out / "learn-axis-half-turn.png", "Rotation axis, half a turn: consistency of the Fourier wedge", case,
           numbers(case, {"axis": -17.3}))


def tooth(o, folder, _):
    if not o.tooth:
        print("tooth: left out, --tooth names no scan")
        return
    case = Case(o.tomoloom, "axis-by-gradient", o.tooth, folder)
    figure(o.out / "learn-axis-tooth.png", "Rotation axis of a measured scan (tooth, half a turn)", case, numbers(case, {}))


def rings(o, folder, _):
    if not o.tooth:
        print("rings: left out, --tooth names no scan")
        return
    case = Case(o.tomoloom, "rings-by-gradient", o.tooth, folder, options=["--no-errors"])
    case.before, case.after = (image[230:400, 230:400] for image in (case.before, case.after))
    figure(o.out / "learn-rings.png", "Offsets of pixels learned along with the slice (tooth, its middle)", case,
           [lambda ax, p=p: show_array(ax, case, p) for p in case.found])


def tilt(o, folder, scan):
    simulate(o.tomoloom, scan, phantom="hollow_box", views=180, rows=128, cols=128, range="180 deg", axis="2.3 px",
             tilt="0.7 deg", photons=1e4, rays=4, seed=1)
    case = Case(o.tomoloom, "axis-and-tilt", scan, folder)
    figure(o.out / "learn-axis-and-tilt.png", "Axis and tilt of the detector together, half a turn", case,
           numbers(case, {"axis": 2.3, "tilt": 0.7}))


def shifts(o, folder, scan):
    views = 90
    simulate(o.tomoloom, scan, phantom="shepp_logan_3d", views=views, rows=160, cols=160, range="180 deg", axis="0 px",
             photons=1e4, unevenness=0, size=0.8, rays=2, seed=1)
    along_rows, along_columns = jitter(scan, views, 3, 4, 1)
    case = Case(o.tomoloom, "jitter", scan, folder)
    angle = np.arange(views) * math.pi / views
    across, along = (next(p for p in case.found if p["name"] == n) for n in ("shift_u", "shift_v"))
    flat = np.ones(views)
    figure(o.out / "learn-jitter.png", "Jitter: the shift of every view, from its centre of mass", case,
           [lambda ax: show_list(ax, across, along_rows, [np.cos(angle), np.sin(angle), flat]),
            # Rows of an image go down, v goes up.
            lambda ax: show_list(ax, along, -along_columns, [flat])])


def cone(o, folder, scan):
    simulate(o.tomoloom, scan, phantom="shepp_logan_3d", beam="cone", views=90, rows=48, cols=64, range="360 deg", axis="1.5 px",
             tilt="0.5 deg", source_to_axis="100 mm", axis_to_detector="100 mm", pixel_size="0.8 mm", photons=1e4, rays=2, seed=1)
    case = Case(o.tomoloom, "cone-calibration", scan, folder)
    figure(o.out / "learn-cone.png", "Cone beam: axis, tilt, yaw and distance, from what pairs of views have in common", case,
           numbers(case, {"axis": 1.5, "tilt": 0.5, "yaw": 0, "source_to_detector": 200}))


def show_index(ax, case, truths):
    """Delta and beta over the true ones."""
    for p, color in zip(case.found, (BLUE, PINK)):
        iterations, values = case.course(p)
        truth = truths[p["node"]]
        ax.semilogy(iterations, np.asarray(values) / truth, "o-", color=color, markersize=4, label=p["node"])
    sentence = ", ".join(f"{p['node']} {p['value'] / truths[p['node']]:.3f} ± {p['uncertainty'] / truths[p['node']]:.3f}"
                         for p in case.found)
    ax.axhline(1, color=GREY, ls="--", lw=1.2)
    ax.set_title(sentence, fontsize=10)
    ax.set_ylabel("over the true one")
    ax.set_xlabel("iteration")
    ax.legend(frameon=False, fontsize=8)


def phase(o, folder, scan):
    simulate(o.tomoloom, scan, phantom="thin_box", views=288, rows=96, cols=96, pixel_size="1.1 um", material="CaCO3",
             density="2.71 g/cm3", energy="25.3 keV", distance="30 mm", contrast="transport", noise="gaussian", rays=3, seed=1)
    case = Case(o.tomoloom, "phase-absolute", scan, folder)
    figure(o.out / "learn-phase.png", "A hollow box of calcium carbonate, from the refractive index of water", case,
           [lambda ax: show_index(ax, case, {"delta": 8.8057e-7, "beta": 3.1095e-9})])


def training(o, folder, _):
    """Slices of the sample held out, which is the first slice of the volume, and the errors while it was trained."""
    import matplotlib.pyplot as plt
    from skimage.io import imread
    if not o.pairs:
        print("training: left out, --pairs names no file")
        return
    record = folder / "found.json"
    call([o.tomoloom, "learn", "tv-network", "--input", o.pairs, "-o", record, "--overwrite", "--quiet", "--iterations", o.iterations],
         also=UNRESOLVED)
    record = json.loads(record.read_text())
    pipeline, history = record["pipeline"], record["learning"]["history"]
    pipeline.pop("learning", None)
    nodes, links = pipeline["nodes"], pipeline["links"]
    del nodes["save_model"]
    links[:] = [link for link in links if not link["to"].startswith("save_model.")]
    nodes["fbp"] = {"type": "recon.fbp", "version": 1, "parameters": {"width": 256}}
    links.append({"from": "pairs.projections", "to": "fbp.projections"})
    sources = {"truth": "pairs.target", "fbp": "fbp.volume", "tv": "tv.volume", "network": "network.volume"}
    for name, source in sources.items():
        nodes[f"save_{name}"] = {"type": "output.save_volume", "version": 1, "parameters": {"file": f"{name}.tif"}}
        links.append({"from": source, "to": f"save_{name}.volume"})
    file = folder / "run.json"
    file.write_text(json.dumps(pipeline))
    call([o.tomoloom, "run", file, "--out", folder / "out", "--overwrite", "--quiet"])
    pictures = {name: imread(folder / "out" / f"{name}.tif")[0] for name in sources}
    titles = {"truth": "Truth", "fbp": "Filtered back-projection", "tv": "Total variation, learned strength", "network": "... and network"}
    fig, axes = plt.subplots(1, 5, figsize=(15, 3.4), layout="constrained")
    for ax, (name, picture) in zip(axes, pictures.items()):
        error = np.mean((picture - pictures["truth"])**2)
        ax.imshow(picture, cmap="gray", vmin=-0.1, vmax=1.1)
        ax.set_title(titles[name] + ("" if name == "truth" else f"\nmean squared error {error:.4f}"), fontsize=9)
        ax.axis("off")
    axes[-1].plot([h["iteration"] for h in history], [h["loss"] for h in history], color=GREY, lw=0.5, label="batches")
    held_out = [(h["iteration"], h["held_out"]) for h in history if "held_out" in h]
    axes[-1].plot(*zip(*held_out), color=PINK, marker="o", ms=3, label="held out")
    axes[-1].set_yscale("log")
    axes[-1].set_xlabel("batches of two")
    axes[-1].legend(fontsize=8)
    fig.savefig(o.out / "learn-training.png", dpi=80)


CASES = {"full-turn": full_turn, "half-turn": half_turn, "tooth": tooth, "rings": rings, "tilt": tilt, "jitter": shifts, "cone": cone,
         "phase": phase, "training": training}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tomoloom", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--tooth")
    parser.add_argument("--pairs", help="foam_limited_angle.h5, for the case of training")
    parser.add_argument("--iterations", type=int, default=250, help="of the case of training")
    parser.add_argument("--only", choices=CASES)
    o = parser.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    for name, draw in CASES.items():
        if o.only in (None, name):
            with tempfile.TemporaryDirectory(prefix="tomoloom-figure-") as folder:
                draw(o, Path(folder), Path(folder) / "scan.h5")


if __name__ == "__main__":
    main()
