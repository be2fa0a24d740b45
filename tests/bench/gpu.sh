#!/usr/bin/env bash
# Everything that is measured on a CUDA GPU, on a machine with nothing but a compiler, CMake, torch 2.11 and nvcc 13:
# builds the core-only preset, verifies every operator against the processor, looks for memory errors, and times.
#
# usage: tests/bench/gpu.sh [--size N] [--out DIR]
set -euo pipefail

SOURCE="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
size=1024 out="$SOURCE/build/gpu"
while [ "$#" -gt 0 ]; do
    case "$1" in
        --size) size="$2"; shift 2 ;;
        --out) out="$2"; shift 2 ;;
        *) printf 'gpu.sh: unknown argument %s\n' "$1" >&2; exit 2 ;;
    esac
done
mkdir -p "$out"
BUILD="$SOURCE/build/core-only"
cmake --preset core-only -S "$SOURCE" -DTL_CUDA=ON -DTL_BENCH=ON -DCMAKE_CUDA_ARCHITECTURES=native >/dev/null
cmake --build "$BUILD" --target tl_verify tl_cuda bench_gpu

{ nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || echo 'no driver'
  nvcc --version | tail -2
  git -C "$SOURCE" rev-parse HEAD 2>/dev/null || echo 'no commit known'
} | tee "$out/machine.txt"
"$BUILD/bin/tl_verify" --devices | tee "$out/verify.txt"
if command -v compute-sanitizer >/dev/null; then
    compute-sanitizer --tool memcheck --error-exitcode 1 "$BUILD/bench/bench_gpu" size=48 repeat=1 | tee "$out/memcheck.txt"
    compute-sanitizer --tool racecheck --error-exitcode 1 "$BUILD/bench/bench_gpu" size=32 repeat=1 | tee "$out/racecheck.txt"
else
    echo 'compute-sanitizer is not installed: memory errors were not looked for' | tee "$out/memcheck.txt"
fi
"$BUILD/bench/bench_gpu" "size=$size" | tee "$out/times.jsonl"
if python3 -c 'import astra.experimental, torch; assert astra.use_cuda()' 2>/dev/null; then
    python3 "$SOURCE/tests/bench/gpu_peers.py" --size "$size" | tee "$out/peers.jsonl"
else
    echo 'python3 has no astra-toolbox with CUDA: no peer was timed' | tee "$out/peers.jsonl"
fi
