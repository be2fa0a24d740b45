#!/usr/bin/env python3
"""The bridges send what their sources have: with small stand-ins for p4p, blissdata and tiled.

usage: bridges_test.py TOMOLOOM SOURCE_DIR
"""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "app"))
from cli_box import fresh, run_all  # noqa: E402
from live_test import Live, python  # noqa: E402

# What a driver publishes: uniqueId begins again at 2^16.
P4P = {"p4p/__init__.py": "", "p4p/client/__init__.py": "", "p4p/client/thread.py": """
import numpy, threading
class Disconnected(Exception):
    pass
def value(i, raw):
    return {"value": numpy.full(15, 10 * i, numpy.uint16), "dimension": [{"size": 5}, {"size": 3}], "uniqueId": raw,
            "timeStamp": {"secondsPastEpoch": 100 + i, "nanoseconds": 500000000},
            "attribute": [{"name": "Angle", "value": {"value": 4.0 * i}}, {"name": "ring", "value": 200.5},
                          {"name": "HDF5FrameLocation", "value": "/exchange/data_white" if i == 0 else "/exchange/data"}]}
class Context:
    def __init__(self, provider, nt):
        assert provider == "pva" and nt is False
    def __enter__(self):
        return self
    def __exit__(self, *_):
        pass
    def monitor(self, name, callback, notify_disconnect):
        assert name == "SIM:Image" and notify_disconnect
        def work():
            callback(Disconnected())
            for i, raw in enumerate((65533, 65534, 0, 65535, 1)):
                callback(value(i, raw))
            callback(Disconnected())
        threading.Thread(target=work).start()
        return self
    def close(self):
        pass
"""}
BLISSDATA = {"blissdata/__init__.py": "", "blissdata/redis_engine/__init__.py": "",
             "blissdata/redis_engine/scan.py": "import enum\nclass ScanState(enum.IntEnum):\n    STARTED = 3\n    CLOSED = 5\n",
             "blissdata/redis_engine/store.py": """
import numpy
from blissdata.redis_engine.scan import ScanState
class Scan:
    info, _have = {"title": "projections"}, 0
    @property
    def state(self):
        return ScanState.CLOSED if self._have >= 6 else ScanState.STARTED
    @property
    def streams(self):
        return {"pco:image": [numpy.full((3, 5), 10 * i, numpy.uint16) for i in range(min(5, self._have))],
                "axis:rot": [4.0 * i for i in range(min(5, self._have - 1))]} if self._have else {}
    def update(self, block):
        assert block is False
        self._have += 1
class DataStore:
    def __init__(self, url):
        assert url == "redis://nobody:1"
    def get_last_scan(self):
        return 1.0, "key"
    def load_scan(self, key):
        assert key == "key"
        return Scan()
"""}
TILED = {"tiled/__init__.py": "", "tiled/client.py": """
import numpy
class Array:
    def __init__(self, values):
        self._values, self._have = values, 2
    @property
    def shape(self):
        return (self._have,) + self._values.shape[1:]
    def __getitem__(self, i):
        assert i < self._have
        return self._values[i]
    def refresh(self):
        self._have = min(len(self._values), self._have + 1)
def from_uri(uri):
    assert uri == "http://nobody:1"
    frames = numpy.stack([numpy.full((3, 5), 10.0 * i) for i in range(5)])
    return {"scan": {"frames": Array(frames), "angle": Array(4.0 * numpy.arange(5))}}
"""}
READ = """
import sys, json, h5py
f = h5py.File(sys.argv[1]); d = f["entry/instrument/detector"]
present = d["image_key"][:] != 3
print(json.dumps({"pixels": d["data"][:][present][:, 2, 4].tolist(), "type": str(d["data"].dtype), "keys": d["image_key"][:][present].tolist(),
                  "numbers": d["frame_number"][:][present].tolist(), "angles": f["entry/sample/rotation_angle"][:][present].tolist(),
                  "logs": {n: f["entry/logs"][n]["value"][:].tolist() for n in f.get("entry/logs", {})}}))
"""


def bridge(box, name, arguments, modules, folder):
    for path, text in modules.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    script = pathlib.Path(box.source) / "resources/python/bridges" / (name + ".py")
    interpreter = os.environ["TL_TEST_PYTHON"]
    return subprocess.run([interpreter, "-B", str(script), *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": str(folder)})


def recorded(box, name, arguments, modules):
    python("-c", "")  # or it says why it cannot run
    folder = fresh(box, name)
    record = folder / "r.nx"
    live = Live(box, "--record", record)
    result = bridge(box, name, [*arguments, "--to", live.address], modules, folder)
    assert result.returncode == 0, result.stderr
    assert "sent 5 frames" in result.stderr, result.stderr
    end, _ = live.end()
    assert end["broken"] == 0 and end["frames"] == 5 and end["missing"] == [], end
    return json.loads(python("-c", READ, record))


def an_epics_pv(box):
    got = recorded(box, "pva", ["SIM:Image"], P4P)
    assert got["numbers"] == [65533, 65534, 65535, 65536, 65537] and got["keys"] == [1, 0, 0, 0, 0], got
    assert got["pixels"] == [0, 10, 30, 20, 40] and got["type"] == "uint16", got
    assert got["angles"][1:] == [4.0, 12.0, 8.0, 16.0] and got["logs"]["ring"] == [200.5] * 5, got


def a_bliss_scan(box):
    got = recorded(box, "bliss", ["redis://nobody:1", "pco:image", "--angle", "axis:rot"], BLISSDATA)
    assert got["pixels"] == [0, 10, 20, 30, 40] and got["angles"] == [0.0, 4.0, 8.0, 12.0, 16.0], got
    assert got["type"] == "uint16" and got["numbers"] == [0, 1, 2, 3, 4], got


def a_tiled_array(box):
    got = recorded(box, "tiled", ["http://nobody:1", "scan/frames", "--angles", "scan/angle", "--patience", 1], TILED)
    assert got["pixels"] == [0, 10, 20, 30, 40] and got["angles"] == [0.0, 4.0, 8.0, 12.0, 16.0], got
    assert got["type"] == "float32", got


def a_package_that_is_missing(box):
    python("-c", "")
    for name, package, arguments in (("pva", "p4p", ["X"]), ("bliss", "blissdata", ["redis://x:1", "i"]), ("tiled", "tiled", ["http://x:1", "p"])):
        have = subprocess.run([os.environ["TL_TEST_PYTHON"], "-c", f"import {package}"], capture_output=True).returncode == 0
        if have:
            print(f"{package} is installed here: nothing is missing")
            continue
        result = bridge(box, name, arguments, {}, fresh(box, "missing_" + name))
        assert result.returncode == 1 and f"the package {package} is missing" in result.stderr, result.stderr


def numbers_that_begin_again(box):
    code = """
import sys
sys.path.insert(0, sys.argv[1])
from pva import Numbers
for period in (1 << 16, 1 << 32):
    numbers, sent = Numbers(), list(range(period - 40, period + 40))
    sent[45], sent[37] = sent[37], sent[45]  # one that comes late, one that comes early
    assert [numbers.number(n % period) for n in sent] == sent, period
numbers = Numbers()
sent = [0, 1, 2, 70000, 70001, 65000, 3]
assert [numbers.number(n) for n in sent[:5]] == sent[:5]
"""
    python("-c", code, pathlib.Path(box.source) / "resources/python/bridges")


TESTS = [an_epics_pv, a_bliss_scan, a_tiled_array, a_package_that_is_missing, numbers_that_begin_again]

if __name__ == "__main__":
    sys.exit(run_all(TESTS, sys.argv[1], sys.argv[2]))
