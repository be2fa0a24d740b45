#!/usr/bin/env python3
"""Accuracy of cases B1, B2, B4 and B5 beside itk-rtk on the same data, in one run.

Usage: rtk_accuracy.py TL_VERIFY          (the program build/release/bin/tl_verify)
Needs: pip install itk-rtk                (in an environment of its own; nothing else of the project uses it)
"""
import subprocess
import sys

import itk
import numpy as np
from itk import RTK as rtk
from numpy.lib.stride_tricks import sliding_window_view

Image = itk.Image[itk.F, 3]
VIEWS, SCALE = 180, 116.0


def constant(size, spacing):
    """A zero image around the origin; the third axis of projections counts views from 0."""
    source = rtk.ConstantImageSource[Image].New()
    stack = len(set(spacing)) > 1
    source.SetOrigin([0.0 if stack and a == 2 else -(n - 1) / 2 * s for a, (n, s) in enumerate(zip(size, spacing))])
    source.SetSpacing(spacing)
    source.SetSize(size)
    return source


def interior(reference):
    """Voxels of the object with one value all around, two voxels or more from any edge."""
    high, low = reference.copy(), reference.copy()
    for axis in range(3):
        pad = [(2, 2) if a == axis else (0, 0) for a in range(3)]
        high = sliding_window_view(np.pad(high, pad, mode="edge"), 5, axis).max(-1)
        low = sliding_window_view(np.pad(low, pad, mode="edge"), 5, axis).min(-1)
    return (high == low) & (reference > 0)


def rtk_errors(distance_to_detector, pixel, source_offset=(0, 0), views=VIEWS, turn=360.0, displaced=0.0, scale=SCALE):
    """Mean absolute, rms and interior mean absolute error of RTK's FDK (distance 0: parallel beam). A short turn gets
    Parker's weights, a displaced detector [mm] Wang's; whole scans are masked to the field of view."""
    geometry = rtk.ThreeDCircularProjectionGeometry.New()
    for view in range(views):
        geometry.AddProjection(600.0, distance_to_detector, view * turn / views, displaced, 0, 0, 0, *source_offset)
    projections = rtk.SheppLoganPhantomFilter[Image, Image].New()
    detector = constant([128, 128, views], [pixel, pixel, 1.0])
    projections.SetInput(detector.GetOutput())
    projections.SetGeometry(geometry)
    projections.SetPhantomScale(scale)
    projections.Update()
    grid = constant([128] * 3, [2.0] * 3)
    drawn = rtk.DrawSheppLoganFilter[Image, Image].New()
    drawn.SetInput(grid.GetOutput())
    drawn.SetPhantomScale(scale)
    drawn.Update()
    weighted = projections
    if turn < 360:
        weighted = rtk.ParkerShortScanImageFilter[Image].New()
    elif displaced:
        weighted = rtk.DisplacedDetectorImageFilter[Image].New()
    if weighted is not projections:
        weighted.SetInput(projections.GetOutput())
        weighted.SetGeometry(geometry)
        weighted.Update()
    fdk = rtk.FDKConeBeamReconstructionFilter[Image].New()
    fdk.SetInput(0, grid.GetOutput())
    fdk.SetInput(1, weighted.GetOutput())
    fdk.SetGeometry(geometry)
    fdk.Update()
    result = fdk
    if weighted is projections:
        result = rtk.FieldOfViewImageFilter[Image, Image].New()
        result.SetInput(0, fdk.GetOutput())
        result.SetProjectionsStack(projections.GetOutput())
        result.SetGeometry(geometry)
        result.Update()
    reference = itk.GetArrayFromImage(drawn.GetOutput()).astype(np.float64)
    error = itk.GetArrayFromImage(result.GetOutput()) - reference
    return np.abs(error).mean(), np.sqrt((error**2).mean()), np.abs(error)[interior(reference)].mean()


def our_errors(program):
    """The B rows of tl_verify: {("B1", "mean absolute"): value}."""
    text = subprocess.run([program], capture_output=True, text=True, check=False).stdout
    rows = {}
    for line in text.splitlines():
        if line.startswith(("B1 ", "B2 ", "B4 ", "B5+ ", "B5- ")):
            what = next(w for w in ("mean absolute", "rms", "interior") if w in line)
            rows[line.split()[0], what] = float(line.split("<=")[0].split()[-1])
    return rows


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    ours = our_errors(sys.argv[1])
    print(f"{'case':<22}{'itk-rtk':>12}{'tomoloom':>12}{'ratio':>9}")
    offset = (20.0, 15.0)
    for case, setup in {
        "B1": {"distance_to_detector": 1200.0, "pixel": 4.0, "source_offset": offset},
        "B2": {"distance_to_detector": 0.0, "pixel": 2.0},
        "B4": {"distance_to_detector": 1200.0, "pixel": 4.0, "source_offset": offset, "views": 110, "turn": 240.0},
        "B5+": {"distance_to_detector": 1200.0, "pixel": 4.0, "displaced": 120.0, "scale": 128.0},
        "B5-": {"distance_to_detector": 1200.0, "pixel": 4.0, "displaced": -120.0, "scale": 128.0},
    }.items():
        for what, theirs in zip(("mean absolute", "rms", "interior"), rtk_errors(**setup)):
            mine = ours[case, what]
            print(f"{case + ' ' + what:<22}{theirs:>12.6f}{mine:>12.6f}{mine / theirs:>9.4f}")


if __name__ == "__main__":
    main()
