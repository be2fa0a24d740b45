#!/usr/bin/env python3
"""Sends the frames of a BLISS scan, from its Redis, to `tomoloom live`.

usage: bliss.py REDIS IMAGE [--angle STREAM] [--scan KEY] [--to ADDRESS] [--frames N]
       for example bliss.py redis://host:25002 pcoedge:image --angle axis:hrsrot
Needs blissdata, numpy and pyzmq. Start `tomoloom live --from tcp://127.0.0.1:5558 --bind` first.
"""
import time

from array_sender import DARK, FLAT, VIEW, ArraySender, needed, options

PAUSE = 0.05  # s, between two looks


def kind_of_scan(info):
    """From the title: tomography scans of the ESRF are called so."""
    title = str(info.get("title", "") if hasattr(info, "get") else "").lower()
    return DARK if "dark" in title else FLAT if "flat" in title or "reference" in title else VIEW


def send_scan(scan, is_over, given, sender):
    kind = kind_of_scan(getattr(scan, "info", {}))
    next_frame = 0
    while not given.frames or sender.sent < given.frames:
        over = is_over(scan)  # before the look: frames that came until then are there
        streams = scan.streams
        have = len(streams[given.image]) if given.image in streams else 0
        if given.angle and kind == VIEW:
            have = min(have, len(streams[given.angle]) if given.angle in streams else 0)
        if next_frame == have:
            if over:
                return
            time.sleep(PAUSE)
            scan.update(block=False)
            continue
        angle = streams[given.angle][next_frame] if given.angle and kind == VIEW else None
        sender.send(streams[given.image][next_frame], given.first + next_frame, kind, angle)
        next_frame += 1


def main():
    parser = options(__doc__.splitlines()[0])
    parser.add_argument("redis", help="for example redis://host:25002")
    parser.add_argument("image", help="the stream of images, for example pcoedge:image")
    parser.add_argument("--angle", help="the stream of the angle of the stage [deg]")
    parser.add_argument("--scan", help="the key of a scan (default: the last one)")
    parser.add_argument("--first", type=int, default=0, help="the number of its first frame (%(default)s)")
    given = parser.parse_args()
    DataStore = needed("blissdata.redis_engine.store", "blissdata").DataStore
    closed = needed("blissdata.redis_engine.scan", "blissdata").ScanState.CLOSED
    with ArraySender(given.to, given.bind) as sender:
        store = DataStore(given.redis)
        key = given.scan or store.get_last_scan()[1]
        send_scan(store.load_scan(key), lambda scan: scan.state >= closed, given, sender)


if __name__ == "__main__":
    main()
