#!/usr/bin/env bash
# Configures and builds one preset; run.sh and test.sh share it.
#
# usage: installer/build.sh [PRESET [TARGET...]]     default: release, everything
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset="${1:-release}"
[ $# -eq 0 ] || shift
targets=()
[ $# -eq 0 ] || targets=(--target "$@")

# A compiler process with ATen's headers takes up to 1.5 GB: fewer jobs where memory is short.
cores="$(nproc)"
memory_gib="$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null || echo 4)"
jobs=$((memory_gib * 2 / 3))
[ "$jobs" -le "$cores" ] || jobs="$cores"
[ "$jobs" -ge 1 ] || jobs=1

# The CUDA compiler that setup.sh fetched, where the system has none.
fetched="${XDG_CACHE_HOME:-$HOME/.cache}/tomoloom/nvcc-13.0/nvidia/cu13/bin/nvcc"
if [ -z "${CUDACXX:-}" ] && ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ] && [ -x "$fetched" ]; then
    export CUDACXX="$fetched"
fi

log="build/$preset/configure.log"
mkdir -p "build/$preset"
cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmake --build --preset "$preset" -j "$jobs" "${targets[@]}"
