#!/usr/bin/env bash
# Sets up, builds and runs every test. The last line is "N passed, N failed, N skipped", counted in test functions.
#
# usage: installer/test.sh [CTEST-ARGUMENT...]     e.g. installer/test.sh -L gpu
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

report="$PWD/build/release/tests.xml"
rm -f "$report"
status=0
# ctest's own verdict is kept, but the report decides: it knows each test function.
ctest --test-dir build/release -j "$(nproc)" --output-junit "$report" --test-output-size-passed 4000000 --test-output-size-failed 4000000 \
    --output-on-failure --no-tests=error "$@" </dev/null || status=$?
python3 installer/count_tests.py "$report" "$status"
