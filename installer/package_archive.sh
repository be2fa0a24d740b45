#!/usr/bin/env bash
# The archive, called by installer/package.sh: programs with every library and plugin that they need beyond the C
# library, OpenGL and X11, which belong to the machine (its driver must fit them). Runs from any folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fail() { printf 'package: %s\n' "$*" >&2; exit 1; }

name="tomoloom-$TL_VERSION-x86_64"
stage="$(mktemp -d "$OUT/archive.XXXXXX")"
trap 'rm -rf "$stage"' EXIT
top="$stage/$name"
DESTDIR="$stage/installed" cmake --install build/release --prefix /usr --strip >/dev/null
mv "$stage/installed/usr" "$top"
rm -rf "$stage/installed"
private="$top/lib/tomoloom"
bundled="$private/bundled"
mkdir -p "$bundled"
cp LICENSE "$top"

# Of the machine: changing these would break its graphics driver, or its threads.
c_library='c|m|dl|rt|pthread|resolv|util|stdc\+\+|gcc_s|z|bsd|md|expat'
graphics='GL|GLX|GLdispatch|OpenGL|EGL|drm|gbm|X11|X11-xcb|xcb|Xau|Xdmcp|Xext|Xfixes'
of_machine="^(ld-linux.*|lib($c_library|$graphics))\.so"

# libraries_of FILE...: "NAME PATH" of all that these load, in turn.
libraries_of() {
    LD_LIBRARY_PATH="$TL_ROOT/torch/lib" ldd "$@" 2>/dev/null | sed -n 's/^\t\(\S*\) => \(\/\S*\) (.*/\1 \2/p' | sort -u
}

plugins="$(qtpaths6 --query QT_INSTALL_PLUGINS 2>/dev/null || qmake6 -query QT_INSTALL_PLUGINS 2>/dev/null ||
    echo /usr/lib/x86_64-linux-gnu/qt6/plugins)"
[ -e "$plugins/platforms/libqxcb.so" ] || fail "Qt has no plugin for X11 in $plugins"
for plugin in platforms/libqxcb platforms/libqoffscreen xcbglintegrations/libqxcb-glx-integration imageformats/libqsvg \
    imageformats/libqjpeg iconengines/libqsvgicon platforminputcontexts/libcomposeplatforminputcontextplugin \
    sqldrivers/libqsqlite; do
    [ ! -e "$plugins/$plugin.so" ] || install -D -m 644 "$plugins/$plugin.so" "$private/plugins/$plugin.so"
done
mapfile -t roots < <(find "$private/plugins" -name '*.so')
while read -r library path; do
    if [[ $library =~ $of_machine ]]; then continue; fi
    case "$(realpath "$path")" in
        "$(realpath "$TL_ROOT")"/*)
            # As in the package: the folders and the bytes of the wheel. ldd names nvidia/... by way of torch/lib.
            path="$(realpath --no-symlinks "$path")"
            install -D -m 644 "$path" "$private/${path#"$TL_ROOT"/}" ;;
        *) install -m 644 "$(realpath "$path")" "$bundled/$library" ;;
    esac
done < <(libraries_of build/release/tomoloom build/release/tomoloom-studio "${roots[@]}")
[ -e "$private/torch/lib/libtorch_cpu.so" ] || fail "LibTorch was not found by the programs: is $TL_ROOT there?"

# libgomp is the wheel's.
for library in "$bundled"/*; do patchelf --set-rpath '$ORIGIN:$ORIGIN/../torch/lib' "$library"; done
for plugin in "${roots[@]}"; do patchelf --set-rpath '$ORIGIN/../../bundled:$ORIGIN/../../torch/lib' "$plugin"; done
from_bin='$ORIGIN/../lib/tomoloom'
for program in tomoloom tomoloom-studio; do
    patchelf --set-rpath "$from_bin/cuda:$from_bin/bundled:$from_bin/torch/lib:$from_bin/nvidia/cu13/lib" \
        "$top/bin/$program"
done
[ ! -e "$private/cuda" ] ||
    patchelf --set-rpath '$ORIGIN/../torch/lib:$ORIGIN/../nvidia/cu13/lib' "$private/cuda/libtl_cuda.so"

printf '[Paths]\nPrefix = ../lib/tomoloom\nPlugins = plugins\n' >"$top/bin/qt.conf"
# Data that libraries look for in the system's folders, for systems without them.
mkdir -p "$private/data"
[ ! -d /usr/share/X11/xkb ] || cp -rL /usr/share/X11/xkb "$private/data"
inter="$(find /usr/share/fonts -name 'Inter*' 2>/dev/null | head -1)"
if [ -n "$inter" ]; then
    mkdir "$private/data/fonts"
    find /usr/share/fonts -name 'Inter-*.otf' -exec cp {} "$private/data/fonts" \;
fi
cat >"$private/data/fonts.conf" <<'FONTS'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
FONTS
cat >"$top/tomoloom-studio" <<'STUDIO'
#!/bin/sh
# Starts the window from this folder, with the data of libraries that the system lacks.
here="$(dirname "$(readlink -f "$0")")"
data="$here/lib/tomoloom/data"
[ -d /usr/share/X11/xkb ] || [ -n "${XKB_CONFIG_ROOT:-}" ] || export XKB_CONFIG_ROOT="$data/xkb"
[ -e /etc/fonts/fonts.conf ] || [ -n "${FONTCONFIG_FILE:-}" ] || export FONTCONFIG_FILE="$data/fonts.conf"
exec "$here/bin/tomoloom-studio" "$@"
STUDIO
chmod 755 "$top/tomoloom-studio"
ln -s bin/tomoloom "$top/tomoloom"
cat >"$top/README.txt" <<'README'
Tomoloom runs from this folder: ./tomoloom-studio opens the window, ./tomoloom is the command line.
The machine must have a C library of Debian 12 (2.36) or later, OpenGL (libGL, libEGL, libOpenGL) and X11.
The guide is in share/doc/tomoloom.
README
tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" |
    gzip -n"$TL_GZIP_LEVEL" >"$OUT/$name.tar.gz.part"
mv "$OUT/$name.tar.gz.part" "$OUT/$name.tar.gz"
