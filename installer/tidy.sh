#!/usr/bin/env bash
# Runs clang-format (is it laid out as we do?) and clang-tidy on our sources; any finding is an error. Needs the Debian packages clang-tidy-16 and clang-format-16.
#
# usage: installer/tidy.sh [--all | FILE...]     default: files changed since the branch left main, and uncommitted ones
# TL_CLANG_TIDY names another clang-tidy: those of 2025 and later skip system headers and are several times as fast.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tidy="${TL_CLANG_TIDY:-$(command -v clang-tidy-16 || command -v clang-tidy)}" && [ -n "$tidy" ] || { echo "tidy: clang-tidy is missing (apt-get install clang-tidy-16)" >&2; exit 1; }
format="$(command -v clang-format-16)" || { echo "tidy: clang-format-16 is missing (apt-get install clang-format-16); others align differently" >&2; exit 1; }
[ -e build/release/compile_commands.json ] || { echo "tidy: build first (installer/build.sh)" >&2; exit 1; }

if [ "${1:-}" = --all ]; then
    mapfile -t changed < <(git ls-files -co --exclude-standard)
elif [ $# -gt 0 ]; then
    changed=("$@")
else
    base="$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)"
    mapfile -t changed < <({ git diff --name-only --diff-filter=d "$base"; git ls-files -o --exclude-standard; } | sort -u)
fi
mapfile -t laid_out < <(printf '%s\n' "${changed[@]}" | grep -E '\.(cpp|h|cu|cuh)$')
mapfile -t files < <(printf '%s\n' "${changed[@]}" | grep '\.cpp$')
[ "${#laid_out[@]}" -eq 0 ] || "$format" --dry-run -Werror "${laid_out[@]}"
[ "${#files[@]}" -gt 0 ] || { echo "tidy: no source to look at"; exit 0; }

# clang cannot read g++'s precompiled headers, so its command lines name the header's text instead: the same declarations.
# What is compiled together is looked at together; prints the units that hold the files.
database="$(mktemp -d)"
trap 'rm -rf "$database"' EXIT
printf '%s\n' "${files[@]}" >"$database/files"
python3 - build/release/compile_commands.json "$database" <<'PYTHON'
import json, pathlib, re, shutil, sys
entries = json.load(open(sys.argv[1]))
folder = pathlib.Path(sys.argv[2])
wanted = {str(pathlib.Path(name).resolve()) for name in (folder / "files").read_text().split()}
copies, units, found = {}, [], set()
for entry in entries:
    command = re.sub(r"^\S*cmake\S* -E env (?:\S+=\S+ )*\S*ccache ", "", entry["command"])
    command = command.replace("-Winvalid-pch", "").replace("-fpch-preprocess", "")
    # clang without libomp has no omp.h; ATen's header then takes its serial branch, which reads the same to a checker.
    command = command.replace("-fopenmp", "")
    for header in set(re.findall(r"-include (\S*cmake_pch\.hxx)", command)):
        if header not in copies:
            copies[header] = str(folder / f"pch_{len(copies)}.hxx")
            shutil.copy(header, copies[header])
        command = command.replace(header, copies[header])
    entry["command"] = command
    file = entry["file"]
    together = "/together/" in file
    here = {str(pathlib.Path(name).resolve()) for name in re.findall(r'#include "(.*\.cpp)"', pathlib.Path(file).read_text())} if together else {file}
    if here & wanted:
        units.append(file)
        found |= here
json.dump(entries, open(folder / "compile_commands.json", "w"))
(folder / "units").write_text("".join(unit + "\0" for unit in dict.fromkeys(units)))
for name in sorted(wanted - found):
    print(f"tidy: {name} is not built by the preset release: not looked at", file=sys.stderr)
PYTHON
xargs -0 -a "$database/units" -P "${TL_TIDY_JOBS:-$(nproc)}" -n 1 "$tidy" -p "$database" --quiet --checks=-bugprone-suspicious-include \
    --header-filter="^$PWD/(core|gpu|widgets|app|tests)/" --extra-arg=-Wno-unknown-warning-option 2> >(grep -v ' generated\.$' >&2)
echo "tidy: ${#files[@]} files are clean"
