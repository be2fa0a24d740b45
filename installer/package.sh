#!/usr/bin/env bash
# Makes what can be installed without a compiler, in build/packages:
#   tomoloom_VERSION_amd64.deb              programs, CUDA module, manual pages, completions, desktop entry, guide
#   tomoloom-torch_SERIES_amd64.deb         LibTorch for the processor, in /usr/lib/tomoloom
#   tomoloom-torch-cuda_SERIES_amd64.deb    LibTorch with its CUDA half, in place of it: where it is asked for
#   tomoloom-VERSION-x86_64.tar.gz          all of it in one folder that runs from any place, without root
#
# usage: installer/package.sh [--no-build] [--quick] [deb] [torch] [torch-cuda] [archive]     default: deb torch archive
#   --no-build   build/release has everything already
#   --quick      compresses in seconds rather than minutes, for tests: larger files of the same content
# TL_TORCH_ROOT (of the build) says which LibTorch goes in.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'package: %s\n' "$*"; }
fail() { printf 'package: %s\n' "$*" >&2; exit 1; }

usage="usage: installer/package.sh [--no-build] [--quick] [deb] [torch] [torch-cuda] [archive]"
build=yes
# Of packages: kind and level for dpkg-deb; of the archive: level for gzip.
export TL_COMPRESSION=xz TL_COMPRESSION_LEVEL=6 TL_GZIP_LEVEL=6
parts=()
for argument in "$@"; do
    case "$argument" in
        --no-build) build=no ;;
        --quick) TL_COMPRESSION=gzip TL_COMPRESSION_LEVEL=1 TL_GZIP_LEVEL=1 ;;
        deb | torch | torch-cuda | archive) parts+=("$argument") ;;
        *) fail "unknown argument $argument; $usage" ;;
    esac
done
[ "${#parts[@]}" -gt 0 ] || parts=(deb torch archive)

missing=()
for tool in cpack:cmake patchelf:patchelf dpkg-shlibdeps:dpkg-dev fakeroot:fakeroot strip:binutils file:file; do
    command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
done
[ "${#missing[@]}" -eq 0 ] || fail "please install: apt-get install ${missing[*]}"

[ "$build" = no ] || { installer/setup.sh; installer/build.sh release installed_files; }
config=build/release/CPackConfig.cmake
[ -e "$config" ] && [ -x build/release/tomoloom-studio ] && [ -d build/release/manual ] ||
    fail "build/release has no programs yet; run this without --no-build"

setting() { sed -n "s/^set($1 \"\(.*\)\")$/\1/p" "$config"; }
export TL_VERSION TL_SERIES TL_ROOT OUT="$PWD/build/packages" SOURCE_DATE_EPOCH
TL_VERSION="$(setting CPACK_PACKAGE_VERSION)"
TL_SERIES="$(setting CPACK_TL_TORCH_SERIES)"
TL_ROOT="$(setting CPACK_TL_TORCH_ROOT)"
SOURCE_DATE_EPOCH="$(date -d "$(sed -n 's/^ -- .*>  //p' installer/debian/changelog | head -1)" +%s)"
mkdir -p "$OUT"
umask 022

make_deb() {
    rm -f "$OUT"/tomoloom_*.deb
    cpack --config "$config" -B "$OUT/cpack" -D CPACK_DEBIAN_COMPRESSION_TYPE="$TL_COMPRESSION" \
        >"$OUT/cpack.log" 2>&1 || { cat "$OUT/cpack.log" >&2; fail "cpack failed"; }
    mv "$OUT"/cpack/tomoloom_*.deb "$OUT"
    rm -rf "$OUT/cpack"
}
for part in "${parts[@]}"; do
    case "$part" in
        deb) make_deb ;;
        torch) installer/torch/package_torch.sh cpu ;;
        torch-cuda) installer/torch/package_torch.sh cuda ;;
        archive) installer/package_archive.sh ;;
    esac
done
for file in "$OUT"/*.deb "$OUT"/*.tar.gz; do
    [ ! -e "$file" ] || say "$(du -h "$file" | cut -f 1) $file"
done
