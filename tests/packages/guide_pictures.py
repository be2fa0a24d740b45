#!/usr/bin/env python3
"""guide_pictures.py OUT [PART]...: pictures for README and user guide, taken from the built program in light colours, as
somebody at the screen sees it. Look at each before it goes to resources/docs/pictures.

Parts (default: all):
  week      a week at the beamline: four scans are dropped, queued, run, exported, found again and compared
  labels    labels over slices, painting, and what the classifier makes of two strokes
  leaving   the question before a run ends
  steps     from a scan to a volume, workspaces: `tomoloom-studio --screenshot` (needs TL_SCAN, a measured scan)
Needs what person.py needs, and Xvfb, openbox, pcmanfm, pngquant."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "build/release")
SIZE = (1360, 850)  # px, of the window; without scaling, so that texts stay sharp
SCREEN = (1680, 1050)


def begin_session(arguments):
    """Starts a screen and a D-Bus session, and this program in them."""
    home = tempfile.mkdtemp(prefix="tomoloom-guide.")
    number = f":{90 + os.getpid() % 900}"
    screen = os.path.join(home, "screen")
    os.mkdir(screen)
    server = subprocess.Popen(["Xvfb", number, "-screen", "0", f"{SCREEN[0]}x{SCREEN[1]}x24", "-fbdir", screen, "-ac"],
                              stderr=subprocess.DEVNULL)
    time.sleep(2)
    # Runs of the pictures are not the user's: a home of its own.
    os.makedirs(os.path.join(home, ".config/tomoloom"))
    with open(os.path.join(home, ".config/tomoloom/studio.ini"), "w") as settings:
        settings.write("[General]\ntheme=light\n")
    environment = dict(os.environ, HOME=home, DISPLAY=number, TL_SCREEN=os.path.join(screen, "Xvfb_screen0"), LC_ALL="C.UTF-8",
                       QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", PATH=PROGRAMS + ":" + os.environ["PATH"], TL_INSIDE="1")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "TL_HISTORY"):
        environment.pop(name, None)
    try:
        return subprocess.run(["dbus-run-session", "--", sys.executable, __file__, *arguments], env=environment, cwd=home,
                              check=False).returncode
    finally:
        server.terminate()
        shutil.rmtree(home, ignore_errors=True)


class Photographer:
    def __init__(self, out):
        import person
        self.out, self.tools = os.path.abspath(out), person
        self.person = person.Person(os.path.join(self.out, "screens"))
        subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
        time.sleep(1)

    def start(self, *arguments):
        self.program = subprocess.Popen(["tomoloom-studio", *arguments], stderr=subprocess.DEVNULL)
        self.frame = self.person.find(r" - Tomoloom$", "frame")
        window = self.tools.xdotool("search", "--onlyvisible", "--class", "tomoloom-studio").split()[-1]
        self.tools.xdotool("windowsize", "--sync", window, *SIZE)
        self.tools.xdotool("windowmove", window, 160, 60)
        self.person.settled()

    def end(self):
        self.program.terminate()
        self.program.wait(timeout=60)

    def keep(self, name, of=None):
        """The window, or what is shown of an accessible in it; with less than 256 colours, which nobody sees."""
        self.person.settled(quiet=3)
        at = (of or self.frame).get_extents(self.tools.Atspi.CoordType.SCREEN)
        file = os.path.join(self.out, name + ".png")
        self.person.screen().write_png(file, (at.x, at.y, at.x + at.width, at.y + at.height))
        subprocess.run(["pngquant", "--force", "--skip-if-larger", "--speed", "1", "--output", file, file], check=False)
        print(name, os.path.getsize(file), flush=True)


def simulate(name, *options):
    subprocess.run(["tomoloom", "simulate", "-o", name, "--quiet", *map(str, options)], check=True)


def week(camera):
    import newcomer
    person = camera.person
    os.makedirs("visit_06", exist_ok=True)
    common = ["--views", 361, "--rows", 64, "--cols", 320, "--stripes", 0.01]
    for name, axis, more in (("geode_014", 6.3, []), ("geode_015", -3.2, ["--photons", 4000]), ("geode_016", 1.4, ["--flats", 0])):
        simulate(f"visit_06/{name}.nx", "--phantom", "geode", "--axis", axis, *common, *more)
    simulate("visit_06/phantom_02.nx", "--axis", 2.1, *common)
    camera.start()
    newcomer.drop_from_file_manager(person, os.path.abspath("visit_06"))
    scans = lambda: [one for one in person.visible(person.find("^Data$", "tree")) if ".nx" in (one.get_name() or "")]
    person.click(scans()[0])
    person.key("Return")
    person.find("^XY slice")
    camera.keep("week-dropped")
    person.key("ctrl+5")
    person.click(scans()[0])
    person.key("Left")  # the values of the open scan are folded, which hide the others
    camera.tools.wait_for("four scans", lambda: len({one.get_name() for one in scans()}) == 4)
    person.click(scans()[-1], holding="shift")
    person.key("q")
    table = person.find("^Queue of scans$")
    camera.tools.wait_for("four rows", lambda: len(person.rows(table)) == 4)
    person.key("F5")
    camera.tools.wait_for("a scan that is done", lambda: any("done" in " ".join(row) for row in person.rows(table)), 300)
    at = camera.frame.get_extents(camera.tools.Atspi.CoordType.SCREEN)
    person.screen().write_png(os.path.join(camera.out, "week-queue.png"), (at.x, at.y, at.x + at.width, at.y + at.height))
    camera.tools.wait_for("the end", lambda: sum("done" in " ".join(row) or "failed" in " ".join(row) for row in person.rows(table)) == 4, 300)
    person.click(table.get_table_iface().get_accessible_at(0, 1))
    camera.keep("week-table")
    # The same scan again with another value, to be compared.
    person.key("F2", "ctrl+a")
    person.write("fbp.cutoff=0.4")
    person.key("Return", "F5")
    changed = lambda row: "cutoff" in " ".join(row) and "done" in " ".join(row)
    camera.tools.wait_for("the changed row", lambda: any(changed(row) for row in person.rows(table)), 200)
    person.settled()
    cards = person.find("^Entries of the history$")
    items = lambda: [one for one in person.visible(cards) if one.get_role_name() == "list item"]
    person.click(person.find("^Search the history$", "text"))
    person.write("geode_014")
    camera.tools.wait_for("two cards", lambda: len(items()) == 2)
    person.click(items()[0])
    camera.keep("week-history")
    person.click(items()[1], holding="ctrl")
    person.click(person.find("^Compare 2$", "push button"))
    dialog = person.find("^Compare two$", "dialog")
    person.find(r"voxels differ", root=dialog)
    camera.keep("week-compare", dialog)
    person.key("Escape")
    person.click(items()[0])
    person.key("Return")
    person.find("^XY slice")
    person.settled()
    person.key("ctrl+e")
    dialog = person.find("^Export$", "dialog")
    person.click(person.find("^Type: uint16", root=dialog))
    person.click(person.find("^Range: Percentiles", root=dialog))
    camera.keep("week-export", dialog)
    person.key("Escape")
    camera.end()


def pipeline(name, nodes, links):
    """Writes a pipeline of nodes {id: (type, parameters)} and links "node.port node.port"."""
    graph = {"format": "tomoloom-pipeline", "schema_version": 1, "title": name,
             "nodes": {i: {"type": t, "version": 1, "parameters": p} for i, (t, p) in nodes.items()},
             "links": [dict(zip(("from", "to"), link.split())) for link in links]}
    with open(name + ".tomoloom", "w") as out:
        json.dump(graph, out)
    return name + ".tomoloom"


def labels(camera):
    person = camera.person
    camera.start(pipeline("foam", {
        "phantom": ("input.labelled_phantom", {"width": 160, "height": 64, "bodies": 60}),
        "smooth": ("filter.gaussian", {}),
        "strokes": ("segment.painted", {"classes": "1 foam #e69f00; 2 air #56b4e9"}),
        "classifier": ("segment.pixel_classifier", {}),
        "objects": ("segment.components", {}),
        "table": ("measure.regions", {})},
        ["phantom.volume smooth.volume", "smooth.volume strokes.volume", "smooth.volume classifier.volume",
         "strokes.labels classifier.strokes", "classifier.labels objects.labels", "objects.labels table.labels"]))
    person.key("ctrl+2")
    outline = person.find("^Outline of the pipeline$")
    choose = lambda title: person.click(person.find(f"^{title}", root=outline))
    choose("Paint labels")
    pane = person.find("^XY slice")
    box = pane.get_extents(camera.tools.Atspi.CoordType.SCREEN)
    person.settled()
    person.move_to(pane)
    person.settled()
    person.key("w")
    person.settled()
    middle = (box.x + box.width // 2, box.y + box.height // 2)
    # Places of one material each in this slice of the phantom, in pixels of a pane of this height.
    stroke = lambda x0, x1, y: person.drag((middle[0] + x0, middle[1] + y), (middle[0] + x1, middle[1] + y))
    stroke(5, 45, 6)
    person.settled()
    person.key("2")
    stroke(-88, -77, 19)
    camera.keep("painting")
    person.key("w")
    idle = lambda: person.find("^idle$", patience=300)
    for title, name in (("Pixel classifier", "segment"), ("Objects", "labels")):
        choose(title)
        person.settled(quiet=3)
        idle()
        camera.keep(name)
    camera.end()


def leaving(camera):
    person = camera.person
    camera.start(pipeline("long", {
        "scan": ("input.simulate_scan", {"views": 360, "rows": 64, "cols": 256}),
        "flat": ("correct.flat_field", {}),
        "sirt": ("recon.sirt", {"iterations": 2000}),
        "save": ("output.save_volume", {"file": "volume.tif"})},
        ["scan.projections flat.projections", "flat.projections sirt.projections", "sirt.volume save.volume"]))
    person.key("F5")
    person.find("^Stop the run$")
    person.key("ctrl+q")
    camera.keep("leave-run", person.find("^Unfinished work$"))
    person.key("Escape", "Escape", "Escape")
    camera.end()


def steps(camera):
    scan = os.environ.get("TL_SCAN", "")
    for folder, arguments in (("example", []), ("scan", [scan])):
        if arguments == [""]:
            continue
        subprocess.run(["tomoloom-studio", "--screenshot", os.path.join(camera.out, folder), *arguments], check=True,
                       env=dict(os.environ, QT_SCALE_FACTOR="1"))


PARTS = {"week": week, "labels": labels, "leaving": leaving, "steps": steps}


def main(out, *parts):
    camera = Photographer(out)
    for part in parts or PARTS:
        PARTS[part](camera)


if __name__ == "__main__":
    if "TL_INSIDE" not in os.environ:
        os.makedirs(sys.argv[1], exist_ok=True)
        sys.exit(begin_session([os.path.abspath(sys.argv[1]), *sys.argv[2:]]))
    main(*sys.argv[1:])
