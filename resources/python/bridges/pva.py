#!/usr/bin/env python3
"""Sends the frames of an EPICS PV of type NTNDArray, as areaDetector publishes it, to `tomoloom live`.

usage: pva.py PV [--to ADDRESS] [--angle ATTRIBUTE] [--frames N]
Needs p4p, numpy and pyzmq. Start `tomoloom live --from tcp://127.0.0.1:5558 --bind` first.
"""
import queue

from array_sender import DARK, FLAT, VIEW, ArraySender, needed, options

KIND_ATTRIBUTE = "HDF5FrameLocation"  # tomoscan of APS sets it


class Numbers:
    """uniqueId, which begins again at 2^16 or 2^32 according to the driver, as numbers that go on."""

    def __init__(self):
        self._last, self._offset, self._period = None, 0, None

    def number(self, raw):
        last, self._last = self._last, raw
        if last is None:
            return raw
        for period in (1 << 16, 1 << 32):
            near_end, near_begin = period - period // 4, period // 4
            if near_end <= last < period and raw < near_begin:
                self._offset += period
            elif last < near_begin and near_end <= raw < period and self._offset >= period:
                self._last = last  # overtaken by those after the end
                return self._offset - period + raw
            else:
                continue
            break
        return self._offset + raw


def attributes(value):
    """The attributes of a frame by name, numbers and texts."""
    found = {}
    for one in value["attribute"] or []:
        content = one["value"]
        found[one["name"]] = content["value"] if hasattr(content, "keys") else content
    return found


def frame_of(value):
    """Pixels and attributes of an NTNDArray; the fastest axis comes first there."""
    shape = [dimension["size"] for dimension in value["dimension"]][::-1]
    return value["value"].reshape(shape), attributes(value)


def kind_of(found):
    location = str(found.get(KIND_ATTRIBUTE, ""))
    return DARK if location.endswith("dark") else FLAT if location.endswith(("white", "flat")) else VIEW


def main():
    parser = options(__doc__.splitlines()[0])
    parser.add_argument("pv", help="the PV, for example 13SIM1:Pva1:Image")
    parser.add_argument("--angle", default="Angle", help="the attribute that is the angle of the stage [deg] (%(default)s)")
    given = parser.parse_args()
    client = needed("p4p.client.thread", "p4p")
    numbers, arrived = Numbers(), queue.Queue()
    with ArraySender(given.to, given.bind) as sender, client.Context("pva", nt=False) as context:
        subscription = context.monitor(given.pv, arrived.put, notify_disconnect=True)
        try:
            while not given.frames or sender.sent < given.frames:
                value = arrived.get()
                if isinstance(value, Exception):
                    if type(value).__name__ == "Disconnected" and sender.sent == 0:
                        continue  # not there yet
                    break
                pixels, found = frame_of(value)
                if pixels.size == 0:
                    continue  # before the first frame
                stamp = value["timeStamp"]
                sender.send(pixels, numbers.number(int(value["uniqueId"])), kind_of(found), found.get(given.angle),
                            stamp["secondsPastEpoch"] + 1e-9 * stamp["nanoseconds"],
                            {name: x for name, x in found.items() if isinstance(x, (int, float)) and name != given.angle})
        finally:
            subscription.close()


if __name__ == "__main__":
    main()
