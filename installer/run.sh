#!/usr/bin/env bash
# Sets up, builds, and does the main job.
#
# usage: installer/run.sh                 simulates a noisy scan, reconstructs it, says how far it is from the truth
#        installer/run.sh SCAN            reconstructs a scan into NAME_volume.tif in the current folder
#        installer/run.sh PIPELINE.json   runs a pipeline; outputs go into the current folder
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

"$here/installer/setup.sh"
"$here/installer/build.sh" release tomoloom
tomoloom="$here/build/release/tomoloom"

if [ $# -gt 1 ]; then
    echo "usage: installer/run.sh [SCAN|PIPELINE.json]" >&2
    exit 2
elif [ $# -eq 0 ]; then
    exec "$tomoloom" first-light --output "${XDG_CACHE_HOME:-$HOME/.cache}/tomoloom/first-light" --overwrite
fi
case "$1" in
    *.json) exec "$tomoloom" run "$1" ;;
    *) name="$(basename "${1%/}")"; exec "$tomoloom" reconstruct "$1" -o "${name%.*}_volume.tif" --picture "${name%.*}_slice.png" ;;
esac
