#!/usr/bin/env python3
"""screenshot.py FBDIR_FILE OUT.png: the screen of `Xvfb -fbdir` (XWD, 32 bits a pixel) as PNG. Prints the share of
pixels that differ from the commonest colour: 0 on an empty screen. Needs nothing but Python."""
import collections
import struct
import sys
import zlib


class Screen:
    """The pixels of a screen at one moment."""

    def __init__(self, file):
        data = open(file, "rb").read()
        header = struct.unpack(">25I", data[:100])
        self.width, self.height, self.stride = header[4], header[5], header[12]
        self.pixels = data[header[0] + 12 * header[19]:]  # blue, green, red, unused

    def line(self, y, left=0, right=None):
        begin = y * self.stride
        return self.pixels[begin + 4 * left:begin + 4 * (self.width if right is None else right)]

    def drawn_share(self):
        counts = collections.Counter()
        for y in range(self.height):
            line = self.line(y)
            counts.update(line[4 * x:4 * x + 3] for x in range(0, self.width, 7))
        return round(1 - counts.most_common(1)[0][1] / sum(counts.values()), 3)

    def changed_box(self, other):
        """(left, top, right, bottom) of what differs from another moment, or None."""
        rows = [y for y in range(self.height) if self.line(y) != other.line(y)]
        if not rows:
            return None
        left, right = self.width, 0
        for y in rows:
            mine, its = self.line(y), other.line(y)
            columns = [x for x in range(self.width) if mine[4 * x:4 * x + 3] != its[4 * x:4 * x + 3]]
            if columns:
                left, right = min(left, columns[0]), max(right, columns[-1] + 1)
        return left, rows[0], right, rows[-1] + 1

    def write_png(self, file, box=None):
        left, top, right, bottom = box or (0, 0, self.width, self.height)
        left, top, right, bottom = max(left, 0), max(top, 0), min(right, self.width), min(bottom, self.height)
        rows = []
        for y in range(top, bottom):
            line = self.line(y, left, right)
            rgb = bytearray(3 * (right - left))
            rgb[0::3], rgb[1::3], rgb[2::3] = line[2::4], line[1::4], line[0::4]
            rows.append(b"\0" + bytes(rgb))
        size = struct.pack(">2I5B", right - left, bottom - top, 8, 2, 0, 0, 0)
        with open(file, "wb") as out:
            out.write(b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", size) + _chunk(b"IDAT", zlib.compress(b"".join(rows))) +
                      _chunk(b"IEND", b""))


def _chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


if __name__ == "__main__":
    screen = Screen(sys.argv[1])
    screen.write_png(sys.argv[2])
    print(screen.drawn_share())
