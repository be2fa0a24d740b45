#!/usr/bin/env python3
"""The history of the command line: what is entered, filters, deletion, moved files, and a history that cannot be written.

usage: cli_history_test.py TOMOLOOM SOURCE
"""
import json
import pathlib
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from cli_box import expect, fresh, run_all  # noqa: E402


class User:
    """A folder with a history of its own."""

    def __init__(self, box, name):
        self.box, self.folder = box, fresh(box, name)
        self.file = self.folder / "history.sqlite"
        self.environment = {**os.environ, "TL_HISTORY": str(self.file)}

    def run(self, *words, **more):
        more.setdefault("env", self.environment)
        return self.box.run(*words, cwd=self.folder, **more)

    def entries(self, *filters):
        r = self.run("history", "list", *filters, "--json")
        expect(r, 0)
        return [json.loads(line) for line in r.stdout.splitlines()]

    def reconstruct(self, name="volume.tif", *more):
        r = self.run("reconstruct", self.box.scan(), "-o", name, *more)
        expect(r, 0)
        return r


def a_run_is_a_row(box):
    user = User(box, "row")
    expect(user.run("history"), 0, "0 of 0 entries")
    assert not user.file.exists(), "looking makes a file"
    user.reconstruct()
    (row,) = user.entries()
    assert row["kind"] == "run" and row["state"] == "done" and row["seconds"] > 0, row
    assert row["inputs"][0]["path"] == str(box.scan()) and row["inputs"][0]["fingerprint"].startswith("xxh128:"), row
    assert row["outputs"][0]["path"] == str(user.folder / "volume.tif") and row["outputs"][0]["state"] == "there", row
    assert row["outputs"][0]["bytes"] == (user.folder / "volume.tif").stat().st_size, row
    found = [p for p in row["parameters"] if p["name"] == "axis" and p["uncertainty"]]
    assert found and abs(float(found[0]["value"]) - 3) < 0.2 and found[0]["verdict"] == "resolved", row["parameters"]
    assert len(row["digest"]) == 32 and row["version"] and row["device"], row
    shown = user.run("history", "show", row["id"], "--json")
    expect(shown, 0)
    record = json.loads(shown.stdout)["record"]
    assert record["pipeline"]["nodes"] and record["run"]["versions"], record.keys()
    expect(user.run("history", "show", row["id"]), 0, "resolved", "volume.tif", "found")
    expect(user.run("history", "show", 77), 1, "no such entry")


def failures_are_rows_too(box):
    user = User(box, "failures")
    pipeline = box.pipeline()
    broken = user.folder / "broken.h5"
    broken.write_bytes(box.scan().read_bytes()[:3000])
    r = user.run("run", pipeline, "--input", broken, "--out", "out")
    assert r.returncode in (1, 3), r.stderr
    (row,) = user.entries()
    assert row["state"] == "failed" and row["error"] and row["pipeline"], row
    assert row["inputs"][0]["path"] == str(broken), row


def every_scan_of_many_is_a_row(box):
    user = User(box, "many")
    scans = [user.folder / "a.h5", user.folder / "b.h5"]
    for scan in scans:
        scan.write_bytes(box.scan().read_bytes())
    (user.folder / "c.h5").write_bytes(b"no scan")
    command = ("run", box.pipeline("many.json"), "--inputs", *scans, user.folder / "c.h5", "--out", "out")
    expect(user.run(*command), 1)
    rows = user.entries()
    assert [(r["inputs"][0]["path"].split("/")[-1], r["state"]) for r in rows] == [("c.h5", "failed"), ("b.h5", "done"), ("a.h5", "done")], rows
    assert rows[1]["outputs"] and rows[1]["digest"] == rows[2]["digest"], rows
    expect(user.run(*command), 1)
    assert len(user.entries()) == 4, "a scan that was done already is entered again"  # c fails again


def learnings_and_exports_are_rows(box):
    user = User(box, "kinds")
    user.reconstruct()
    expect(user.run("convert", "volume.tif", "volume.nrrd", "--type", "uint16", "--low", "0", "--high", "1"), 0)
    learned = user.run("learn", "axis-by-gradient", "--input", box.scan(), "-o", "found.json")
    assert learned.returncode in (0, 6), learned.stderr
    rows = user.entries()
    assert [r["kind"] for r in rows] == ["learning", "export", "run"], [r["kind"] for r in rows]
    assert any(p["verdict"] for p in rows[0]["parameters"]), rows[0]
    assert rows[1]["outputs"][0]["path"].endswith("volume.nrrd") and rows[1]["inputs"][0]["path"].endswith("volume.tif"), rows[1]


def filters_choose(box):
    user = User(box, "filters")
    user.reconstruct("a.tif")
    user.reconstruct("b.tif", "--axis", "3")
    assert len(user.entries()) == 2
    assert [r["outputs"][0]["path"][-5:] for r in user.entries("--text", "a.tif")] == ["a.tif"]
    # The rings are judged in both; the axis that was given to b.tif is not.
    assert [r["outputs"][0]["path"][-5:] for r in user.entries("--verdict", "resolved")] == ["b.tif", "a.tif"]
    assert len(user.entries("--verdict", "flat")) == 0
    assert len(user.entries("--parameter", "axis<4")) == 2
    assert len(user.entries("--parameter", "axis>4")) == 0
    assert len(user.entries("--scan", box.scan().name)) == 2
    assert len(user.entries("--kind", "export")) == 0
    assert len(user.entries("--last", "1")) == 1
    assert len(user.entries("--days", "1")) == 2
    expect(user.run("history", "--text", "b.tif"), 0, "1 of 2 entries")  # list may be left out
    expect(user.run("convert", "b.tif", "c.nrrd"), 0)  # nothing is judged in an export
    assert len(user.entries()) == 3 and len(user.entries("--verdict", "resolved")) == 2
    assert [r["outputs"][0]["path"][-6:] for r in user.entries("--kind", "export")] == ["c.nrrd"]
    expect(user.run("history", "list", "--kind", "dance"), 1, "no such kind")


def deleting_frees_space(box):
    user = User(box, "deleting")
    for name in ("a.tif", "b.tif"):
        user.reconstruct(name)
    b, a = user.entries()
    expect(user.run("history", "delete", a["id"]), 0, "1 entry deleted", "files stay")
    assert (user.folder / "a.tif").exists()
    size = sum((user.folder / name).stat().st_size for name in ("b.tif", "b.tif.json"))
    r = user.run("history", "delete", b["id"], "--with-files", "--json")
    expect(r, 0)
    assert json.loads(r.stdout)["freed_bytes"] == size, r.stdout
    assert not (user.folder / "b.tif").exists() and not (user.folder / "b.tif.json").exists()
    assert user.entries() == []
    expect(user.run("history", "delete", 99), 1, "no such entry")


def moved_files_are_found(box):
    user = User(box, "moved")
    user.reconstruct()
    (user.folder / "archive").mkdir()
    (user.folder / "volume.tif").rename(user.folder / "archive" / "other.tif")
    assert user.entries()[0]["outputs"][0]["state"] == "missing"
    expect(user.run("history"), 0, "files missing")
    expect(user.run("history", "locate", user.entries()[0]["id"], "archive"), 0, "1 found")
    output = user.entries()[0]["outputs"][0]
    assert output["path"].endswith("archive/other.tif") and output["state"] == "there", output


def it_can_be_turned_off(box):
    user = User(box, "off")
    user.reconstruct("a.tif", "--no-history")
    assert not user.file.exists()
    off = {**user.environment, "TL_HISTORY": "off"}
    expect(user.run("reconstruct", box.scan(), "-o", "b.tif", env=off), 0)
    expect(user.run("history", env=off), 0, "the history is off")
    home = {k: v for k, v in user.environment.items() if k not in ("TL_HISTORY", "XDG_DATA_HOME")} | {"HOME": str(user.folder / "home")}
    expect(user.run("reconstruct", box.scan(), "-o", "c.tif", env=home), 0)
    assert (user.folder / "home/.local/share/tomoloom/history.sqlite").exists()


def work_goes_on_without_it(box):
    """Damaged, newer, of another program, in a folder that cannot be made: the volume is written, a warning says why."""
    user = User(box, "damaged")
    user.reconstruct("first.tif")
    whole = user.file.read_bytes()
    newer = whole[:60] + (99).to_bytes(4, "big") + whole[64:]
    foreign = whole[:68] + (1).to_bytes(4, "big") + whole[72:]
    for i, (content, word) in enumerate([(b"words in a file, no data base" * 50, "damaged"), (newer, "newer version"), (foreign, "another program")]):
        user.file.write_bytes(content)
        r = user.run("reconstruct", box.scan(), "-o", f"v{i}.tif")
        expect(r, 0, "not in the history", word)
        assert r.stderr.count("not in the history") == 1, r.stderr
        assert (user.folder / f"v{i}.tif").exists() and user.file.read_bytes() == content
        expect(user.run("history"), 3 if i != 1 else 1, word)
        lines = user.run("reconstruct", box.scan(), "-o", f"w{i}.tif", "--json").stdout.splitlines()
        assert any(json.loads(line).get("level") == "warning" and word in json.loads(line)["text"] for line in lines), lines
        assert json.loads(lines[-1])["event"] == "done" or any(json.loads(line)["event"] == "done" for line in lines), lines
    nowhere = {**user.environment, "TL_HISTORY": "/proc/none/history.sqlite"}
    expect(user.run("reconstruct", box.scan(), "-o", "nowhere.tif", env=nowhere), 0, "not in the history")


def killed_runs_are_interrupted(box):
    user = User(box, "killed")
    process = subprocess.Popen([box.program, "run", "example", "--out", "out", "--set", "simulate.rows=600", "--set", "simulate.cols=600",
                                "--set", "simulate.views=600"], cwd=user.folder, env=user.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 100
    while time.monotonic() < end and not (user.file.exists() and user.entries()):
        time.sleep(0.1)
    assert user.entries()[0]["state"] == "running", user.entries()
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert user.entries()[0]["state"] == "interrupted", user.entries()
    user.reconstruct()
    assert [r["state"] for r in user.entries()] == ["done", "interrupted"]


def programs_write_at_once(box):
    user = User(box, "at_once")
    many = [subprocess.Popen([box.program, "reconstruct", box.scan(), "-o", f"{i}.tif"], cwd=user.folder, env=user.environment,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for i in range(4)]
    for process in many:
        _, errors = process.communicate(timeout=100)
        assert process.returncode == 0 and "not in the history" not in errors, errors
    assert len(user.entries()) == 4


def reports_are_pages(box):
    """Of a row and of a run: slices, axis with sigma, references; no file is replaced unless that is wanted."""
    user = User(box, "reports")
    user.reconstruct()
    (row,) = user.entries()
    page = user.folder / "row.html"
    expect(user.run("history", "report", row["id"], page), 0, "wrote")
    text = page.read_text()
    for word in ("<svg ", "data:image/png;base64,", "Before", "After", "resolved", "±", "@misc{", "volume.tif", "Versions"):
        assert word in text, word
    assert "<script" not in text and "http-equiv" not in text
    expect(user.run("history", "report", row["id"], page), 1)
    expect(user.run("history", "report", row["id"], page, "--overwrite"), 0)
    expect(user.run("history", "report", 77, "other.html"), 1, "no such entry")
    expect(user.run("history", "report", row["id"], "other.txt"), 1, "HTML")
    if (pathlib.Path(box.program).resolve().parent / "tomoloom-studio").exists():
        expect(user.run("history", "report", row["id"], "other.pdf"), 0, "wrote")
        pdf = (user.folder / "other.pdf").read_bytes()
        assert pdf.startswith(b"%PDF") and pdf.rstrip().endswith(b"%%EOF") and b"/Image" in pdf
        expect(user.run("history", "report", row["id"], "other.pdf"), 1)
    expect(user.run("history", "report", row["id"], box.scan(), "--overwrite"), 1)
    late = user.run("run", "volume.tif", "--out", "again", "--report", "again.txt")
    expect(late, 1, "HTML")
    assert not (user.folder / "again").exists(), "it was computed before the name was refused"
    expect(user.run("run", "volume.tif", "--out", "again", "--report", "again.html", "--no-history"), 0, "again.html")
    assert "After" in (user.folder / "again.html").read_text()


TESTS = [a_run_is_a_row, reports_are_pages, failures_are_rows_too, every_scan_of_many_is_a_row, learnings_and_exports_are_rows, filters_choose, deleting_frees_space,
         moved_files_are_found, it_can_be_turned_off, work_goes_on_without_it, killed_runs_are_interrupted, programs_write_at_once]

if __name__ == "__main__":
    sys.exit(run_all(TESTS, sys.argv[1], sys.argv[2]))
