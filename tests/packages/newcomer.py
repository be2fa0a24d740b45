#!/usr/bin/env python3
"""A newcomer uses the installed program with mouse and keyboard alone: starts it by its menu entry, drops three scans
from the file manager, queues and runs them, reads the table, exports one, starts again, finds the runs in the history
and compares two. What the screen says is compared with the files, the tables and the history on disk.

usage: dbus-run-session newcomer.py SCANS PICTURES
  SCANS: a folder with three scans made by `tomoloom simulate --axis N`, named scanN.nx
Run by tests/packages/run.sh in a fresh root. Needs what person.py needs, and openbox, rofi, pcmanfm."""
import csv
import glob
import os
import re
import sqlite3
import subprocess
import sys
import time

from person import Atspi, NotSeen, Person, wait_for, xdotool

HOME = os.path.expanduser("~")
HISTORY = os.path.join(HOME, ".local/share/tomoloom/history.sqlite")
# Simulated with photon noise; the same on all axis finders within a tenth of this.
AXIS_TOLERANCE = 0.3  # px
steps = 0


def step(words):
    global steps
    steps += 1
    print(f"  step {steps:2}: {words}", flush=True)


def check(holds, words):
    if not holds:
        raise AssertionError(words)


def entries(kind):
    """(title, state) of what the history on disk has of this kind."""
    if not os.path.exists(HISTORY):
        return []
    with sqlite3.connect(f"file:{HISTORY}?mode=ro", uri=True) as history:
        return history.execute("SELECT id, state FROM entries WHERE kind = ? ORDER BY id", (kind,)).fetchall()


def queue_rows():
    """The rows of the queue's table on disk, by name of scan."""
    tables = glob.glob(os.path.join(HOME, "**/scans.csv"), recursive=True)
    if not tables:
        return {}
    with open(tables[0], newline="") as table:
        return {os.path.basename(row["scan"]): row for row in csv.DictReader(table)}


def menu_entry(person):
    """Starts Tomoloom from the menu of applications, as its entry says."""
    menu = subprocess.Popen(["rofi", "-show", "drun", "-show-icons"])
    time.sleep(2)
    person.write("Tomoloom")
    time.sleep(1)
    person.picture("menu")
    person.key("Return")
    menu.wait(timeout=20)
    window = person.find(r" - Tomoloom$", "frame")
    process = window.get_process_id()
    check(os.readlink(f"/proc/{process}/exe") == "/usr/bin/tomoloom-studio", "the menu starts another program")
    person.find("^Try the example$")
    person.settled()
    return process


def drop_from_file_manager(person, folder):
    manager = subprocess.Popen(["pcmanfm", folder])
    window = wait_for("the file manager", lambda: xdotool("search", "--onlyvisible", "--class", "pcmanfm"))
    window = window.split()[-1]
    person.settled()
    xdotool("windowmove", "--sync", window, 20, 460)
    xdotool("windowfocus", "--sync", window)
    person.settled()
    before = person.screen()
    person.key("ctrl+a")
    person.settled()
    after = person.screen()
    # The first icon changes its colour when all are chosen.
    top = after.changed_box(before)[1] + 15
    left = next(x for x in range(after.width) if after.line(top, x, x + 1) != before.line(top, x, x + 1)) + 10
    person.picture("scans-chosen")
    box = person.find(r" - Tomoloom$", "frame").get_extents(Atspi.CoordType.SCREEN)
    person.drag((left, top), (box.x + 4 * box.width // 5, box.y + box.height // 4))  # where the file manager is not
    person.settled()
    xdotool("windowfocus", "--sync", window)
    person.key("alt+F4")
    manager.wait(timeout=20)


def scan_items(person):
    """The scans in the list Data."""
    data = person.see("^Data$", "tree")
    if data is None:
        return []
    return [one for one in person.visible(data) if re.match(r"scan\d\.nx", one.get_name() or "")]


def answer_unsaved(person):
    """Nothing of the pipeline on the screen is needed any more, if the program asks."""
    time.sleep(2)
    if person.see("^Unsaved changes$"):
        person.picture("unsaved")
        person.click(person.find("^Close without Saving", "push button"))


def close(person, process):
    person.key("ctrl+q")
    answer_unsaved(person)
    wait_for("the end of the program", lambda: not os.path.exists(f"/proc/{process}/exe"))


def run_three(person, scans):
    step("drops three scans from the file manager on the window")
    drop_from_file_manager(person, scans)
    wait_for("three scans under Data", lambda: len({one.get_name() for one in scan_items(person)}) == 3)
    person.picture("dropped")

    step("opens the first of them: a pipeline is made for it")
    first = scan_items(person)[0]
    person.click(first)
    person.key("Return")
    person.find("^XY slice")
    outline = person.find("^Outline of the pipeline$")
    wait_for("its steps in the outline",
             lambda: {"Load scan", "FBP"} <= {name.split(",")[0] for name in person.texts(outline)})
    person.settled()
    person.picture("opened")

    step("queues all three (Ctrl+5, Q)")
    person.key("ctrl+5")
    person.click(scan_items(person)[0])
    person.key("Left")  # the values of the open scan are folded, which hide the others
    wait_for("three scans again", lambda: len({one.get_name() for one in scan_items(person)}) == 3)
    person.click(scan_items(person)[-1], holding="shift")
    person.key("q")
    table = person.find("^Queue of scans$")
    wait_for("three rows", lambda: len(person.rows(table)) == 3)
    wait_for("three scans in the table on disk", lambda: len(queue_rows()) == 3)
    person.settled()
    person.picture("queued")

    step("runs the queue (F5) and reads the table")
    person.key("F5")
    wait_for("three scans that are done",
             lambda: sum("done" in " ".join(row) for row in person.rows(person.find("^Queue of scans$"))) == 3, 300)
    person.settled()
    person.picture("done")
    written = queue_rows()
    for row in person.rows(person.find("^Queue of scans$")):
        words = " ".join(row)
        name = re.search(r"scan(\d)\.nx", words)
        axis = re.search(r"([-−]?\d+\.\d+) ± (\d+\.\d+) px", words)
        check(name and axis, f"no scan or axis in the row {row}")
        found = float(axis.group(1).replace("−", "-"))
        check(abs(found - int(name.group(1))) < AXIS_TOLERANCE, f"the axis of {name.group(0)} is said to be {found}")
        check("resolved" in words, f"no verdict in the row {row}")
        check(written[name.group(0)]["state"] == "done", f"scans.csv: {written[name.group(0)]}")
    wait_for("three runs in the history", lambda: [state for _, state in entries("run")].count("done") >= 3)
    volumes = glob.glob(os.path.join(HOME, "**/queue/scan*/*.tif"), recursive=True)
    check(len(volumes) == 3, f"volumes on disk: {volumes}")


def export_first(person):
    step("opens the voxels of a row (Enter)")
    table = person.find("^Queue of scans$")
    person.click(table.get_table_iface().get_accessible_at(0, 1))
    person.key("Return")
    answer_unsaved(person)
    person.find("^XY slice")
    person.settled()
    person.picture("voxels")

    step("exports them as NRRD (Ctrl+E)")
    person.key("ctrl+e")
    dialog = person.find("^Export$", "dialog")
    person.click(person.find("^NRRD", root=dialog))
    person.click(person.find("^File$", "text", root=dialog))
    person.key("ctrl+a")
    person.write("first.nrrd")
    person.settled()
    person.picture("export")
    person.key("Return")
    person.find("^Close$", "push button", root=dialog)
    person.picture("exported")
    person.key("Escape")
    files = glob.glob(os.path.join(HOME, "**/first.nrrd"), recursive=True)
    check(len(files) == 1 and os.path.getsize(files[0]) > 1000, f"exported: {files}")
    with open(files[0], "rb") as volume:
        header = volume.read(2000).split(b"\n\n")[0].decode()
    check(header.startswith("NRRD000") and "dimension: 3" in header, f"the header of first.nrrd: {header}")
    wait_for("the export in the history", lambda: [state for _, state in entries("export")] == ["done"])


def find_and_compare(person):
    step("finds the runs in the history (a link of the first page, search)")
    person.click(person.find("^Queue and history$"))
    cards = person.find("^Entries of the history$")
    all_of_them = len(entries("run")) + len(entries("export"))
    items = lambda: [one for one in person.visible(cards) if one.get_role_name() == "list item"]
    wait_for("a card for every entry", lambda: len(items()) == all_of_them)
    person.picture("history")
    search = person.find("^Search the history$", "text")
    person.click(search)
    person.write("scan2")
    found = wait_for("the card of scan2 alone", lambda: len(items()) < all_of_them and items())
    names = [one.get_name() for one in found]
    check(any("scan2" in name and "Run" in name for name in names), str(names))
    person.settled()
    person.picture("found")
    person.key("ctrl+a", "Delete")
    wait_for("all cards again", lambda: len(items()) == all_of_them)

    step("compares two of them (Ctrl+click, Compare 2)")
    runs = [one for one in items() if ", Run" in one.get_name()]
    person.click(runs[0])
    person.click(runs[1], holding="ctrl")
    person.picture("two-selected")
    person.click(person.find("^Compare 2$", "push button"))
    dialog = person.find("^Compare two$", "dialog")
    said = person.find(r"^\d+ of \d+ voxels differ", root=dialog).get_name()
    differences = person.rows(person.find("^Differences$", root=dialog))
    check(any(all(re.search(r"scan\d\.nx", cell) for cell in row[1:3]) for row in differences),
          f"no input among the differences {differences}")
    person.settled()
    person.picture("compared")
    person.key("Escape")
    return said


def main(scans, pictures):
    person = Person(pictures)
    subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
    time.sleep(1)
    try:
        step("starts Tomoloom from the menu")
        process = menu_entry(person)
        person.picture("started")
        run_three(person, scans)
        export_first(person)
        step("closes the program (Ctrl+Q) and starts it again from the menu")
        close(person, process)
        process = menu_entry(person)
        person.picture("started-again")
        said = find_and_compare(person)
        close(person, process)
    except (AssertionError, StopIteration):
        person.picture("failed")
        print("on the screen:", "\n    ".join(person.texts()[:400]))
        raise
    print(f"newcomer: {steps} steps, {person.taken} pictures; {said}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except NotSeen as failure:
        sys.exit(f"newcomer: {failure}")
