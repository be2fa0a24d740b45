#!/usr/bin/env python3
"""Compares results on the command line: what differs, what does not count, and files that are not results.

usage: cli_diff_test.py TOMOLOOM SOURCE_DIR
"""
import json
import sys

from cli_box import expect, fresh, run_all


def results(box, name, *settings):
    """One pipeline run with each of the settings; the volumes."""
    folder = fresh(box, name)
    pipeline = box.pipeline(name + ".json")
    volumes = []
    for i, setting in enumerate(settings):
        out = folder / str(i)
        expect(box.run("run", pipeline, "--out", out, *setting), 0)
        volumes += [next(p for p in out.iterdir() if p.suffix == ".tif")]
    return volumes


def equal_results_do_not_differ(box):
    first, second = results(box, "equal", [], [])
    expect(box.run("diff", first, second), 0, "the records do not differ", "voxels: all 16384 are equal")
    # The record itself, and what the volume embeds.
    record = first.with_name(first.name + ".json")
    expect(box.run("diff", record, second), 0, "do not differ")
    record.unlink()
    expect(box.run("diff", first, second), 0, "do not differ")


def a_parameter_differs(box):
    first, second = results(box, "parameter", [], ["--set", "fbp.cutoff=0.5"])
    expect(box.run("diff", first, second), 7, "parameters", "fbp.cutoff: 1.0 Nyquist | 0.5 Nyquist")
    result = box.run("diff", first, second, "--json")
    expect(result, 7)
    reported = json.loads(result.stdout)
    assert reported["parameters"] == [{"what": "fbp.cutoff", "first": "1.0 Nyquist", "second": "0.5 Nyquist"}], reported
    assert reported["inputs"] == [] and reported["pipeline"] == [], reported
    voxels = reported["voxels"]
    assert voxels["voxels"] == 16384 and voxels["differing"] > 10000, voxels
    assert 0 < voxels["rms"] < voxels["largest"] < voxels["range"][1] - voxels["range"][0], voxels


def what_is_not_a_result_is_an_error(box):
    folder = fresh(box, "no_result")
    (folder / "text.json").write_text("[1, 2]")
    (folder / "broken.json").write_text("{")
    first, = results(box, "sound", [])
    expect(box.run("diff", first, folder / "text.json"), 1, "text.json", "not a record of a result")
    expect(box.run("diff", first, folder / "broken.json"), 1, "broken.json")
    expect(box.run("diff", first, folder / "none.tif"), 3, "none.tif")
    # Volumes of other sizes differ, whatever their records say; so does one that is gone.
    smaller, record = folder / "smaller.tif", first.with_name(first.name + ".json")
    expect(box.run("convert", first, smaller, "--region", "0:2,:,:"), 0)
    expect(box.run("diff", first, smaller), 7, "not compared", "64 x 64 x 4 and 64 x 64 x 2")
    first.rename(folder / "gone.tif")
    expect(box.run("diff", record, folder / "gone.tif"), 7, "voxels: not compared")
    # Neither has one: their records decide.
    expect(box.run("diff", record, record), 0, "do not differ", "voxels: not compared")


def a_volume_that_cannot_be_read_is_an_error(box):
    first, second, other = results(box, "unreadable", [], [], ["--set", "fbp.cutoff=0.5"])
    second.write_bytes(b"")
    expect(box.run("diff", first, second), 3, "the file is empty", second.name)
    expect(box.run("diff", second, first), 3, "the file is empty")
    expect(box.run("diff", second, second), 3, "the file is empty")
    # Records that differ are reported all the same.
    expect(box.run("diff", other, second), 7, "fbp.cutoff", "not compared", "the file is empty")
    # It stays a difference that one result has no volume of its own.
    other.unlink()
    record = other.with_name(other.name + ".json")
    expect(box.run("diff", first, record), 7, "not compared", "does not exist")


TESTS = [equal_results_do_not_differ, a_parameter_differs, what_is_not_a_result_is_an_error,
         a_volume_that_cannot_be_read_is_an_error]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
