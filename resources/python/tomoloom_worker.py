#!/usr/bin/env python3
"""Answers `tomoloom tune program --worker SOCKET` with the scores of a Python function. Plain Python, nothing to install.

usage: tomoloom_worker.py SOCKET FILE.py[:FUNCTION]     the function is called `score` unless it is named

    def score(x, n, mode="a"):
        return (x - n) ** 2

The file is run once, so that what it imports and loads stays in memory between calls. A function that raises, or gives
no finite number, makes a failed point. In a program of your own: `import tomoloom_worker; tomoloom_worker.serve(path,
function)`. The protocol (lines of JSON over a Unix socket) is described in the guide, "Tuning: programs".
"""
import contextlib
import importlib.util
import inspect
import json
import math
import os
import signal
import socket
import stat
import sys

VERSION = 1
MOST_BYTES = 1 << 20  # of a message


def parameters_of(function):
    """The names that must be given, with those of the defaults; None where any name is taken."""
    names = []
    for name, one in inspect.signature(function).parameters.items():
        if one.kind is one.VAR_KEYWORD:
            return None
        if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
            names.append((name, one.default is one.empty))
    return names


def greeting(function):
    names = parameters_of(function)
    # With defaults any subset may be varied; a wrong name then fails at the first call.
    strict = names is not None and all(required for _, required in names)
    return {"protocol": "tomoloom-worker", "version": VERSION, "parameters": [n for n, _ in names] if strict else None}


def answer(function, question):
    number = question.get("id")
    try:
        score = float(function(**question["evaluate"]))
    except Exception as error:  # whatever the function raises is a failed point
        return {"id": number, "error": f"{type(error).__name__}: {error}"[:1000]}
    if not math.isfinite(score):
        return {"id": number, "error": f"the score is not a finite number: {score}"}
    return {"id": number, "score": score}


def lines_of(connection):
    """Complete lines; ValueError for one that is too long."""
    received = b""
    while True:
        while b"\n" in received:
            line, received = received.split(b"\n", 1)
            yield line
        if len(received) > MOST_BYTES:
            raise ValueError(f"a message is longer than {MOST_BYTES} bytes")
        part = connection.recv(1 << 16)
        if not part:
            return
        received += part


def converse(connection, function):
    def send(message):
        connection.sendall(json.dumps(message).encode() + b"\n")

    send(greeting(function))
    for line in lines_of(connection):
        question = json.loads(line)
        if not isinstance(question, dict) or not isinstance(question.get("evaluate"), dict):
            raise ValueError("a message is not a question")
        send(answer(function, question))


def listening(path):
    """A socket that listens at the path; one that a dead worker left there is replaced."""
    if os.path.exists(path) and not stat.S_ISSOCK(os.stat(path).st_mode):
        raise SystemExit(f"{path}: there is something that is not a socket")
    if os.path.exists(path):
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(path)
            except ConnectionRefusedError:
                os.unlink(path)
            else:
                raise SystemExit(f"{path}: another worker listens there")
    server = socket.socket(socket.AF_UNIX)
    mask = os.umask(0o177)  # for this user alone
    try:
        server.bind(path)
    finally:
        os.umask(mask)
    server.listen(1)
    return server


def serve(path, function):
    """Answers one search after the other until the process is ended."""
    with listening(path) as server:
        try:
            while True:
                connection, _ = server.accept()
                with connection:
                    try:
                        converse(connection, function)
                    except (OSError, ValueError) as error:
                        print(f"tomoloom_worker: {error}", file=sys.stderr)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(path)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    path, _, name = arguments[1].partition(".py:")
    path = path if path.endswith(".py") else path + ".py"
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("tuned_function", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    function = getattr(module, name or "score", None)
    if not callable(function):
        print(f"tomoloom_worker: {path} has no function {name or 'score'}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with contextlib.suppress(KeyboardInterrupt):
        serve(arguments[0], function)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
