#!/usr/bin/env bash
# Sets up, builds, and does the main job: opens the studio where there is a screen, works on the command line elsewhere.
#
# usage: installer/run.sh                 the studio with a simulated scan; without a screen: simulates a noisy scan,
#                                         reconstructs it, reports its difference from the truth
#        installer/run.sh SCAN            the studio with that scan; without a screen: reconstructs it into
#                                         NAME_volume.tif in the current folder
#        installer/run.sh PIPELINE.json   the studio with that pipeline; without a screen: runs it; outputs go into the
#                                         current folder
# TL_NO_STUDIO=1 asks for the command line where there is a screen.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

if [ $# -gt 1 ]; then
    echo "usage: installer/run.sh [SCAN|PIPELINE.json]" >&2
    exit 2
fi
"$here/installer/setup.sh"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ -z "${TL_NO_STUDIO:-}" ]; then
    "$here/installer/build.sh" release tomoloom tomoloom-studio
    if [ $# -eq 0 ]; then set -- --example; fi
    exec "$here/build/release/tomoloom-studio" "$@"
fi
"$here/installer/build.sh" release tomoloom
tomoloom="$here/build/release/tomoloom"

if [ $# -eq 0 ]; then
    exec "$tomoloom" first-light --output "${XDG_CACHE_HOME:-$HOME/.cache}/tomoloom/first-light" --overwrite
fi
case "$1" in
    *.json) exec "$tomoloom" run "$1" ;;
    *) name="$(basename "${1%/}")"; exec "$tomoloom" reconstruct "$1" -o "${name%.*}_volume.tif" --picture "${name%.*}_slice.png" ;;
esac
