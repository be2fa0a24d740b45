#!/usr/bin/env python3
"""Runs a pipeline in slabs on the command line and joins them: the voxels of one run, whatever the number type; slabs
that are missing, of another run, damaged or twice there.

usage: cli_slabs_test.py TOMOLOOM SOURCE_DIR
"""
import json
import os
import shutil
import subprocess
import sys

from cli_box import expect, fresh, run_all

SAME_VOXELS = """
import sys, numpy, tifffile
a, b = (tifffile.imread(path) for path in sys.argv[1:3])
assert a.dtype == b.dtype and a.shape == b.shape, (a.dtype, b.dtype, a.shape, b.shape)
assert numpy.array_equal(a, b), numpy.abs(a.astype(float) - b).max()
"""


def pipeline_of(box, name, **params):
    """With 7 slices, so that three slabs are unequal; its volume is NAME.tif."""
    path = box.pipeline(f"{name}.json")
    graph = json.loads(path.read_text())
    load = next(n for n in graph["nodes"].values() if n["type"] == "input.load_scan")
    load["parameters"]["file"] = str(box.scan(rows=7))
    save = next(n for n in graph["nodes"].values() if n["type"] == "output.save_volume")
    save["parameters"] = {"file": f"{name}.tif", **params}
    path.write_text(json.dumps(graph))
    return path


def slabs(box, pipeline, out, count, *more):
    for k in range(1, count + 1):
        expect(box.run("run", pipeline, "--slab", f"{k}/{count}", "--out", out, *more), 0)


def joined_slabs_are_the_volume(box):
    for name, params in (("floats", {}), ("integers", {"type": "uint16", "low": -0.001, "high": 0.06})):
        folder = fresh(box, name)
        pipeline = pipeline_of(box, name, **params)
        expect(box.run("run", pipeline, "--out", folder / "whole"), 0)
        slabs(box, pipeline, folder / "parts", 3)
        parts = folder / "parts" / f"{name}.tif.slabs"
        assert sorted(p.name for p in parts.iterdir()) == sorted(f"{k}-of-3.tif{e}" for k in (1, 2, 3) for e in ("", ".json"))
        result = box.run("join", folder / "parts", "--json")
        expect(result, 0)
        joined = folder / "parts" / f"{name}.tif"
        assert json.loads(result.stdout.splitlines()[-1])["files"] == [str(joined)]
        assert sorted(p.name for p in (folder / "parts").iterdir()) == [f"{name}.tif", f"{name}.tif.json"]
        subprocess.run([os.environ["TL_TEST_PYTHON"], "-c", SAME_VOXELS, str(folder / "whole" / f"{name}.tif"), str(joined)], check=True)
        # The record is that of one run, and opens as its pipeline.
        record = json.loads((folder / "parts" / f"{name}.tif.json").read_text())
        assert [s["slab"] for s in record["run"]["slabs"]] == ["1/3", "2/3", "3/3"]
        expect(box.run("diff", folder / "whole" / f"{name}.tif", joined), 0)
        expect(box.run("run", f"{joined}.json", "--out", folder / "again"), 0)
        expect(box.run("check", f"{joined}.json"), 0)


def what_is_missing_or_of_another_run_is_reported(box):
    folder = fresh(box, "wrong")
    pipeline = pipeline_of(box, "wrong")
    out = folder / "out"
    parts = out / "wrong.tif.slabs"
    expect(box.run("join", folder), 1, "no slabs")
    expect(box.run("run", pipeline, "--slab", "4/3", "--out", out), 1, "4/3", "2/8")
    expect(box.run("run", pipeline, "--slab", "1/9", "--out", out), 1, "7 slices")
    slabs(box, pipeline, out, 3)
    expect(box.run("run", pipeline, "--slab", "2/3", "--out", out), 1, "exists already")
    for name in ("2-of-3.tif", "2-of-3.tif.json"):
        shutil.move(parts / name, folder / name)
    expect(box.run("join", out), 1, "missing, of 3: 2")
    # Another parameter, another input.
    expect(box.run("run", pipeline, "--slab", "2/3", "--out", out, "--set", "fbp.cutoff=0.5"), 0)
    expect(box.run("join", out), 1, "different runs", "fbp.cutoff is 1.0 Nyquist and 0.5 Nyquist")
    expect(box.run("run", pipeline, "--slab", "2/3", "--out", out, "--input", box.scan(rows=7, views=62), "--overwrite"), 0)
    expect(box.run("join", out), 1, "different runs")
    # Damaged after its record was written.
    shutil.copy(folder / "2-of-3.tif.json", parts)
    damaged = (folder / "2-of-3.tif").read_bytes()
    (parts / "2-of-3.tif").write_bytes(damaged[:-8] + b"12345678")
    expect(box.run("join", out), 1, "not the one that this record describes")
    shutil.copy(folder / "2-of-3.tif", parts)
    # Two divisions.
    shutil.copy(parts / "1-of-3.tif", parts / "1-of-2.tif")
    expect(box.run("join", out), 1, "two divisions")
    (parts / "1-of-2.tif").unlink()
    assert not (out / "wrong.tif").exists()
    # A file of the user's stays, and so does the folder.
    (parts / "notes.txt").write_text("mine")
    expect(box.run("join", parts, "--keep-slabs"), 0)
    expect(box.run("join", parts), 1, "exists already")
    expect(box.run("join", parts, "--overwrite"), 0)
    assert [p.name for p in parts.iterdir()] == ["notes.txt"]


def other_outputs_come_with_the_first_slab(box):
    folder = fresh(box, "others")
    path = pipeline_of(box, "others")
    graph = json.loads(path.read_text())
    volume = next(link["from"] for link in graph["links"] if link["to"].endswith(".volume"))
    graph["nodes"]["picture"] = {"type": "output.save_picture", "version": 1, "parameters": {"file": "slice.png"}}
    graph["links"].append({"from": volume, "to": "picture.volume"})
    path.write_text(json.dumps(graph))
    expect(box.run("run", path, "--slab", "2/2", "--out", folder), 0)
    assert not (folder / "slice.png").exists()
    expect(box.run("run", path, "--slab", "1/2", "--out", folder), 0)
    assert (folder / "slice.png").exists()
    expect(box.run("join", folder), 0)


TESTS = [joined_slabs_are_the_volume, what_is_missing_or_of_another_run_is_reported, other_outputs_come_with_the_first_slab]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
