#!/usr/bin/env bash
# The package of LibTorch, called by installer/package.sh: the libraries as the wheel has them, byte for byte and in its
# folders below /usr/lib/tomoloom, where their own run paths find each other.
#
# usage: package_torch.sh cpu|cuda
#   cpu   tomoloom-torch: libtorch_cpu and what it needs
#   cuda  tomoloom-torch-cuda, in place of the other: all libraries of a wheel with its CUDA libraries (3 GB), for which
#         TL_TORCH_ROOT was made by `pip install --target ROOT torch==2.11.*`
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
fail() { printf 'package: %s\n' "$*" >&2; exit 1; }

kind="$1"
name=tomoloom-torch
[ "$kind" = cpu ] || name=tomoloom-torch-cuda
[ -e "$TL_ROOT/torch/lib/libtorch_cpu.so" ] || fail "$TL_ROOT holds no torch/lib/libtorch_cpu.so"
[ "$kind" = cpu ] || compgen -G "$TL_ROOT/nvidia/cu13/lib/libcublas.so*" >/dev/null ||
    fail "$TL_ROOT holds no nvidia/cu13/lib/libcublas.so*: set TL_TORCH_ROOT to the whole wheel, build again"

stage="$(mktemp -d "$OUT/torch.XXXXXX")"
trap 'rm -rf "$stage"' EXIT
chmod 755 "$stage"
private="$stage/usr/lib/tomoloom"

# copy FILE: with its folder below the root, and after it whatever it needs that lies there too.
# Debian has libgomp.so.1.
copy() {
    local file="$1" target="$private/${1#"$TL_ROOT"/}" needed found
    [ ! -e "$target" ] || return 0
    install -D -m 644 "$file" "$target"
    while read -r needed; do
        [ "$needed" != libgomp.so.1 ] || continue
        found="$(compgen -G "$TL_ROOT/torch/lib/$needed" || compgen -G "$TL_ROOT/nvidia/*/lib/$needed" || true)"
        [ -z "$found" ] || copy "$(head -1 <<<"$found")"
    done < <(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
}
copy "$TL_ROOT/torch/lib/libtorch_cpu.so"
if [ "$kind" = cuda ]; then
    for file in "$TL_ROOT"/torch/lib/{libtorch_cuda*,lib*nvrtc*}.so "$TL_ROOT"/nvidia/*/lib/*.so*; do
        [ ! -e "$file" ] || copy "$file"
    done
fi

documents="$stage/usr/share/doc/$name"
install -D -m 644 copyright "$documents/copyright"
for licence in "$TL_ROOT"/torch-*.dist-info/licenses/{LICENSE,NOTICE} \
    "$TL_ROOT"/nvidia_cuda_cupti-*.dist-info/licenses/License.txt; do
    [ -e "$licence" ] || continue
    case "$licence" in
        */torch-*.dist-info/*) gzip -9nc "$licence" >"$documents/$(basename "$licence").torch.gz" ;;
        *) [ ! -d "$private/nvidia" ] || gzip -9nc "$licence" >"$documents/CUDA-EULA.txt.gz" ;;
    esac
done
maintainer="The Tomoloom developers <tomoloom@users.noreply.github.com>"
printf '%s (%s) unstable; urgency=medium\n\n  * The libraries of %s.\n\n -- %s  %s\n' "$name" "$TL_SERIES" \
    "$(basename "$TL_ROOT"/torch-*.dist-info .dist-info)" "$maintainer" "$(date -Ru -d "@$SOURCE_DATE_EPOCH")" |
    gzip -9nc >"$documents/changelog.gz"
sed "s/@NAME@/$name/" lintian-overrides.in | install -D -m 644 /dev/stdin "$stage/usr/share/lintian/overrides/$name"

# dpkg-shlibdeps wants a source package around it.
mkdir -p "$stage/work/debian"
printf 'Source: %s\n\nPackage: %s\nArchitecture: amd64\n' "$name" "$name" >"$stage/work/debian/control"
folders=()
for folder in "$private"/torch/lib "$private"/nvidia/*/lib; do [ ! -d "$folder" ] || folders+=("-l$folder"); done
mapfile -t libraries < <(find "$private" -name '*.so*')
depends="$(cd "$stage/work" &&
    dpkg-shlibdeps --ignore-missing-info --warnings=0 "${folders[@]}" -O "${libraries[@]}" 2>/dev/null |
    sed -n 's/^shlibs:Depends=//p')"
[ -n "$depends" ] || fail "dpkg-shlibdeps found no dependencies of LibTorch"
rm -rf "$stage/work"
mkdir "$stage/DEBIAN"
{
    printf 'Package: %s\nVersion: %s\nArchitecture: amd64\nSection: science\nPriority: optional\n' "$name" "$TL_SERIES"
    printf 'Maintainer: %s\nDepends: %s\n' "$maintainer" "$depends"
    printf 'Installed-Size: %s\n' "$(du -sk --exclude=DEBIAN "$stage" | cut -f 1)"
    if [ "$kind" = cuda ]; then
        printf 'Provides: tomoloom-torch (= %s)\nConflicts: tomoloom-torch\nReplaces: tomoloom-torch\n' "$TL_SERIES"
        printf 'Description: LibTorch with CUDA, for Tomoloom\n'
        printf ' The libraries of PyTorch that Tomoloom computes with, and those of CUDA, in a folder of their own.\n'
    else
        printf 'Description: LibTorch for the processor, for Tomoloom\n'
        printf ' The libraries of PyTorch that Tomoloom computes with, in a folder of their own.\n'
    fi
} >"$stage/DEBIAN/control"
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$stage" -type d -exec chmod 755 {} +
rm -f "$OUT/${name}"_*.deb
dpkg-deb --root-owner-group -Z"$TL_COMPRESSION" -z"$TL_COMPRESSION_LEVEL" --build "$stage" \
    "$OUT/${name}_${TL_SERIES}_amd64.deb" >/dev/null
