#!/usr/bin/env python3
"""A volume of 1024^3 voxels thresholded, cleaned, numbered and measured within a memory budget; prints time and peak memory.
With --network DEPTH segmented by a mixed-scale dense network of that many layers instead, of whose filters (random) 2.5 % are kept.

usage: large_segmentation.py --program build/release/tomoloom --folder FOLDER [--size 1024] [--max-memory 4GB] [--network DEPTH]
with a Python that has numpy and scipy. FOLDER takes size^3 bytes for the volume and two to five times that for the labels; all of it is removed at the
end. The volume is of rounded grains of 8-bit grey values with noise, the same in every cube of 128 voxels but for the noise.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from scipy import ndimage as ndi

TILE = 128


def write_volume(folder, size):
    random = np.random.default_rng(1)
    tile = ndi.gaussian_filter(random.standard_normal((TILE,) * 3).astype(np.float32), 8, mode="wrap")
    tile = 100 + 60 * np.tanh(3 * (tile / tile.std() - 1))
    with open(folder / "grains.raw", "wb") as file:
        for z in range(size):
            noise = random.standard_normal((size, size)).astype(np.float32)
            slice_ = np.tile(tile[z % TILE], (size // TILE, size // TILE)) + 12 * noise
            file.write(np.clip(slice_, 0, 255).astype(np.uint8).tobytes())
    (folder / "grains.mhd").write_text(
        f"ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\nElementSpacing = 0.01 0.01 0.01\n"
        f"DimSize = {size} {size} {size}\nElementType = MET_UCHAR\nElementDataFile = grains.raw\n")


def write_pipeline(folder, network):
    nodes = {"load": ("input.load_volume", {"file": "grains.mhd"}), "save": ("output.save_labels", {"file": "labels.nrrd", "format": "nrrd"})}
    if network:
        nodes["network"] = ("segment.network", {"model": "pruned.safetensors"})
        links = ["load.volume network.volume", "network.labels save.labels"]
    else:
        nodes |= {"threshold": ("segment.threshold", {}), "clean": ("segment.remove_small", {}), "objects": ("segment.components", {}),
                  "regions": ("measure.regions", {}), "table": ("output.save_table", {"file": "objects.csv"})}
        links = ["load.volume threshold.volume", "threshold.labels clean.labels", "clean.labels objects.labels", "objects.labels regions.labels",
                 "load.volume regions.volume", "objects.labels save.labels", "regions.regions table.table"]
    (folder / "pipeline.json").write_text(json.dumps({
        "format": "tomoloom-pipeline", "schema_version": 1,
        "nodes": {name: {"type": kind, "version": 1, "parameters": p} for name, (kind, p) in nodes.items()},
        "links": [dict(zip(("from", "to"), link.split())) for link in links]}))


def write_network(program, folder, depth):
    for words in (["network", "msd", f"depth={depth}", "classes=2", "-o", "whole.safetensors"],
                  ["prune", "whole.safetensors", "--keep", "0.025", "--steps", "5", "-o", "pruned.safetensors"]):
        subprocess.run([program, *words], cwd=folder, check=True, capture_output=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--max-memory", default="4GB")
    parser.add_argument("--network", type=int, default=0)
    options = parser.parse_args()
    if options.size % TILE:
        sys.exit(f"the size has to be a multiple of {TILE}")
    folder = Path(options.folder) / "large_segmentation"
    folder.mkdir(parents=True)
    try:
        program = os.path.abspath(options.program)
        write_volume(folder, options.size)
        write_pipeline(folder, options.network)
        if options.network:
            write_network(program, folder, options.network)
        start = time.perf_counter()
        done = subprocess.run([program, "run", "pipeline.json", "--out", "out", "--max-memory", options.max_memory],
                              cwd=folder, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(done.stdout, done.stderr)
        if done.returncode != 0:
            sys.exit(done.returncode)
        if options.network:
            what = f"network of {options.network} layers"
        else:
            what = f"{sum(1 for _ in open(folder / 'out' / 'objects.csv', encoding='utf-8')) - 1} objects"
        print(f"| {options.size}^3, {what} | {seconds:.0f} s | {used.ru_utime + used.ru_stime:.0f} s of the processor | "
              f"peak {used.ru_maxrss / 2**20:.2f} GiB of {options.max_memory} |")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
