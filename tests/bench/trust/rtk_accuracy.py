#!/usr/bin/env python3
"""Accuracy of cases B1, B2, B4 and B5 against itk-rtk on the same data, in one run.

itk-rtk multiplies by the length of the whole vector to the source, also by the part along the rotation axis, which cannot
matter: moved along the axis together, source, detector and object are the same scan (`--shift` shows what comes out
then). Rows "level" have that factor taken off again.

Usage: rtk_accuracy.py TL_VERIFY          (the program build/release/bin/tl_verify)
       rtk_accuracy.py --shift
Needs: pip install itk-rtk                (in an environment of its own; nothing else of the project uses it)
"""
import subprocess
import sys

import itk
import numpy as np
from itk import RTK as rtk
from numpy.lib.stride_tricks import sliding_window_view

Image = itk.Image[itk.F, 3]
VIEWS, SCALE, SOURCE = 180, 116.0, 600.0  # views, phantom and source to axis [mm]


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
    """Mean absolute, rms and interior mean absolute error of RTK's FDK (distance 0: parallel beam), as it is and level. A
    short turn gets Parker's weights, a displaced detector [mm] Wang's; whole scans are masked to the field of view."""
    geometry = rtk.ThreeDCircularProjectionGeometry.New()
    for view in range(views):
        geometry.AddProjection(SOURCE, distance_to_detector, view * turn / views, displaced, 0, 0, 0, *source_offset)
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
    volume, inside = itk.GetArrayFromImage(result.GetOutput()).astype(np.float64), interior(reference)
    errors = []
    for values in (volume, volume / axial_factor(*source_offset)):
        error = values - reference
        errors.append((np.abs(error).mean(), np.sqrt((error**2).mean()), np.abs(error)[inside].mean()))
    return errors


def axial_factor(across, along):
    """By how much RTK is brighter for a source offset along the rotation axis [mm]."""
    return np.sqrt(SOURCE**2 + across**2 + along**2) / np.sqrt(SOURCE**2 + across**2)


def shifted(offset):
    """The head's volume with source, detector and volume moved along the rotation axis [mm], from the same projections."""
    def geometry(along):
        made = rtk.ThreeDCircularProjectionGeometry.New()
        for view in range(VIEWS):
            made.AddProjection(SOURCE, 2 * SOURCE, view * 360.0 / VIEWS, 0, along, 0, 0, 0, along)
        return made
    projections, detector = rtk.SheppLoganPhantomFilter[Image, Image].New(), constant([128, 128, VIEWS], [4.0, 4.0, 1.0])
    projections.SetInput(detector.GetOutput())
    projections.SetGeometry(geometry(0.0))
    projections.SetPhantomScale(SCALE)
    projections.Update()
    grid = constant([128] * 3, [2.0] * 3)
    grid.SetOrigin([o + offset * (a == 1) for a, o in enumerate(grid.GetOrigin())])
    fdk = rtk.FDKConeBeamReconstructionFilter[Image].New()
    fdk.SetInput(0, grid.GetOutput())
    fdk.SetInput(1, projections.GetOutput())
    fdk.SetGeometry(geometry(offset))
    fdk.Update()
    return itk.GetArrayFromImage(fdk.GetOutput()).astype(np.float64)


def show_shift():
    level = shifted(0.0)
    print("moved along the axis [mm], values over those unmoved, sqrt(sid^2 + moved^2) / sid")
    for offset in (15.0, 150.0):
        print(f"{offset:6.0f} {np.vdot(level, shifted(offset)) / np.vdot(level, level):12.7f} {axial_factor(0, offset):12.7f}")


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
    if sys.argv[1] == "--shift":
        show_shift()
        return
    ours = our_errors(sys.argv[1])
    print(f"{'case':<28}{'itk-rtk':>14}{'tomoloom':>12}{'ratio':>9}")
    offset = (20.0, 15.0)
    for case, setup in {
        "B1": {"distance_to_detector": 1200.0, "pixel": 4.0, "source_offset": offset},
        "B2": {"distance_to_detector": 0.0, "pixel": 2.0},
        "B4": {"distance_to_detector": 1200.0, "pixel": 4.0, "source_offset": offset, "views": 110, "turn": 240.0},
        "B5+": {"distance_to_detector": 1200.0, "pixel": 4.0, "displaced": 120.0, "scale": 128.0},
        "B5-": {"distance_to_detector": 1200.0, "pixel": 4.0, "displaced": -120.0, "scale": 128.0},
    }.items():
        as_it_is, level = rtk_errors(**setup)
        for kind, errors in (("", as_it_is), (", level", level)) if level != as_it_is else (("", as_it_is),):
            for what, theirs in zip(("mean absolute", "rms", "interior"), errors):
                mine = ours[case, what]
                print(f"{case + ' ' + what + kind:<28}{theirs:>14.8g}{mine:>12.7g}{mine / theirs:>9.4f}")


if __name__ == "__main__":
    main()
