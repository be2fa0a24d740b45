"""Sends frames in the form that `tomoloom live` calls array: a header in JSON, then the pixels. Used by the bridges.

Needs numpy and pyzmq.
"""
import argparse
import importlib
import json
import sys

DARK, FLAT, VIEW = 0, 1, 2


def needed(name, package=None):
    """Imports a module; without it, says the name of its package and ends with 1."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        missing = package if (error.name or name).split(".")[0] == name.split(".")[0] else error.name
        sys.exit(f"the package {missing} is missing: python3 -m pip install {missing}")


def options(description, **defaults):
    """The options that all bridges have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--to", default="tcp://127.0.0.1:5558", help="where `tomoloom live --bind` waits (%(default)s)")
    parser.add_argument("--bind", action="store_true", help="wait at that address for `tomoloom live`")
    parser.add_argument("--frames", type=int, default=0, help="end after so many frames (0: when the source ends)")
    return parser


class ArraySender:
    """One sender. A slow receiver makes send() wait. As a context, its end says that no frame follows and how many were
    sent, also when the user interrupts it (Ctrl+C)."""

    def __init__(self, address, bind=False):
        self._numpy, zmq = needed("numpy"), needed("zmq", "pyzmq")
        self._more = zmq.SNDMORE
        self._socket = zmq.Context.instance().socket(zmq.PUSH)
        (self._socket.bind if bind else self._socket.connect)(address)
        self.sent = 0

    def send(self, pixels, number, kind=VIEW, angle=None, time=None, values=None):
        """One frame: rows and columns of uint8, uint16 or float32; other types become float32."""
        pixels = self._numpy.asarray(pixels)
        if pixels.ndim == 3 and pixels.shape[0] == 1:
            pixels = pixels[0]
        if pixels.ndim != 2:
            raise ValueError(f"a frame has rows and columns, not the shape {pixels.shape}")
        if pixels.dtype.kind + str(pixels.dtype.itemsize) not in ("u1", "u2", "f4"):
            pixels = pixels.astype(self._numpy.float32)
        pixels = self._numpy.ascontiguousarray(pixels, pixels.dtype.newbyteorder("<"))
        header = {"htype": "array-1.0", "shape": list(pixels.shape), "type": pixels.dtype.name, "frame": int(number),
                  "image_attributes": {"scan_index": kind}}
        if angle is not None:
            header["angle"] = float(angle)
        if time is not None:
            header["timestamp"] = float(time)
        if values:
            header["ndattr"] = {name: float(value) for name, value in values.items()}
        self._socket.send(json.dumps(header).encode(), self._more)
        self._socket.send(pixels.tobytes())
        self.sent += 1

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None and kind is not KeyboardInterrupt:
            return False
        self.end()
        print(f"sent {self.sent} frames", file=sys.stderr)
        return True

    def end(self):
        """Says that no frame follows, and waits until all are gone."""
        self._socket.send(json.dumps({"end": True}).encode())
        self._socket.close(linger=-1)
