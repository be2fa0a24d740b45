#!/usr/bin/env python3
"""The commands live and stream: what is sent is recorded, with every fault of a connection; other senders; a kill.

usage: live_test.py TOMOLOOM SOURCE_DIR
"""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "app"))
from cli_box import Skip, expect, fresh, run_all  # noqa: E402

MAKE_NXTOMO = """
import sys, numpy as np, h5py
path, rows, cols, views = sys.argv[1], *map(int, sys.argv[2:5])
random = np.random.default_rng(3)
keys = np.array([2] * 3 + [1] * 4 + [0] * (views // 2) + [1] * 2 + [0] * (views - views // 2) + [1] * 2, np.int32)
angles = np.zeros(len(keys))
angles[keys == 0] = np.arange(views) * 180.0 / views
with h5py.File(path, "w") as f:
    f["entry/definition"] = "NXtomo"
    frames = random.integers(20000, 65535, (len(keys), rows, cols), dtype=np.uint16)
    frames[keys == 2] //= 200
    f["entry/instrument/detector/data"] = frames
    f["entry/instrument/detector/image_key"] = keys
    f["entry/sample/rotation_angle"] = angles
    f["entry/sample/rotation_angle"].attrs["units"] = "degree"
"""

# Prints what two records have in common as JSON: equal frames, keys, the keys and numbers of the second.
COMPARE = """
import sys, json, numpy as np, h5py
a, b = (h5py.File(p, "r") for p in sys.argv[1:3])
d = "entry/instrument/detector/"
keys, numbers = b[d + "image_key"][:], b[d + "frame_number"][:]
present = keys != 3
n = len(keys)
source = a[d + "data"][:n]
views = present & (keys == 0)
print(json.dumps({
    "rows": n, "of": len(a[d + "image_key"]), "lost": np.flatnonzero(~present).tolist(),
    "frames": bool((b[d + "data"][:][present] == source[present]).all()),
    "keys": bool((keys[present] == a[d + "image_key"][:n][present]).all()),
    "numbers": bool((numbers[present] == np.arange(n)[present]).all()),
    "angles": bool(np.allclose(b["entry/sample/rotation_angle"][:][views], a["entry/sample/rotation_angle"][:n][views])),
    "type": str(b[d + "data"].dtype)}))
"""

# Waits until so many rows have been flushed.
WAIT_FOR_ROWS = """
import sys, time, h5py
while True:
    try:
        with h5py.File(sys.argv[1], "r", libver="latest", swmr=True) as f:
            if len(f["entry/instrument/detector/data"]) >= int(sys.argv[2]):
                break
    except OSError:  # nothing was flushed yet
        pass
    time.sleep(0.05)
"""

# Sends frames as programs do that are not ours.
PYZMQ_SENDER = """
import json, sys, numpy as np, zmq
address, kind = sys.argv[1:3]
context = zmq.Context()
socket = context.socket(zmq.PUSH)
socket.connect(address)
def send(header, pixels):
    socket.send_json(header, zmq.SNDMORE)
    socket.send(pixels.tobytes())
for i in range(5):
    pixels = np.full((3, 5), 10 * i, np.uint8 if kind == "old" else np.uint16)
    if kind == "plain":
        send({"htype": "array-1.0", "type": "uint16", "shape": [3, 5], "frame": i, "angle": 4.0 * i, "ndattr": {"ring": 200.5}}, pixels)
    if kind == "old":  # ADZMQ before 1.4
        send({"htype": ["chunk-1.0"], "type": "uint8", "shape": [5, 3], "frame": i, "ndattr": {"angle": 4.0 * i}}, pixels)
    if kind == "unnumbered":
        send({"shape": [3, 5], "dtype": "uint16", "image_attributes": {"scan_index": 1 if i == 0 else 2}}, pixels)
socket.send_json({"end": True})
context.destroy()  # waits until all is sent: a program that only ends loses what is still queued
"""


def python(*arguments):
    interpreter = os.environ.get("TL_TEST_PYTHON")
    if not interpreter:
        raise Skip("TL_TEST_PYTHON is not set (installer/setup.sh --test-python makes that environment)")
    if subprocess.run([interpreter, "-c", "import zmq, h5py"], capture_output=True).returncode != 0:
        raise Skip("there is no pyzmq (installer/setup.sh --test-python installs it)")
    done = subprocess.run([interpreter, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def free_address():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{s.getsockname()[1]}"


class Live:
    """The program while it receives."""

    def __init__(self, box, *arguments):
        self.address = free_address()
        self.process = subprocess.Popen([box.program, "live", "--from", self.address, "--bind", "--json", *map(str, arguments)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        first = self.process.stdout.readline()
        assert first and json.loads(first)["event"] == "listening", first + self.process.stderr.read()

    def end(self, code=0):
        out, errors = self.process.communicate(timeout=300)
        assert self.process.returncode == code, f"exit {self.process.returncode}: {out}{errors}"
        events = [json.loads(line) for line in out.splitlines()]
        return next(e for e in events if e["event"] == "end"), events


def wait_for(condition):
    end = time.monotonic() + 600
    while not condition():
        assert time.monotonic() < end, "nothing happened in ten minutes"
        time.sleep(0.02)


def source_of(box, rows=16, cols=24, views=60):
    path = box.folder / f"source_{rows}_{cols}_{views}.nx"
    if not path.exists():
        python("-c", MAKE_NXTOMO, path, rows, cols, views)
    return path


def compared(source, record):
    return json.loads(python("-c", COMPARE, source, record))


def stream(box, source, live, *arguments):
    result = box.run("stream", source, "--to", live.address, "--json", *arguments)
    expect(result, 0)
    return {e["event"]: e for e in map(json.loads, result.stdout.splitlines())}


def a_record_equals_its_source(box):
    source, record = source_of(box), fresh(box, "equal") / "r.nx"
    live = Live(box, "--record", record)
    spoilt = stream(box, source, live, "--rate", 0)["spoilt"]
    assert spoilt["dropped"] == spoilt["corrupted"] == [], spoilt
    end, _ = live.end()
    assert end["missing"] == [] and end["broken"] == end["duplicates"] == end["late"] == 0, end
    assert (end["views"], end["flats"], end["darks"]) == (60, 8, 3) and end["file"] == str(record), end
    same = compared(source, record)
    assert same == {"rows": 71, "of": 71, "lost": [], "frames": True, "keys": True, "numbers": True, "angles": True, "type": "uint16"}, same
    assert sorted(p.name for p in record.parent.iterdir()) == ["r.nx"]


def exactly_the_gaps_made_are_missing(box):
    source = source_of(box)
    for seed in (1, 2):
        record = fresh(box, f"gaps_{seed}") / "r.nx"
        live = Live(box, "--record", record)
        spoilt = stream(box, source, live, "--rate", 0, "--drop", 0.05, "--reorder", 8, "--duplicate", 0.05, "--corrupt", 0.05, "--seed", seed)["spoilt"]
        end, _ = live.end()
        gaps = sorted(spoilt["dropped"] + spoilt["corrupted"])
        assert gaps and end["missing"] == gaps, (end, spoilt)
        assert end["duplicates"] == len(spoilt["duplicated"]) and end["broken"] == len(spoilt["corrupted"]), (end, spoilt)
        same = compared(source, record)
        assert same["lost"] == [g for g in gaps if g < same["rows"]], (same, gaps)
        assert same["frames"] and same["keys"] and same["numbers"] and same["angles"], same


def turns_orders_and_late_frames(box):
    source = source_of(box)
    for order in ("turn", "sweep", "golden"):
        live = Live(box)
        stream(box, source, live, "--rate", 0, "--turns", 3, "--order", order)
        end, _ = live.end()
        assert end["views"] == 180 and end["missing"] == [] and "file" not in end, end
    live = Live(box, "--window", 2)
    stream(box, source, live, "--rate", 0, "--reorder", 12)
    assert live.end()[0]["late"] > 0


def other_senders(box):
    for kind, numbers in (("plain", [0, 1, 2, 3, 4]), ("old", [0, 1, 2, 3, 4]), ("unnumbered", [0, 1, 2, 3, 4])):
        record = fresh(box, kind) / "r.nx"
        live = Live(box, "--record", record)
        python("-c", PYZMQ_SENDER, live.address, kind)
        end, _ = live.end()
        assert end["frames"] == 5 and end["missing"] == [] and end["flats"] == (1 if kind == "unnumbered" else 0), end
        read = "import sys,json,h5py; f=h5py.File(sys.argv[1]); d=f['entry/instrument/detector/data']; print(json.dumps([list(d.shape), str(d.dtype), d[3,2,4].item(), 'rotation_angle' in f['entry/sample'], 'logs' in f['entry']]))"
        shape, dtype, pixel, angles, logs = json.loads(python("-c", read, record))
        assert shape == [5, 3, 5] and dtype == ("uint8" if kind == "old" else "uint16") and pixel == 30, (shape, dtype, pixel)
        assert angles == (kind != "unnumbered") and logs == (kind == "plain"), (angles, logs)


def a_client_of_recast3d(box):
    client = pathlib.Path(__file__).with_name("tomop_client.py")
    for how in ("rep", "pull"):
        record = fresh(box, f"tomop_{how}") / "r.nx"
        live = Live(box, "--record", record, "--socket", how, "--frames", 66)
        python(client, live.address, *(["--push"] if how == "pull" else []))
        end, _ = live.end()
        assert (end["views"], end["flats"], end["darks"]) == (60, 3, 3) and end["missing"] == [], end
        result = box.run("reconstruct", record, "-o", record.parent / "volume.tif", "--axis", "0")
        expect(result, 0)


def the_simulator_speaks_tomop(box):
    source, record = source_of(box), fresh(box, "tomop_stream") / "r.nx"
    live = Live(box, "--record", record, "--frames", 71)
    stream(box, source, live, "--rate", 0, "--wire", "tomop")
    end, _ = live.end()
    assert (end["views"], end["flats"], end["darks"]) == (60, 8, 3) and end["missing"] == [], end


def a_killed_record_is_recovered(box):
    source, record = source_of(box, views=600), fresh(box, "killed") / "r.nx"
    live = Live(box, "--record", record)
    # Slow enough that it does not end before the kill.
    sender = subprocess.Popen([box.program, "stream", source, "--to", live.address, "--rate", "20", "--quiet"])
    recording = pathlib.Path(str(record) + ".recording")
    wait_for(recording.exists)
    python("-c", WAIT_FOR_ROWS, recording, 20)
    live.process.send_signal(signal.SIGKILL)
    live.process.communicate()
    sender.kill()
    sender.wait()
    assert recording.exists() and not record.exists()
    # Another run does not write over it.
    expect(box.run("live", "--from", free_address(), "--bind", "--record", record), 1, "--recover")
    result = box.run("live", "--recover", recording, "--json")
    expect(result, 0)
    recovered = json.loads(result.stdout.splitlines()[-1])
    assert recovered["views"] + recovered["flats"] + recovered["darks"] > 15 and recovered["lost"] == 0, recovered
    same = compared(source, record)
    assert same["frames"] and same["keys"] and same["angles"] and same["lost"] == [], same
    assert not recording.exists()
    expect(box.run("info", record), 0)


def a_camera_that_stops(box):
    source = source_of(box)
    live = Live(box)
    stream(box, source, live, "--rate", 100, "--pause-at", 30, "--pause", 2)
    end, events = live.end()
    kinds = [e["event"] for e in events]
    assert kinds.index("alarm") < kinds.index("resumed") < kinds.index("end"), events
    assert end["missing"] == [], end


def it_ends_when_asked(box):
    live = Live(box, "--seconds", 0.5)
    end, _ = live.end()
    assert end["frames"] == 0 and "file" not in end, end
    source, record = source_of(box), fresh(box, "interrupted") / "r.nx"
    live = Live(box, "--record", record)
    sender = subprocess.Popen([box.program, "stream", source, "--to", live.address, "--rate", "50", "--quiet"])
    recording = pathlib.Path(str(record) + ".recording")
    wait_for(recording.exists)
    live.process.send_signal(signal.SIGINT)
    end, _ = live.end()
    sender.kill()
    sender.wait()
    assert end["frames"] > 0 and record.exists(), end


def wrong_command_lines(box):
    address = free_address()
    expect(box.run("live", "--from", address, "--window", 1), 2)
    expect(box.run("live"), 1, "--from")
    expect(box.run("live", "--from", address, "--wire", "post"), 1, "array, tomop")
    expect(box.run("live", "--from", "nonsense"), 1, "tcp://")
    live = Live(box, "--seconds", 60)
    expect(box.run("live", "--from", live.address, "--bind"), 3, "port")
    live.process.kill()
    live.process.communicate()
    record = fresh(box, "taken") / "r.nx"
    record.write_text("mine")
    expect(box.run("live", "--from", address, "--record", record), 1, "exists")
    assert record.read_text() == "mine"


TESTS = [a_record_equals_its_source, exactly_the_gaps_made_are_missing, turns_orders_and_late_frames, other_senders, a_client_of_recast3d,
         the_simulator_speaks_tomop, a_killed_record_is_recovered, a_camera_that_stops, it_ends_when_asked, wrong_command_lines]

if __name__ == "__main__":
    sys.exit(run_all(TESTS, sys.argv[1], sys.argv[2]))
