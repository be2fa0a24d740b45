#!/usr/bin/env python3
"""Runs the command line: checks its output, its files and its exit codes.

usage: cli_test.py TOMOLOOM SOURCE_DIR
"""
import json
import os
import pathlib
import re
import resource
import signal
import stat
import subprocess
import sys
import time

from cli_box import Skip, expect, fresh, min_budget, run_all


def says_its_version_and_help(box):
    expect(box.run("--version"), 0, "tomoloom 0.")
    help_text = box.run("--help")
    for command in ("reconstruct", "run", "score", "check", "convert", "info", "learn", "nodes", "templates", "simulate", "sweep", "translate", "verify"):
        expect(help_text, 0, command)


def wrong_command_lines_are_usage_errors(box):
    for arguments in ([], ["frobnicate"], ["info"], ["info", "a", "--frob"], ["run", "x.json", "--quiet", "--json"], ["reconstruct", "x"]):
        expect(box.run(*arguments), 2)


def nodes_document_themselves(box):
    listing = json.loads(box.run("nodes", "--json").stdout)
    assert len(listing) > 5, listing
    for node in listing:
        expect(box.run("nodes", node["id"]), 0, node["title"], node["summary"])
    expect(box.run("nodes", "recon.fpb"), 1, "recon.fbp")
    pictures = fresh(box, "pictures")
    expect(box.run("nodes", "recon.fbp", "--pictures", pictures), 0, "pictures/recon.fbp.png")
    assert [p.name for p in pictures.iterdir()] == ["recon.fbp.png"]
    assert (pictures / "recon.fbp.png").read_bytes().startswith(b"\x89PNG")


def bad_files_are_explained(box):
    folder = fresh(box, "bad")
    (folder / "empty.h5").write_bytes(b"")
    (folder / "noise.h5").write_bytes(os.urandom(5000))
    (folder / "text.tif").write_text("this is not an image")
    (folder / "magic.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + os.urandom(200))
    expect(box.run("info", folder / "missing.h5"), 3, "missing.h5")
    for name in ("empty.h5", "noise.h5", "text.tif", "magic.h5"):
        for command in (["info"], ["reconstruct", "-o", folder / "out.tif"]):
            r = box.run(command[0], folder / name, *command[1:])
            assert r.returncode in (1, 3), (name, r.returncode, r.stderr)
            assert name in r.stderr, r.stderr
    assert sorted(p.name for p in folder.iterdir()) == ["empty.h5", "magic.h5", "noise.h5", "text.tif"]


def a_simulated_beam_of_a_tube_is_corrected(box):
    folder = fresh(box, "tube")
    size = 32
    rows = []
    for j in range(size):
        for i in range(size):
            x, y = i - 15.5, j - 15.5
            rows.append(2 if (x - 7) ** 2 + y ** 2 < 12 else 1 if x * x + y * y < 180 else 0)
    header = (f"NRRD0004\ntype: uint8\ndimension: 3\nsizes: {size} {size} 1\nencoding: raw\nspace dimension: 3\n"
              'space units: "mm" "mm" "mm"\nspace origin: (-15.5,-15.5,0)\n'
              "space directions: (1,0,0) (0,1,0) (0,0,1)\n\n")
    (folder / "labels.nrrd").write_bytes(header.encode() + bytes(rows))
    scan = ["simulate", "--cols", size, "--rows", 1, "--views", 60, "--pixel-size", "1 mm", "--labels", folder / "labels.nrrd"]
    expect(box.run(*scan, "-o", folder / "no.nx"), 1, "materials")
    expect(box.run(*scan, "--materials", "C5O2H8; Al", "-o", folder / "no.nx"), 1, "density")
    expect(box.run(*scan, "--materials", "C5O2H8 1.18; Al", "-o", folder / "scan.nx"), 0)
    assert [p.name for p in folder.iterdir() if p.suffix == ".nx"] == ["scan.nx"]
    # A bundled pipeline by its name; no other is near.
    expect(box.run("run", "beam-hardening-joint", "--input", folder / "scan.nx", "--out", folder / "out"), 0)
    made = sorted(p.name for p in (folder / "out").iterdir() if not p.name.endswith(".json"))
    assert made == ["attenuations.csv", "materials.tif", "volume.tif"], made
    expect(box.run("run", "beam-hardening-jiont", "--input", folder / "scan.nx"), 3, "beam-hardening-joint")


def truncated_scans_leave_nothing(box):
    folder = fresh(box, "truncated")
    whole = box.scan().read_bytes()
    for part in (0.1, 0.5, 0.97):
        scan = folder / f"scan_{part}.h5"
        scan.write_bytes(whole[: int(part * len(whole))])
        r = box.run("reconstruct", scan, "-o", folder / "out.tif", "--axis", 3)
        assert r.returncode in (1, 3) and scan.name in r.stderr, (r.returncode, r.stderr)
        scan.unlink()
    assert not list(folder.iterdir()), list(folder.iterdir())


def a_pipe_does_not_block(box):
    folder = fresh(box, "pipes")
    for name in ("pipe.h5", "pipe.tif"):
        os.mkfifo(folder / name)
        for command in (["info"], ["reconstruct", "-o", folder / "out.tif"]):
            expect(box.run(command[0], folder / name, *command[1:]), 3, name, "not a file or folder")


PARTS = """
import sys, numpy as np, h5py
whole, folder = sys.argv[1:3]
with h5py.File(whole) as f:
    data, parts = f["exchange/data"][:], {k: f["exchange/" + k][:] for k in ("data_white", "data_dark")}
def put(f):
    for k, v in parts.items():
        f["exchange/" + k] = v
with h5py.File(folder + "/half.h5", "w") as f:
    frames = f.create_dataset("exchange/data", data.shape, data.dtype, chunks=(1,) + data.shape[1:], compression="gzip")
    frames[:40] = data[:40]
    put(f)
with h5py.File(folder + "/link.h5", "w") as f:
    f["exchange/data"] = h5py.ExternalLink(whole, "/exchange/data")
    put(f)
"""


def half_recorded_scans_and_links_elsewhere_are_reported(box):
    folder = fresh(box, "parts")
    subprocess.run([os.environ.get("TL_TEST_PYTHON") or sys.executable, "-c", PARTS, str(box.scan()), str(folder)], check=True)
    half, link = folder / "half.h5", folder / "link.h5"
    expect(box.run("info", half), 0, "66 %", "frames 40 to 59 of 60", "last_view = 39")
    out = ["-o", folder / "out.tif", "--axis", 3]
    expect(box.run("reconstruct", half, *out), 3, "half.h5:/exchange/data", "never recorded", "last_view = 39")
    assert sorted(p.name for p in folder.iterdir()) == ["half.h5", "link.h5"]
    expect(box.run("reconstruct", half, *out, "--set", "load.last_view=39"), 0, "wrote")
    for command in (["info", link], ["reconstruct", link, *out, "--overwrite"]):
        expect(box.run(*command), 3, "outside its own folder", box.scan().name, "--outside-links")
        expect(box.run(*command, "--outside-links"), 0, "outside its folder, as asked for", box.scan().name)


def info_marks_origins(box):
    scan = box.scan()
    expect(box.run("info", scan), 0, "60 views of 64 x 4", "[file", "[guessed")
    found = json.loads(box.run("info", scan, "--json").stdout)
    assert found["views"] == 60 and found["angles_deg"]["origin"] == "file", found


def info_prints_what_an_hdf5_file_contains(box):
    scan = box.scan()
    expect(box.run("info", "--tree", scan), 0, "/exchange/data_white", "60 x 4 x 64", "frames may be: --data /exchange/data")
    tree = json.loads(box.run("info", "--tree", "--json", scan).stdout)
    assert any(one["path"] == "/exchange/data" and one["shape"] == [60, 4, 64] for one in tree["entries"]), tree
    expect(box.run("info", "--tree", __file__), 3, "not an HDF5 file", "cli_test.py")


def flats_may_be_in_another_file(box):
    folder = fresh(box, "references")
    subprocess.run([os.environ.get("TL_TEST_PYTHON") or sys.executable, "-c", PARTS, str(box.scan()), str(folder)], check=True)
    half = ["info", folder / "half.h5", "--data", "/exchange/data", "--flats"]
    result = box.run(*half, f"{folder}/link.h5:/exchange/data_white", "--darks", "/exchange/data_dark", "--json")
    assert json.loads(result.stdout)["flats"] > 0 and json.loads(result.stdout)["darks"] > 0, result
    expect(box.run(*half, f"{folder}/no.h5:/flats"), 3, "no.h5", "does not exist")
    expect(box.run(*half, f"{folder}/link.h5:/flats"), 1, "link.h5:/flats", "missing")


def a_full_standard_output_is_an_error(box):
    with open("/dev/full", "w") as full:
        r = subprocess.run([box.program, "nodes"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert r.returncode == 3 and "Is the disk full?" in r.stderr, (r.returncode, r.stderr)
    # A reader that has ended is another matter.
    reader, writer = os.pipe()
    os.close(reader)
    r = subprocess.run([box.program, "nodes", "--markdown"], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert r.returncode == 3 and "reads the output has ended" in r.stderr and "disk" not in r.stderr, (r.returncode, r.stderr)


def a_given_axis_is_used_and_recorded(box):
    folder = fresh(box, "record")
    r = box.run("reconstruct", box.scan(), "-o", folder / "disc.tif", "--picture", folder / "disc.png", "--axis", 3)
    expect(r, 0, "FBP, because the beam is parallel", "wrote")
    assert sorted(p.name for p in folder.iterdir()) == ["disc.png", "disc.png.json", "disc.tif", "disc.tif.json"], list(folder.iterdir())
    record = json.loads((folder / "disc.tif.json").read_text())
    values = {(p["node"], p["name"]): p for p in record["parameters"]}
    assert values["axis", "axis"]["value"] == 3 and values["axis", "axis"]["unit"] == "px", values["axis", "axis"]
    for key in ("uncertainty", "verdict"):
        assert key in values["axis", "axis"]
    assert record["pipeline"]["format"] == "tomoloom-pipeline"
    assert str(box.folder) not in json.dumps(record["pipeline"]), "an absolute path is in the pipeline"


def a_measured_axis_is_right(box):
    folder = fresh(box, "measured")
    expect(box.run("reconstruct", box.scan(8, 128, 180), "-o", folder / "v.tif"), 0)
    record = json.loads((folder / "v.tif.json").read_text())
    found = [p for p in record["parameters"] if p["node"] == "axis" and p["verdict"]]
    # The disc phantom is noiseless; a tenth of a pixel is the most that its sampling may cost.
    assert found and abs(found[0]["value"] - 3.0) < 0.1, found
    assert found[0]["verdict"] == "resolved", found


def a_cone_beam_scan_is_reconstructed(box):
    folder = fresh(box, "cone")
    size = ["--cols", 64, "--rows", 24, "--views", 90, "--range", "360 deg", "--axis", "2.5 px"]
    expect(box.run("simulate", "-o", folder / "scan.nx", "--beam", "cone", *size), 0)
    r = box.run("reconstruct", folder / "scan.nx", "-o", folder / "volume.tif")
    expect(r, 0, "FDK, because the beam is a cone", "rotation axis by opposite rays", "wrote")
    record = json.loads((folder / "volume.tif.json").read_text())
    found = [p for p in record["parameters"] if p["node"] == "axis" and p["verdict"]]
    assert found and abs(found[0]["value"] - 2.5) < 0.1 and found[0]["verdict"] == "resolved", found


def an_axis_that_is_not_resolved_ends_with_6(box):
    folder = fresh(box, "lost")
    size = ["--cols", 64, "--rows", 4, "--views", 90, "--range", "180 deg", "--attenuation", "1e-9 1/cm"]
    expect(box.run("simulate", "-o", folder / "scan.nx", *size), 0)
    expect(box.run("reconstruct", folder / "scan.nx", "-o", folder / "v.tif"), 6, "not resolved", "--axis PX")
    assert (folder / "v.tif").exists()
    expect(box.run("reconstruct", folder / "scan.nx", "-o", folder / "v.tif", "--axis", 0, "--overwrite"), 0)


def the_plan_is_forecast_without_pixels(box):
    folder = fresh(box, "plan")
    scan = box.scan(96, 512, 360)
    expect(box.run("reconstruct", box.scan(), "-o", folder / "v.tif", "--save-pipeline", folder / "p.json"), 0)
    pipeline = [folder / "p.json", "--input", scan]
    expect(box.run("check", *pipeline), 0, "measure axis", "write   save")
    roomy, tight = ({e["event"]: e for e in map(json.loads, box.run("check", *pipeline, "--json", "--max-memory", m).stdout.splitlines())}
                    for m in ("8GB", f"{min_budget(box) + 10}MB"))
    for plan in (roomy["plan"], tight["plan"]):
        assert 0 < plan["peak_bytes"] <= plan["budget_bytes"], plan
        assert [(s["role"], s["node"]) for s in plan["sections"]] == [("measure", "rings"), ("measure", "axis"), ("write", "save")], plan
    assert tight["plan"]["sections"][-1]["blocks"] > roomy["plan"]["sections"][-1]["blocks"], (roomy, tight)
    # Not even the program itself fits.
    expect(box.run("check", *pipeline, "--max-memory", "1MB"), 1, "too small", "Give at least", "--max-memory")
    assert sorted(p.name for p in folder.iterdir()) == ["p.json", "v.tif", "v.tif.json"]


def clipping_is_reported_before_the_run(box):
    folder = fresh(box, "clipping")
    expect(box.run("reconstruct", box.scan(), "-o", folder / "v.tif", "--axis", 3, "--save-pipeline", folder / "p.json"), 0)
    check = ["check", folder / "p.json", "--clipping"]
    expect(box.run(*check), 0, "no volume is saved as integers")
    integers = ["--set", "save.type=uint16", "--set", "save.low=0", "--set"]
    expect(box.run(*check, *integers, "save.high=1e-9"), 0, "save: in the middle slice", "% of the voxels are outside of 0 to 1e-09", "above")
    expect(box.run(*check, "--set", "save.type=uint16", "--set", "save.low=-1e9", "--set", "save.high=1e9"), 0, "nothing is clipped")
    lines = [json.loads(line) for line in box.run(*check, *integers, "save.high=1e-9", "--json").stdout.splitlines()]
    reported = [e for e in lines if e["event"] == "clipping"]
    assert len(reported) == 1 and reported[0]["node"] == "save" and 0.5 < reported[0]["share_of_middle_slice"] <= 1, reported


def a_record_runs_again(box):
    folder = fresh(box, "again")
    expect(box.run("reconstruct", box.scan(), "-o", folder / "a.tif", "--axis", 3), 0)
    expect(box.run("check", folder / "a.tif.json"), 0, "valid")
    out = fresh(box, "again_out")
    expect(box.run("run", folder / "a.tif.json", "--out", out), 0)
    first, second = (folder / "a.tif").read_bytes(), (out / "a.tif").read_bytes()
    size = 64 * 64 * 4 * 4  # the pixels: embedded descriptions differ in their timings
    assert any(first[i:i + size] in second for i in range(0, min(len(first) - size + 1, 65536))), "the volumes differ"


def the_device_is_reported_and_recorded(box):
    folder = fresh(box, "device")
    expect(box.run("reconstruct", box.scan(), "-o", folder / "v.tif", "--axis", 3), 0, "the device is ")
    run = json.loads((folder / "v.tif.json").read_text())["run"]
    assert run["device"]["id"] in ("cpu", "cuda:0") and run["device"]["reason"], run["device"]
    assert all(n["device"] in ("cpu", run["device"]["id"]) for n in run["nodes"].values()), run["nodes"]
    # With the processor chosen by the user no reason is given.
    expect(box.run("reconstruct", box.scan(), "-o", folder / "p.tif", "--axis", 3, "--device", "cpu"), 0)
    run = json.loads((folder / "p.tif.json").read_text())["run"]
    assert run["device"]["id"] == "cpu" and "reason" not in run["device"], run["device"]
    assert {n["device"] for n in run["nodes"].values()} == {"cpu"}, run["nodes"]


def existing_outputs_are_kept(box):
    folder = fresh(box, "keep")
    for present in ("v.tif", "v.tif.json"):
        (folder / present).write_text("precious")
        expect(box.run("reconstruct", box.scan(), "-o", folder / "v.tif", "--axis", 3), 1, present, "--overwrite")
        assert [p.name for p in folder.iterdir()] == [present] and (folder / present).read_text() == "precious"
        (folder / present).unlink()
    (folder / "v.tif").write_text("old")
    expect(box.run("reconstruct", box.scan(), "-o", folder / "v.tif", "--axis", 3, "--overwrite"), 0)
    assert (folder / "v.tif").stat().st_size > 1000


def unwritable_outputs_are_file_errors(box):
    expect(box.run("reconstruct", box.scan(), "-o", box.folder / "no/such/v.tif", "--axis", 3), 3, "no/such")
    for more in ([], ["--overwrite"]):
        expect(box.run("reconstruct", box.scan(), "-o", "/dev/full", "--axis", 3, "--set", "save.format=imagej_tiff", *more), 3, "/dev/full")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode) and not os.path.exists("/dev/full.part")
    expect(box.run("reconstruct", box.scan(), "-o", box.folder / "v.xyz", "--axis", 3), 1, ".xyz")
    if os.geteuid() != 0:
        folder = fresh(box, "readonly")
        folder.chmod(0o555)
        expect(box.run("reconstruct", box.scan(), "-o", folder / "v.tif", "--axis", 3), 3, "not writable")


def a_full_disk_leaves_nothing(box):
    """A file-size limit stands for the full disk: whatever is written first fails."""
    folder = fresh(box, "full")
    r = box.run("reconstruct", box.scan(), "-o", folder / "v.tif", "--axis", 3,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
    expect(r, 3)
    assert not list(folder.iterdir()), list(folder.iterdir())


def settings_and_inputs_are_checked(box):
    pipeline = box.pipeline("settings.json")
    expect(box.run("check", pipeline), 0, "valid")
    expect(box.run("check", pipeline, "--set", "fbp.cutof=0.5"), 1, "cutoff")
    expect(box.run("check", pipeline, "--set", "fpb.cutoff=0.5"), 1, "fbp")
    expect(box.run("check", pipeline, "--set", "fbp.cutoff=7"), 1, "cutoff")
    expect(box.run("check", pipeline, "--set", "nonsense"), 1, "node.parameter=value")
    expect(box.run("check", pipeline, "--input", "missing.h5"), 3, "missing.h5")
    expect(box.run("run", pipeline, "--device", "cuda:99"), 4, "cuda:99", "This machine offers: cpu")
    expect(box.run("run", pipeline, "--device", "abacus"), 1, "abacus")
    expect(box.run("run", pipeline, "--max-memory", "lots"), 1, "lots")


def broken_pipelines_name_the_line(box):
    pipeline = box.pipeline("good.json")
    bad = box.folder / "bad.json"
    bad.write_text(pipeline.read_text().replace("recon.fbp", "recon.fpb"))
    line = 1 + bad.read_text()[:bad.read_text().index("recon.fpb")].count("\n")
    expect(box.run("check", bad), 1, f"bad.json:{line}", "nodes.fbp.type", "recon.fbp")
    for text in ("", "{", "[]", "{\"format\": \"other\"}", "{" * 100):
        bad.write_text(text)
        expect(box.run("check", bad), 1, "bad.json")
    expect(box.run("run", box.folder / "missing.json"), 3, "missing.json")


def json_lines_and_silence(box):
    folder = fresh(box, "speech")
    r = box.run("reconstruct", box.scan(), "-o", folder / "a.tif", "--axis", 3, "--json")
    expect(r, 0)
    events = [json.loads(line) for line in r.stdout.splitlines()]
    assert {"progress", "done", "message"} <= {e["event"] for e in events}, events
    assert events[-1]["event"] == "done" and events[-1]["files"], events[-1]
    r = box.run("reconstruct", box.scan(), "-o", folder / "a.tif", "--axis", 3, "--json")
    assert r.returncode == 1 and json.loads(r.stdout.splitlines()[-1])["kind"] == "invalid", r.stdout
    r = box.run("reconstruct", box.scan(), "-o", folder / "b.tif", "--axis", 3, "--quiet")
    assert r.returncode == 0 and r.stdout == "" and r.stderr == "", (r.stdout, r.stderr)


def control_c_leaves_nothing(box):
    folder = fresh(box, "cancel")
    scan = box.scan(96, 512, 360)
    # A small budget makes many blocks, so that the signal finds the run in the middle.
    p = subprocess.Popen([box.program, "reconstruct", str(scan), "-o", str(folder / "v.tif"), "--axis", "3", "--json", "--max-memory", f"{min_budget(box) + 20}MB"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in p.stdout:
        if json.loads(line)["event"] in ("progress", "node"):
            break
    sent = time.monotonic()
    p.send_signal(signal.SIGINT)
    rest, errors = p.communicate(timeout=60)
    assert p.returncode == 5, (p.returncode, rest[-500:], errors)
    assert time.monotonic() - sent < 20, "cancelling took too long"
    assert not list(folder.iterdir()), list(folder.iterdir())


def the_node_reference_is_that_of_the_program(box):
    def words(text):
        return [line for line in text.splitlines() if line and not line.startswith("![")]

    reported = box.run("nodes", "--markdown").stdout
    document = (box.source / "resources/docs/nodes.md").read_text()
    assert words(reported) == words(document), "tomoloom nodes --markdown --overwrite --pictures resources/docs/nodes > resources/docs/nodes.md writes it again"
    named = set(re.findall(r"\]\((nodes/[^)]*)\)", document))
    there = {f"nodes/{p.name}" for p in (box.source / "resources/docs/nodes").iterdir()}
    assert named == there, named ^ there


def templates_are_sound(box):
    names = [line.split()[0] for line in box.run("templates").stdout.splitlines()]
    assert names, "no template"
    for name in names:
        path = box.folder / f"{name}.json"
        expect(box.run("templates", name, "-o", path), 0)
        assert path.read_text() == (box.source / "resources/pipelines" / f"{name}.json").read_text()
    expect(box.run("templates", "parallell"), 1, "parallel")


def the_tooth_is_reconstructed(box):
    data = pathlib.Path(os.environ.get("TL_SHARED_DATA") or box.source.parent / "shared/data")
    if not (data / "aps_tooth.h5").exists():
        raise Skip("aps_tooth.h5 is not there (TL_SHARED_DATA)")
    folder = fresh(box, "tooth")
    expect(box.run("reconstruct", data / "aps_tooth.h5", "-o", folder / "tooth.tif"), 0)
    record = json.loads((folder / "tooth.tif.json").read_text())
    found = [p for p in record["parameters"] if p["node"] == "axis" and p["verdict"]]
    # Entropy, negativity and wedge consistency agree on column 295.8 to 295.9 of 0...639.
    assert found and abs(found[0]["value"] + 319.5 - 295.9) <= 0.5, found


TESTS = [says_its_version_and_help, wrong_command_lines_are_usage_errors, nodes_document_themselves,
         bad_files_are_explained, a_simulated_beam_of_a_tube_is_corrected, truncated_scans_leave_nothing, info_marks_origins,
         info_prints_what_an_hdf5_file_contains, flats_may_be_in_another_file,
         a_full_standard_output_is_an_error, a_given_axis_is_used_and_recorded, a_measured_axis_is_right,
         a_cone_beam_scan_is_reconstructed, an_axis_that_is_not_resolved_ends_with_6, the_plan_is_forecast_without_pixels, a_record_runs_again,
         the_device_is_reported_and_recorded, existing_outputs_are_kept, unwritable_outputs_are_file_errors, a_full_disk_leaves_nothing,
         settings_and_inputs_are_checked, broken_pipelines_name_the_line, json_lines_and_silence,
         control_c_leaves_nothing, the_node_reference_is_that_of_the_program, templates_are_sound, the_tooth_is_reconstructed]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
