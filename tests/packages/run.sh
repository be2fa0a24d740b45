#!/usr/bin/env bash
# Installs what installer/package.sh made in fresh roots of Debian 12, uses it, and removes it. Takes some minutes, the
# network, and root for chroot: not a part of installer/test.sh.
#
# usage: tests/packages/run.sh [PART]...      default: all of them; pictures of the windows: build/packages/pictures
#   deb        apt-get install ./*.deb in a fresh root; what the packages bring; verify, first light, three scans; a
#              window by the menu entry and by the file type; remove and purge leave nothing
#   lintian    no error, no warning in any package
#   newcomer   somebody with mouse and keyboard uses the installed program: tests/packages/newcomer.py
#   archive    in a root with the C library, OpenGL (libGL, libEGL, libOpenGL) and fonts only
#   container  the commands of installer/Containerfile in a root like its image
# TL_APT_SOURCES names the file of package sources for the roots (default: that of this machine).
# TL_KEEP_ROOTS=1 keeps the roots (2 GB each).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source_folder="$PWD"
packages="$PWD/build/packages"
pictures="$packages/pictures"
. tests/packages/roots.sh

parts=("$@")
[ $# -gt 0 ] || parts=(lintian deb newcomer archive container)
[ "$(id -u)" -eq 0 ] || fail "chroot needs root"
chroot="$(PATH="$PATH:/usr/sbin" command -v chroot)"
missing=()
for tool in mmdebstrap:mmdebstrap Xvfb:xvfb xwininfo:x11-utils lintian:lintian python3:python3; do
    command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
done
[ "${#missing[@]}" -eq 0 ] || fail "please install: apt-get install --no-install-recommends ${missing[*]}"
compgen -G "$packages/tomoloom_*.deb" >/dev/null || fail "build/packages is empty: run installer/package.sh"
sources="${TL_APT_SOURCES:-}"
for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
    [ -n "$sources" ] || [ ! -s "$file" ] || sources="$file"
done
[ -n "$sources" ] || fail "no file with Debian's package sources: set TL_APT_SOURCES"

# Mounts end with this namespace, whatever happens.
[ -n "${TL_IN_NAMESPACE:-}" ] || TL_IN_NAMESPACE=1 exec unshare --mount --propagation private "$0" "${parts[@]}"

mkdir -p "$pictures"
begin

# use_programs ROOT TOMOLOOM: what a first user does on the command line.
use_programs() {
    local root="$1" tomoloom="$2" scan
    as_user "$root" "$tomoloom --version" | grep -qx 'tomoloom [0-9.]*' || fail "$root: --version"
    must "$root: verify" as_user "$root" "$tomoloom verify --networks --quiet"
    pass "$root: verify --networks"
    must "$root: first light" as_user "$root" "$tomoloom first-light -o first-light"
    grep -q '^rms difference from the truth' "$scratch/output" || fail "$root: first light says no error"
    pass "$root: first light ($(tail -1 "$scratch/output"))"
    for scan in 1 2 3; do
        must "$root: simulate" as_user "$root" \
            "$tomoloom simulate -o scan$scan.nx --views 90 --rows 4 --cols 64 --axis $scan --quiet"
    done
    must "$root: three scans" as_user "$root" \
        "$tomoloom run parallel --inputs scan1.nx scan2.nx scan3.nx --out results --quiet"
    [ "$(as_user "$root" 'grep -c ,done results/scans.csv')" = 3 ] ||
        { as_user "$root" 'cat results/scans.csv'; fail "$root: three scans are not done"; }
    pass "$root: three scans"
    must "$root: a pipeline" as_user "$root" \
        "$tomoloom templates example > mine.tomoloom && $tomoloom check mine.tomoloom"
}

test_lintian() {
    local file
    for file in "$packages"/*.deb; do
        must "lintian: $(basename "$file")" lintian --tag-display-limit 0 --fail-on error,warning "$file"
    done
    pass "lintian: no error, no warning (what is overridden, and why: installer/torch/lintian-overrides.in)"
}

# What a package of a desktop program brings, where the desktop and the shells look for it.
test_contents() {
    local share=/usr/share id=io.github.tomoloom.Tomoloom file command
    inside debian 'dpkg -L tomoloom tomoloom-torch' >"$scratch/listed"
    while read -r file; do grep -qxF "$file" "$scratch/listed" || fail "the packages have no $file"; done <<FILES
/usr/bin/tomoloom
/usr/bin/tomoloom-studio
/usr/lib/tomoloom/cuda/libtl_cuda.so
/usr/lib/tomoloom/torch/lib/libtorch_cpu.so
$share/man/man1/tomoloom.1.gz
$share/man/man1/tomoloom-studio.1.gz
$share/bash-completion/completions/tomoloom
$share/zsh/vendor-completions/_tomoloom
$share/applications/$id.desktop
$share/metainfo/$id.metainfo.xml
$share/mime/packages/$id.xml
$share/icons/hicolor/scalable/apps/$id.svg
$share/icons/hicolor/scalable/mimetypes/application-vnd.tomoloom.pipeline+json.svg
$share/tomoloom/pipeline.schema.json
$share/tomoloom/python/tomoloom_net.py
$share/doc/tomoloom/guide/34-installing.md
FILES
    for command in $(as_user debian 'tomoloom --help' | sed '1,/^Subcommands:/d; s/^  \([a-z][a-z-]*\) .*/\1/p; d'); do
        grep -qxF "$share/man/man1/tomoloom-$command.1.gz" "$scratch/listed" ||
            fail "there is no manual page of tomoloom $command"
    done
    grep -q "^$share/tomoloom/pipelines/.*\.json$" "$scratch/listed" || fail "the packages have no templates"
    local ours='^(/\.|/usr|/usr/bin(/tomoloom|/tomoloom-studio)?|/usr/lib(/tomoloom(/.*)?)?|/usr/share(/.*)?)$'
    nothing "the packages have files outside of their folders" grep -vE "$ours" "$scratch/listed"
    # What bash offers after `tomoloom reconstr`.
    inside debian "bash --norc -c '. $share/bash-completion/completions/tomoloom
        COMP_WORDS=(tomoloom reconstr); COMP_CWORD=1; _tomoloom; echo \${COMPREPLY[*]}'" |
        grep -qx 'reconstruct *' || fail "bash completes no command"
    pass "programs, CUDA module, $(grep -c '/man1/.*gz$' "$scratch/listed") manual pages, completions, desktop entry," \
        "file type, icons, metainfo, templates, guide"
}

test_deb() {
    local mime=application/vnd.tomoloom.pipeline+json
    make_root debian apt libglib2.0-bin
    files_of debian >"$scratch/before"
    install_packages debian xdg-utils desktop-file-utils shared-mime-info
    pass "apt-get install ./*.deb, with what it depends on alone and what associates files with programs"
    must "ldd" inside debian 'ldd /usr/bin/tomoloom-studio /usr/bin/tomoloom /usr/lib/tomoloom/torch/lib/*.so'
    nothing "libraries are not found" grep 'not found' "$scratch/output"
    grep -q '=> .*/lib/tomoloom/torch/lib/libtorch_cpu.so' "$scratch/output" || fail "LibTorch is not the package's"
    pass "every library is found, LibTorch in its private folder"
    test_contents
    use_programs debian tomoloom
    [ "$(as_user debian "xdg-mime query default $mime")" = io.github.tomoloom.Tomoloom.desktop ] ||
        fail "the default program for pipelines"
    [ "$(as_user debian 'xdg-mime query filetype mine.tomoloom')" = "$mime" ] || fail "the file type of mine.tomoloom"
    pass "file type and default program"
    opens debian mine opened-by-file-type 0.2 'xdg-open mine.tomoloom'
    pass "xdg-open mine.tomoloom: a window with it"
    # The welcome page is mostly empty.
    opens debian '' started-from-the-menu 0.05 'gio launch /usr/share/applications/io.github.tomoloom.Tomoloom.desktop'
    pass "the menu entry: a window"

    # apt forgets a package from a file once it is removed: only dpkg can be asked to purge it then.
    must "remove and purge" inside debian \
        'apt-get remove -y -qq tomoloom tomoloom-torch && dpkg --purge tomoloom tomoloom-torch'
    nothing "dpkg still knows the packages" inside debian "dpkg-query -W -f '\${Package}\n' | grep tomoloom"
    # Whatever else is left belongs to Debian's packages that came as dependencies: it is there after a second time too.
    files_of debian >"$scratch/after"
    nothing "files are left" grep -i tomoloom "$scratch/after"
    nothing "the system's lists still name it" \
        grep -rlsi tomoloom "$scratch/debian"/{etc,usr/share/mime,usr/share/applications,var/lib/systemd}
    install_packages debian
    must "purge" inside debian 'apt-get purge -y -qq tomoloom tomoloom-torch'
    files_of debian >"$scratch/after-twice"
    nothing "a second installation and its removal leave files" diff "$scratch/after" "$scratch/after-twice"
    must "autoremove" inside debian \
        'apt-get autoremove --purge -y -qq xdg-utils- desktop-file-utils- shared-mime-info-'
    rm -rf "$scratch/debian/packages"
    # Of Debian's own packages: lists that their triggers made, and folders of settings that they keep.
    files_of debian | diff "$scratch/before" - | sed -n 's/^[<>] //p' >"$scratch/left" || true
    pass "remove, purge: nothing of ours is left; with autoremove $(wc -l <"$scratch/left") files of others differ:" \
        "$(tr '\n' ' ' <"$scratch/left" | head -c 400)"
}

test_newcomer() {
    local scan failed=""
    make_root newcomer apt
    install_packages newcomer
    # The desktop: window manager, menu, file manager, and what reads the screen.
    must "the newcomer's desktop" inside newcomer 'apt-get install -y -qq --no-install-recommends openbox rofi pcmanfm \
        xdotool dbus at-spi2-core python3-gi gir1.2-atspi-2.0 procps librsvg2-common'
    for scan in 1 2 3; do
        must "newcomer: simulate" as_user newcomer "mkdir -p scans &&
            tomoloom simulate -o scans/scan$scan.nx --views 180 --rows 16 --cols 128 --axis $scan --quiet"
    done
    cp "$source_folder"/tests/packages/*.py "$scratch/newcomer/packages"
    mkdir "$scratch/newcomer/screen"
    mount --bind "$scratch/screen" "$scratch/newcomer/screen"
    as_user newcomer "export TL_SCREEN=/screen/Xvfb_screen0 QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 PYTHONDONTWRITEBYTECODE=1
        dbus-run-session -- python3 /packages/newcomer.py scans pictures 2>newcomer.log" || failed=yes
    mkdir -p "$pictures/newcomer"
    rm -f "$pictures/newcomer"/*
    cp "$scratch"/newcomer/visitor/pictures/*.png "$pictures/newcomer" || true
    [ -z "$failed" ] || { tail -20 "$scratch/newcomer/visitor/newcomer.log"; fail "the newcomer"; }
    pass "the newcomer: starts by the menu, drops, queues, reads, exports, starts again, finds, compares"
    end_programs newcomer
}

# What installer/Containerfile does, in a root of Debian 12 with as little as its image.
test_container() {
    local recipe="$source_folder/installer/Containerfile" command entry
    make_root container apt
    mkdir "$scratch/container/packages" "$scratch/container/data"
    cp "$packages"/*.deb "$scratch/container/packages"
    command="$(sed -n '/^RUN /,/[^\\]$/p' "$recipe" | sed 's/^RUN //; s/^ *--mount=[^ ]* //; s/\\$//' | tr '\n' ' ')"
    [ -n "$command" ] || fail "no RUN in $recipe"
    must "container: $command" inside container "$command"
    entry="$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' "$recipe")"
    must "container: verify" inside container "cd /data && $entry verify --quiet"
    must "container: first light" inside container "cd /data && $entry first-light -o first-light"
    grep -q '^rms difference from the truth' "$scratch/output" || fail "container: first light says no error"
    pass "container: verify, first light ($(tail -1 "$scratch/output"))"
    inside container "cd /data && DISPLAY=$display tomoloom-studio --example >/tmp/studio.log 2>&1 &"
    window_of '' container || { cat "$scratch/container/tmp/studio.log"; fail "container: no window"; }
    end_programs container
    pass "container: a window"
}

test_archive() {
    local archive=("$packages"/tomoloom-*-x86_64.tar.gz) folder="$scratch/bare/visitor/a folder"
    [ -e "${archive[0]}" ] || fail "there is no archive in build/packages: run installer/package.sh archive"
    make_root bare essential libgl1,libegl1,libopengl0,libgl1-mesa-dri,fonts-dejavu-core
    [ ! -e "$scratch/bare/usr/bin/apt-get" ] || fail "the root is not bare"
    mkdir "$folder"
    tar -xzf "${archive[0]}" -C "$folder" --strip-components 1
    chown -R 1234:1234 "$folder"
    must "ldd" as_user bare 'ldd "a folder/bin/tomoloom-studio" "a folder"/lib/tomoloom/plugins/*/*.so'
    nothing "libraries are not found" grep 'not found' "$scratch/output"
    pass "archive: every library is found in a root without packages"
    use_programs bare '"$HOME/a folder/tomoloom"'
    opens bare mine archive 0.2 '"$HOME/a folder/tomoloom-studio" mine.tomoloom'
    pass "archive: a window with mine.tomoloom"
}

for part in "${parts[@]}"; do
    case "$part" in
        deb | lintian | newcomer | archive | container) "test_$part" ;;
        *) fail "unknown part $part; parts: lintian deb newcomer archive container" ;;
    esac
done
printf 'Totals: %d passed, 0 failed; pictures to look at: %s\n' "$passed" "$pictures"
