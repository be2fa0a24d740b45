#!/usr/bin/env python3
"""Sends the frames of an array on a Tiled server, which may still grow, to `tomoloom live`.

usage: tiled.py URI PATH [--angles PATH] [--to ADDRESS] [--frames N] [--patience SECONDS]
       for example tiled.py http://host:8000 scan/detector --angles scan/angle
Needs tiled[client], numpy and pyzmq. Start `tomoloom live --from tcp://127.0.0.1:5558 --bind` first.
"""
import sys
import time

PAUSE = 0.1  # s, between two looks

from array_sender import VIEW, ArraySender, needed, options

# This file has the name of the package: its folder must not be where that is looked for.
del sys.path[0]


def node_at(root, path):
    for part in path.strip("/").split("/"):
        root = root[part]
    return root


def send_growing(frames, angles, given, sender):
    """Frames are taken to be complete when none has come for `patience` seconds."""
    seen = time.monotonic()
    while not given.frames or sender.sent < given.frames:
        have = frames.shape[0] if angles is None else min(frames.shape[0], angles.shape[0])
        if sender.sent < have:
            n = sender.sent
            angle = None if angles is None else angles[n]
            sender.send(frames[n], n, VIEW, angle)
            seen = time.monotonic()
            continue
        if time.monotonic() - seen > given.patience:
            return
        time.sleep(PAUSE)
        frames.refresh()
        if angles is not None:
            angles.refresh()


def main():
    parser = options(__doc__.splitlines()[0])
    parser.add_argument("uri", help="the server, for example http://host:8000")
    parser.add_argument("path", help="the array of frames: frame, row, column")
    parser.add_argument("--angles", help="the array of angles of the stage [deg], one per frame")
    parser.add_argument("--patience", type=float, default=60, help="end when no frame has come for so long [s] (%(default)s)")
    given = parser.parse_args()
    root = needed("tiled.client", "tiled").from_uri(given.uri)
    with ArraySender(given.to, given.bind) as sender:
        send_growing(node_at(root, given.path), node_at(root, given.angles) if given.angles else None, given, sender)


if __name__ == "__main__":
    main()
