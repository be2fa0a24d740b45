"""A person at an X11 screen, for tests from outside of the program: moves the mouse and types (xdotool), reads what the
screen shows by the accessibility bus (AT-SPI, as a screen reader does), and keeps pictures of the screen.

Runs in a D-Bus session (dbus-run-session); needs xdotool, python3-gi, gir1.2-atspi-2.0, at-spi2-core. TL_SCREEN names
the file of `Xvfb -fbdir`."""
import os
import re
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

from screenshot import Screen  # noqa: E402

PATIENCE = float(os.environ.get("TL_PATIENCE", "90"))  # s, for whatever takes time on a busy machine
PROGRAM = "tomoloom-studio"


class NotSeen(AssertionError):
    """What was waited for did not come."""


def wait_for(what, look, patience=PATIENCE, step=0.3):
    """The first value of look() that is not empty."""
    end = time.monotonic() + patience
    while True:
        try:
            seen = look()
        except GLib.Error:  # a widget went while it was read
            seen = None
        if seen:
            return seen
        if time.monotonic() > end:
            raise NotSeen(f"{what}: not seen in {patience:.0f} s")
        time.sleep(step)


def xdotool(*arguments):
    done = subprocess.run(["xdotool", *map(str, arguments)], check=False, capture_output=True, text=True)
    if done.returncode != 0 and arguments[0] != "search":  # a search without a hit
        raise NotSeen(f"xdotool {arguments}: {done.stderr}")
    return done.stdout.strip()


class Person:
    def __init__(self, pictures):
        self.pictures = pictures
        self.taken = 0
        os.makedirs(pictures, exist_ok=True)
        Atspi.set_timeout(20000, 20000)

    # Hands.
    def key(self, *names):
        """Keys such as ctrl+5, F5, Return, one after the other, to the window with the focus."""
        for name in names:
            xdotool("key", "--clearmodifiers", name)
            time.sleep(0.15)

    def write(self, text):
        xdotool("type", "--delay", "15", text)
        time.sleep(0.2)

    def move_to(self, place):
        x, y = self.middle(place)
        # As a hand does it: a pane takes the keys when the mouse moves over it, not when it is suddenly there.
        xdotool("mousemove", "--sync", x - 6, y)
        xdotool("mousemove", "--sync", x, y)
        time.sleep(0.1)

    def click(self, place, times=1, holding=None):
        """Clicks an accessible or a point (x, y) of the screen."""
        self.move_to(place)
        if holding:
            xdotool("keydown", holding)
        xdotool("click", "--repeat", times, "--delay", 80, 1)
        if holding:
            xdotool("keyup", holding)
        time.sleep(0.3)

    def drag(self, begin, end):
        """Presses at one point and lets go at another; many small steps, as programs begin a drag only after a way."""
        (x, y), (to_x, to_y) = self.middle(begin), self.middle(end)
        xdotool("mousemove", "--sync", x, y)
        time.sleep(0.3)
        xdotool("mousedown", 1)
        steps = 30
        for step in range(1, steps + 1):
            time.sleep(0.03)
            xdotool("mousemove", x + (to_x - x) * step // steps, y + (to_y - y) * step // steps)
        time.sleep(0.8)
        xdotool("mousemove_relative", "--", -3, -3)
        time.sleep(0.5)
        xdotool("mouseup", 1)
        time.sleep(0.5)

    @staticmethod
    def middle(place):
        if isinstance(place, tuple):
            return place
        box = place.get_extents(Atspi.CoordType.SCREEN)
        return box.x + box.width // 2, box.y + box.height // 2

    # Eyes.
    def programs(self):
        desktop = Atspi.get_desktop(0)
        all_of_them = [desktop.get_child_at_index(i) for i in range(desktop.get_child_count())]
        return [one for one in all_of_them if one is not None and one.get_name() == PROGRAM]

    def visible(self, root=None, depth=40):
        """Everything that is on the screen below root, or of the program."""
        for top in [root] if root is not None else self.programs():
            yield from self._below(top, depth)

    def _below(self, node, depth):
        yield node
        if depth == 0:
            return
        for i in range(min(node.get_child_count(), 400)):
            child = node.get_child_at_index(i)
            if child is None:
                continue
            states = child.get_state_set()
            # A window says "showing" late, and rows of a table say it by their place.
            if states.contains(Atspi.StateType.SHOWING) or node in self.programs():
                yield from self._below(child, depth - 1)

    def see(self, name=None, role=None, root=None, last=False):
        """The first accessible whose name matches the expression and whose role is the one given; None if there is
        none."""
        found = None
        for one in self.visible(root):
            if role is not None and one.get_role_name() != role:
                continue
            if name is not None and not re.search(name, one.get_name() or ""):
                continue
            if not last:
                return one
            found = one
        return found

    def find(self, name=None, role=None, root=None, patience=PATIENCE, last=False):
        return wait_for(f"{role or 'anything'} {name!r}", lambda: self.see(name, role, root, last), patience)

    def texts(self, root=None):
        """All names on the screen, in order."""
        return [one.get_name() for one in self.visible(root) if one.get_name()]

    def rows(self, table):
        """The cells of a table as lists of texts."""
        grid = table.get_table_iface()
        return [[grid.get_accessible_at(row, column).get_name() for column in range(grid.get_n_columns())]
                for row in range(grid.get_n_rows())]

    # What is kept.
    def screen(self):
        return Screen(os.environ["TL_SCREEN"])

    def picture(self, name, box=None):
        self.taken += 1
        file = os.path.join(self.pictures, f"{self.taken:02}-{name}.png")
        self.screen().write_png(file, box)
        return file

    def settled(self, patience=PATIENCE, quiet=2.0):
        """Waits until the screen has not changed for some time: what comes later is drawn."""
        before, since = self.screen().pixels, time.monotonic()
        end = time.monotonic() + patience
        while time.monotonic() < end:
            time.sleep(0.5)
            now = self.screen().pixels
            if now != before:
                before, since = now, time.monotonic()
            elif time.monotonic() - since > quiet:
                return
