#!/usr/bin/env python3
"""Converts volumes on the command line: formats, types, regions, what is refused, and what is left of a failure.

usage: cli_convert_test.py TOMOLOOM SOURCE_DIR
"""
import json
import os
import re
import subprocess
import sys

from cli_box import Skip, expect, fresh, run_all

MAKE_VOLUME = """
import sys, numpy as np, tifffile
n = (np.arange(6 * 5 * 4).reshape(6, 5, 4) * 10).astype('u2')
tifffile.imwrite(sys.argv[1], n, imagej=True, resolution=(500, 250), metadata={'unit': 'mm', 'spacing': 0.008, 'axes': 'ZYX'})
"""
CHECK = """
import sys, numpy as np
n = np.arange(6 * 5 * 4).reshape(6, 5, 4) * 10
"""


def python(script, *arguments):
    interpreter = os.environ.get("TL_TEST_PYTHON")
    if not interpreter:
        raise Skip("TL_TEST_PYTHON is not set (installer/setup.sh --test-python makes that environment)")
    subprocess.run([interpreter, "-c", script, *map(str, arguments)], check=True)


def volume_in(folder):
    python(MAKE_VOLUME, folder / "v.tif")
    return folder / "v.tif"


def formats_follow_the_name(box):
    folder = fresh(box, "formats")
    volume = volume_in(folder)
    for name, title in (("a.h5", "HDF5"), ("a.nrrd", "NRRD"), ("a.mhd", "MetaImage"), ("a.mha", "MetaImage"), ("a.nii", "NIfTI"),
                        ("b.tif", "ImageJ"), ("slices", "Folder of TIFFs")):
        expect(box.run("convert", volume, folder / name), 0, f"wrote {folder / name}", title, "6 x 5 x 4 voxels of uint16")
        expect(box.run("convert", folder / name, folder / ("back_" + name.replace(".", "_") + ".tif")), 0)
    for name, title in (("a.ome.zarr", "OME-Zarr 0.4"), ("a.dicom", "DICOM")):
        expect(box.run("convert", volume, folder / name), 0, f"wrote {folder / name}", title, "6 x 5 x 4 voxels of uint16")
        expect(box.run("convert", folder / name, folder / ("again_" + name.replace(".", "_") + ".h5")), 0)
    expect(box.run("convert", volume, folder / "a3.ome.zarr", "--format", "ome_zarr_05", "--compression", "gzip"), 0, "OME-Zarr 0.5")
    assert (folder / "a3.ome.zarr" / "zarr.json").exists() and (folder / "a.ome.zarr" / ".zattrs").exists()
    expect(box.run("convert", folder / "a3.ome.zarr", folder / "again_3.h5"), 0)
    expect(box.run("convert", volume, folder / "odd", "--format", "nrrd"), 0)
    assert (folder / "a.raw").stat().st_size == 240 and (folder / "odd").read_bytes().startswith(b"NRRD")
    python(CHECK + """
import h5py, tifffile, glob
with h5py.File(sys.argv[1] + '/a.h5') as f:
    assert f['entry/data/data'].dtype == np.uint16 and np.array_equal(f['entry/data/data'][()], n)
again = glob.glob(sys.argv[1] + '/again_*.h5')
for name in again:
    with h5py.File(name) as f:
        d = f['entry/data/data']
        assert d.dtype == np.uint16 and np.array_equal(d[()], n), name
        assert np.allclose(np.diff(f['entry/data/z'][()]), 0.008), name
assert len(again) == 3
for name in glob.glob(sys.argv[1] + '/back_*.tif'):
    with tifffile.TiffFile(name) as t:
        assert np.array_equal(t.asarray(), n), name
        m, r = t.imagej_metadata, t.pages[0].tags['XResolution'].value
        rounding = 1e-6 if 'nii' in name else 1e-9  # NIfTI has float32 for sizes
        assert abs(m['spacing'] - 8) < rounding and abs(r[0] / r[1] - 0.5) < rounding, (name, m, r)
assert len(glob.glob(sys.argv[1] + '/back_*.tif')) == 7
""", folder)


def types_and_regions(box):
    folder = fresh(box, "types")
    volume = volume_in(folder)
    expect(box.run("convert", volume, folder / "f.h5", "--type", "float32", "--region", "1:4,:,2"), 0, "3 x 5 x 1 voxels of float32")
    expect(box.run("convert", volume, folder / "u.h5", "--type", "uint8", "--low", "0", "--high", "2550"), 0, "uint8")
    python(CHECK + """
import h5py
with h5py.File(sys.argv[1] + '/f.h5') as f:
    d = f['entry/data/data']
    # Columns are x; z and x of the region are those of the file.
    assert d.dtype == np.float32 and np.array_equal(d[()], n[1:4, :, 2:3])
    assert np.allclose(np.diff(f['entry/data/z'][()]), 0.008) and abs(f['entry/data/x'][0] - 0.001) < 1e-12
with h5py.File(sys.argv[1] + '/u.h5') as f:
    assert np.array_equal(f['entry/data/data'][()], n // 10)
""", folder)
    # What will be clipped is said before it is written, and in the last line for programs.
    expect(box.run("convert", volume, folder / "c.h5", "--type", "uint8", "--low", "100", "--high", "1000"), 0,
           "24.2 % of the voxels are outside of 100 to 1000 and are clipped (10 below, 19 above)")
    said = [json.loads(line) for line in box.run("convert", volume, folder / "d.h5", "--type", "uint8", "--low", "100", "--high", "1000",
                                                 "--json").stdout.splitlines()]
    assert said[-1]["clipped_voxels"] == 29 and any("24.2 %" in str(one) for one in said[:-1]), said
    # DICOM has no floats: their range becomes that of its integers.
    expect(box.run("convert", folder / "f.h5", folder / "f.dicom"), 0, "voxels of uint16")
    done = json.loads(box.run("convert", volume, folder / "j.nrrd", "--json").stdout.splitlines()[-1])
    assert done["event"] == "done" and done["format"] == "nrrd" and done["voxels"] == [6, 5, 4], done
    assert abs(done["voxel_mm"][0] - 0.008) < 1e-12, done


# A NRRD of float32 whose background is not a number.
MAKE_BACKGROUND = """
import sys, numpy as np
n = np.arange(6 * 5 * 4, dtype='<f4').reshape(6, 5, 4)
n[0] = np.nan
n[1, 0, 0], n[1, 0, 1] = np.inf, -np.inf
with open(sys.argv[1], 'wb') as f:
    f.write(b'NRRD0005\\ntype: float\\ndimension: 3\\nsizes: 4 5 6\\nencoding: raw\\nendian: little\\n\\n' + n.tobytes())
"""


def what_has_no_integer_is_counted(box):
    folder = fresh(box, "background")
    python(MAKE_BACKGROUND, folder / "v.nrrd")
    expect(box.run("convert", folder / "v.nrrd", folder / "v.dicom"), 0, "voxels of uint16; 22 to 119", "0 to 65535",
           "18.3 % of the voxels are outside of 22 to 119 and are clipped (1 below, 1 above, 20 NaN)")
    said = [json.loads(line) for line in box.run("convert", folder / "v.nrrd", folder / "j.dicom", "--json").stdout.splitlines()]
    assert said[-1]["clipped_voxels"] == 22 and said[-1]["low"] == 22 and said[-1]["high"] == 119, said


def tables_of_labels_go_along(box):
    folder = fresh(box, "labels")
    with open(folder / "v.nrrd", "wb") as file:
        file.write(b"NRRD0005\ntype: uint8\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n\n" + bytes(range(8)))
    (folder / "v.nrrd.labels.json").write_text('{"classes": [{"number": 3, "name": "pore"}]}')
    expect(box.run("convert", folder / "v.nrrd", folder / "v.ome.zarr"), 0)
    written = json.loads((folder / "v.ome.zarr" / ".zattrs").read_text())
    assert written["multiscales"][0]["type"] == "nearest", written
    assert json.loads(written["tomoloom"]["record"])["labels"]["classes"] == [{"number": 3, "name": "pore"}], written
    expect(box.run("convert", folder / "v.ome.zarr", folder / "v.mha"), 0)
    assert json.loads((folder / "v.mha.labels.json").read_text())["classes"] == [{"number": 3, "name": "pore"}]
    (folder / "v.nrrd.labels.json").write_text("[]")
    expect(box.run("convert", folder / "v.nrrd", folder / "w.ome.zarr"), 1, "v.nrrd.labels.json", "classes")


def what_cannot_be_is_refused(box):
    folder = fresh(box, "refused")
    volume = volume_in(folder)
    (folder / "text.nrrd").write_text("no volume")
    before = sorted(p.name for p in folder.iterdir())
    out = folder / "out.nrrd"
    for arguments, code, words in (
            ([folder / "missing.tif", out], 3, ["missing.tif", "does not exist"]),
            ([folder / "text.nrrd", out], 1, ["text.nrrd", "Tried"]),
            ([volume, folder / "out.xyz"], 1, ["out.xyz", ".nrrd"]),
            ([volume, out, "--format", "docx"], 1, ["docx", "Known"]),
            ([volume, folder / "out.tif", "--format", "nifti"], 1, ["out.tif", "NIfTI", "out.nii"]),
            ([volume, out, "--type", "int7"], 2, ["int7"]),
            ([volume, out, "--type", "uint8"], 1, ["--low and --high"]),
            ([volume, out, "--type", "float32", "--low", "3"], 1, ["float32"]),
            ([volume, out, "--region", "0:7,:,:"], 1, ["6 x 5 x 4"]),
            ([volume, out, "--region", "all"], 1, ["z0:z1"]),
            ([volume, folder / "none" / "out.nrrd"], 3, ["does not exist"]),
            ([volume, folder / "out.dicom", "--type", "float32"], 1, ["DICOM", "uint16"]),
            ([volume, folder / "out.dicom", "--compression", "gzip"], 1, ["DICOM", "compression"]),
            ([volume, folder / "out.nii", "--compression", "gzip"], 1, ["out.nii", ".nii.gz"]),
            ([volume], 2, [])):
        expect(box.run("convert", *arguments), code, *words)
        assert sorted(p.name for p in folder.iterdir()) == before, (arguments, list(folder.iterdir()))


def existing_files_are_kept(box):
    folder = fresh(box, "kept")
    volume = volume_in(folder)
    expect(box.run("convert", volume, folder / "a.nrrd"), 0)
    first = (folder / "a.nrrd").read_bytes()
    expect(box.run("convert", volume, folder / "a.nrrd", "--type", "float32"), 1, "a.nrrd", "exists already")
    assert (folder / "a.nrrd").read_bytes() == first
    expect(box.run("convert", volume, folder / "a.nrrd", "--type", "float32", "--overwrite"), 0)
    assert (folder / "a.nrrd").read_bytes() != first
    # The input itself is never replaced, and neither is the file next to a header.
    whole = volume.read_bytes()
    expect(box.run("convert", volume, volume, "--overwrite"), 1, "would replace an input")
    assert volume.read_bytes() == whole
    expect(box.run("convert", volume, folder / "m.mhd"), 0)
    expect(box.run("convert", folder / "m.mhd", folder / "m.mhd", "--type", "float32", "--overwrite"), 1, "would replace an input")


def nothing_appears_in_a_folder_that_is_read(box):
    folder = fresh(box, "members")
    volume = volume_in(folder)
    pipeline = {"format": "tomoloom-pipeline", "schema_version": 1, "title": "",
                "nodes": {"load": {"type": "input.load_volume", "version": 1, "parameters": {"file": ""}},
                          "save": {"type": "output.save_volume", "version": 1, "parameters": {"file": "x.tif"}}},
                "links": [{"from": "load.volume", "to": "save.volume"}]}
    (folder / "p.json").write_text(json.dumps(pipeline))
    for name in ("slices", "z.ome.zarr", "d.dicom"):
        stack = folder / name
        expect(box.run("convert", volume, stack), 0)
        before = sorted(p for p in stack.rglob("*"))
        for output in (stack / "x.tif", stack / "x.nrrd", folder / "." / name / "x"):
            expect(box.run("convert", stack, output), 1, "part of an input")
        expect(box.run("run", folder / "p.json", "--input", stack, "--out", stack), 1, "part of an input")
        assert sorted(p for p in stack.rglob("*")) == before, name
        expect(box.run("run", folder / "p.json", "--input", stack, "--out", folder / f"of_{name}"), 0)


def pipelines_stay_embedded(box):
    folder = fresh(box, "embedded")
    expect(box.run("reconstruct", box.scan(), "-o", folder / "v.nrrd", "--axis", 3), 0, "wrote")
    (folder / "deeper").mkdir()
    for name in ("v.h5", "v.nii", "v.tif", "slices", "deeper/v.nrrd", "v.ome.zarr", "v.dicom", "v.nii.gz"):
        expect(box.run("convert", folder / "v.nrrd", folder / name), 0)
        # The scan is found from where the new file lies.
        expect(box.run("check", folder / name), 0)
    expect(box.run("convert", folder / "v.nrrd", folder / "v.mha"), 0, "holds no pipeline")


def memory_stays_bounded(box):
    folder = fresh(box, "memory")
    # 200 million voxels: 800 MB as the floats that they are converted through.
    sizes = (200, 1000, 1000)
    with open(folder / "large.nrrd", "wb") as file:
        file.write(b"NRRD0005\ntype: uint16\ndimension: 3\nsizes: %d %d %d\nencoding: raw\nendian: little\n\n" % sizes)
        file.truncate(file.tell() + 2 * sizes[0] * sizes[1] * sizes[2])
    program = [box.program, "convert", str(folder / "large.nrrd"), str(folder / "large.mha")]
    p = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    peak = 0
    while p.poll() is None:
        try:
            with open(f"/proc/{p.pid}/status") as status:
                found = re.search(r"RssAnon:\s+(\d+) kB", status.read())
            peak = max(peak, int(found.group(1)) if found else 0)
        except OSError:
            pass
    assert p.returncode == 0, p.stderr.read()
    assert (folder / "large.mha").stat().st_size > 4e8
    # The libraries, and some slabs of 64 MB.
    assert 0 < peak < 500e3, f"{peak} kB"


TESTS = [formats_follow_the_name, types_and_regions, what_has_no_integer_is_counted, tables_of_labels_go_along,
         what_cannot_be_is_refused, existing_files_are_kept, nothing_appears_in_a_folder_that_is_read, pipelines_stay_embedded, memory_stays_bounded]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
