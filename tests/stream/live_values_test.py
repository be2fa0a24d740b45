#!/usr/bin/env python3
"""The command live next to more than a detector: scans one after the other, a log, a trigger, planes, who joins late.

usage: live_values_test.py TOMOLOOM SOURCE_DIR
"""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "app"))
from cli_box import expect, fresh, run_all  # noqa: E402
from live_test import Live, free_address, python, source_of, stream  # noqa: E402

# Sends what a list says: ["frame", number, kind, rows, {values}], ["log", text], ["sleep", s], ["end"].
SENDER = """
import json, sys, time, numpy as np, zmq
address, log, steps = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
context = zmq.Context()
socket = context.socket(zmq.PUSH); socket.connect(address)
if log:
    lines = context.socket(zmq.PUSH); lines.connect(log)
for step in steps:
    if step[0] == "frame":
        _, number, kind, rows, values = step
        header = {"shape": [rows, 5], "type": "uint16", "frame": number, "image_attributes": {"scan_index": kind}, "ndattr": values}
        if kind == 2:
            header["angle"] = 3.0 * number
        socket.send_json(header, zmq.SNDMORE)
        socket.send(np.full((rows, 5), number, np.uint16).tobytes())
    elif step[0] == "log":
        lines.send_string(step[1])
    elif step[0] == "sleep":
        time.sleep(step[1])
    elif step[0] == "end":
        socket.send_json({"end": True})
context.destroy()  # waits until all is sent: a program that only ends loses what is still queued
"""

READ = """
import sys, json, h5py
f = h5py.File(sys.argv[1])
d = f["entry/instrument/detector"]
logs = {n: [g["value"][:].tolist(), g["value"].attrs.get("units", ""), g.attrs["NX_class"]] for n, g in f.get("entry/logs", {}).items()}
print(json.dumps({"numbers": d["frame_number"][:].tolist(), "keys": d["image_key"][:].tolist(), "logs": logs}))
"""

# The values of a log in a record that still grows.
FOLLOW = """
import sys, time, h5py
end = time.time() + 100
while True:
    try:
        with h5py.File(sys.argv[1], "r", libver="latest", swmr=True) as f:
            if len(f["entry/stream/values"]) >= 5:
                print(f["entry/stream/values"][:].tolist())
                break
    except OSError:  # nothing was flushed yet
        pass
    assert time.time() < end
    time.sleep(0.05)
"""


def frame(number, kind=2, rows=3, **values):
    return ["frame", number, kind, rows, values]


def send(live, steps, log=""):
    python("-c", SENDER, live.address, log, json.dumps(steps))


def read(record):
    return json.loads(python("-c", READ, record))


def another_shape_and_new_darks_begin_scans(box):
    record = fresh(box, "scans") / "r.nx"
    live = Live(box, "--record", record)
    send(live, [frame(0, 0), frame(1, 1), *(frame(n) for n in range(2, 6)), *(frame(n, rows=4) for n in range(6, 9)),
                frame(9, 0, rows=4), frame(10, 0, rows=4), frame(11, 1, rows=4), frame(12, rows=4), frame(14, rows=4),
                frame(15, 0, rows=4), frame(16, rows=4), ["end"]])
    end, events = live.end()
    begun = [(e["scan"], e["because"], pathlib.Path(e["file"]).name) for e in events if e["event"] == "scan"]
    # Darks after views that had none belong to them; those after them do not.
    assert begun == [(2, "another shape or type", "r-2.nx"), (3, "new darks", "r-3.nx")], begun
    assert end["scans"] == 3 and end["missing"] == [13] and end["refused"] == 0, end
    assert [pathlib.Path(f).name for f in end["files"]] == ["r.nx", "r-2.nx", "r-3.nx"], end
    assert read(record)["keys"] == [2, 1, 0, 0, 0, 0]
    for name, views in (("r.nx", 4), ("r-2.nx", 5), ("r-3.nx", 1)):
        expect(box.run("info", record.parent / name), 0, str(views))


def a_log_is_recorded(box):
    record, log = fresh(box, "log") / "r.nx", free_address()
    live = Live(box, "--record", record, "--log", log)
    lines = ["{\"time\":1700000000,\"name\":\"load\",\"value\":3.5,\"unit\":\"N\"}\n{\"name\":\"load\",\"value\":4.5,\"unit\":\"N\"}",
             "nonsense\n{\"name\":\"temperature\",\"value\":300}", "{\"name\":\"load\",\"value\":\"heavy\"}"]
    steps = [frame(0, ring=200.0), *(["log", line] for line in lines), ["sleep", 0.5], frame(1, ring=201.0)]
    send(live, steps, log)
    followed = python("-c", FOLLOW, str(record) + ".recording")
    assert "300.0" in followed and "3.5" in followed, followed
    send(live, [["end"]])
    end, events = live.end()
    assert end["bad_lines"] == 2, end
    assert any(e["event"] == "alarm" and "log" in e["what"] for e in events), events
    assert end["values"]["load"] == {"count": 2, "first": 3.5, "last": 4.5, "lowest": 3.5, "highest": 4.5, "mean": 4.0, "unit": "N"}, end
    assert end["values"]["ring"]["count"] == 2 and end["values"]["temperature"]["last"] == 300, end
    logs = read(record)["logs"]
    assert logs["load"] == [[3.5, 4.5], "N", "NXlog"] and logs["temperature"][0] == [300.0] and logs["ring"][0] == [200.0, 201.0], logs


def a_record_begins_before_its_trigger(box):
    record, log = fresh(box, "trigger") / "r.nx", free_address()
    live = Live(box, "--record", record, "--log", log, "--trigger", "load > 5", "--before", 1000)
    send(live, [frame(0, 0), frame(1, 1), frame(500), frame(501), ["sleep", 0.3], ["log", "{\"name\":\"load\",\"value\":5.5}"],
                ["sleep", 0.5], frame(502), frame(503), ["end"]], log)
    end, events = live.end()
    assert end["triggered"] and any(e["event"] == "trigger" and e["value"] == 5.5 for e in events), events
    got = read(record)
    assert got["numbers"] == [0, 1, 500, 501, 502, 503] and got["keys"] == [2, 1, 0, 0, 0, 0], got
    # Without --before it begins with the frame that has the value; a header's number will do.
    record = fresh(box, "header") / "r.nx"
    live = Live(box, "--record", record, "--trigger", "ring >= 2")
    send(live, [frame(0, 1), frame(1, ring=1.0), ["sleep", 0.1], frame(2, ring=2.0), frame(3, ring=1.0), ["end"]])
    live.end()
    assert read(record)["numbers"] == [0, 2, 3], read(record)


def a_trigger_that_never_holds(box):
    record = fresh(box, "never") / "r.nx"
    live = Live(box, "--record", record, "--trigger", "load > 5")
    send(live, [frame(0), frame(1), ["end"]])
    end, _ = live.end()
    assert end["triggered"] is False and end["frames"] == 2 and "file" not in end, end
    assert list(record.parent.iterdir()) == []


def who_joins_late_says_what_is_missing(box):
    live = Live(box)
    send(live, [frame(700), frame(701), ["end"]])
    _, events = live.end()
    joined = next(e for e in events if e["event"] == "joined")
    assert joined["missing"] == ["frames before 700", "flats", "darks"], joined
    live = Live(box)
    send(live, [frame(0, 0), frame(1, 1), frame(2), ["end"]])
    assert not [e for e in live.end()[1] if e["event"] == "joined"]


def no_beam_is_marked_and_asks_for_flats(box):
    live = Live(box)
    send(live, [frame(0, 0), frame(60000, 1), frame(60001), frame(50), ["sleep", 0.3], frame(60002), ["end"]])
    end, events = live.end()
    assert end["no_beam"] == 1, end
    assert any(e["event"] == "alarm" and "no beam" in e["what"] and "flats" in e["what"] for e in events), events


def scans_of_two_runs_of_the_simulator(box):
    record, source = fresh(box, "twice") / "r.nx", source_of(box)
    live = Live(box, "--record", record, "--frames", 142)
    for _ in range(2):
        stream(box, source, live, "--rate", 0, "--wire", "tomop")
    end, _ = live.end()
    assert end["scans"] == 2 and end["views"] == 120 and end["missing"] == [] and end["duplicates"] == 0, end
    assert sorted(p.name for p in record.parent.iterdir()) == ["r-2.nx", "r.nx"]


# Subscribes to planes, says so, and prints what came until nothing does.
SUBSCRIBER = """
import json, sys, numpy as np, zmq
socket = zmq.Context().socket(zmq.SUB)
socket.connect(sys.argv[1]); socket.subscribe(b"")
got = []
while socket.poll(60000 if not got else 3000):
    header, pixels = socket.recv_multipart()
    header = json.loads(header)
    plane = np.frombuffer(pixels, "<f4").reshape(header["shape"])
    got.append([header["frame"], header["name"], header["shape"], bool(np.isfinite(plane).all() and np.ptp(plane) > 0)])
print(json.dumps(got))
"""


def planes_of_windows_are_sent(box):
    planes = free_address()
    live = Live(box, "live-slices", "--send", planes, "--window", 60, "--hop", 60, "--set", "axis.axis=0 px")
    expect(box.run("live", "live-slices", "--from", free_address(), "--bind", "--send", planes), 3, "port")
    subscriber = subprocess.Popen([os.environ["TL_TEST_PYTHON"], "-c", SUBSCRIBER, planes], stdout=subprocess.PIPE, text=True)
    # Some seconds long, so that the subscriber has joined.
    stream(box, source_of(box), live, "--rate", 60, "--turns", 5)
    end, _ = live.end()
    got = json.loads(subscriber.communicate(timeout=120)[0])
    assert end["sent"]["planes"] == end["windows"] >= 2, end
    assert got and all(name == "fbp.volume" and shape == [24, 24] and sound for _, name, shape, sound in got), got
    assert [window for window, *_ in got] == sorted(window for window, *_ in got), got
    assert end["sent"]["planes_per_second"] > 0, end


def a_volume_that_two_nodes_write_is_sent_once(box):
    pipeline = json.loads((box.source / "resources/pipelines/live-slices.json").read_text())
    pipeline["nodes"]["copy"] = {"type": "output.save_picture", "version": 1, "parameters": {"file": "copy.png"}}
    pipeline["links"].append({"from": "fbp.volume", "to": "copy.volume"})
    file = box.folder / "two_pictures.json"
    file.write_text(json.dumps(pipeline))
    live = Live(box, file, "--send", free_address(), "--window", 60, "--hop", 60, "--set", "axis.axis=0 px")
    stream(box, source_of(box), live, "--rate", 0)
    end, _ = live.end()
    assert end["sent"]["planes"] == end["windows"] >= 1, end


def every_plane_that_is_asked_for_is_sent(box):
    """Slices of several pictures, or chosen planes; the rate is in the events of windows."""
    pipeline = json.loads((box.source / "resources/pipelines/live-slices.json").read_text())
    pipeline["nodes"]["other"] = {"type": "output.save_picture", "version": 1, "parameters": {"file": "other.png", "slice": 2}}
    pipeline["links"].append({"from": "fbp.volume", "to": "other.volume"})
    file = box.folder / "other_picture.json"
    file.write_text(json.dumps(pipeline))
    for options, names in (((), {"fbp.volume": [24, 24], "fbp.volume 2": [24, 24]}),
                           (("--plane", "xy=3", "--plane", "xz", "--plane", "yz=20", "--plane", "normal=1,1,0"),
                            {"fbp.volume xy=3": [24, 24], "fbp.volume xz": [16, 24], "fbp.volume yz=20": [16, 24],
                             "fbp.volume normal=1,1,0": [16, 34]})):  # 24 * sqrt(2) columns
        planes = free_address()
        live = Live(box, file, "--send", planes, "--window", 60, "--hop", 60, "--set", "axis.axis=0 px", *options)
        subscriber = subprocess.Popen([os.environ["TL_TEST_PYTHON"], "-c", SUBSCRIBER, planes], stdout=subprocess.PIPE, text=True)
        stream(box, source_of(box), live, "--rate", 60, "--turns", 4)
        end, events = live.end()
        got = json.loads(subscriber.communicate(timeout=120)[0])
        assert end["sent"]["planes"] == len(names) * end["windows"] > 0, end
        assert got and {name: shape for _, name, shape, _ in got} == names, got
        windows = [e["sent"] for e in events if e["event"] == "window"]
        assert windows[-1]["planes"] == end["sent"]["planes"] and windows[-1]["planes_per_second"] > 0, windows


def without_a_pipeline_there_are_no_planes(box):
    for option in ("--send", "--plugin"):
        expect(box.run("live", "--from", free_address(), option, free_address()), 1, "PIPELINE")


def wrong_options(box):
    address, record = free_address(), fresh(box, "wrong") / "r.nx"
    for trigger in ("load", "> 5", "load > x", "load = 5"):
        expect(box.run("live", "--from", address, "--record", record, "--trigger", trigger), 2, "load > 5")
    expect(box.run("live", "--from", address, "--trigger", "load > 5"), 2, "--record")
    expect(box.run("live", "--from", address, "--record", record, "--before", 3), 2, "--trigger")
    expect(box.run("live", "--from", address, "--plugin-back", address), 2, "--plugin")
    expect(box.run("live", "--from", address, "--log", "nonsense"), 1, "tcp://")


TESTS = [another_shape_and_new_darks_begin_scans, a_log_is_recorded, a_record_begins_before_its_trigger, a_trigger_that_never_holds,
         who_joins_late_says_what_is_missing, no_beam_is_marked_and_asks_for_flats, scans_of_two_runs_of_the_simulator,
         planes_of_windows_are_sent, a_volume_that_two_nodes_write_is_sent_once,
         every_plane_that_is_asked_for_is_sent, without_a_pipeline_there_are_no_planes, wrong_options]

if __name__ == "__main__":
    sys.exit(run_all(TESTS, sys.argv[1], sys.argv[2]))
