#!/usr/bin/env bash
# Checks the changed C++ sources: does each compile alone, without the files that the build compiles it together with, and
# does clang-tidy 16 find nothing in them? Needs a build of the preset release (installer/build.sh) for its command lines,
# precompiled headers and generated files.
#
# usage: installer/check_changed.sh [compile | tidy] [FILE...]     default: both steps; the files changed since the branch
#                                   left main, on main those of the last commit, and the uncommitted ones
# TL_CHANGED_SINCE: another commit to compare with. TL_CHECK_JOBS: how many compilers run at a time (default: one per core).
# TL_CLANG_TIDY names another clang-tidy. Most files per run: 200 are compiled, clang-tidy looks at 40; the others are named.
# Exit status: 0 nothing found, 1 findings, 77 the check is not possible here, with the reason as the last line.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'check_changed: %s\n' "$*"; }
skip() { say "$*"; exit 77; }

steps=(compile tidy)
case "${1:-}" in compile | tidy) steps=("$1"); shift ;; esac
[ -e build/release/compile_commands.json ] || skip "there is no build of the preset release (installer/build.sh)"

# The commit to compare with; fails where there is none: outside of git, or in a clone of one commit.
base() {
    local head main since
    head="$(git rev-parse -q --verify HEAD 2>/dev/null)" || return 1
    if [ -n "${TL_CHANGED_SINCE:-}" ]; then git rev-parse -q --verify "$TL_CHANGED_SINCE^{commit}"; return; fi
    for main in origin/main main; do
        since="$(git merge-base "$head" "$main" 2>/dev/null)" && [ "$since" != "$head" ] && { echo "$since"; return 0; }
    done
    git rev-parse -q --verify HEAD~1
}

if [ $# -gt 0 ]; then
    changed=("$@")
else
    since="$(base)" || skip "there is no commit to compare with (no git history, or a clone of one commit)"
    mapfile -t changed < <({ git diff --name-only --diff-filter=d "$since"; git ls-files -o --exclude-standard; } | sort -u)
fi
mapfile -t files < <(printf '%s\n' "${changed[@]}" | grep -E '^(app|core|gpu|tests|widgets)/.*\.cpp$' || true)
[ "${#files[@]}" -gt 0 ] || { say "no C++ source has changed"; exit 0; }

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
printf '%s\n' "${files[@]}" >"$folder/files"

# From the build's command lines: "compile", one command per file; "units" with a compile_commands.json for clang-tidy. It
# reads the files that the build compiles together in one unit, which saves their headers: 20 s each.
python3 - build/release/compile_commands.json "$folder" "${steps[@]}" <<'PYTHON'
import json, pathlib, re, shlex, sys
folder = pathlib.Path(sys.argv[2])
wanted = {str(pathlib.Path(name).resolve()): name for name in (folder / "files").read_text().split()}
MOST = {"compile": 200, "tidy": 40}

# The compiler and its options, without input and output.
def words_of(entry):
    words = shlex.split(entry["command"])
    words = words[next(n for n, word in enumerate(words) if re.search(r"(c|g|clang)\+\+[-\d.]*$", word)):]
    for option in ("-o", "-c"):
        at = words.index(option)
        del words[at:at + 2]
    return words

owner = {}  # source -> the entry that compiles it
for entry in json.load(open(sys.argv[1])):
    sources = [entry["file"]]
    if "/together/" in entry["file"]:
        sources = re.findall(r'#include "(.*\.cpp)"', pathlib.Path(entry["file"]).read_text())
    for source in sources:
        if str(pathlib.Path(source).resolve()) in wanted:
            owner.setdefault(str(pathlib.Path(source).resolve()), entry)
for path in sorted(wanted.keys() - owner.keys()):
    print(f"check_changed: {wanted[path]} is not built by the preset release: not looked at")

looked_at = {step: sorted(owner)[:most] for step, most in MOST.items()}
for step in sys.argv[3:]:
    for path in sorted(owner.keys() - set(looked_at[step])):
        print(f"check_changed: left out of this run of {step}: {wanted[path]}")

with open(folder / "compile", "w") as out:
    for path in looked_at["compile"]:
        out.write(shlex.join(["cd", owner[path]["directory"]]) + " && "
                  + shlex.join(words_of(owner[path]) + ["-fsyntax-only", path]) + "\0")

# clang cannot read g++'s precompiled headers, so its command lines name the header's text: the same declarations.
# Without libomp it has no omp.h; ATen's header then takes its serial branch, which reads the same to a checker.
units, entries = {}, []
for path in looked_at["tidy"]:
    units.setdefault(owner[path]["file"], []).append(path)
for number, (file, paths) in enumerate(units.items()):
    entry = owner[paths[0]]
    words = [word for word in words_of(entry) if word not in ("-Winvalid-pch", "-fpch-preprocess", "-fopenmp")]
    for at in [n for n, word in enumerate(words) if word == "-include"]:
        text = folder / f"declarations_{number}.h"
        text.write_text(pathlib.Path(words[at + 1]).read_text())
        words[at + 1] = str(text)
    unit = paths[0]
    if len(paths) > 1:
        unit = str(folder / f"unit_{number}.cpp")
        pathlib.Path(unit).write_text("".join(f'#include "{path}"\n' for path in paths))
    entries.append({"directory": entry["directory"], "file": unit, "arguments": words + ["-c", unit]})
json.dump(entries, open(folder / "compile_commands.json", "w"))
(folder / "units").write_text("".join(entry["file"] + "\0" for entry in entries))
PYTHON

jobs="${TL_CHECK_JOBS:-$(nproc)}"
status=0
count() { tr -cd '\0' <"$1" | wc -c; }

compile() {
    if xargs -0 -a "$folder/compile" -P "$jobs" -I{} bash -c {}; then
        say "$(count "$folder/compile") files compile alone"
    else
        say "some files do not compile alone"
        status=1
    fi
}

is_16() { "$1" --version 2>/dev/null | grep -q 'version 16\.'; }
clang_tidy() {
    local name
    for name in "$(dirname "${TL_TEST_PYTHON:-/nowhere/python}")/clang-tidy" "${XDG_CACHE_HOME:-$HOME/.cache}/tomoloom/test-python/bin/clang-tidy" \
        clang-tidy-16 clang-tidy; do
        if command -v "$name" >/dev/null && is_16 "$name"; then echo "$name"; return 0; fi
    done
    return 1
}
tidy() {
    local program
    program="${TL_CLANG_TIDY:-$(clang_tidy)}" || skip "there is no clang-tidy 16 (installer/setup.sh --test-python installs it)"
    # The wheel's program prints its path on stdout; the number of suppressed warnings comes on stderr.
    if xargs -0 -a "$folder/units" -P "$jobs" -n 1 "$program" -p "$folder" --quiet --checks=-bugprone-suspicious-include \
        --config-file=.clang-tidy --header-filter="^$PWD/(core|gpu|widgets|app|tests)/" --extra-arg=-Wno-unknown-warning-option \
        > >(grep -v '^Resource filename:') 2> >(grep -v ' generated\.$' >&2); then
        say "clang-tidy finds nothing in $(count "$folder/units") units"
    else
        say "clang-tidy has findings"
        status=1
    fi
}

# What can be checked is, before a step that cannot be skips.
for step in "${steps[@]}"; do "$step"; done
exit "$status"
