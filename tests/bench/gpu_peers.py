#!/usr/bin/env python3
"""Times ASTRA on one CUDA GPU on the cases of bench_gpu: same sizes, geometries and unit, data on the GPU.

Needs astra-toolbox >= 2.4 and torch, both with CUDA. Started by gpu.sh; one JSON line per case, medians of three runs.
"""
import argparse
import json
import statistics
import time

import astra
import astra.experimental
import numpy as np
import torch

VOXEL = {"parallel": 1.0, "cone": 0.6}  # in detector pixels, as in gpu_bench.cpp
DISTANCE = 4.0  # from the source to the axis, in detector widths


def projector(beam, views, n):
    """Views of n x n pixels, volume of n^3 voxels of size 1 (ASTRA's unit)."""
    pixel = 1.0 / VOXEL[beam]
    angles = np.linspace(0, np.pi if beam == "parallel" else 2 * np.pi, views, endpoint=False)
    if beam == "parallel":
        scan = astra.create_proj_geom("parallel3d", pixel, pixel, n, n, angles)
    else:
        scan = astra.create_proj_geom("cone", pixel, pixel, n, n, angles, DISTANCE * n * pixel, 0.0)
    return astra.create_projector("cuda3d", scan, astra.create_vol_geom(n, n, n))


def median_time(work, repeat=3):
    work()
    times = []
    for _ in range(repeat):
        torch.cuda.synchronize()
        start = time.perf_counter()
        work()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def report(case, seconds, updates):
    print(json.dumps({"case": f"ASTRA, {case}", "seconds": seconds, "updates_per_s": updates / seconds}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1024)
    n = parser.parse_args().size
    print(json.dumps({"astra": astra.__version__, "device": torch.cuda.get_device_name()}))
    for beam in VOXEL:
        views, volume = (torch.rand((n, n, n), device="cuda") for _ in range(2))
        whole = projector(beam, n, n)
        back = median_time(lambda: astra.experimental.direct_BP3D(whole, volume, views))
        report(f"back-projection, {beam}", back, float(n) ** 4)
        # bench_gpu projects half as many pixels and voxels along each edge.
        half = n // 2
        views, volume = torch.rand((half, n, half), device="cuda"), torch.rand((half,) * 3, device="cuda")
        small = projector(beam, n, half)
        forward = median_time(lambda: astra.experimental.direct_FP3D(small, volume, views))
        report(f"projection, {beam}", forward, float(half) ** 3 * n)


if __name__ == "__main__":
    main()
