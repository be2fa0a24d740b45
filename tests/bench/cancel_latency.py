#!/usr/bin/env python3
"""How long a run takes to end after Ctrl+C: the real program, interrupted at random moments.

usage: cancel_latency.py PROGRAM [--runs 40] [--beam parallel|cone] [--rows N] [--seed N]
Simulates a scan once, times one whole reconstruction, then starts it again and again and sends SIGINT at a random
moment of it. Every run must end with code 5 and leave no output. Prints the percentiles of the time from signal to end.
"""
import argparse
import os
import platform
import random
import signal
import subprocess
import sys
import tempfile
import time


def reconstruct(program, scan, folder):
    return [program, "reconstruct", scan, "-o", os.path.join(folder, "volume.tif"), "--json"]


def interrupted(program, scan, folder, after):
    """Seconds from SIGINT to the end, and the node that was at work."""
    run = subprocess.Popen(reconstruct(program, scan, folder), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    time.sleep(after)
    sent = time.perf_counter()
    run.send_signal(signal.SIGINT)
    text = run.communicate()[0].decode()
    took = time.perf_counter() - sent
    last = [line for line in text.splitlines() if '"event":"node"' in line]
    return took, run.returncode, last[-1] if last else "before the first node"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--beam", default="parallel")
    parser.add_argument("--rows", default="192")
    parser.add_argument("--cols", default="512")
    parser.add_argument("--views", default="720")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    moments = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        scan = os.path.join(folder, "scan.nx")
        turn = "360 deg" if options.beam == "cone" else "180 deg"
        subprocess.run([options.program, "simulate", "-o", scan, "--beam", options.beam, "--range", turn, "--views",
                        options.views, "--rows", options.rows, "--cols", options.cols, "--flats", "4", "--quiet"],
                       check=True)
        start = time.perf_counter()
        subprocess.run(reconstruct(options.program, scan, folder), check=True, stdout=subprocess.DEVNULL)
        whole = time.perf_counter() - start
        for name in ("volume.tif", "volume.tif.json"):
            os.remove(os.path.join(folder, name))
        print(f"{options.beam}, {options.views} views of {options.cols} x {options.rows}: {whole:.1f} s whole, "
              f"{os.cpu_count()} CPUs ({platform.processor() or platform.machine()}), load {os.getloadavg()[0]:.1f}")
        times, wrong = [], []
        while len(times) < options.runs:
            # The program needs some time to listen to signals; a run that ended before is tried again.
            after = moments.uniform(0.4, 0.95 * whole)
            took, code, node = interrupted(options.program, scan, folder, after)
            left = sorted(set(os.listdir(folder)) - {"scan.nx"})
            if code == 0:
                for name in left:
                    os.remove(os.path.join(folder, name))
                continue
            times.append(took)
            if took > 0.2:
                print(f"  {1000 * took:6.0f} ms after {after:.2f} s, last heard of: {node}")
            if code != 5 or left:
                wrong.append(f"interrupted after {after:.2f} s: code {code}, left {left}")
        times.sort()
        at = lambda share: 1000 * times[min(len(times) - 1, int(share * len(times)))]
        print(f"{len(times)} interrupted: median {at(0.5):.0f} ms, p95 {at(0.95):.0f} ms, longest {1000 * times[-1]:.0f} ms")
        for line in wrong:
            print(line)
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
