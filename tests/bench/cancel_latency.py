#!/usr/bin/env python3
"""How long a run takes to end after Ctrl+C: the real program, interrupted at random moments.

usage: cancel_latency.py PROGRAM [--case parallel|cone|learn|sirt|compressed] [--runs 60] [--rows N] [--seed N]
Simulates a scan once, times one whole run, then starts it again and again and sends SIGINT at a random moment of it.
Every run must end with code 5 and leave no output. Prints the percentiles of the time from signal to end, and of the
processor time spent meanwhile: on a busy machine the second says what the program itself does.
compressed: the scan is packed by h5py (of the Python that runs this), one chunk per view.
"""
import argparse
import json
import os
import platform
import random
import signal
import subprocess
import sys
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")


def used(pid):
    """Processor seconds of a process so far, those of its threads included."""
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def simulate(o, scan):
    full = o.case in ("cone", "learn")
    beam = "cone" if o.case == "cone" else "parallel"
    subprocess.run([o.program, "simulate", "-o", scan, "--beam", beam, "--range", "360 deg" if full else "180 deg",
                    "--views", o.views, "--rows", o.rows, "--cols", o.cols, "--flats", "4", "--quiet"], check=True)
    if o.case != "compressed":
        return
    import h5py
    with h5py.File(scan, "r+") as f:
        place = "entry/instrument/detector/data"
        data = f[place][...]
        del f[place]
        f.create_dataset(place, data=data, chunks=(1,) + data.shape[1:], compression="gzip", compression_opts=4)


def command(o, scan, folder):
    if o.case == "learn":
        return [o.program, "learn", "axis-by-gradient", "--input", scan, "-o", os.path.join(folder, "out.json"), "--json"]
    start = [o.program, "reconstruct", scan, "-o", os.path.join(folder, "out.tif"), "--json"]
    if o.case != "sirt":
        return start
    pipeline = os.path.join(folder, "..", "sirt.json")
    if not os.path.exists(pipeline):
        subprocess.run(start[:-1] + ["--quiet", "--axis", "0", "--save-pipeline", pipeline], check=True)
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        with open(pipeline) as f:
            graph = json.load(f)
        graph["nodes"]["fbp"] = {"type": "recon.sirt", "version": 1, "parameters": {"iterations": 10}}
        with open(pipeline, "w") as f:
            json.dump(graph, f)
    return [o.program, "run", pipeline, "--input", scan, "--out", folder, "--json"]


def interrupted(arguments, after):
    """Seconds from SIGINT to the end, processor seconds meanwhile, exit code, what was last heard."""
    run = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    time.sleep(after)
    try:
        before = used(run.pid)
    except (OSError, IndexError):
        before = None
    sent = time.perf_counter()
    os.kill(run.pid, signal.SIGINT)  # not send_signal(): that would collect a run which has ended
    text = run.stdout.read().decode()
    _, status, usage = os.wait4(run.pid, 0)
    took = time.perf_counter() - sent
    run.returncode = os.waitstatus_to_exitcode(status)
    last = [line for line in text.splitlines() if '"event":"node"' in line or '"iteration"' in line]
    spent = 0 if before is None else max(0, usage.ru_utime + usage.ru_stime - before)
    return took, spent, run.returncode, last[-1][:100] if last else "before the first node"


def percentiles(values):
    values = sorted(values)
    at = lambda share: 1000 * values[min(len(values) - 1, int(share * len(values)))]
    return f"median {at(0.5):.0f} ms, p95 {at(0.95):.0f} ms, longest {1000 * values[-1]:.0f} ms"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--case", default="parallel", choices=["parallel", "cone", "learn", "sirt", "compressed"])
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--rows", default="192")
    parser.add_argument("--cols", default="512")
    parser.add_argument("--views", default="720")
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    moments = random.Random(o.seed)
    with tempfile.TemporaryDirectory() as top:
        folder = os.path.join(top, "out")
        os.mkdir(folder)
        scan = os.path.join(top, "scan.nx")
        simulate(o, scan)
        arguments = command(o, scan, folder)
        start = time.perf_counter()
        subprocess.run(arguments, stdout=subprocess.DEVNULL)
        whole = time.perf_counter() - start
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        print(f"{o.case}, {o.views} views of {o.cols} x {o.rows}: {whole:.1f} s whole, "
              f"{os.cpu_count()} CPUs ({platform.processor() or platform.machine()}), load {os.getloadavg()[0]:.1f}",
              flush=True)
        times, work, wrong = [], [], []
        while len(times) < o.runs:
            # The program needs some time to listen to signals; a run that ended before is tried again.
            after = moments.uniform(0.4, max(0.5, 0.95 * whole))
            took, spent, code, heard = interrupted(arguments, after)
            left = sorted(os.listdir(folder))
            if code in (0, 6, -signal.SIGINT):
                for name in left:
                    os.remove(os.path.join(folder, name))
                continue
            times.append(took)
            work.append(spent)
            if took > 0.2:
                print(f"  {1000 * took:6.0f} ms ({1000 * spent:.0f} ms of work) after {after:.2f} s, last: {heard}", flush=True)
            left = [name for name in left if not name.endswith(".journal")]  # a journal is there to go on from
            for name in os.listdir(folder):
                os.remove(os.path.join(folder, name))
            if code != 5 or left:
                wrong.append(f"interrupted after {after:.2f} s: code {code}, left {left}")
        print(f"{len(times)} interrupted: {percentiles(times)}")
        print(f"processor time meanwhile: {percentiles(work)}; load {os.getloadavg()[0]:.1f}")
        for line in wrong:
            print(line)
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
