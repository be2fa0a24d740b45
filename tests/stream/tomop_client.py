#!/usr/bin/env python3
"""A client as RECAST3D has them: sends a scan of a disc in its packets (TomoPackets), and waits for an answer to each.

usage: tomop_client.py [ADDRESS] [--push] [--views N] [--rows N] [--cols N]      (tcp://127.0.0.1:5558)
Needs numpy and pyzmq. Start the receiver first: tomoloom live --from tcp://127.0.0.1:5558 --bind --socket rep --frames 66
"""
import argparse
import struct

import numpy
import zmq

SETTINGS, PARALLEL_BEAM, PROJECTION = 0x302, 0x303, 0x309
DARK, FLAT, STANDARD = 0, 1, 2


def scan(rows, cols, views):
    """Angles [rad] and counts of a disc that is not at the centre, with three darks and three flats."""
    angles = (numpy.arange(views) * numpy.pi / views).astype(numpy.float32)
    s = numpy.arange(cols) - (cols - 1) / 2
    distance = s[None, :] - 0.1 * cols * numpy.cos(angles)[:, None]
    chord = 2 * numpy.sqrt(numpy.maximum((0.3 * cols) ** 2 - distance**2, 0))
    counts = (100 + 9900 * numpy.exp(-0.02 * chord)).astype(numpy.float32)
    views = numpy.repeat(counts[:, None, :], rows, 1)
    return angles, views, numpy.full((3, rows, cols), 10000, numpy.float32), numpy.full((3, rows, cols), 100, numpy.float32)


def floats(values):
    return struct.pack("<i", values.size) + numpy.ascontiguousarray(values, "<f4").tobytes()


def packets(rows, cols, views):
    angles, projections, flats, darks = scan(rows, cols, views)
    yield struct.pack("<iiii?", SETTINGS, 0, len(darks), len(flats), False)
    yield struct.pack("<iiiii", PARALLEL_BEAM, 0, rows, cols, views) + floats(angles)
    for kind, frames in ((DARK, darks), (FLAT, flats), (STANDARD, projections)):
        for number, frame in enumerate(frames):
            yield struct.pack("<iiiii", PROJECTION, kind, number, rows, cols) + floats(frame)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("address", nargs="?", default="tcp://127.0.0.1:5558")
    options.add_argument("--push", action="store_true")
    for name, default in (("rows", 8), ("cols", 64), ("views", 60)):
        options.add_argument("--" + name, type=int, default=default)
    given = options.parse_args()
    context = zmq.Context()
    socket = context.socket(zmq.PUSH if given.push else zmq.REQ)
    socket.connect(given.address)
    sent = 0
    for packet in packets(given.rows, given.cols, given.views):
        socket.send(packet)
        if not given.push:
            answer = struct.unpack("<i", socket.recv())[0]
            assert answer == 1, f"the answer is {answer}"
        sent += 1
    context.destroy()  # waits until all is sent: a program that only ends loses what is still queued
    print(f"sent {sent} packets")


if __name__ == "__main__":
    main()
