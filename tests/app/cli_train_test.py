#!/usr/bin/env python3
"""Trains tiny networks on the command line: pairs, strokes, resuming after a kill, generated cases, what is refused.

usage: cli_train_test.py TOMOLOOM SOURCE_DIR
"""
import json
import os
import random
import signal
import struct
import subprocess
import sys
import time

from cli_box import expect, fresh, run_all

SHAPE = (16, 14, 12)  # x, y, z
SHORT = ["--network", "msd depth=2", "--epochs", "2", "--steps", "3", "--validation-samples", "2"]


def write(path, numbers, shape=SHAPE, kind="float"):
    """An NRRD file; the shape is x, y, z."""
    head = (f"NRRD0004\ntype: {kind}\ndimension: 3\nspace: left-posterior-superior\nsizes: {' '.join(map(str, shape))}\n"
            "space directions: (0.1,0,0) (0,0.1,0) (0,0,0.1)\nspace origin: (0,0,0)\nspace units: \"mm\" \"mm\" \"mm\"\n"
            "endian: little\nencoding: raw\n\n")
    path.write_bytes(head.encode() + (bytes(numbers) if kind == "uint8" else struct.pack(f"<{len(numbers)}f", *numbers)))
    return path


def pair(folder, name, seed, strokes=False):
    """A bright block in noise, and its labels 1 (ground) and 7 (block); strokes label some lines along z alone."""
    dice = random.Random(seed)
    volume, labels = [], []
    nx, ny, nz = SHAPE
    for _ in range(nz):
        for y in range(ny):
            for x in range(nx):
                block = 4 <= x < 10 and 3 <= y < 9
                volume.append(dice.gauss(5 if block else 3, 0.5))
                labels.append((7 if block else 1) if not strokes or (x + y) % 4 == 0 else 0)
    labels_file = write(folder / f"{name}_labels.nrrd", labels, kind="uint8")
    (folder / f"{name}_labels.nrrd.labels.json").write_text(
        '{"classes": [{"number": 1, "name": "ground"}, {"number": 7, "name": "block", "colour": "#3366cc"}], "not_labelled": 0}')
    return [write(folder / f"{name}.nrrd", volume), labels_file]


def description(path):
    data = path.read_bytes()
    return json.loads(json.loads(data[8:8 + struct.unpack("<Q", data[:8])[0]])["__metadata__"]["description"])


def lines(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def pairs_give_a_network_with_classes_scaling_and_voxel_size(box):
    folder = fresh(box, "pairs")
    output = folder / "net.safetensors"
    result = box.run("train", *pair(folder, "a", 1), *pair(folder, "b", 2), *SHORT, "-o", output, "--json")
    expect(result, 0)
    reported = lines(result)
    assert [line["event"] for line in reported] == ["epoch", "epoch", "done"], reported
    assert [c["name"] for c in reported[0]["f1"]] == ["ground", "block"], reported
    assert reported[-1]["best_epoch"] in (1, 2) and reported[-1]["steps"] == 6, reported
    net = description(output)
    assert net["architecture"].startswith("msd depth=2 ") and " classes=2" in net["architecture"], net
    assert abs(net["scaling"]["mean"][0] - 3.3) < 0.2 and abs(net["voxel_size"] - 0.1) < 1e-9, net
    assert [c["number"] for c in net["labels"]["classes"]] == [1, 7], net
    assert not (folder / "net.safetensors.checkpoint").exists()
    # The file runs, and equal seeds give equal files.
    expect(box.run("network", "msd", "depth=2", "classes=2", "--weights", output), 0, "parameters")
    again = folder / "again.safetensors"
    expect(box.run("train", *pair(folder, "a", 1), *pair(folder, "b", 2), *SHORT, "-o", again), 0, "best epoch", "wrote")
    assert again.read_bytes() == output.read_bytes()
    # More training begins with its weights.
    more = folder / "more.safetensors"
    expect(box.run("train", *pair(folder, "a", 1), "--weights", output, *SHORT, "-o", more, "--quiet"), 0)
    assert more.read_bytes() != output.read_bytes()


def networks_of_files_are_trained_on(box):
    folder = fresh(box, "files")
    model, trained = folder / "net.onnx", folder / "trained.onnx"
    expect(box.run("network", "plain", "depth=2", "channels=3", "-o", model), 0)
    data, short = [*pair(folder, "a", 1), *pair(folder, "b", 2)], SHORT[2:]
    expect(box.run("train", *data, "--network", model, *short, "-o", trained), 0, "best epoch", "wrote")
    expect(box.run("train", *data, "--network", trained, *short, "-o", folder / "more.safetensors"), 0, "wrote")
    net = description(folder / "more.safetensors")
    assert net["architecture"].startswith("plain depth=2 ") and [c["number"] for c in net["labels"]["classes"]] == [1, 7], net
    expect(box.run("train", *data, "--network", model, "--weights", folder / "more.safetensors", *short, "-o", folder / "x.onnx"), 1,
           "both are files")


def strokes_on_one_volume_are_split_into_blocks(box):
    folder = fresh(box, "strokes")
    output = folder / "net.safetensors"
    data = pair(folder, "a", 1, strokes=True)
    for choice in (["--planes", "random", "--patch", "12", "--elastic", "1"], ["--axis", "x", "--prior", "classes", "--masking", "balanced"],
                   ["--loss", "sum", "--class-weights", "balanced", "--optimiser", "adamw", "--schedule", "cosine", "--batch", "2", "--patch", "8"]):
        expect(box.run("train", *data, *SHORT, "--gap", "1", *choice, "-o", output, "--overwrite"), 0, "best epoch")


def kill_once_it_can_go_on(command, checkpoint, how):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not checkpoint.exists() and process.poll() is None:
        time.sleep(0.005)
    assert process.poll() is None, "it ended before it could be killed"
    process.send_signal(how)
    assert process.wait() == (-signal.SIGKILL if how == signal.SIGKILL else 5)


def a_killed_training_goes_on_with_the_same_bits(box):
    folder = fresh(box, "killed")
    data = [*pair(folder, "a", 1), *pair(folder, "b", 2)]
    options = ["--network", "msd depth=4", "--epochs", "12", "--steps", "6", "--validation-samples", "2", "--patience", "0"]
    whole, cut = folder / "whole.safetensors", folder / "cut.safetensors"
    checkpoint = folder / "cut.safetensors.checkpoint"
    expect(box.run("train", *data, *options, "-o", whole, "--quiet"), 0)
    for how in (signal.SIGKILL, signal.SIGTERM):
        command = [box.program, "train", *map(str, data), *options, "-o", str(cut), "--quiet", "--resume"]
        kill_once_it_can_go_on(command, checkpoint, how)
        assert checkpoint.exists() and not cut.exists()
        # Nobody loses a checkpoint by accident.
        expect(box.run("train", *data, *options, "-o", cut), 1, "did not end", "--resume")
        expect(box.run("train", *data, *options, "--seed", "9", "-o", cut, "--resume"), 1, "other settings", "seed")
        expect(box.run("train", *data, *options, "-o", cut, "--resume", "--quiet"), 0)
        assert cut.read_bytes() == whole.read_bytes()
        assert not checkpoint.exists()
        cut.unlink()
    checkpoint.write_bytes(b"damaged")
    expect(box.run("train", *data, *options, "-o", cut, "--resume"), 1, "cut.safetensors.checkpoint")
    assert not cut.exists()


def a_killed_pruning_goes_on_with_the_same_bits(box):
    folder = fresh(box, "pruning_killed")
    data = [*pair(folder, "a", 1), *pair(folder, "b", 2)]
    net, whole, cut, report = (folder / name for name in ("net.safetensors", "whole.safetensors", "cut.safetensors", "fates.json"))
    checkpoint = folder / "cut.safetensors.checkpoint"
    expect(box.run("train", *data, *SHORT, "-o", net, "--quiet"), 0)
    options = ["--keep", "0.3", "--steps", "6", "--epochs", "2", "--epoch-steps", "20", "--data", *map(str, data)]
    expect(box.run("prune", net, *options, "-o", whole, "--report", report, "--quiet"), 0)
    fates = report.read_bytes()
    for how in (signal.SIGKILL, signal.SIGTERM):
        command = [box.program, "prune", str(net), *options, "-o", str(cut), "--quiet", "--resume"]
        kill_once_it_can_go_on(command, checkpoint, how)
        assert checkpoint.exists() and not cut.exists()
        expect(box.run("prune", net, *options, "-o", cut), 1, "did not end", "--resume")
        expect(box.run("prune", net, *options, "--seed", "9", "-o", cut, "--resume"), 1, "other settings", "seed")
        expect(box.run("prune", net, *options, "-o", cut, "--resume", "--report", report, "--overwrite", "--quiet"), 0)
        assert cut.read_bytes() == whole.read_bytes() and report.read_bytes() == fates
        assert not checkpoint.exists()
        cut.unlink()
    checkpoint.write_bytes(b"damaged")
    expect(box.run("prune", net, *options, "-o", cut, "--resume"), 1, "cut.safetensors.checkpoint")
    assert not cut.exists()


def generated_cases_print_tables(box):
    tiny = ["--edge", "40", "--epochs", "1", "--steps", "2", "--json"]
    for case, rows, column in (("fibres-spheres", 2, "upright planes"), ("fibres-container", 4, "random planes"),
                               ("circles-squares", 1, "macro F1")):
        result = box.run("train", case, *tiny)
        expect(result, 0)
        done = lines(result)[-1]
        assert done["case"] == case and len(done["rows"]) == rows, done
        assert all(0 <= row[column] <= 1 for row in done["rows"] if column in row), done
    result = box.run("train", "fibres-container", "--published", *tiny)
    expect(result, 0)
    assert len(lines(result)[-1]["rows"]) == 4
    for case in ("circles-squares", "cells"):
        expect(box.run("train", case, "--published", *tiny), 1, "--published")


def what_cannot_be_trained_is_refused(box):
    folder = fresh(box, "refused")
    volume, labels = pair(folder, "a", 1)
    output = folder / "net.safetensors"
    small = write(folder / "small.nrrd", [1] * 24, shape=(4, 3, 2), kind="uint8")
    one = write(folder / "one.nrrd", [1] * (16 * 14 * 12), kind="uint8")
    for data, options, texts in (([volume, small], [], ("voxels", "small.nrrd")), ([volume, labels, volume], [], ("pairs",)),
                                 ([volume, one], [], ("only one class",)), ([volume, labels], ["--network", "msd classes=5"], ("classes=2",)),
                                 ([volume, labels], ["--network", "msx"], ("msx",)), ([volume, labels], ["--quick"], ("generated",)),
                                 ([volume, labels], ["--gap", "100"], ("nothing to validate",))):
        expect(box.run("train", *data, *options, "-o", output), 1, *texts)
        assert not output.exists()
    expect(box.run("train", volume, labels), 1, "--output")
    expect(box.run("train", volume, folder / "none.nrrd", "-o", output), 3, "none.nrrd")
    before = labels.read_bytes()
    expect(box.run("train", volume, labels, *SHORT, "-o", labels, "--overwrite"), 1, "would replace an input")
    assert labels.read_bytes() == before
    output.write_text("mine")
    # Before the first epoch.
    result = box.run("train", volume, labels, *SHORT, "-o", output)
    expect(result, 1, "net.safetensors", "exists already")
    assert output.read_text() == "mine" and "epoch" not in result.stderr + result.stdout
    expect(box.run("train", volume, "-o", folder / "other.safetensors"), 1, "no labels", "VOLUME LABELS")


def outputs_are_neither_inputs_nor_each_other(box):
    folder = fresh(box, "apart")
    data = pair(folder, "a", 1)
    table, net, report = (folder / name for name in ("a_labels.nrrd.labels.json", "net.safetensors", "r.json"))
    expect(box.run("train", *data, *SHORT, "-o", net), 0)
    for command, words in ((["train", *data, *SHORT, "-o", net, "--checkpoint", net], "two outputs have the same name"),
                           (["train", *data, *SHORT, "-o", net, "--checkpoint", folder / ".." / folder.name / net.name], "two outputs"),
                           (["train", *data, *SHORT, "--weights", net, "-o", net], "would replace an input"),
                           (["train", *data, *SHORT, "--weights", net, "-o", folder / "n.onnx", "--checkpoint", net], "would replace an input"),
                           (["train", *data, *SHORT, "-o", table], "would replace an input"),
                           (["train", "cells", "--weights", net, "-o", net], "would replace an input"),
                           (["prune", net, "-o", folder / "p.safetensors", "--report", table, "--data", *data], "would replace an input"),
                           (["prune", net, "-o", report, "--report", report], "two outputs"),
                           (["simulate", "--labels", data[1], "-o", data[1]], "would replace an input"),
                           (["simulate", "--labels", data[1], "-o", table], "would replace an input")):
        before = {p: p.read_bytes() for p in folder.iterdir()}
        expect(box.run(*command, "--overwrite"), 1, words)
        assert {p: p.read_bytes() for p in folder.iterdir()} == before, command


def cancelled_trainings_say_how_to_go_on(box):
    folder = fresh(box, "cancelled")
    data = [*pair(folder, "a", 1), *pair(folder, "b", 2)]
    command = [box.program, "train", *map(str, data), "--network", "msd depth=4", "--epochs", "100000", "--steps", "6", "--patience", "0",
               "-o", str(folder / "net.safetensors")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not (folder / "net.safetensors.checkpoint").exists() and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    text = process.communicate(timeout=600)[1]
    assert process.returncode == 5 and "--resume continues" in text and "net.safetensors.checkpoint" in text, text


def options_that_a_case_does_not_take_are_refused(box):
    for option in (["--planes", "random"], ["--validation-samples", "4"], ["--loss", "dice"], ["--checkpoint", "x"], ["--resume"], ["--max-memory", "4GB"]):
        expect(box.run("train", "circles-squares", *option, "--epochs", "1", "--steps", "1"), 1, option[0], "circles-squares has no such option")
    expect(box.run("train", "circles-squares", "--seeds", "2"), 1, "--seeds")
    for option in (["--method", "l1"], ["-o", "x.safetensors"], ["--report", "x.json"], ["--epochs", "2"], ["--rate", "0.1"], ["--resume"]):
        expect(box.run("prune", "circles-squares", *option), 1, "circles-squares has no such option")
    # Those that it takes have their effect.
    tiny = ["--edge", "40", "--epochs", "3", "--steps", "2", "--json"]
    result = box.run("train", "circles-squares", "--network", "msd depth=3", "--patience", "1", "--rate", "1e-9", "-o", "case.safetensors", *tiny)
    expect(result, 0)
    assert description(box.folder / "case.safetensors")["architecture"].startswith("msd depth=3 ")
    assert sum(line["event"] == "epoch" for line in lines(result)) < 3, result.stdout


TESTS = [pairs_give_a_network_with_classes_scaling_and_voxel_size, networks_of_files_are_trained_on,
         strokes_on_one_volume_are_split_into_blocks,
         a_killed_training_goes_on_with_the_same_bits, a_killed_pruning_goes_on_with_the_same_bits,
         outputs_are_neither_inputs_nor_each_other, cancelled_trainings_say_how_to_go_on, options_that_a_case_does_not_take_are_refused, generated_cases_print_tables, what_cannot_be_trained_is_refused]


if __name__ == "__main__":
    # Bits of two trainings are compared: the number of threads must not follow other programs.
    os.environ["OMP_DYNAMIC"] = "false"
    sys.exit(run_all(TESTS, *sys.argv[1:]))
