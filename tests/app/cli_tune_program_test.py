#!/usr/bin/env python3
"""Programs are tuned on the command line: scores, failures, kills, workers; energy is observed, transforms are timed.

usage: cli_tune_program_test.py TOMOLOOM SOURCE_DIR SIMULATED_NVML
"""
import json
import os
import pathlib
import signal
import socket
import stat
import subprocess
import sys
import threading
import time

from cli_box import expect, fresh, run_all

BOWL = """#!/usr/bin/env python3
import random, sys
x, y = float(sys.argv[1]), float(sys.argv[2])
f = (x - 1.3) ** 2 + (y + 0.7) ** 2 + 1
print("some output before")
print(f * (1 + 0.01 * random.gauss(0, 1)))
"""


def program(folder, text, name="p"):
    path = folder / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition was not met in time"
        time.sleep(.02)


def result(folder, name="r.json"):
    return json.loads((folder / name).read_text())


def a_noisy_program_has_its_optimum_found(box):
    folder = fresh(box, "bowl")
    program(folder, BOWL)
    r = box.run("tune", "program", "--over", "x=-5:5", "--over", "y=-5:5", "--budget", 60, "--optimiser", "surrogate",
                "-o", "r.json", "--", "./p", "{x}", "{y}", cwd=folder)
    expect(r, 0, "best: x = 1.", "resolved", "60 calls by surrogate")
    found = result(folder)
    best = found["best"]
    assert abs(best["values"]["x"] - 1.3) < .05 and abs(best["values"]["y"] + .7) < .05, best
    assert all(0 < best["uncertainty"][k] < .1 for k in "xy") and best["verdict"] == "resolved", best
    assert found["evaluations"] == 60 and found["failed"] == 0 and len(found["calls"]) == 60, found["evaluations"]
    assert sorted(p.name for p in folder.iterdir()) == ["p", "r.json"]


def integers_lists_and_directions(box):
    folder = fresh(box, "lists")
    program(folder, "#!/bin/sh\n[ $2 = fast ] && echo $((($1 - 5) * ($1 - 5) + 10)) || echo 99\n")
    for more, n, score in ((["--minimise"], 5, 10), ([], 5, 10)):
        r = box.run("tune", "program", "--over", "n=1..8", "--over", "mode=slow,fast", "--budget", 40, "-o", "r.json", "--overwrite",
                    *more, "--", "./p", "{n}", "{mode}", cwd=folder)
        expect(r, 0)
        best = result(folder)["best"]
        assert best["values"] == {"n": n, "mode": "fast"} and best["score"] == score, best
        assert best["uncertainty"] == {"n": 0, "mode": None} and best["noise"] == 0, best
    r = box.run("tune", "program", "--over", "n=1..8", "--budget", 40, "--maximise", "-o", "m.json", "--json",
                "--", "sh", "-c", "echo $((0 - ({n} - 3) * ({n} - 3)))", cwd=folder)
    expect(r, 0)
    lines = [json.loads(line) for line in r.stdout.splitlines()]
    assert lines[-1]["verdict"] == "resolved" and result(folder, "m.json")["best"]["values"] == {"n": 3}, lines[-1]
    # Arguments reach the program as they are: no shell, brackets, empty words.
    program(folder, "#!/usr/bin/env python3\nimport sys\nassert sys.argv[2:] == ['[1,2]', '', '$HOME; *'], sys.argv\nprint(abs(float(sys.argv[1]) - 2))\n", "q")
    expect(box.run("tune", "program", "--over", "n=1..3", "--budget", 9, "-o", "q.json", "--", "./q", "{n}", "[1,2]", "", "$HOME; *", cwd=folder), 0)


def wrong_command_lines_are_refused(box):
    folder = fresh(box, "wrong")
    program(folder, "#!/bin/sh\necho 1\n")
    base = ["tune", "program", "--budget", 5, "-o", "r.json"]
    for over, words, text in ((["x=1:0"], ["./p", "{x}"], "does not rise"), (["x=0:1"], ["./p"], "does not use x"),
                              (["xs=0:1"], ["./p", "{xs}", "{x}"], "stands for no value"), (["x=0:1", "x=0:2"], ["./p", "{x}"], "occurs twice"),
                              (["x=0:1"], [], "no program"), (["x=0:1"], ["./q", "{x}"], "no such program")):
        options = [w for o in over for w in ("--over", o)]
        expect(box.run(*base, *options, "--", *words, cwd=folder), 4 if "./q" in words else 1, text)
        assert not (folder / "r.json").exists()
    assert not (folder / "r.json.journal").exists()
    expect(box.run(*base, "--over", "x=0:1", "--optimiser", "first_ils", "--", "./p", "{x}", cwd=folder), 1, "lists of values alone", "surrogate")
    expect(box.run("tune", "program", "--over", "x=0:1", "-o", "r.json", "--", "./p", "{x}", cwd=folder), 2)
    (folder / "r.json").write_text("mine")
    expect(box.run(*base, "--over", "x=0:1", "--", "./p", "{x}", cwd=folder), 1, "exists already")
    (folder / "s.json.journal").write_text("mine")
    expect(box.run("tune", "program", "--budget", 5, "-o", "s.json", "--over", "x=0:1", "--", "./p", "{x}", cwd=folder), 1, "not a journal")
    assert (folder / "r.json").read_text() == (folder / "s.json.journal").read_text() == "mine"


def failures_are_points(box):
    folder = fresh(box, "failures")
    program(folder, """#!/usr/bin/env python3
import sys, time
n = int(sys.argv[1])
if n == 1: sys.exit("out of paper")
if n == 2: print("nan"); sys.exit()
if n == 3: time.sleep(1000)
print(abs(n - 6))
""")
    r = box.run("tune", "program", "--over", "n=1..8", "--budget", 20, "--timeout", 2, "-o", "r.json", "--", "./p", "{n}", cwd=folder)
    expect(r, 0, "exit code 1: out of paper", "no end within 2 s", "not a finite number: nan")
    found = result(folder)
    assert found["best"]["values"] == {"n": 6} and found["failed"] == 3, found
    assert {c["values"]["n"]: c["failure"] for c in found["calls"] if "failure" in c}.keys() == {"1", "2", "3"}
    r = box.run("tune", "program", "--over", "n=1..2", "--budget", 5, "-o", "none.json", "--", "./p", "{n}", cwd=folder)
    expect(r, 1, "all calls failed (2)")
    assert not (folder / "none.json").exists() and not (folder / "none.json.journal").exists()
    # A score that says nothing: exit code 6, but a result.
    expect(box.run("tune", "program", "--over", "x=0:1", "--budget", 20, "-o", "flat.json", "--", "sh", "-c", "echo 3; : {x}", cwd=folder), 6, "flat")
    assert result(folder, "flat.json")["best"]["uncertainty"] == {"x": None}


def a_killed_search_repeats_one_call_at_most(box):
    folder = fresh(box, "killed")
    program(folder, "#!/bin/sh\necho $1 >> log\nsleep 0.05\nawk \"BEGIN { print ($1 - 0.3) * ($1 - 0.3) }\"\n")
    arguments = ["tune", "program", "--over", "x=-2:2", "--budget", "25", "--seed", "4", "-o", "r.json", "--", "./p", "{x}"]
    log = folder / "log"
    kills = 0
    while not (folder / "r.json").exists():
        before = len(log.read_text().split()) if log.exists() else 0
        process = subprocess.Popen([box.program, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: process.poll() is not None or (log.exists() and len(log.read_text().split()) >= before + 6))
        if process.poll() is None:
            process.kill()
            kills += 1
        process.wait()
        time.sleep(.3)  # the call that was under way ends by itself
        assert kills < 20
    expect_calls = 25
    calls = len(log.read_text().split())
    assert kills >= 2 and expect_calls <= calls <= expect_calls + kills, (calls, kills)
    killed = result(folder)
    assert not (folder / "r.json.journal").exists()
    expect(box.run(*arguments[:-4], "whole.json", *arguments[-3:], cwd=folder), 0)
    whole = result(folder, "whole.json")
    for one in (killed, whole):
        for call in one["calls"]:
            del call["seconds"]
        del one["seconds"]
    assert killed == whole
    # Another search does not go on from this journal; Ctrl+C keeps it.
    process = subprocess.Popen([box.program, *(a if a != "r.json" else "c.json" for a in arguments)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: (folder / "c.json.journal").exists() and (folder / "c.json.journal").read_text().count("\n") > 3)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 5
    other = [a if a not in ("r.json", "25") else {"r.json": "c.json", "25": "26"}[a] for a in arguments]
    expect(box.run(*other, cwd=folder), 1, "another search that was interrupted")


def serve(box, folder, text, path="w.sock"):
    (folder / "score.py").write_text(text)
    worker = subprocess.Popen([sys.executable, box.source / "resources/python/tomoloom_worker.py", path, "score.py"], cwd=folder, stderr=subprocess.PIPE)
    wait_until(lambda: (folder / path).exists())
    return worker


def a_worker_answers(box):
    folder = fresh(box, "worker")
    worker = serve(box, folder, "import time\ncalls = 0\ndef score(x, n, mode):\n    global calls\n    calls += 1\n    assert isinstance(n, int) and mode in ('a', 'b')\n"
                                "    if calls == 3: raise ValueError('third')\n    if calls == 4: return float('nan')\n    return (x - .5) ** 2 + (n - 3) ** 2 + (mode == 'b')\n")
    try:
        base = ["tune", "program", "--over", "x=-2:2", "--over", "n=1..5", "--over", "mode=a,b"]
        expect(box.run(*base, "--budget", 60, "-o", "r.json", "--worker", "w.sock", cwd=folder), 0, "ValueError: third")
        found = result(folder)
        assert found["failed"] == 2 and abs(found["best"]["values"]["x"] - .5) < .02, found["best"]
        assert found["best"]["values"]["n"] == 3 and found["best"]["values"]["mode"] == "a", found["best"]
        expect(box.run(*base, "--over", "z=0:1", "--budget", 5, "-o", "z.json", "--worker", "w.sock", cwd=folder), 1, "other parameters")
        expect(box.run(*base, "--budget", 5, "-o", "z.json", "--worker", "w.sock", "--", "./p", cwd=folder), 1, "a program and a worker")
    finally:
        worker.terminate()
        worker.communicate()
    assert not (folder / "w.sock").exists()
    start = time.monotonic()
    expect(box.run(*base, "--budget", 5, "-o", "z.json", "--worker", "w.sock", cwd=folder), 3, "no worker listens there")
    assert time.monotonic() - start < 30
    expect(box.run(*base, "--budget", 5, "-o", "z.json", "--worker", "x" * 200, cwd=folder), 1, "too long for a socket")


def a_dead_worker_is_an_error_at_once(box):
    folder = fresh(box, "dead")
    text = "import time, pathlib\ndef score(x):\n    with open('log', 'a') as f: f.write('.')\n    if len(pathlib.Path('log').read_text()) > 5: time.sleep({seconds})\n    return (x - .5) ** 2\n"
    arguments = ["tune", "program", "--over", "x=-2:2", "--budget", "20", "-o", "r.json", "--worker", "w.sock"]
    worker = serve(box, folder, text.format(seconds=1000))
    process = subprocess.Popen([box.program, *arguments], cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    wait_until(lambda: (folder / "log").exists() and len((folder / "log").read_text()) > 5)
    worker.kill()
    start = time.monotonic()
    _, said = process.communicate(timeout=60)
    # A second is promised; the rest is the end of a process next to busy ones.
    assert time.monotonic() - start < 5, "it waited for a dead worker"
    assert process.returncode == 3 and "worker is dead" in said and (folder / "r.json.journal").exists(), said
    worker.communicate()
    # The socket that it left is taken over by the next one, and the search goes on.
    worker = serve(box, folder, text.format(seconds=0))
    try:
        # Until the new worker listens in the place of the dead one, nobody does.
        wait_until(lambda: box.run(*arguments, cwd=folder).returncode != 3)
    finally:
        worker.terminate()
        worker.communicate()
    assert len((folder / "log").read_text()) == 21 and result(folder)["evaluations"] == 20


def other_servers_are_refused(box):
    folder = fresh(box, "servers")
    greeting = json.dumps({"protocol": "tomoloom-worker", "version": 1, "parameters": None})
    cases = {"version": (json.dumps({"protocol": "tomoloom-worker", "version": 2}), None, 4, "another version"),
             "other": ("HTTP/1.1 400 Bad Request", None, 4, "not a worker"),
             "answer": (greeting, '{"id": 7, "score": 1}', 3, "answered another question"),
             "score": (greeting, '{"id": 1, "score": "low"}', 3, "neither a score nor an error"),
             "nested": (greeting, "[" * 100000, 3, "answered another question"),
             "long": (greeting, "x" * (3 << 20), 3, "longer than"),
             "closes": (greeting, "", 3, "dead")}
    for name, (first, answer, code, words) in cases.items():
        with socket.socket(socket.AF_UNIX) as server:
            path = str(folder / f"{name}.sock")
            server.bind(path)
            server.listen(1)

            def talk():
                connection, _ = server.accept()
                with connection:
                    try:
                        connection.sendall(first.encode() + b"\n")
                        if answer is not None:
                            connection.recv(1 << 16)
                            if answer:
                                connection.sendall(answer.encode() + b"\n")
                                connection.recv(1 << 16)
                    except OSError:
                        pass

            thread = threading.Thread(target=talk)
            thread.start()
            r = box.run("tune", "program", "--over", "x=0:1", "--budget", 5, "-o", folder / f"{name}.json", "--worker", path)
            thread.join()
        expect(r, code, words)
        assert not (folder / f"{name}.json").exists()


def energy_is_observed(box):
    folder = fresh(box, "energy")
    environment = {**os.environ, "TL_NVML": sys.argv[3], "TL_POWERCAP": str(folder)}
    for mode, source in (("energy", "NVML energy counter"), ("power", "NVML power over time"), ("average_power", "NVML power over time")):
        r = box.run("tune", "observe", "--seconds", 1, "--json", env={**environment, "SIMULATED_NVML": mode})
        expect(r, 0)
        lines = [json.loads(line) for line in r.stdout.splitlines()]
        gpus = [l for l in lines if l["device"].startswith("GPU")]
        assert [l["device"] for l in gpus] == ["GPU 0: Simulated GPU", "GPU 1: Simulated GPU"], lines
        for one in gpus:
            seconds = one["joules"] / one["watts"]
            # 100 W that rise by 50 W a second; a reading may come late on a busy machine, by .1 s at 5 W.
            assert abs(one["watts"] - (100 + 25 * seconds)) < 5 and one["source"] == source and seconds > .9, one
        cpu = lines[-1]
        assert cpu["joules"] is None and "no energy counters" in cpu["why"], cpu
    for mode in ("nothing", "no_driver"):
        r = box.run("tune", "observe", "--seconds", .2, env={**environment, "SIMULATED_NVML": mode})
        expect(r, 4, "not available", "Not Supported" if mode == "nothing" else "Driver Not Loaded")
        assert " 0 J" not in r.stdout, r.stdout
    zone = folder / "intel-rapl:0"
    zone.mkdir()
    for name, text in (("name", "package-0"), ("energy_uj", "5"), ("max_energy_range_uj", "100")):
        (zone / name).write_text(text + "\n")
    r = box.run("tune", "observe", "--seconds", .6, env={**environment, "TL_NVML": "none.so"})
    expect(r, 4, "does not move")
    (zone / "energy_uj").chmod(0)
    if os.geteuid() != 0:
        expect(box.run("tune", "observe", "--seconds", .2, env=environment), 4, "root alone", "udev")


def transforms_are_timed(box):
    r = box.run("tune", "fft", 1001, "--batch", 8, "--seconds", .2, "--device", "cpu", "--json")
    expect(r, 0)
    lines = [json.loads(line) for line in r.stdout.splitlines()]
    assert [l["length"] for l in lines] == [1008, 1024, 1050, 1080] and sum(l["is_best"] for l in lines) == 1, lines
    assert all(l["seconds"] > 0 and l["launches"] == 1 for l in lines), lines
    expect(box.run("tune", "fft", 1001, "--seconds", .1, "--device", "cpu"), 0, "2^4 3^2 7", "fastest on cpu")
    expect(box.run("tune", "fft", 1 << 27, "--batch", 1 << 20, "--device", "cpu"), 1, "Give fewer lines")
    expect(box.run("tune", "fft", 1), 2)


TESTS = [a_noisy_program_has_its_optimum_found, integers_lists_and_directions, wrong_command_lines_are_refused, failures_are_points,
         a_killed_search_repeats_one_call_at_most, a_worker_answers, a_dead_worker_is_an_error_at_once, other_servers_are_refused,
         energy_is_observed, transforms_are_timed]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:3]))
