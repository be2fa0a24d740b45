#!/usr/bin/env bash
# Speed compared with other programs: builds the benchmark programs and the peers' Python environment, runs both alternately, and
# prints a Markdown table.
#
# usage: tests/bench/run.sh [--cases D1,D2,...] [--rounds N] [--threads N] [--scaling] [--build-dir DIR]
# The environment goes to ${XDG_CACHE_HOME:-$HOME/.cache}/tomoloom/bench-python; a package that cannot be installed is
# named, and its rows are left out with the reason.
set -euo pipefail

SOURCE="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
WHEELS=('numpy==2.*' 'scipy' 'scikit-image' 'scikit-learn' 'astra-toolbox' 'itk-rtk' 'algotom' 'h5py' 'matplotlib')
ROOT="${XDG_CACHE_HOME:-$HOME/.cache}/tomoloom/bench-python"
BUILD="$SOURCE/build/release"
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 TL_HISTORY=off

arguments=()
while [ "$#" -gt 0 ]; do
    case "$1" in
        --build-dir) BUILD="$2"; shift 2 ;;
        *) arguments+=("$1"); shift ;;
    esac
done

[ -x "$ROOT/bin/python" ] || { mkdir -p "$(dirname "$ROOT")"; python3 -m venv "$ROOT"; }
for wheel in "${WHEELS[@]}"; do
    stamp="$ROOT/installed-${wheel//[^a-z]/}"
    [ -e "$stamp" ] && continue
    printf 'bench: installing %s\n' "$wheel" >&2
    if "$ROOT/bin/python" -m pip install -q "$wheel"; then touch "$stamp"; else
        printf 'bench: %s is not available here\n' "$wheel" >&2
    fi
done

cmake -S "$SOURCE" -B "$BUILD" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTL_BENCH=ON >/dev/null
cmake --build "$BUILD" --target benchmarks >&2
exec "$ROOT/bin/python" -B "$SOURCE/tests/bench/compare.py" --programs "$BUILD/bench" "${arguments[@]}"
