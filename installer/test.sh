#!/usr/bin/env bash
# Sets up, builds and runs every test; those of files and messages once more with sanitizers. The last line is
# "N passed, N failed, N skipped", counted in test functions.
#
# usage: installer/test.sh [CTEST-ARGUMENT...]     e.g. installer/test.sh -L gpu
# TL_SANITIZE_WINDOWS=1: the random user of the studio with sanitizers as well.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
unset CDPATH

installer/setup.sh --test-python
# The part that a bare GPU node builds must stand alone: no header or library of the upper layers.
installer/build.sh core-only
installer/build.sh release

cache="${XDG_CACHE_HOME:-$HOME/.cache}/tomoloom"
if compgen -G "$cache/test-python/complete.*" >/dev/null; then export TL_TEST_PYTHON="$cache/test-python/bin/python"; fi
export LC_ALL=C QT_LOGGING_TO_CONSOLE=1
# Threads that wait for each other leave the cores to the other tests. Windows and programs that are started mostly wait:
# twice as many tests as there are cores, as far as memory allows (2 GB each).
export OMP_WAIT_POLICY=passive
# The tests are each other's other programs, whose load their numbers of threads must not follow.
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-$(nproc)}"
memory_gib="$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null || echo 4)"
jobs="$((2 * $(nproc)))"
[ "$jobs" -le "$((memory_gib / 2))" ] || jobs="$((memory_gib / 2))"
[ "$jobs" -ge 1 ] || jobs=1

# run_tests PRESET CTEST-ARGUMENT...: ctest's own verdict is kept, but its report decides: it knows each test function.
reports=()
run_tests() {
    local build="$PWD/build/$1" status=0
    shift
    rm -f "$build/tests.xml"
    ctest --test-dir "$build" -j "$jobs" --output-junit "$build/tests.xml" --test-output-size-passed 4000000 \
        --test-output-size-failed 4000000 --output-on-failure --no-tests=error "$@" </dev/null || status=$?
    reports+=("$build/tests.xml" "$status")
}
run_tests release "$@"
if [ $# -eq 0 ]; then
    # Readers of files, messages and pipelines once more, with the address and undefined-behaviour sanitizers.
    installer/build.sh asan sanitized_tests
    run_tests asan -L sanitized
    if [ -n "${TL_SANITIZE_WINDOWS:-}" ]; then
        installer/build.sh asan sanitized_windows
        run_tests asan -L windows
    else
        echo "test.sh: the random user runs without sanitizers (TL_SANITIZE_WINDOWS=1: with them too)"
    fi
fi
python3 installer/count_tests.py "${reports[@]}"
