#!/usr/bin/env python3
"""Scores labels on the command line: numbers by hand, what counts nowhere, other grids, files that are not labels.

usage: cli_score_test.py TOMOLOOM SOURCE_DIR
"""
import json
import sys

from cli_box import expect, fresh, run_all

# z, y, x = 1, 2, 4: three classes of the truth, one more in the labels.
TRUTH = [0, 0, 1, 1, 1, 2, 2, 2]
LABELS = [0, 1, 1, 1, 2, 2, 2, 3]


def write(path, numbers, shape=(4, 2, 1), spacing=0.5, origin=(0, 0, 0), kind="uint8"):
    """An NRRD file; the shape is x, y, z."""
    directions = " ".join(f"({','.join(str(spacing if i == j else 0) for j in range(3))})" for i in range(3))
    head = (f"NRRD0004\ntype: {kind}\ndimension: 3\nspace: left-posterior-superior\nsizes: {' '.join(map(str, shape))}\n"
            f"space directions: {directions}\nspace origin: ({','.join(map(str, origin))})\nspace units: \"mm\" \"mm\" \"mm\"\n"
            "endian: little\nencoding: raw\n\n")
    data = bytes(numbers) if kind == "uint8" else b"".join(n.to_bytes(2, "little") for n in numbers)
    path.write_bytes(head.encode() + data)
    return path


def last_line(result):
    return json.loads(result.stdout.splitlines()[-1])


def scores_are_those_by_hand(box):
    folder = fresh(box, "by_hand")
    truth, labels = write(folder / "truth.nrrd", TRUTH), write(folder / "labels.nrrd", LABELS, kind="uint16")
    (folder / "truth.nrrd.labels.json").write_text('{"classes": [{"number": 1, "name": "pore", "colour": "#3366cc"}], "not_labelled": 0}')
    result = box.run("score", truth, labels, "--left-out", "nothing", "--json")
    expect(result, 0)
    reported = last_line(result)
    assert reported["voxels"] == 8 and reported["accuracy"] == 5 / 8, reported
    assert abs(reported["macro_f1"] - 0.5) < 1e-12 and abs(reported["mean_iou"] - 3 / 8) < 1e-12, reported
    assert abs(reported["adapted_rand_error"] - (1 - 8 / 26)) < 1e-12, reported
    assert [c["number"] for c in reported["classes"]] == [0, 1, 2, 3] and reported["classes"][1]["name"] == "pore", reported
    # What the table calls not labelled counts nowhere by default.
    for option in ([], ["--left-out", "zero"]):
        reported = last_line(box.run("score", truth, labels, "--json", *option))
        assert reported["voxels"] == 6 and [c["number"] for c in reported["classes"]] == [1, 2, 3], reported
    expect(box.run("score", truth, labels), 0, "macro F1", "adapted Rand error", "pore")
    quiet = box.run("score", truth, labels, "--quiet")
    expect(quiet, 0)
    assert quiet.stdout == "", quiet.stdout


def other_grids_are_aligned_or_refused(box):
    folder = fresh(box, "grids")
    truth = write(folder / "truth.nrrd", TRUTH)
    moved = write(folder / "moved.nrrd", TRUTH, origin=(-0.5, 0, 0))
    expect(box.run("score", truth, moved), 1, "other positions", "position")
    by_index = box.run("score", truth, moved, "--alignment", "index", "--json")
    expect(by_index, 0)
    assert last_line(by_index)["accuracy"] == 1
    by_position = box.run("score", truth, moved, "--alignment", "position")
    expect(by_position, 0, "reaches beyond")
    far = write(folder / "far.nrrd", TRUTH, origin=(1000, 0, 0))
    expect(box.run("score", truth, far, "--alignment", "position"), 1, "do not overlap the truth")
    # Twice as fine: every voxel eight times.
    fine = [TRUTH[4 * (y // 2) + x // 2] for _ in range(2) for y in range(4) for x in range(8)]
    finer = write(folder / "finer.nrrd", fine, shape=(8, 4, 2), spacing=0.25, origin=(-0.125, -0.125, -0.125))
    expect(box.run("score", truth, finer), 1, "4 x 2 x 1", "8 x 4 x 2")
    expect(box.run("score", truth, finer, "--alignment", "index"), 1, "crop")
    result = box.run("score", truth, finer, "--alignment", "position", "--json")
    expect(result, 0, "nearest")
    assert last_line(result)["accuracy"] == 1, last_line(result)


def files_without_labels_are_an_error(box):
    folder = fresh(box, "errors")
    truth = write(folder / "truth.nrrd", TRUTH)
    expect(box.run("score", truth, folder / "none.nrrd"), 3, "none.nrrd")
    (folder / "text.nrrd").write_text("no volume")
    assert box.run("score", truth, folder / "text.nrrd").returncode in (1, 3)
    empty = write(folder / "empty.nrrd", [0] * 8)
    expect(box.run("score", empty, truth, "--left-out", "zero"), 1, "no voxel of the truth counts")
    expect(box.run("score", truth), 2)
    expect(box.run("score", truth, truth, "--left-out", "one"), 2)


TESTS = [scores_are_those_by_hand, other_grids_are_aligned_or_refused, files_without_labels_are_an_error]


if __name__ == "__main__":
    sys.exit(run_all(TESTS, *sys.argv[1:]))
