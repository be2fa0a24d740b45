#!/usr/bin/env python3
"""screenshot.py FBDIR_FILE OUT.png: the screen of `Xvfb -fbdir` (XWD, 32 bits a pixel) as PNG. Prints the share of pixels
that differ from the commonest colour: 0 on an empty screen."""
import collections
import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
header = struct.unpack(">25I", data[:100])
size, width, height, bytes_a_line, colours = header[0], header[4], header[5], header[12], header[19]
begin = size + 12 * colours
rows, counts = [], collections.Counter()
for y in range(height):
    line = data[begin + y * bytes_a_line:begin + y * bytes_a_line + 4 * width]
    rgb = bytearray(3 * width)
    rgb[0::3], rgb[1::3], rgb[2::3] = line[2::4], line[1::4], line[0::4]
    rows.append(b"\0" + bytes(rgb))
    counts.update(line[4 * x:4 * x + 3] for x in range(0, width, 7))


def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


with open(sys.argv[2], "wb") as out:
    out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)) +
              chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b""))
print(round(1 - counts.most_common(1)[0][1] / sum(counts.values()), 3))
