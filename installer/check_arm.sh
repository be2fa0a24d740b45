#!/usr/bin/env bash
# Checks that the C++ sources of core and gpu compile for ARM (aarch64), where loops are plain: their syntax alone,
# nothing is linked or run. Needs the Debian package g++-aarch64-linux-gnu, and a build (installer/build.sh) for its
# command lines and generated files.
#
# usage: installer/check_arm.sh [--processor-specific]
# --processor-specific: only what names a processor or its instructions, in its own text or in a header of ours: what can
# differ on ARM, a twentieth of all (every test run checks it).
# TL_ARM_JOBS: how many compilers run at a time (default: one per core).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'check_arm: %s\n' "$*"; }
fail() { say "$*" >&2; exit 1; }

case "${1:-}" in
    "" | --processor-specific) ;;
    *) fail "unknown argument $1 (usage: installer/check_arm.sh [--processor-specific])" ;;
esac

compiler="$(command -v aarch64-linux-gnu-g++)" || fail "the compiler is missing (apt-get install g++-aarch64-linux-gnu)"
[ -e build/release/compile_commands.json ] || fail "build first (installer/build.sh)"

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

# The build's own command lines, as files of options for the other compiler; what is compiled together is checked together.
# One precompiled header serves all. Libraries without a copy for ARM lend the headers of this machine, which come after all
# of the compiler's own but before torch's: the wheel carries a fmt that must not hide the system's.
multiarch="$(g++ -print-multiarch 2>/dev/null || true)"
find core gpu -name '*.cpp' >"$folder/sources"
python3 - build/release/compile_commands.json "$folder" "$multiarch" "${1:-}" <<'PYTHON'
import json, pathlib, re, shlex, sys
folder, multiarch, only_specific = pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4] != ""
included = {}

# Whether a file, or a header of ours that it includes, names a processor or its instructions.
def is_specific(file):
    if file not in included:
        included[file] = False  # headers may include each other
        path = pathlib.Path(file)
        text = path.read_text() if path.is_file() else ""
        included[file] = bool(re.search(r"immintrin\.h|__x86_64__|__aarch64__|__AVX", text)) or any([is_specific(header) for header in re.findall(r'#include "([^"]+)"', text)])
    return included[file]

lent = [option for path in ("/usr/include", f"/usr/include/{multiarch}") for option in ("-idirafter", path)]
units, headers, found = [], {}, set()
for entry in json.load(open(sys.argv[1])):
    words = shlex.split(entry["command"])
    output = words[words.index("-o") + 1]
    if not re.match(r"(core/\w+|core|gpu)/CMakeFiles/tl_\w+\.dir/", output) or "cmake_pch" in output:
        continue
    words = words[next(n for n, word in enumerate(words) if re.search(r"(c|g|clang)\+\+[-\d.]*$", word)) + 1:]
    options = []
    while words:
        word = words.pop(0)
        if word == "-include":
            headers |= dict.fromkeys(re.findall("#include .*", pathlib.Path(words.pop(0)).read_text()))
        elif word in ("-o", "-c"):
            words.pop(0)
        elif word not in ("-fpch-preprocess", "-Winvalid-pch", "-ffp-contract=fast"):  # the last one: no other header for it
            options.append(word)
    options = lent + options
    if any("/torch/include" in option for option in options):
        (folder / "all.options").write_text(shlex.join(options))
        options += ["-include", str(folder / "all.h")]
    together = re.findall(r'#include "(.*\.cpp)"', pathlib.Path(entry["file"]).read_text()) if "/together/" in entry["file"] else []
    found |= {str(pathlib.Path(file).resolve()) for file in [entry["file"], *together]}
    alone = [pathlib.Path(file) for file in together or [entry["file"]]]
    checked = [str(file.resolve()) for file in alone if is_specific(str(file.resolve().relative_to(pathlib.Path.cwd())))] if only_specific else [entry["file"]]
    for file in checked:
        (folder / f"{len(units)}.options").write_text(shlex.join(options + [file]))
        units.append(f"{len(units)}.options")
(folder / "all.h").write_text("\n".join(headers) + "\n")
(folder / "units").write_text("\n".join(units) + "\n")
missing = [name for name in (folder / "sources").read_text().split() if str(pathlib.Path(name).resolve()) not in found]
if missing:
    sys.exit("check_arm: the preset release does not build " + ", ".join(missing) + ": build again (installer/build.sh)")
PYTHON
"$compiler" "@$folder/all.options" -x c++-header "$folder/all.h" -o "$folder/all.h.gch"

# Prints the first error of each file that fails.
check() {
    local output
    output="$("$1" -fsyntax-only "@$2" 2>&1)" && return 0
    grep -E ': (fatal )?error: ' <<<"$output" | awk -F: '!seen[$1]++' || printf '%s\n' "$output"
    return 1
}
export -f check
(cd "$folder" && xargs -P "${TL_ARM_JOBS:-$(nproc)}" -I '{}' bash -c 'check "$@"' check "$compiler" "$folder/{}" <units) ||
    fail "not all files compile for ARM"
if [ -n "${1:-}" ]; then
    say "$(wc -l <"$folder/units") units that name a processor compile for ARM"
else
    say "$(wc -l <"$folder/sources") files compile for ARM"
fi
