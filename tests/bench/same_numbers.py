#!/usr/bin/env python3
"""Do two builds of the program give the same numbers?

usage: same_numbers.py OLD NEW [--scan tooth.h5]     OLD, NEW: two programs `tomoloom`
with a Python that has numpy and tifffile. Runs the same pipelines with both, one of every family (direct, iterative,
phase, stripes, learning), on simulated scans and, if given, a recorded one, and prints for each whether the volumes
are equal bit for bit, or by how much of their range they differ. Exit code 1 if any differs.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import tifffile

PARALLEL = ("input.simulate_scan", {"views": 120, "rows": 12, "cols": 128, "axis": "3.3 px", "rays": 2, "stripes": 0.02, "zingers": 1e-4})
CONE = ("input.simulate_scan", {"views": 120, "rows": 24, "cols": 96, "beam": "cone", "range": "360 deg", "axis": "2.3 px", "rays": 2})
FLAT = ("correct.flat_field", {})
AXIS = ("axis.wedge", {})
CASES = {
    "FBP": [PARALLEL, FLAT, AXIS, ("recon.fbp", {})],
    "FBP, Hann": [PARALLEL, FLAT, AXIS, ("recon.fbp", {"filter": "hann"})],
    "Paganin": [PARALLEL, ("correct.flat_field", {"logarithm": "off"}), ("phase.paganin", {"distance": "30 mm", "energy": "20 keV"}), ("recon.fbp", {})],
    "gridrec": [PARALLEL, FLAT, AXIS, ("recon.gridrec", {})],
    "FDK": [CONE, FLAT, ("recon.fdk", {})],
    "SIRT": [PARALLEL, FLAT, ("recon.sirt", {"iterations": 10})],
    "SIRT, cone": [CONE, FLAT, ("recon.sirt", {"iterations": 5})],
    "CGLS": [PARALLEL, FLAT, ("recon.cgls", {"iterations": 8})],
    "SART": [PARALLEL, FLAT, ("recon.sart", {"iterations": 3})],
    "EM": [PARALLEL, FLAT, ("recon.em", {"iterations": 5})],
    "FISTA-TV": [PARALLEL, FLAT, ("recon.fista_tv", {"iterations": 15})],
    "TV": [PARALLEL, FLAT, ("recon.tv", {"iterations": 15})],
    "iterative FDK": [CONE, FLAT, ("recon.iterative_fdk", {"iterations": 2})],
    "zingers": [PARALLEL, ("correct.zingers", {}), FLAT, AXIS, ("recon.fbp", {})],
    "stripes": [PARALLEL, FLAT, ("correct.stripe_removal", {}), AXIS, ("recon.fbp", {})],
    "Fourier-wavelet stripes": [PARALLEL, FLAT, ("correct.stripe_fourier_wavelet", {}), ("recon.fbp", {})],
    "median, bilateral": [PARALLEL, FLAT, ("recon.fbp", {}), ("filter.median", {}), ("filter.bilateral", {})],
}
LEARNED = ("example-learning", "axis-by-gradient", "axis-and-tilt", "jitter", "cone-calibration")


def pipeline(chain):
    nodes, links, before = {}, [], None
    ports = {"input": "projections", "correct": "projections", "axis": "projections", "phase": "projections", "recon": "volume", "filter": "volume"}
    for n, (kind, parameters) in enumerate(chain + [("output.save_volume", {"file": "volume.tif"})]):
        name = f"n{n}"
        nodes[name] = {"type": kind, "version": 1, "parameters": parameters}
        if before:
            port = ports[before[1].split(".")[0]]
            links.append({"from": f"{before[0]}.{port}", "to": f"{name}.{port}"})
        before = (name, kind)
    return {"format": "tomoloom-pipeline", "schema_version": 1, "title": "same numbers", "nodes": nodes, "links": links}


def run(program, arguments, folder):
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 6):
        return (done.stderr.strip().splitlines() or ["no message"])[-1]
    return None


def volume_of(program, arguments, folder):
    folder.mkdir()
    error = run(program, arguments, folder)
    files = sorted(folder.rglob("*.tif"))
    return error if error or not files else tifffile.imread(files[0])


def said(old, new):
    if isinstance(old, str) or isinstance(new, str) or old is None or new is None:
        return f"not compared: {old if isinstance(old, str) else new}", False
    if old.shape != new.shape:
        return f"shapes {old.shape} and {new.shape}", False
    if old.tobytes() == new.tobytes():
        return "equal bit for bit", True
    apart = np.nanmax(np.abs(old.astype(np.float64) - new)) / max(np.ptp(old), np.finfo(np.float32).tiny)
    return f"differ by at most {apart:.1e} of the range", False


def learned(program, name, pipelines, folder):
    """What `learn` finds by a bundled pipeline, with a simulated scan in place of one that is loaded: as text."""
    folder.mkdir()
    pipeline = json.loads((pipelines / f"{name}.json").read_text())
    for node in pipeline["nodes"].values():
        if node["type"] == "input.load_scan":
            node.update(dict(zip(("type", "parameters"), CONE if "cone" in name else PARALLEL)))
    (folder / "pipeline.json").write_text(json.dumps(pipeline))
    error = run(program, ["learn", "pipeline.json", "-o", "out.json"], folder)
    if error:
        return f"not compared: {error}"
    result = json.loads((folder / "out.json").read_text())
    return json.dumps([result["parameters"], result["learning"]["history"]], sort_keys=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=lambda p: str(Path(p).resolve()))
    parser.add_argument("new", type=lambda p: str(Path(p).resolve()))
    parser.add_argument("--scan", type=lambda p: str(Path(p).resolve()))
    a = parser.parse_args()
    pipelines = Path(__file__).resolve().parents[2] / "resources" / "pipelines"
    all_same = True
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)

        def compare(name, of):
            nonlocal all_same
            text, same = of(work / f"{name} old", a.old), of(work / f"{name} new", a.new)
            text, same = said(text, same)
            all_same = all_same and same
            print(f"| {name} | {text} |", flush=True)

        print("| pipeline | result |\n|---|---|")
        for name, chain in CASES.items():
            file = work / f"{name}.json"
            file.write_text(json.dumps(pipeline(chain)))
            compare(name, lambda folder, program: volume_of(program, ["run", str(file), "--out", "."], folder))
        if a.scan:
            compare("recorded scan", lambda folder, program: volume_of(program, ["reconstruct", a.scan, "-o", "volume.tif"], folder))
        for name in LEARNED:
            old, new = (learned(p, name, pipelines, work / f"{name} {k}") for k, p in enumerate((a.old, a.new)))
            same = old == new and not old.startswith("not compared")
            all_same = all_same and same
            print(f"| learning, {name} | {'the same digits' if same else f'{old[:200]} / {new[:200]}'} |", flush=True)
    return 0 if all_same else 1


if __name__ == "__main__":
    sys.exit(main())
