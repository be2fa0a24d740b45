"""A disc of known value from scans with missing views and impossible numbers, by `tomoloom reconstruct`.

Usage: missing_and_impossible.py PROGRAM   (PROGRAM: build/release/tomoloom; needs h5py, numpy and tifffile)

Prints one line per scan: width of the slice, mean inside the disc over its true value, share of NaN, and what was warned of or refused.
"""
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import tifffile

COLS, ROWS, RADIUS, X, Y, VALUE = 96, 2, 28.0, 6.0, -4.0, 0.02
NAN, INF = float("nan"), float("inf")


def equidistant(count, degrees):
    return 0.2 + np.arange(count) * np.radians(degrees) / count


def without(angles, first, count):
    return np.delete(angles, np.arange(first, first + count))


def write(path, angles, axis, spoil):
    """Float counts of a disc over flats of 1000 and darks of 20, as NXtomo."""
    across = np.arange(COLS) - (COLS - 1) / 2 - axis
    centre = X * np.cos(angles) + Y * np.sin(angles)
    paths = np.mean([2 * np.sqrt(np.clip(RADIUS**2 - (across + o - centre[:, None])**2, 0, None))
                     for o in (-0.375, -0.125, 0.125, 0.375)], axis=0)
    views = np.repeat((20 + 1000 * np.exp(-VALUE * paths)).astype("f4")[:, None, :], ROWS, axis=1)
    spoil(views)
    references = [np.full((2, ROWS, COLS), 20, "f4"), np.full((4, ROWS, COLS), 1020, "f4")]
    with h5py.File(path, "w") as file:
        file["entry/definition"] = "NXtomo"
        detector = file.create_group("entry/instrument/detector")
        detector["data"] = np.concatenate([*references, views])
        detector["image_key"] = np.array([2] * 2 + [1] * 4 + [0] * len(angles), "i4")
        file["entry/sample/rotation_angle"] = np.concatenate([np.zeros(6), np.degrees(angles)])
        file["entry/sample/rotation_angle"].attrs["units"] = "degree"
        for name in ("x_pixel_size", "y_pixel_size"):
            detector[name] = 1.0
            detector[name].attrs["units"] = "mm"


def reconstruct(program, folder, name, angles, axis=0, spoil=lambda views: None, settings=()):
    scan, volume = f"{folder}/scan.nxs", f"{folder}/volume.tif"
    write(scan, angles, axis, spoil)
    done = subprocess.run([program, "reconstruct", scan, "-o", volume, "--overwrite", "--axis", str(axis), *settings],
                          capture_output=True, text=True)
    said = [line.replace("warning: ", "") for line in done.stderr.splitlines() if "warning" in line]
    if done.returncode != 0:
        print(f"{name:34s} refused ({done.returncode}): {done.stderr.strip().splitlines()[-1]}")
        return
    page = tifffile.imread(volume)[0]
    middle = (page.shape[0] - 1) / 2
    row, col = np.mgrid[:page.shape[0], :page.shape[1]] - middle
    inside = (col - X)**2 + (-row - Y)**2 < (RADIUS - 4)**2
    print(f"{name:34s} width {page.shape[0]:3d}  value {page[inside].mean() / VALUE:8.4f}  NaN {np.isnan(page).mean():.2f}  "
          f"{'; '.join(said) or '-'}")


def main():
    program = sys.argv[1]
    half, full = equidistant(200, 180), equidistant(400, 360)
    with tempfile.TemporaryDirectory() as folder:
        def run(name, angles, **options):
            reconstruct(program, folder, name, angles, **options)

        run("complete", half)
        for count in (5, 10, 20):
            run(f"{count} of 200 missing", without(half, 90, count))
        run("120 degrees", equidistant(133, 120))
        run("half acquisition, axis 34", full, axis=34)
        run("half acquisition, 20 missing", without(full, 150, 20), axis=34)
        for value in (NAN, INF, -INF, -1e30, 3e38):
            run(f"one pixel {value}", half, spoil=lambda views, v=value: views[17, 1].__setitem__(20, v))
        for value in (0, -1e30, 3e38, NAN):
            run(f"3 of 200 views {value}", half, spoil=lambda views, v=value: views.__setitem__([10, 30, 31], v))
        for value in (0, -1e30, 3e38, NAN):
            run(f"all views {value}", half, spoil=lambda views, v=value: views.fill(v))
        wrong = half.copy()
        wrong[7] = 1e300
        run("an angle of 1e300", wrong)


main()
