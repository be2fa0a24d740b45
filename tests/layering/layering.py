#!/usr/bin/env python3
"""Checks the tree: include arrows between layers, between the rooms of a layer and between folders of a room, banned headers, Qt 5 traces, machine paths, file sizes, first lines.

usage: layering.py ROOT                 checks the tracked files of ROOT; one line per violation
       layering.py ROOT --self-test     plants one violation of each kind in a scratch tree and demands that it is found
Output is in Qt Test's form, so that each rule is counted as one test.
"""
import collections
import graphlib
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = {".h", ".cpp", ".cu", ".py", ".sh", ".cmake"}
MAX_LINES = 450
MAX_FILES = 40  # of a folder of code

# Header families, by the path inside <...> or "...".
QT = r"Q[A-Z]\w*(/|$)|Qt\w*/|qt\w*/"
NOT_QT_SQL = r"Q(?!Sql|String|ByteArray|Variant)[A-Z]\w*(/|$)|Qt(?!Sql|Core)\w*/|qt\w*/"  # of Qt, all but SQL and the values that it takes
VTK = r"vtk"
VTK_RENDERING = r"vtk\w*(Render|OpenGL|Actor|Mapper)"
USES_VTK = "core/mesh/"  # the one folder of core that calls VTK's filters; its headers are checked without them
USES_QT_SQL = "core/history/sqlite/"  # the one folder of core that calls Qt, and of Qt its SQL alone; no header outside shows it
ITK = r"itk"
USES_ITK = "core/itk/"  # the one folder of core that calls ITK; of its headers the bridge alone shows it
TORCH = r"torch/|ATen/|c10/"
ARRAYLESS = "core/stream/"  # frames are bytes there: the room works, and is sanitized, without the array library
HDF5 = r"hdf5|H5\w*\.h|hdf5_hl"
FILES = HDF5 + r"|tiff|png\.h|xraylib|CLI/"
TEXT = r"nlohmann/|spdlog/|fmt/"

# What each layer may use of our own tree, and which headers must not reach it, not even through our other headers.
LAYERS = {
    "base": ({"base"}, "|".join([TORCH, QT, VTK, ITK, FILES, TEXT])),
    "gpu": ({"base", "gpu"}, "|".join([QT, VTK, ITK, FILES, TEXT])),
    "core": ({"base", "gpu", "core"}, "|".join([QT, VTK, ITK])),
    "widgets": ({"base", "core", "widgets"}, "|".join([TORCH, HDF5, ITK])),
    "cli": ({"base", "gpu", "core", "cli"}, "|".join([QT, VTK, ITK, HDF5])),
    "app": ({"base", "gpu", "core", "widgets", "app"}, "|".join([HDF5, ITK])),
}
FOLDERS = [("core/base/", "base"), ("gpu/", "gpu"), ("core/", "core"), ("widgets/", "widgets"), ("app/cli/", "cli"),
           ("app/", "app")]
ROOMED = ("gpu", "core", "widgets")  # layers whose folders are rooms; core/base is a layer of its own
ROOM_ORDER = re.compile(r"foreach\(room ([\w ]+)\)")
CODE = ("gpu/", "core/", "widgets/", "app/", "tests/")
BANNED_EVERYWHERE = re.compile(r"^(execution$|X11/)")  # both clash with ATen and Qt
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
# Written in two parts so that this file does not find itself.
QT5 = re.compile("Qt5" + r"::|QVTK" + r"OpenGL|find_package\(Qt" + r"5|libQt" + r"5|qtbase" + r"5-dev|libvtk9-qt" + "-dev")
MACHINE_PATH = re.compile(r"(?<![\w.$}-])/(root" + r"/|home/[a-z]|work" + r"/|tmp/" + r"wt\b)")
# A string literal on one line that names an option; comments have no quotes around it.
OPTION_IN_TEXT = re.compile(r'^(?!\s*//)[^"\n]*"(?:[^"\n]*"[^"\n]*")*?[^"\n]*(?<![\w-])--[a-z][^"\n]*"', re.MULTILINE)
COMMAND_LINE_MESSAGE = re.compile(r"error\w*(\(\))?(\.|->)message\(\)")
# Options of sbatch; commands that are run.
COMMAND_LINE_TEXTS = {"core/node/reference.cpp", "core/run/cluster/slurm.cpp", "core/run/cluster/task_words.cpp"}
# Files and folders outside of core/nodes that name nodes by their ids, and why. Others ask for what a node declares: its
# role, its remedies, its ports (core/node/node_type.h).
KNOW_NODES = {
    "core/graph/foreign/": "tables of other programs' methods and the nodes that do the same",
    "core/graph/migrations.cpp": "files of older versions of these nodes",
    "core/run/automatic/": "makes pipelines: for a scan, as a first example, for the images of the reference",
    "core/learn/learner/verify_learning.cpp": "a fixed pipeline with a known answer",
    "core/learn/phase_box.cpp": "a fixed pipeline with a known answer",
    "app/cli/simulate.cpp": "the command is this node",
    "app/cli/score.cpp": "the command is this node",
}
NODE_ID = re.compile(r'^(?:(?!//).)*?"([a-z_]+)\.([a-z_0-9]+)"', re.MULTILINE)
UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME)\b")


def layer_of(path):
    for folder, layer in FOLDERS:
        if path.startswith(folder):
            return layer
    return None


def room_of(path):
    """The layer and room of a file: gpu/axis/cpu/x.h is in gpu's room axis; None outside of rooms."""
    parts = path.split("/")
    return (parts[0], parts[1]) if len(parts) > 2 and parts[0] in ROOMED and layer_of(path) == parts[0] else None


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def tracked_files(root):
    """The files that git knows (or would add); without git, all files outside build folders."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0:
        return sorted(p for p in listed.stdout.splitlines() if (root / p).is_file())
    skip = re.compile(r"^(build|out|\.git|\.cache)")
    return sorted(str(p.relative_to(root)) for p in root.rglob("*")
                  if p.is_file() and not skip.match(str(p.relative_to(root))))


def read_tree(root):
    """Path -> text of every tracked text file."""
    tree = {}
    for path in tracked_files(root):
        data = (root / path).read_bytes()
        if b"\0" not in data[:8192]:
            tree[path] = data.decode("utf-8", "replace")
    return tree


def includes(tree):
    """Path -> list of (header, line) of every C++ and CUDA file."""
    return {path: [(m.group(2), line_of(text, m.start())) for m in INCLUDE.finditer(text)]
            for path, text in tree.items() if pathlib.Path(path).suffix in {".h", ".cpp", ".cu"}}


def arrows(tree):
    """Our own headers: only those of lower layers."""
    for path, headers in includes(tree).items():
        layer = layer_of(path)
        if layer is None:
            continue
        for header, line in headers:
            target = layer_of(header)
            if header in tree and target is not None and target not in LAYERS[layer][0]:
                yield f"{path}:{line}: {layer} must not use {target} ({header})"
            if header.startswith("tests/"):
                yield f"{path}:{line}: product code must not use tests ({header})"


def room_arrows(tree):
    """A room uses itself and the rooms that its layer's CMakeLists.txt names before it: no cycles."""
    orders = {layer: ROOM_ORDER.search(tree[f"{layer}/CMakeLists.txt"]).group(1).split()
              for layer in ROOMED if f"{layer}/CMakeLists.txt" in tree}
    for path, headers in includes(tree).items():
        here = room_of(path)
        if here is None or here[0] not in orders:
            continue
        order = orders[here[0]]
        if here[1] not in order:
            yield f"{path}: the room {here[1]} is not in {here[0]}/CMakeLists.txt"
            continue
        for header, line in headers:
            there = room_of(header)
            if header in tree and there is not None and there[0] == here[0] and there[1] in order \
                    and order.index(there[1]) > order.index(here[1]):
                yield f"{path}:{line}: {here[0]}/{here[1]} must not use {there[0]}/{there[1]} ({header}), which comes after it"


def folder_cycles(tree):
    """The folders of a room, itself included, use each other without cycles; app/cli is checked like a room."""
    rooms = collections.defaultdict(lambda: collections.defaultdict(dict))  # room -> folder -> folder used -> one place
    for path, headers in includes(tree).items():
        room = "/".join(path.split("/")[:2])
        if room_of(path) is None and room != "app/cli":
            continue
        folder = str(pathlib.PurePosixPath(path).parent)
        for header, line in headers:
            used = str(pathlib.PurePosixPath(header).parent)
            if header in tree and used != folder and header.startswith(room + "/"):
                rooms[room][folder].setdefault(used, f"{path}:{line} ({header})")
    for folders in rooms.values():
        try:
            list(graphlib.TopologicalSorter(folders).static_order())
        except graphlib.CycleError as error:
            cycle = error.args[1]  # each is used by the next one
            steps = [folders[user][used] for used, user in zip(cycle, cycle[1:])]
            yield f"{cycle[0]}: a cycle of folders: " + ", ".join(steps)


def folder_sizes(tree):
    counts = collections.Counter(str(pathlib.PurePosixPath(path).parent) for path in tree if path.startswith(CODE))
    for folder, count in counts.items():
        if count > MAX_FILES:
            yield f"{folder}: {count} files, more than {MAX_FILES}: split it"


def forbidden_libraries(tree):
    """Foreign headers that a layer must not see, also through our own headers."""
    graph = includes(tree)
    for path in graph:
        layer = layer_of(path)
        if layer is None:
            continue
        banned = LAYERS[layer][1]
        if path.startswith(USES_VTK) and path.endswith(".cpp"):
            banned = "|".join([QT, VTK_RENDERING, TORCH])
        if path.startswith(USES_ITK) and (path.endswith(".cpp") or path == USES_ITK + "bridge.h"):
            banned = "|".join([QT, VTK, TORCH])
        if path.startswith(USES_QT_SQL):
            banned = "|".join([NOT_QT_SQL, VTK, TORCH])
        if path.startswith(ARRAYLESS):
            banned += "|" + TORCH
        banned = re.compile("^(" + banned + ")")
        seen, todo = {path}, [(path, "")]
        while todo:
            current, route = todo.pop()
            for header, line in graph[current]:
                if header in graph:
                    if header not in seen:
                        seen.add(header)
                        todo.append((header, route + f" through {header}"))
                elif banned.match(header):
                    yield f"{path}: {layer} must not see <{header}>{route} (line {line})"


def banned_headers(tree):
    for path, headers in includes(tree).items():
        for header, line in headers:
            if BANNED_EVERYWHERE.match(header):
                yield f"{path}:{line}: banned header <{header}>"


def one_logging_file(tree):
    users = [path for path, headers in includes(tree).items() if any(h.startswith("spdlog/") for h, _ in headers)]
    if len(users) > 1:
        yield "one file alone may include spdlog (its fmt clashes with torch's): " + ", ".join(users)


def search(tree, pattern, meaning, suffixes=None):
    for path, text in tree.items():
        if suffixes is not None and pathlib.Path(path).suffix not in suffixes and not path.endswith("CMakeLists.txt"):
            continue
        for match in pattern.finditer(text):
            yield f"{path}:{line_of(text, match.start())}: {meaning}: {match.group(0)}"


def qt5_traces(tree):
    yield from search(tree, QT5, "Qt 5", SOURCE)


def machine_paths(tree):
    yield from search(tree, MACHINE_PATH, "path of one machine")


def unfinished_marks(tree):
    yield from search(tree, UNFINISHED, "open issues live in the tracker, not here", SOURCE)


def file_sizes(tree):
    for path, text in tree.items():
        lines = text.count("\n")
        if (pathlib.Path(path).suffix in SOURCE or path.endswith("CMakeLists.txt")) and lines > MAX_LINES:
            yield f"{path}: {lines} lines, more than {MAX_LINES}: split it"


def first_lines(tree):
    for path, text in tree.items():
        if pathlib.Path(path).suffix in {".h", ".cpp", ".cu"} and not text.startswith("// "):
            yield f"{path}:1: the first line must say in one sentence what the file is"


def option_words(tree):
    """Texts that may be shown in a window name buttons and fields: an option of the command line stands only inside two_wordings()."""
    for path, text in tree.items():
        if pathlib.Path(path).suffix not in {".h", ".cpp"} or not path.startswith(("core/", "widgets/")) or path in COMMAND_LINE_TEXTS:
            continue
        for match in OPTION_IN_TEXT.finditer(text):
            statement = re.split(r";\n|\{\n|\}\n", text[:match.end()])[-1]
            if "two_wordings(" not in statement:
                yield f"{path}:{line_of(text, match.start())}: an option of the command line outside of two_wordings(): {match.group(0)}"
        if path.startswith("widgets/"):
            for match in COMMAND_LINE_MESSAGE.finditer(text):
                yield f"{path}:{line_of(text, match.start())}: the command line's wording of an error: use error_text()"


def node_ids(tree):
    """Only the files of KNOW_NODES name nodes, and each of them does."""
    known = set()
    for path, text in tree.items():
        if pathlib.Path(path).suffix not in {".h", ".cpp"} or path.startswith("core/nodes/") or not path.startswith(("core/", "widgets/", "app/")):
            continue
        entry = next((e for e in KNOW_NODES if path.startswith(e)), None)
        for match in NODE_ID.finditer(text):
            if f"core/nodes/{match.group(1)}/{match.group(2)}.cpp" not in tree:
                continue
            known.add(entry)
            if entry is None:
                yield f"{path}:{line_of(text, match.start(1))}: names the node {match.group(1)}.{match.group(2)}: ask for a role or a property that it declares"
    if "core/nodes/CMakeLists.txt" in tree:
        for entry in KNOW_NODES.keys() - known:
            yield f"core/nodes/CMakeLists.txt: KNOW_NODES lists {entry}, which names no node"


def port_types(tree):
    """Outside of core/values code asks the table of port types, so that a new type is a row."""
    for path, text in tree.items():
        if path.startswith(("core/", "gpu/", "widgets/", "app/")) and not path.startswith("core/values/"):
            for match in re.finditer(r"\bPortType::\w+", text):
                yield f"{path}:{line_of(text, match.start())}: names {match.group(0)}: ask a function of core/values/port_types.h"


RULES = [arrows, room_arrows, folder_cycles, folder_sizes, forbidden_libraries, banned_headers, one_logging_file, qt5_traces, machine_paths, unfinished_marks, file_sizes,
         first_lines, option_words, node_ids, port_types]

# One violation per rule and more where a rule has several sides: (rule, file, content).
PLANTED = [
    (arrows, "gpu/axis/bad.cpp", '// A file.\n#include "core/values.h"\n'),
    (arrows, "core/base/bad.h", '// A file.\n#include "gpu/device.h"\n'),
    (arrows, "core/run/bad.cpp", '// A file.\n#include "widgets/pane.h"\n'),
    (arrows, "core/run/bad2.cpp", '// A file.\n#include "tests/support/laws.h"\n'),
    (arrows, "app/cli/bad.cpp", '// A file.\n#include "widgets/pane.h"\n'),
    (room_arrows, "gpu/device/bad.cpp", '// A file.\n#include "gpu/axis/wedge.h"\n'),
    (room_arrows, "gpu/attic/bad.cpp", "// A file.\n"),
    (folder_cycles, "gpu/axis/cpu/bad.h", '// A file.\n#include "gpu/axis/wedge_rows.h"\n'),
    (folder_cycles, "app/cli/common/bad.cpp", '// A file.\n#include "app/cli/many.h"\n'),
    (folder_sizes, "gpu/axis/many_0.h", "// A file.\n"),
    (forbidden_libraries, "core/base/bad.cpp", "// A file.\n#include <ATen/ATen.h>\n"),
    (forbidden_libraries, "gpu/bad.cpp", "// A file.\n#include <QString>\n"),
    (forbidden_libraries, "gpu/bad.cpp", "// A file.\n#include <nlohmann/json.hpp>\n"),
    (forbidden_libraries, "core/io/bad.cpp", "// A file.\n#include <QtCore/QString>\n"),
    (forbidden_libraries, "core/io/bad.cpp", "// A file.\n  #  include <vtkImageData.h>\n"),
    (forbidden_libraries, "core/mesh/bad.h", "// A file.\n#include <vtkPolyData.h>\n"),
    (forbidden_libraries, "core/mesh/bad.cpp", "// A file.\n#include <vtkRenderWindow.h>\n"),
    (forbidden_libraries, "core/mesh/bad.cpp", "// A file.\n#include <QString>\n"),
    (forbidden_libraries, "core/nodes/bad.cpp", "// A file.\n#include <itkImage.h>\n"),
    (forbidden_libraries, "core/nodes/bad2.cpp", '// A file.\n#include "core/itk/bridge.h"\n'),
    (forbidden_libraries, "core/itk/bad.h", "// A file.\n#include <itkImage.h>\n"),
    (forbidden_libraries, "core/itk/bad.cpp", "// A file.\n#include <ATen/ATen.h>\n"),
    (forbidden_libraries, "core/history/bad.cpp", "// A file.\n#include <QSqlDatabase>\n"),
    (forbidden_libraries, "core/history/bad2.cpp", '// A file.\n#include "core/history/sqlite/sql.h"\n'),
    (forbidden_libraries, "core/history/sqlite/bad.cpp", "// A file.\n#include <QTimer>\n"),
    (forbidden_libraries, "core/history/sqlite/bad.cpp", "// A file.\n#include <ATen/ATen.h>\n"),
    (forbidden_libraries, "core/stream/bad.cpp", '// A file.\n#include "core/values.h"\n'),
    (forbidden_libraries, "widgets/bad.cpp", '// A file.\n#include "core/values.h"\n'),
    (forbidden_libraries, "widgets/bad.cpp", "// A file.\n#include <hdf5.h>\n"),
    (forbidden_libraries, "app/cli/bad.cpp", "// A file.\n#include <QApplication>\n"),
    (banned_headers, "tests/core/bad.cpp", "// A file.\n#include <execution>\n"),
    (banned_headers, "app/studio/bad.cpp", "// A file.\n#include <X11/Xlib.h>\n"),
    (one_logging_file, "core/run/bad.cpp", "// A file.\n#include <spdlog/spdlog.h>\n"),
    (qt5_traces, "app/CMakeLists.txt", "target_link_libraries(x Qt5" + "::Core)\n"),
    (qt5_traces, "widgets/bad.cpp", "// A file.\nQVTK" + "OpenGLNativeWidget* w;\n"),
    (machine_paths, "README.md", "see /root" + "/project\n"),
    (machine_paths, "tests/core/bad.cpp", '// A file.\nauto p = "/home/' + 'ann/scan.h5";\n'),
    (machine_paths, "resources/p.json", '{"file": "/work' + '/x.h5"}\n'),
    (unfinished_marks, "gpu/bad.cpp", "// A file.\n// TO" + "DO later\n"),
    (file_sizes, "gpu/long.cpp", "// A file.\n" + "int a;\n" * MAX_LINES),
    (first_lines, "gpu/bad.cpp", "#include <vector>\n"),
    (option_words, "core/run/bad.cpp", '// A file.\nreturn invalid("exists", file, "Allow it with --overwrite");\n'),
    (node_ids, "widgets/bad.cpp", '// A file.\nif (node.type == "recon.fbp") return;\n'),
    (node_ids, "app/cli/bad.cpp", '// A file.\nfor (const char* id : {"a", "recon.fbp"}) add(id);  // both\n'),
    (node_ids, "core/nodes/CMakeLists.txt", "tl_add_node(recon fbp)\n"),
    (port_types, "widgets/bad.cpp", "// A file.\nif (port.type == PortType::volume) return;\n"),
    (option_words, "widgets/bad.cpp", "// A file.\nlabel->setText(text_of(error.message()));\n"),
]
CLEAN = {
    "core/base/units.h": "// A file.\n#include <string>\n",
    "gpu/device.h": '// A file.\n#include "core/base/units.h"\n#include <ATen/core/Tensor.h>\n',
    "gpu/CMakeLists.txt": "foreach(room device axis)\n",
    "gpu/axis/wedge.h": "// A file.\n",
    "gpu/axis/wedge_rows.h": '// A file.\n#include "gpu/axis/cpu/lanes.h"\n',
    "gpu/axis/cpu/lanes.h": "// A file.\n",
    "app/cli/many.h": '// A file.\n#include "app/cli/common/cli.h"\n',
    "app/cli/common/cli.h": "// A file.\n",
    "core/values.h": '// A file.\n#include "gpu/device.h"\n',
    "core/nodes/recon/fbp.cpp": '// A file.\nn.id("recon.fbp", 1);\n',
    "core/run/fits.cpp": '// A file.\nstd::string id;  // "recon.fbp"\nread("recon.json");\n',
    "core/history/sqlite/sql.h": "// A file.\n#include <QSqlDatabase>\n#include <QVariant>\n",
    "core/mesh/surface.cpp": "// A file.\n#include <vtkPolyData.h>\n",
    "core/itk/bridge.h": "// A file.\n#include <itkImage.h>\n",
    "core/itk/filter.cpp": '// A file.\n#include "core/itk/bridge.h"\n',
    "core/run/log.cpp": "// A file.\n#include <spdlog/spdlog.h>\n",
    "widgets/pane.h": "// A file.\n#include <QWidget>\n",
    "tests/support/laws.h": '// A file.\n#include "core/values.h"\n',
    "README.md": "Install under /usr/share, work/ is a folder, $HOME/work/x and out/root/x are fine.\n",
} | {f"gpu/axis/file_{number}.h": "// A file.\n" for number in range(MAX_FILES - 2)}


def write_tree(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def check(root):
    tree = read_tree(root)
    results = [(rule.__name__, list(rule(tree))) for rule in RULES]
    if not any(path.endswith(".cpp") for path in tree):
        results.append(("finds_sources", ["no source file was found: wrong folder?"]))
    return results


def self_test():
    """(name, problems) for the clean scratch tree and for each planted violation."""
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch) / "clean"
        write_tree(root, CLEAN)
        found = [line for _, lines in check(root) for line in lines]
        results.append(("clean_tree_passes", found))
        for number, (rule, path, text) in enumerate(PLANTED):
            root = pathlib.Path(scratch) / str(number)
            write_tree(root, CLEAN | {path: text})
            lines = dict(check(root))[rule.__name__]
            problems = [] if any(path in line or line.startswith(str(pathlib.PurePosixPath(path).parent) + ":") for line in lines) else [f"not found: {text.splitlines()[-1]} in {path}"]
            results.append((f"planted_{number}_{rule.__name__}", problems))
    return results


def main(arguments):
    if not arguments or arguments[1:] not in ([], ["--self-test"]):
        print(__doc__)
        return 2
    results = self_test() if arguments[1:] else check(pathlib.Path(arguments[0]).resolve())
    for name, problems in results:
        print(f"{'FAIL!  ' if problems else 'PASS   '}: Layering::{name}()")
        for problem in problems:
            print(f"   {problem}")
    failed = sum(1 for _, problems in results if problems)
    print(f"Totals: {len(results) - failed} passed, {failed} failed, 0 skipped, 0 blacklisted")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
