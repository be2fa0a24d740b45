#!/usr/bin/env python3
"""Windows of a stream: each equals a run over the recorded frames, in every order, with new flats and lost frames.

usage: live_windows_test.py TOMOLOOM SOURCE_DIR
"""
import csv
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "app"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from cli_box import expect, fresh, run_all  # noqa: E402
from live_test import Live, python, stream  # noqa: E402

# A cylinder with a few spheres in it, with noise, darks, flats before it and brighter ones in the middle.
MAKE_SCAN = """
import sys, numpy as np, h5py
path, rows, cols, views = sys.argv[1], *map(int, sys.argv[2:5])
random = np.random.default_rng(7)
keys = np.array([2] * 3 + [1] * 4 + [0] * (views // 2) + [1] * 3 + [0] * (views - views // 2), np.int32)
angles = np.zeros(len(keys))
angles[keys == 0] = np.arange(views) * 180.0 / views
u = np.arange(cols) - (cols - 1) / 2
frames = np.zeros((len(keys), rows, cols), np.uint16)
pixels = random.uniform(0.8, 1.2, (rows, cols))
beam = 20000.0
for i, key in enumerate(keys):
    if key == 1 and i > 7:
        beam = 30000.0
    path_length = np.zeros((rows, cols))
    if key == 0:
        t = np.deg2rad(angles[i])
        for x, y, r, mu in ((0, 0, 0.4 * cols, 0.02), (0.15 * cols, 0.1 * cols, 0.08 * cols, 0.05), (-0.2 * cols, 0.05 * cols, 0.05 * cols, 0.08)):
            at = x * np.cos(t) + y * np.sin(t)
            path_length += mu * 2 * np.sqrt(np.maximum(r * r - (u - at) ** 2, 0))
    mean = 200 if key == 2 else 200 + beam * pixels * np.exp(-path_length)
    frames[i] = np.clip(random.normal(mean, np.sqrt(mean)), 0, 65535)
with h5py.File(path, "w") as f:
    f["entry/definition"] = "NXtomo"
    f["entry/instrument/detector/data"] = frames
    f["entry/instrument/detector/image_key"] = keys
    f["entry/sample/rotation_angle"] = angles
    f["entry/sample/rotation_angle"].attrs["units"] = "degree"
"""

# The largest difference of two volumes, over the range of the first.
DIFFERENCE = """
import sys, numpy as np, tifffile
a, b = (tifffile.imread(p).astype(np.float64) for p in sys.argv[1:3])
assert a.shape == b.shape, (a.shape, b.shape)
print(abs(a - b).max() / (a.max() - a.min()), a.shape[0])
"""

SAME = 1e-6  # of the range: both compute in float32, in blocks of another size


def scan_of(box, rows=64, cols=96, views=60):
    path = box.folder / f"scan_{rows}_{cols}_{views}.nx"
    if not path.exists():
        python("-c", MAKE_SCAN, path, rows, cols, views)
    return path


def pipeline(box, template="live-slices", **changes):
    """A bundled pipeline with the whole volume as its output."""
    made = json.loads((box.source / f"resources/pipelines/{template}.json").read_text())
    recon = "fdk" if "fdk" in made["nodes"] else "fbp"
    made["nodes"]["save"] = {"type": "output.save_volume", "version": 1, "parameters": {"file": "volume.tif"}}
    made["links"].append({"from": f"{recon}.volume", "to": "save.volume"})
    for name, value in changes.items():
        node, parameter = name.split("__")
        made["nodes"][node]["parameters"][parameter] = value
    path = box.folder / f"pipeline_{abs(hash(template + str(changes)))}.json"
    path.write_text(json.dumps(made))
    return path


def live_run(box, name, source, graph, live_options=(), stream_options=()):
    """What the live run wrote last, and a run over the table of its windows."""
    folder = fresh(box, name)
    live = Live(box, graph, "--record", folder / "r.nx", "--out", folder / "on", *live_options)
    stream(box, source, live, *(() if "--rate" in stream_options else ("--rate", 0)), *stream_options)
    end, events = live.end()
    expect(box.run("run", graph, "--inputs", folder / "r.windows.csv", "--out", folder / "off", "--quiet"), 0)
    with open(folder / "r.windows.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    assert len(rows) == end["windows"] > 0, (rows, end)
    last = folder / "off" / ("r" if len(rows) == 1 else f"r-{len(rows)}")
    assert difference(folder / "on", last) <= SAME, (name, rows[-1])
    return end, events, rows


def difference(one, other):
    return float(python("-c", DIFFERENCE, one / "volume.tif", other / "volume.tif").split()[0])


def a_window_equals_a_run_over_the_record(box):
    source, graph = scan_of(box), pipeline(box)
    for order in ("turn", "sweep", "golden"):
        end, events, rows = live_run(box, f"law_{order}", source, graph, ("--window", 40, "--hop", 8),
                                     ("--turns", 2, "--order", order))
        assert end["missing"] == [] and end["views"] == 120, end
        # The last full window of 120 views: those that follow the 10 hops before it.
        assert int(rows[-1]["load.first_view"]) == 80 and int(rows[-1]["load.last_view"]) == 119, rows[-1]
        assert rows[-1]["load.exclude"] == "", rows[-1]
        assert end["windows"] + end["skipped_windows"] == 11, end
        for latency in end["latency_ms"].values():
            assert 0 < latency["p50"] <= latency["p95"], end
        print(f"{order}: {end['windows']} windows, {end['views_made']} views made, latency {end['latency_ms']}")


def flats_that_come_later_change_nothing(box):
    """A window that ends before new flats equals a run over a record that goes on after them; nodes that take both
    kinds of flats do not."""
    source, graph = scan_of(box), pipeline(box)
    short, whole = fresh(box, "short"), fresh(box, "whole")
    for folder, options in ((short, ("--frames", 37)), (whole, ())):
        live = Live(box, graph, "--record", folder / "r.nx", "--out", folder / "on", "--window", 20, "--hop", 5, *options)
        box.run("stream", source, "--to", live.address, "--rate", 0 if folder == whole else 200)
        end, _ = live.end()
        assert end["windows"] > 0, end
    with open(short / "r.windows.csv", newline="") as f:
        last = list(csv.DictReader(f))[-1]
    assert end["flats"] == 7 and int(last["load.last_view"]) < 30, (end, last)
    (whole / "earlier.csv").write_text("scan,load.first_view,load.last_view,flat_field.change\n" + "".join(
        f"r.nx,{last['load.first_view']},{last['load.last_view']},{change}\n" for change in ("before", "constant")))
    expect(box.run("run", graph, "--inputs", whole / "earlier.csv", "--out", whole / "off", "--quiet"), 0)
    assert difference(short / "on", whole / "off" / "r") <= SAME
    assert difference(short / "on", whole / "off" / "r-2") > 1e-3


def flats_that_come_later_are_warned_of(box):
    """Once, and only where they would change what a window shows."""
    source = scan_of(box)
    for change, warnings in (("before", 0), ("constant", 1)):
        live = Live(box, pipeline(box, flat_field__change=change), "--window", 20, "--hop", 5)
        stream(box, source, live, "--rate", 0)
        end, events = live.end()
        said = [e for e in events if e["event"] == "message" and "a run over the record" in e["text"]]
        assert end["windows"] > 0 and len(said) == warnings, (change, said, end)


def a_view_is_made_once(box):
    """However many windows it is in; and filtered once for the slice, once for the volume."""
    live = Live(box, pipeline(box), "--window", 40, "--hop", 2)
    stream(box, scan_of(box), live, "--rate", 60)
    end, _ = live.end()
    assert end["windows"] >= 3, end
    assert 40 <= end["views_made"] <= 60, end
    assert end["views_made"] <= end["views_filtered"] <= 2 * end["views_made"], end


def gaps_and_late_frames(box):
    for seed in (1, 2):
        end, events, rows = live_run(box, f"gaps_{seed}", scan_of(box), pipeline(box), ("--window", 30, "--hop", 7),
                                     ("--drop", 0.05, "--reorder", 6, "--duplicate", 0.05, "--seed", seed))
        assert end["missing"], end


def mirrored_and_reversed(box):
    graph = pipeline(box, load__flip_u="mirror", load__flip_v="mirror", load__rotation="reversed")
    live_run(box, "mirrored", scan_of(box), graph, ("--window", 60, "--hop", 60))


def a_cone_beam(box):
    graph = pipeline(box, "live-slices-cone", load__beam="cone", load__source_to_axis="300 mm", load__axis_to_detector="100 mm")
    live_run(box, "cone", scan_of(box), graph, ("--window", 60, "--hop", 12), ("--turns", 2))


def angles_from_the_load_node(box):
    """The record has angles, too; the step of the load node holds, counted from the first view of the stream."""
    graph = pipeline(box, load__angle_step="3.5 deg")
    live_run(box, "steps", scan_of(box), graph, ("--window", 50, "--hop", 5))


def measuring_pipeline(box):
    """Stripes are measured in each window, axis and noise in the first one."""
    made = json.loads(pipeline(box).read_text())
    made["nodes"]["axis"] = {"type": "axis.automatic", "version": 1, "parameters": {}}
    made["nodes"]["rings"] = {"type": "correct.stripe_automatic", "version": 1, "parameters": {}}
    made["nodes"]["smooth"] = {"type": "filter.bilateral", "version": 1, "parameters": {}}
    for link in made["links"]:
        if link == {"from": "flat_field.projections", "to": "axis.projections"}:
            link["to"] = "rings.projections"
        if link["to"] == "save.volume":
            link["to"] = "smooth.volume"
    made["links"] += [{"from": "rings.projections", "to": "axis.projections"}, {"from": "smooth.volume", "to": "save.volume"}]
    path = box.folder / "measuring.json"
    path.write_text(json.dumps(made))
    return path


def what_was_measured_is_in_the_row(box):
    graph = measuring_pipeline(box)
    end, events, rows = live_run(box, "measured", scan_of(box), graph, ("--window", 60, "--hop", 8),
                                 ("--turns", 3, "--rate", 40))
    axes = {row["axis.given_axis"] for row in rows}
    assert len(axes) == 1 and axes.pop().endswith(" px"), rows
    assert all(float(row["smooth.contrast"]) > 0 for row in rows), rows
    assert not any(name.startswith("rings.") for name in rows[0]), rows[0]
    # For readers.
    last = rows[-1]
    assert abs(float(last["#axis.axis [px]"])) < 2 and last["#axis.axis verdict"] and "#angle [deg]" in last, last
    # The run over the table searched no axis: a given one has no sigma.
    with open(box.folder / "measured" / "off" / "scans.csv", newline="") as f:
        run = list(csv.DictReader(f))
    assert {row["axis.axis verdict"] for row in run} == {"resolved"} and "axis.axis sigma [px]" not in run[0], run[0]
    assert {float(row["axis.axis [px]"]) for row in run} == {float(last["#axis.axis [px]"])}, (run[0], last)


def followed_values_are_in_the_row(box):
    """A parameter is learned on the windows, and each has the value that it was computed with."""
    made = json.loads(pipeline(box, axis__axis="0 px").read_text())
    made["nodes"]["entropy"] = {"type": "objective.entropy", "version": 1, "parameters": {}}
    made["links"].append({"from": "fbp.volume", "to": "entropy.volume"})
    marked = box.folder / "marked.json"
    marked.write_text(json.dumps(made))
    expect(box.run("live", marked, "--from", "tcp://127.0.0.1:1", "--follow"), 1, "marks")
    made["learning"] = {"targets": [{"node": "axis", "parameter": "axis", "scale": "linear"}], "objective": "entropy.loss"}
    marked.write_text(json.dumps(made))
    end, events, rows = live_run(box, "followed", scan_of(box, 8, 48, 40), marked,
                                 ("--window", 40, "--hop", 5, "--follow"), ("--turns", 6, "--rate", 20))
    followed = [e for e in events if e["event"] == "followed"]
    assert followed and all(e["values"]["axis.axis"]["verdict"] for e in followed), events
    assert rows[0]["axis.axis"] == "" and rows[-1]["axis.axis"].endswith(" px"), rows
    assert abs(float(rows[-1]["axis.axis"].split()[0]) - followed[0]["values"]["axis.axis"]["value"]) < 2, (rows, followed)


def errors_and_exit_codes(box):
    graph = pipeline(box)
    for options, code in ((("--hop", 61), 2), (("--window", 1), 2), (("--set", "fbp.nothing=1"), 1), (("--plane", "zz"), 2)):
        expect(box.run("live", graph, "--from", "tcp://127.0.0.1:1", *options), code)
    made = json.loads(graph.read_text())
    made["nodes"]["second"] = made["nodes"]["load"]
    two = box.folder / "two.json"
    two.write_text(json.dumps(made))
    expect(box.run("live", two, "--from", "tcp://127.0.0.1:1"), 1)
    expect(box.run("live", "--from", "tcp://127.0.0.1:1", "--out", box.folder / "nothing"), 1)


def without_flats_it_waits(box):
    source = box.folder / "no_flats.nx"
    python("-c", MAKE_SCAN.replace("[1] * 4", "[1] * 0").replace("[1] * 3", "[1] * 0"), source, 16, 24, 60)
    live = Live(box, pipeline(box), "--window", 20, "--hop", 5)
    stream(box, source, live, "--rate", 0)
    end, events = live.end()
    assert end["windows"] == 0 and any(e["event"] == "waiting" and e["for"] == "flats" for e in events), events


TESTS = [a_window_equals_a_run_over_the_record, flats_that_come_later_change_nothing,
         flats_that_come_later_are_warned_of, a_view_is_made_once, gaps_and_late_frames, mirrored_and_reversed, a_cone_beam, angles_from_the_load_node,
         what_was_measured_is_in_the_row, followed_values_are_in_the_row,
         errors_and_exit_codes, without_flats_it_waits]

if __name__ == "__main__":
    sys.exit(run_all(TESTS, sys.argv[1], sys.argv[2]))
