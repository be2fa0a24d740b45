"""What must come of each case of shared_test.py, checked with readers that are not ours."""
import gzip
import json
import re

import numpy as np
import pydicom
import SimpleITK
import tifffile

BODY = 0.4  # [1/mm] of the disc in all scans of the cases
# FBP of 180 views of 96 columns: discretisation, and what rounding to uint16 leaves. The faults are 0.01 and more.
BODY_TOLERANCE = 0.004
AIR_TOLERANCE = 0.006
# Half a pixel of a disc's edge: the axis is found to a tenth of a pixel and better.
AXIS_TOLERANCE = 0.3
EXPECTATIONS = {}


def expectation(check):
    EXPECTATIONS[check.__name__.replace("_", "-")] = check
    return check


def text_of(result):
    return result.stdout + result.stderr


def done(result):
    assert result.returncode == 0, f"exit {result.returncode}: {text_of(result)}"
    return text_of(result)


def refused(result, *words):
    """Refused as an input is, with these words (expressions) in the message."""
    assert result.returncode in (1, 3, 4), f"not refused, exit {result.returncode}: {text_of(result)}"
    said(result, *words)


def said(result, *words):
    for word in words:
        assert re.search(word, text_of(result), re.IGNORECASE), f"\"{word}\" is not in: {text_of(result)}"


def voxels(case, name):
    """What another program reads: [z, y, x]."""
    path = case.folder / name
    assert path.exists(), f"{name} was not written: {text_of(case.results[-1])}"
    if path.suffix == ".tif":
        return np.atleast_3d(tifffile.imread(path))
    return SimpleITK.GetArrayFromImage(SimpleITK.ReadImage(str(path)))


def voxels_in_space(case, name):
    """The same along the axes of space, whichever way the file stores them."""
    return SimpleITK.GetArrayFromImage(SimpleITK.DICOMOrient(SimpleITK.ReadImage(str(case.folder / name)), "LPS"))


def spacing(case, name):
    return SimpleITK.ReadImage(str(case.folder / name)).GetSpacing()


def same_voxels(got, wanted):
    assert got.shape == wanted.shape, f"{got.shape} voxels, not {wanted.shape}"
    assert np.array_equal(got, wanted), f"{got.ravel()[:5]}... (from {got.min()} to {got.max()}), not {wanted.ravel()[:5]}..."


def body_of(slices):
    """The disc's value and that of the air around it, per slice: medians of the middle and of the rim of the field."""
    n = slices.shape[1]
    y, x = np.mgrid[:n, :n] - (n - 1) / 2
    radius = np.hypot(x, y) / (n / 2)
    return np.median(slices[:, radius < 0.1], axis=1), np.median(slices[:, (radius > 0.8) & (radius < 0.95)], axis=1)


def has_body(case, name="o.tif", voxel=1.0):
    """`voxel`: what a voxel measures [mm] in the units of the file, where that does not say it."""
    body, air = (values / voxel for values in body_of(voxels(case, name)))
    assert np.all(abs(body - BODY) < BODY_TOLERANCE), f"the body is {body}, not {BODY}"
    assert np.all(abs(air) < AIR_TOLERANCE), f"air is {air}"


def info_of(case, *arguments):
    result = case.run("info", *arguments, "--json")
    done(result)
    return json.loads(result.stdout)


def counts(case, views, flats, darks, *arguments):
    info = info_of(case, *arguments)
    got = info["views"], info["flats"], info["darks"]
    assert got == (views, flats, darks), f"views, flats, darks are {got}, not {(views, flats, darks)}"


@expectation
def absent_chunks(case):
    if case.results[0].returncode == 0:
        said(case.results[0], r"\b27\b.*chunk|chunk.*\b27\b")
    else:
        refused(case.results[0], "chunk", "dimension_separator|none of")


@expectation
def angles_file_of_notepad(case):
    done(case.results[0])
    has_body(case)


@expectation
def angles_in_radians(case):
    for result in case.results:
        said(result, "radian")
        assert "SIRT" not in text_of(result), text_of(result)


@expectation
def companion_files(case):
    done(case.results[0])
    has_body(case)
    counts(case, 180, 2, 2, "scan", "--angles", "0:1", "--pixel-size", "50")


@expectation
def empty_darks(case):
    done(case.results[0])
    said(case.results[0], "no darks")
    has_body(case, voxel=0.05)  # the file has no pixel size: values are per pixel


@expectation
def imagej_one_long_axis(case):
    done(case.results[0])
    same_voxels(voxels(case, "o.nrrd"), tifffile.imread(case.folder / "v.tif"))


@expectation
def jpeg_2000_in_tiff(case):
    refused(case.results[0], "JPEG 2000", "convert|save|write")
    assert not re.search("damaged|incomplete|not whole", text_of(case.results[0])), text_of(case.results[0])


@expectation
def meta_names(case):
    for result in case.results:
        done(result)
    wanted = tifffile.imread(case.folder / "v.tif")
    same_voxels(voxels(case, "back.tif"), wanted)
    same_voxels(voxels(case, "stenosis 77 %.mhd"), wanted)


@expectation
def meta_text_numbers(case):
    if case.results[0].returncode != 0:
        return refused(case.results[0], "BinaryData")
    numbers = np.array((case.folder / "v.raw").read_text().split(), dtype=np.int16)
    same_voxels(voxels(case, "o.nrrd"), numbers.reshape(5, 7, 9))


@expectation
def neighbour_folder(case):
    done(case.results[0])
    has_body(case)
    counts(case, 180, 2, 2, "scan", "--angles", "0:1", "--pixel-size", "50")


@expectation
def nifti_offset_0(case):
    data = (case.folder / "v.nii").read_bytes()
    if case.results[0].returncode != 0:
        return refused(case.results[0], "offset")
    same_voxels(voxels(case, "o.nrrd"), np.frombuffer(data, "<i2", offset=352).reshape(5, 7, 9))


@expectation
def nrrd_gzip_byte_skip(case):
    done(case.results[0])
    numbers = gzip.decompress((case.folder / "v.bin.gz").read_bytes())[-9 * 7 * 5 * 2:]
    same_voxels(voxels_in_space(case, "o.nrrd"), np.frombuffer(numbers, "<i2").reshape(5, 7, 9))


@expectation
def ome_physical_size(case):
    done(case.results[0])
    assert np.allclose(spacing(case, "o.nrrd"), (0.0025, 0.0025, 0.005), rtol=1e-6), f"spacing {spacing(case, 'o.nrrd')} mm"
    same_voxels(voxels(case, "o.nrrd"), tifffile.imread(case.folder / "v.ome.tif"))


@expectation
def ome_two_channels(case):
    if case.results[0].returncode != 0:
        return refused(case.results[0], "channel")
    wanted = tifffile.imread(case.folder / "v.ome.tif")  # z, channel, y, x
    got = voxels(case, "o.nrrd")
    assert got.shape == wanted[:, 0].shape, f"{got.shape} voxels, not {wanted[:, 0].shape}"
    assert any(np.array_equal(got, wanted[:, c]) for c in range(wanted.shape[1])), "not one of the channels"


@expectation
def one_flat_with_closed_shutter(case):
    done(case.results[0])
    has_body(case)
    done(case.results[1])
    said(case.results[1], r"flat.*(left out|odd|differ)")


@expectation
def outer_slices(case):
    done(case.results[0])
    slices = voxels(case, "o.tif")
    assert len(slices) == 8, f"{len(slices)} slices, not 8"
    has_body(case)


@expectation
def parent_of_two_stacks(case):
    said(case.results[0], r"\bTomo\b", r"\b180deg\b")


@expectation
def raw_size_and_flats(case):
    done(case.results[0])
    command = ["views.raw", "--raw-size", "96x3x180", "--raw-type", "uint16", "--angles", "0:1", "--flats", "air.raw", "--pixel-size", "50"]
    counts(case, 180, 2, 0, *command)


@expectation
def repeated_angles(case):
    done(case.results[0])
    found = re.search(r"\baxis = (-?\d+(?:\.\d+)?)", text_of(case.results[0]))
    assert found, f"no axis in: {text_of(case.results[0])}"
    assert abs(float(found.group(1)) - 3.3) < AXIS_TOLERANCE, f"axis {found.group(1)}, not 3.3"
    said(case.results[0], "resolved")


@expectation
def scaled_integers(case):
    slices = [pydicom.dcmread(path) for path in (case.folder / "series").iterdir()]
    slices.sort(key=lambda s: float(s.ImagePositionPatient[2]))
    wanted = np.array([s.pixel_array * float(s.RescaleSlope) + float(s.RescaleIntercept) for s in slices])
    for result, name in zip(case.results, ("o.nrrd", "o.mha")):
        done(result)
        got = voxels_in_space(case, name)
        assert got.shape == wanted.shape and np.array_equal(got.astype(float), wanted), (
            f"{name}: from {got.min()} to {got.max()}, not from {wanted.min()} to {wanted.max()}")


@expectation
def views_in_golden_order(case):
    for result in case.results:
        done(result)
        stripes = re.search(r"\bcolumns = (\S+)", text_of(result))
        assert not stripes or float(stripes.group(1)) == 0, text_of(result)
    same_voxels(voxels(case, "o.tif"), voxels(case, "n.tif"))
