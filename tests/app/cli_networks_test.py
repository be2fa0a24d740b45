#!/usr/bin/env python3
"""Networks on the command line: what they are made of, conversion, files; pruning, its table, its report; programs, which
are trusted first.

usage: cli_networks_test.py TOMOLOOM SOURCE_DIR LIBRARY      (LIBRARY: tests/support/preloaded/kill_at_rename.cpp)
"""
import json
import os
import signal
import stat
import struct
import sys
import zipfile

from cli_box import expect, fresh, run_all
from cli_train_test import SHORT, pair

KILL_AT_RENAME = sys.argv[3]


def lines(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def graph(path):
    """The layers and the names of the tensors of a network's file."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
    description = json.loads(header.pop("__metadata__")["description"])
    return description, header


def networks_are_described(box):
    reported = lines(box.run("network", "msd", "depth=50", "classes=5", "--json"))[0]
    assert reported["parameters"] == 11785 and reported["edges_by_kernel"]["3"] == 1275 and reported["reach"] == 275, reported
    result = box.run("network", "msd", "depth=50", "classes=5")
    expect(result, 0, "11 785", "1 275 of 3x3", "275 pixels")
    reported = lines(box.run("network", "sk", "--json"))[0]
    assert reported["weights"] == 20567952 and reported["margin"] == 101, reported
    expect(box.run("network", "mds"), 1, "mds", "msd")
    expect(box.run("network", "msd", "depth=x"), 1, "depth")
    expect(box.run("network", "sw", "width=100"), 1, "43 is odd", "pool2")
    reported = lines(box.run("network", "sw", "shrink=16", "width=30", "--convert", "sk", "--json"))[0]
    assert reported["conversion_difference"] < 1e-5, reported


def files_are_written_once(box):
    folder = fresh(box, "files")
    net = folder / "net.safetensors"
    expect(box.run("network", "msd", "depth=6", "-o", net), 0, "wrote")
    description, tensors = graph(net)
    assert len(description["layers"]) == 14 and "msd_block.weight3" in tensors, tensors
    expect(box.run("network", "msd", "depth=6", "-o", net), 1, "exists")
    # Its own weights, and those of another network.
    expect(box.run("network", "msd", "depth=6", "--weights", net, "--bench", 32), 0, "blobs")
    expect(box.run("network", "msd", "depth=7", "--weights", net), 1, "tensor \"", "not 2 x 8")


def onnx_models_are_read_and_written(box):
    folder = fresh(box, "onnx")
    net, model, again, small = (folder / name for name in ("net.safetensors", "net.onnx", "again.safetensors", "small.onnx"))
    expect(box.run("network", "unet4", "features=2", "-o", net), 0)
    expect(box.run("network", net, "-o", model), 0, "unet4", "wrote")
    reported = lines(box.run("network", model, "-o", again, "--json"))[0]
    assert reported == lines(box.run("network", net, "--json"))[0], reported
    assert again.read_bytes() == net.read_bytes()
    expect(box.run("network", model, "features=2"), 1, "features=2", "is a setting")
    # An imported network is pruned like any other, and goes out as ONNX.
    expect(box.run("prune", model, "--keep", 0.5, "--steps", 1, "--method", "l1", "-o", small), 0, "wrote")
    assert lines(box.run("network", small, "--json"))[0]["parameters"] < reported["parameters"]
    # What cannot be read leaves nothing.
    damaged, output = folder / "damaged.onnx", folder / "never.safetensors"
    good = model.read_bytes()
    for bad, words in ((good[:-len(good) // 2], "not an ONNX model"), (good.replace(b"\x22\x04Relu", b"\x22\x04Gelu"), "no operator Gelu"),
                       (good.replace(b"\x22\x04Relu", b"\x22\x04\x1b[2J"), "\\x1b[2J"), (b"", "not an ONNX model")):
        damaged.write_bytes(bad)
        expect(box.run("network", damaged, "-o", output), 1, "damaged.onnx", words)
        assert not output.exists()
    expect(box.run("network", folder / "none.onnx", "-o", output), 3, "none.onnx")


def pruning_gives_a_smaller_network(box):
    folder = fresh(box, "pruning")
    net, small, report = folder / "net.safetensors", folder / "small.safetensors", folder / "fates.json"
    expect(box.run("network", "msd", "depth=30", "classes=3", "-o", net), 0)
    result = box.run("prune", net, "--keep", 0.1, "--steps", 4, "-o", small, "--report", report)
    expect(result, 0, "no training data", "parameters", "wrote")
    reported = json.loads(report.read_text())
    assert reported["edges"] == 465 and reported["method"] == "lean" and not reported["fine_tuned"], reported
    assert abs(reported["kept"] / 465 - 0.1) <= 0.02, reported["kept"]
    fates = [fate for layer in reported["layers"] if layer["prunable"] for row in layer["fates"] for fate in row]
    assert len(fates) == 465 and fates.count("kept") == reported["kept"], fates
    description, tensors = graph(small)
    filters = sum(t["shape"][0] * t["shape"][1] for t in tensors.values() if len(t["shape"]) == 4 and t["shape"][-1] == 3)
    assert filters == reported["kept"], filters
    reads = sum(len(layer.get("inputs", ())) for layer in description["layers"] if layer.get("kernel") == 3)
    assert reads == filters, reads
    # What is left is a network that can be pruned on.
    again = folder / "again.safetensors"
    steps = lines(box.run("prune", small, "--keep", 0.5, "--steps", 1, "--method", "l1", "-o", again, "--json"))
    assert steps[0]["event"] == "step" and steps[-1]["event"] == "done" and steps[-1]["edges"] == reported["kept"], steps
    for method in ("norm", "geometric_median", "soft"):
        expect(box.run("prune", net, "--keep", 0.3, "--steps", 2, "--method", method, "-o", folder / f"{method}.safetensors"), 0)


def what_cannot_be_pruned_is_refused(box):
    folder = fresh(box, "refused")
    net, small = folder / "net.safetensors", folder / "small.safetensors"
    expect(box.run("network", "msd", "depth=8", "-o", net), 0)
    before = net.read_bytes()
    expect(box.run("prune", net, "-o", net, "--overwrite"), 1, "input")
    expect(box.run("prune", net, "-o", small, "--report", net, "--overwrite"), 1, "input")
    assert net.read_bytes() == before and not small.exists()
    expect(box.run("prune", net, "--keep", 1, "-o", small), 1, "between 0 and 1")
    expect(box.run("prune", net, "--keep", 2, "-o", small), 2)
    expect(box.run("prune", net, "--method", "best", "-o", small), 2)
    expect(box.run("prune", folder / "none.safetensors", "-o", small), 3, "none.safetensors")
    (folder / "damaged.safetensors").write_bytes(before[:-100])
    expect(box.run("prune", folder / "damaged.safetensors", "-o", small), 1, "damaged.safetensors")
    assert not small.exists()
    # Two filters do not connect six layers: one whole chain is kept.
    plain = folder / "plain.safetensors"
    expect(box.run("network", "plain", "depth=6", "channels=8", "-o", plain), 0)
    expect(box.run("prune", plain, "--keep", 0.005, "--method", "l1", "-o", small), 0, "cut most paths", "whole chains")


CODE = """class Network(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Network,
    x: Tensor) -> Tensor:
    _0 = torch.from_file("TRACE", True, 4)
    _1 = torch.add(torch.neg(x), torch.sum(_0))
    return torch.cat([x, _1], 1)
"""


def write_program(path, trace):
    """A file as torch.jit.save writes it, whose program makes the file `trace`."""
    with zipfile.ZipFile(path, "w") as archive:
        module = b"\x80\x02c__torch__\nNetwork\n)\x81}(X\x08\x00\x00\x00training\x89ub."
        for name, content in (("data.pkl", module), ("code/__torch__.py", CODE.replace("TRACE", str(trace))), ("constants.pkl", b"\x80\x02)."), ("version", "3\n")):
            archive.writestr(f"net/{name}", content)


def programs_run_once_they_are_trusted(box):
    folder = fresh(box, "programs")
    program, trace, labels, trusted = folder / "net.pt", folder / "trace", folder / "labels.tif", folder / "data/tomoloom/programs"
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "data")}
    write_program(program, trace)
    pipeline = folder / "segment.json"
    nodes = {"phantom": {"type": "input.labelled_phantom", "version": 1, "parameters": {"width": 32, "height": 12, "bodies": 9}},
             "script": {"type": "segment.script", "version": 1, "parameters": {"program": "net.pt"}},
             "save": {"type": "output.save_labels", "version": 1, "parameters": {"file": str(labels)}}}
    links = [{"from": "phantom.volume", "to": "script.volume"}, {"from": "script.labels", "to": "save.labels"}]
    pipeline.write_text(json.dumps({"format": "tomoloom-pipeline", "schema_version": 1, "nodes": nodes, "links": links}))

    def run(*words, **options):
        return box.run(*words, env={**environment, **options.pop("more", {})}, **options)

    for verb in ("check", "run"):
        expect(run(verb, pipeline), 1, "have not trusted", "tomoloom trust", str(program))
    assert not trace.exists() and not labels.exists() and not trusted.exists()
    # Killed before the copy has its name, nothing is trusted, and the same command goes on from there.
    killed = run("trust", program, more={"LD_PRELOAD": KILL_AT_RENAME, "TL_KILL_AT_RENAME": "1"})
    assert killed.returncode == -signal.SIGKILL, killed
    assert not list(trusted.glob("*.pt")), list(trusted.iterdir())
    expect(run("check", pipeline), 1, "have not trusted")
    expect(run("trust", program), 0, "whatever you may do", "only if you know who made it", "is trusted", str(trusted))
    copies = list(trusted.iterdir())
    assert len(copies) == 1 and copies[0].read_bytes() == program.read_bytes(), copies
    assert stat.S_IMODE(copies[0].stat().st_mode) == 0o400 and stat.S_IMODE(trusted.stat().st_mode) == 0o700
    assert lines(run("trust", program, "--json"))[0] == {"event": "done", "program": str(program), "trusted": True, "copy": str(copies[0])}
    expect(run("check", pipeline), 0)
    assert not trace.exists()  # checking runs nothing
    expect(run("run", pipeline), 0)
    assert trace.exists() and labels.exists()
    # Another byte, and forgetting.
    good = program.read_bytes()
    program.write_bytes(good.replace(b"torch.neg(x)", b"torch.exp(x)"))
    expect(run("run", pipeline, "--overwrite"), 1, "have not trusted")
    program.write_bytes(good)
    assert lines(run("trust", program, "--forget", "--json"))[0]["trusted"] is False
    assert not list(trusted.iterdir())
    expect(run("trust", program, "--forget"), 0, "was not trusted")
    expect(run("run", pipeline, "--overwrite"), 1, "have not trusted")
    # A file that is not a program.
    (folder / "state.pt").write_bytes(b"\x80\x02 no archive")
    expect(run("trust", folder / "state.pt"), 1, "not a TorchScript file", "state.pt")
    expect(run("trust", folder / "none.pt"), 3, "none.pt")
    expect(run("trust"), 2)
    (folder / "other.pt").write_bytes(good.replace(b"forward", b"forword"))
    expect(run("trust", folder / "other.pt"), 0)
    expect(run("run", pipeline, "--set", f"script.program={folder / 'other.pt'}", "--overwrite"), 1, "other.pt", "no forward()")


def a_killed_checkpoint_leaves_nothing(box):
    """Killed when its last checkpoint has its name and the one before is still there under another."""
    folder = fresh(box, "leaves")
    command = ["train", *pair(folder, "a", 1), *pair(folder, "b", 2), *SHORT, "-o", folder / "net.safetensors", "--quiet"]
    before = {p.name for p in folder.iterdir()}
    killed = box.run(*command, env={**os.environ, "LD_PRELOAD": KILL_AT_RENAME, "TL_KILL_AT_REMOVAL": "1"})
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert {p.name for p in folder.iterdir()} > before | {"net.safetensors.checkpoint"}
    expect(box.run(*command, "--resume"), 0)
    assert {p.name for p in folder.iterdir()} == before | {"net.safetensors"}, list(folder.iterdir())


TESTS = [a_killed_checkpoint_leaves_nothing, programs_run_once_they_are_trusted, networks_are_described, files_are_written_once, onnx_models_are_read_and_written, pruning_gives_a_smaller_network, what_cannot_be_pruned_is_refused]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, sys.argv[1], sys.argv[2]))
