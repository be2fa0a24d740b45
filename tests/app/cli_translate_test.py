#!/usr/bin/env python3
"""tomoloom translate: pipelines of HTTomo, nabu and ewoks to ours and back, what is lost in words and in JSON, the
frame of the rotation axis by the scan, and what is refused.

usage: cli_translate_test.py TOMOLOOM SOURCE_DIR
"""
import json
import sys

from cli_box import expect, fresh, run_all

NABU = """[dataset]
location = {scan}
[preproc]
normalize_srcurrent = 0
tilt_correction = 0.2
[reconstruction]
rotation_axis_position = 34.5
"""


def parameters(file, type):
    return next(n["parameters"] for n in json.loads(file.read_text())["nodes"].values() if n["type"] == type)


def there_and_back(box):
    """The volume of a pipeline that went through another program's file is that of the pipeline."""
    folder = fresh(box, "back")
    pipeline = box.pipeline("translated.json", axis="3 px")
    settings = ["--set", "fbp.extension=zero", "--set", "flat_field.change=constant"]
    expect(box.run("run", pipeline, "--input", box.scan(), "--out", folder / "own", *settings), 0)
    own = next((folder / "own").glob("*.tif"))
    for word in ("httomo", "nabu", "ewoks"):
        theirs, ours = folder / f"p.{word}", folder / f"{word}.json"
        r = box.run("translate", pipeline, theirs, "--to", word, "--input", box.scan())
        expect(r, 0, f"wrote {theirs}", "lost: ")
        expect(box.run("translate", theirs, ours, "--input", box.scan()), 0, f"wrote {ours}")
        assert parameters(ours, "geometry.set") == {"axis": "3 px"}, ours.read_text()
        expect(box.run("check", ours), 0)
        expect(box.run("run", ours, "--out", folder / word, *settings), 0)
        volume = next((folder / word).glob("*.tif"))
        r = box.run("diff", own, volume)
        assert "voxels: all " in r.stdout and " are equal" in r.stdout, (word, r.stdout, r.stderr)


def the_scan_gives_the_frame(box):
    folder = fresh(box, "frame")
    config = folder / "nabu.conf"
    config.write_text(NABU.format(scan=box.scan()))  # 64 columns: the centre is 31.5
    expect(box.run("translate", config, folder / "a.json"), 0, "lost: line 5, [preproc] tilt_correction = 0.2")
    assert parameters(folder / "a.json", "geometry.set") == {"axis": "3 px"}
    config.write_text(NABU.format(scan="elsewhere.nx"))
    expect(box.run("translate", config, folder / "b.json"), 0, "rotation_axis_position = 34.5", "--input")
    expect(box.run("translate", config, folder / "c.json", "--input", box.scan()), 0)
    assert parameters(folder / "c.json", "geometry.set") == {"axis": "3 px"}
    r = box.run("translate", config, folder / "d.json", "--json")
    expect(r, 0)
    done = json.loads(r.stdout.splitlines()[-1])
    assert done["event"] == "done" and done["files"] == [str(folder / "d.json")], done
    assert [loss["value"] for loss in done["lost"]] == ["34.5", "0.2"], done
    assert "--input" in done["lost"][0]["reason"], done


def what_is_refused(box):
    folder = fresh(box, "refused")
    pipeline = box.pipeline("refused.json")
    config = folder / "nabu.conf"
    config.write_text(NABU.format(scan=box.scan()))
    (folder / "bad.yaml").write_text("- method: x\n  module_path: y\n  method: z\n")
    (folder / "bomb.yaml").write_text("- method: &a module_path\n  b: [*a, *a]\n")
    (folder / "unknown.yaml").write_text("- {method: x, module_path: y}\n")
    before = sorted(p.name for p in folder.iterdir())
    for arguments, code, *words in (
            ([pipeline, folder / "x.json"], 1, "--to httomo"), ([pipeline, folder / "x.json", "--to", "nabo"], 1, "nabu"),
            ([config, folder / "x.yaml"], 1, "one of the two"), ([folder / "bad.yaml", folder / "x.json"], 1, "bad.yaml:3", "twice"),
            ([folder / "bomb.yaml", folder / "x.json"], 1, "anchors"), ([folder / "unknown.yaml", folder / "x.json"], 1, "no method"),
            ([folder / "none.conf", folder / "x.json"], 3, "none.conf"), ([config, folder / "no" / "x.json"], 3, "does not exist"),
            ([config, config, "--to", "tomoloom", "--overwrite"], 1, "input"), ([pipeline, pipeline, "--to", "nabu", "--overwrite"], 1, "input")):
        expect(box.run("translate", *arguments), code, *words)
        assert sorted(p.name for p in folder.iterdir()) == before, arguments
    expect(box.run("translate", config, folder / "x.json"), 0)
    expect(box.run("translate", config, folder / "x.json"), 1, "exists already")
    expect(box.run("translate", config, folder / "x.json", "--overwrite"), 0)


TESTS = [there_and_back, the_scan_gives_the_frame, what_is_refused]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
