#!/usr/bin/env python3
"""Runs sweeps and learning on the command line: checks what they find, and that they resume after a kill.

usage: cli_learning_test.py TOMOLOOM SOURCE_DIR
"""
import json
import os
import pathlib
import subprocess
import sys

from cli_box import Skip, expect, fresh, run_all


def sweeps_report_the_best_point(box):
    """The axis of the scan is +3 px: a sweep of the geometry over the wedge consistency finds it."""
    folder = fresh(box, "sweep")
    pipeline = box.pipeline("sweep.json")
    graph = json.loads(pipeline.read_text())
    graph["nodes"]["wedge"] = {"type": "objective.wedge", "version": 1}
    before = next(l for l in graph["links"] if l["to"] == "fbp.projections")["from"]
    graph["links"].append({"from": before, "to": "wedge.projections"})
    axis = next(name for name, node in graph["nodes"].items() if node["type"] == "geometry.set")
    pipeline.write_text(json.dumps(graph))
    over = f"{axis}.axis=2:4:5 px"
    result = box.run("sweep", pipeline, "--over", over, "-o", folder / "axis", "--json")
    expect(result, 0)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [l["event"] for l in lines] == ["point"] * 5 + ["done"], lines
    assert lines[-1]["best"]["values"] == ["3 px"], lines[-1]
    assert sorted(p.name for p in folder.iterdir()) == ["axis.csv", "axis.json", "axis.png"], list(folder.iterdir())
    assert (folder / "axis.png").read_bytes().startswith(b"\x89PNG")
    table = (folder / "axis.csv").read_text().splitlines()
    assert table[0] == f"{axis}.axis,score,error" and len(table) == 6, table
    record = json.loads((folder / "axis.json").read_text())
    assert record["best"]["values"] == ["3 px"] and len(record["points"]) == 5, record["best"]
    expect(box.run("sweep", pipeline, "--over", over, "-o", folder / "axis"), 1, "exists already", "--overwrite")
    expect(box.run("sweep", pipeline, "--over", over, "-o", folder / "axis", "--overwrite"), 0, "best: ", "3 px")
    # Two parameters; values that the node refuses are reported and left out.
    two = box.run("sweep", pipeline, "--over", f"{axis}.axis=2,3 px", "--over", "fbp.width=16,32,48", "-o", folder / "two",
                  "--picture", "fbp", "--tile", "48")
    expect(two, 0, "6 of 6")
    assert len((folder / "two.csv").read_text().splitlines()) == 7
    for wrong, word in ((f"{axis}.axes=1:2:3", "axis"), ("nowhere.axis=1:2:3", "no node"), (f"{axis}.axis=1:2", "first:last:count"),
                        (f"{axis}.axis=1:2:1", "count"), ("fbp.filter=hann,hamm", "hamm"), ("fbp.filter", "node.parameter")):
        expect(box.run("sweep", pipeline, "--over", wrong, "-o", folder / "wrong"), 1, word)
    expect(box.run("sweep", pipeline, "-o", folder / "wrong"), 2)
    expect(box.run("sweep", pipeline, "--over", over, "-o", folder / "nowhere" / "x"), 3, "does not exist")
    assert not list(folder.glob("wrong*"))


def a_killed_sweep_goes_on(box):
    """The same files, byte for byte, whether a sweep was killed in between or not."""
    folder = fresh(box, "killed_sweep")
    pipeline = box.pipeline("killed.json")
    arguments = ["sweep", pipeline, "--over", "fbp.cutoff=0.2:1:9", "--over", "fbp.filter=ram_lak,hann,cosine", "--json", "-o"]
    expect(box.run(*arguments, folder / "whole"), 0)
    p = subprocess.Popen([box.program, *map(str, arguments), str(folder / "again")], cwd=box.folder, stdout=subprocess.PIPE, text=True)
    for count, line in enumerate(p.stdout):
        if count == 10:
            break
    p.kill()
    p.communicate()
    assert not (folder / "again.csv").exists() and (folder / "again.sweep").is_dir()
    # One point is damaged on disk: it is computed again.
    broken = folder / "again.sweep" / "point_3"
    broken.write_bytes(broken.read_bytes()[:-7] + b"garbage")
    other = box.run("sweep", pipeline, "--over", "fbp.cutoff=0.5:1:2", "-o", folder / "again")
    expect(other, 1, "another sweep was interrupted here")
    result = box.run(*arguments, folder / "again")
    expect(result, 0)
    assert json.loads(result.stdout.splitlines()[-1])["resumed"] >= 9, result.stdout[-500:]
    for ending in (".json", ".csv", ".png"):
        assert (folder / f"again{ending}").read_bytes() == (folder / f"whole{ending}").read_bytes(), ending
    assert not (folder / "again.sweep").exists()


def learning_finds_the_axis(box):
    """The bundled pipeline, its record, what is accepted, and every kind of wrong request."""
    folder = fresh(box, "learn")
    scan = box.scan()
    found = folder / "axis.json"
    result = box.run("learn", "axis-by-gradient", "--input", scan, "-o", found)
    expect(result, 0, "axis.axis", "resolved", "converged", "iteration 1")
    record = json.loads(found.read_text())
    first = record["parameters"][0]
    assert (first["node"], first["name"], first["unit"], first["verdict"]) == ("axis", "axis", "px", "resolved"), first
    assert abs(first["value"] - 3) < 0.05 and first["uncertainty"] is not None, first
    assert record["pipeline"]["nodes"]["axis"]["parameters"]["axis"].startswith(repr(first["value"])[:6]), record["pipeline"]
    assert not list(folder.glob("*.journal"))
    expect(box.run("learn", "axis-by-gradient", "--input", scan, "-o", found), 1, "exists already")
    expect(box.run("run", found, "--out", folder), 0)
    # A pipeline of one's own: settings on the command line, values put into the file.
    expect(box.run("templates", "axis-by-gradient", "-o", folder / "mine.json"), 0)
    lines = box.run("learn", folder / "mine.json", "--input", scan, "-o", folder / "mine_axis.json", "--learn", "axis.axis=1.5",
                    "--objective", "wedge.loss", "--method", "lbfgs", "--accept", "--json")
    expect(lines, 0)
    events = [json.loads(line) for line in lines.stdout.splitlines()]
    assert events[-1]["event"] == "done" and events[-1]["verdict"] == "resolved", events[-1]
    assert [e["iteration"] for e in events if e["event"] == "iteration"][:2] == [0, 1]
    mine = json.loads((folder / "mine.json").read_text())
    assert abs(float(mine["nodes"]["axis"]["parameters"]["axis"].split()[0]) - 3) < 0.05, mine
    # The run is in the history as the studio writes and lists it.
    run = mine["learning"]["runs"][0]
    assert run["outcome"] == "accepted" and run["found"][0]["verdict"] == "resolved" and run["course"]["value"], run
    # Bounds that leave the truth out: reported, not accepted.
    narrow = json.loads((folder / "mine.json").read_text())
    narrow["nodes"]["axis"]["parameters"]["axis"] = "0 px"
    narrow["learning"]["targets"][0].update(low="-1 px", high="1 px")
    narrow["learning"]["targets"][0].pop("start")
    (folder / "narrow.json").write_text(json.dumps(narrow))
    expect(box.run("learn", folder / "narrow.json", "--input", scan, "-o", folder / "railed.json", "--accept"), 6, "railed", "not \"resolved\"")
    assert json.loads((folder / "narrow.json").read_text()) == narrow
    out = folder / "wrong.json"
    expect(box.run("learn", "axis-by-gradent", "--input", scan, "-o", out), 3, "axis-by-gradient")
    expect(box.run("learn", "axis-by-gradient", "--input", scan, "-o", out, "--learn", "axis.axes"), 1, "axis")
    expect(box.run("learn", "axis-by-gradient", "--input", scan, "-o", out, "--learn", "axis"), 1, "node.parameter")
    expect(box.run("learn", "axis-by-gradient", "--input", scan, "-o", out, "--objective", "wedg.loss"), 1, "wedge")
    expect(box.run("learn", "axis-by-gradient", "--input", scan, "-o", out, "--method", "magic"), 1, "newton")
    expect(box.run("learn", "axis-by-gradient", "--input", scan, "-o", out, "--accept"), 1, "--save-pipeline")
    expect(box.run("learn", "axis-by-gradient", "--input", scan, "-o", out, "--objective", "variance.loss"), 1, "full turns")
    expect(box.run("learn", "parallel", "--input", scan, "-o", out), 1, "objective")
    expect(box.run("learn", "axis-by-gradient", "--input", scan), 2)
    assert not out.exists()


def a_killed_learning_run_goes_on(box):
    """The same file, byte for byte, whether the run was killed in between or not."""
    folder = fresh(box, "killed_learning")
    arguments = ["learn", "axis-by-gradient", "--input", box.scan(), "--restarts", "30", "--json", "-o"]
    expect(box.run(*arguments, folder / "whole.json"), 0)
    p = subprocess.Popen([box.program, *map(str, arguments), str(folder / "again.json")], cwd=box.folder, stdout=subprocess.PIPE, text=True)
    for count, line in enumerate(p.stdout):
        if count == 40:
            break
    p.kill()
    p.communicate()
    assert not (folder / "again.json").exists() and (folder / "again.json.journal").stat().st_size > 1000
    expect(box.run(*arguments, folder / "again.json"), 0)
    assert (folder / "again.json").read_bytes() == (folder / "whole.json").read_bytes()
    assert not (folder / "again.json.journal").exists()


def the_tooth_is_learned(box):
    """A2: gradient and Vo agree within half a pixel, near -23.6 px."""
    tooth = pathlib.Path(os.environ.get("TL_SHARED_DATA") or box.source.parent / "shared/data") / "aps_tooth.h5"
    if not tooth.exists():
        raise Skip("aps_tooth.h5 is not there (TL_SHARED_DATA)")
    folder = fresh(box, "tooth_learned")
    expect(box.run("learn", "axis-by-gradient", "--input", tooth, "-o", folder / "axis.json"), 0, "resolved")
    first = json.loads((folder / "axis.json").read_text())["parameters"][0]
    assert abs(first["value"] + 23.6) < 0.5, first


# Raw counts of two columns times 1.2 in every view and row; the flats keep theirs.
STRIPE_TOOTH = """
import sys, h5py
with h5py.File(sys.argv[1], "r") as whole, h5py.File(sys.argv[2], "w") as striped:
    for name in whole:
        whole.copy(name, striped)
    counts = striped["exchange/data"][...]
    counts[:, :, [250, 400]] *= 1.2
    striped["exchange/data"][...] = counts
"""
# Standard deviation of the difference of two volumes, relative to that of the first.
DIFFERENCE = """
import sys, tifffile
a, b = (tifffile.imread(path).astype(float) for path in sys.argv[1:3])
print((b - a).std() / a.std())
"""


def the_tooth_with_striped_columns(box):
    """Two columns of equal gain: both are found and removed, and the axis, measured or learned, stays where it is."""
    tooth = pathlib.Path(os.environ.get("TL_SHARED_DATA") or box.source.parent / "shared/data") / "aps_tooth.h5"
    python = os.environ.get("TL_TEST_PYTHON")
    if not tooth.exists() or not python:
        raise Skip("aps_tooth.h5 is not there (TL_SHARED_DATA), or no Python to stripe it with (TL_TEST_PYTHON)")
    folder = fresh(box, "tooth_striped")
    striped = folder / "striped.h5"
    subprocess.run([python, "-c", STRIPE_TOOTH, str(tooth), str(striped)], check=True)
    expect(box.run("reconstruct", tooth, "-o", folder / "whole.tif"), 0)
    expect(box.run("reconstruct", striped, "-o", folder / "striped.tif"), 0, "stripes in 2 of 640 columns")
    record = json.loads((folder / "striped.tif.json").read_text())
    axis = next(p for p in record["parameters"] if p["node"] == "axis" and p["verdict"])
    assert axis["verdict"] == "resolved" and abs(axis["value"] + 23.91) < 0.25, axis
    left = float(subprocess.run([python, "-c", DIFFERENCE, str(folder / "whole.tif"), str(folder / "striped.tif")], check=True,
                                capture_output=True, text=True).stdout)
    assert left < 0.02, left
    expect(box.run("learn", "axis-by-gradient", "--input", striped, "-o", folder / "axis.json"), 0, "resolved")
    learned = json.loads((folder / "axis.json").read_text())["parameters"][0]
    assert abs(learned["value"] - axis["value"]) < 3 * (learned["uncertainty"] ** 2 + axis["uncertainty"] ** 2) ** 0.5, (learned, axis)


TESTS = [sweeps_report_the_best_point, a_killed_sweep_goes_on, learning_finds_the_axis, a_killed_learning_run_goes_on,
         the_tooth_is_learned, the_tooth_with_striped_columns]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
