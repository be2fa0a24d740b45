#!/usr/bin/env bash
# Installs what installer/package.sh made in fresh roots of Debian 12, uses it, and removes it. Takes some minutes and the
# network, and root for chroot: not a part of installer/test.sh.
#
# usage: tests/packages/run.sh [PART]...      default: all of them; pictures of the windows: build/packages/pictures
#   deb        apt-get install ./*.deb in a fresh root; verify, first light, three scans, a window by the menu entry and by
#              the file type; remove and purge leave nothing; lintian
#   newcomer   somebody with mouse and keyboard uses the installed program: tests/packages/newcomer.py
#   archive    in a root with the C library, OpenGL (libGL, libEGL, libOpenGL) and fonts only
#   container  the commands of installer/Containerfile in a root like its image
# TL_APT_SOURCES names the file of package sources for the roots (default: that of this machine).
# TL_KEEP_ROOTS=1 keeps the roots (2 GB each).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
packages="$PWD/build/packages"
chroot="$(PATH="$PATH:/usr/sbin" command -v chroot)"
source_folder="$PWD"

fail() { printf 'FAIL!  : %s\n' "$*"; exit 1; }
passed=0
pass() { passed=$((passed + 1)); printf 'PASS   : %s\n' "$*"; }

parts=("$@")
[ $# -gt 0 ] || parts=(deb newcomer archive container)
[ "$(id -u)" -eq 0 ] || fail "chroot needs root"
missing=()
for tool in mmdebstrap:mmdebstrap Xvfb:xvfb xwininfo:x11-utils lintian:lintian; do
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

scratch="$(mktemp -d "${TMPDIR:-/tmp}/tomoloom-packages.XXXXXX")"
xvfb=""
clean() {
    [ -z "$xvfb" ] || kill "$xvfb" 2>/dev/null || true
    mount | awk -v under="$scratch/" 'index($3, under) == 1 {print $3}' | tac | xargs -r -n 1 umount -l
    [ -n "${TL_KEEP_ROOTS:-}" ] || rm -rf --one-file-system "$scratch"
}
trap clean EXIT
pictures="$packages/pictures"
mkdir -p "$pictures"

# make_root NAME VARIANT PACKAGES: with the package sources and the settings of apt of this machine.
make_root() {
    local root="$scratch/$1" options=(--dpkgopt=force-unsafe-io)  # a root that is thrown away needs no fsync
    while read -r line; do options+=(--aptopt="$line"); done < <(apt-config dump | grep -iE '^Acquire::(http|https|Check|Retries)' || true)
    mmdebstrap --quiet --variant="$2" ${3:+--include="$3"} "${options[@]}" bookworm "$root" "$sources" >"$scratch/$1.log" 2>&1 ||
        { tail -20 "$scratch/$1.log"; fail "mmdebstrap could not make the root $1"; }
    cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    mkdir -p "$root/tmp/.X11-unix"
    mount --bind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --bind "$scratch/x11" "$root/tmp/.X11-unix"
    # Packages of Debian are fetched once for all roots.
    [ ! -d "$root/var/cache/apt/archives" ] || mount --bind "$scratch/archives" "$root/var/cache/apt/archives"
}
# inside ROOT COMMAND: as root. as_user ROOT COMMAND: as somebody without rights, on the screen.
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive TMPDIR=/tmp "$chroot" "$scratch/$1" sh -c "$2"; }
as_user() {
    env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/visitor DISPLAY="$display" XDG_CURRENT_DESKTOP=GNOME TMPDIR=/tmp \
        "$chroot" --userspec=1234:1234 "$scratch/$1" sh -c "cd; $2"
}
add_user() { inside "$1" 'mkdir -p /visitor && chown 1234:1234 /visitor && echo visitor:x:1234:1234::/visitor:/bin/sh >>/etc/passwd && echo visitor:x:1234: >>/etc/group'; }

mkdir -p "$scratch/x11" "$scratch/screen" "$scratch/archives/partial"
chmod 1777 "$scratch/x11"
mkdir -p /tmp/.X11-unix
mount --bind "$scratch/x11" /tmp/.X11-unix
number=$((90 + $$ % 900))
display=":$number"
Xvfb "$display" -screen 0 1680x1050x24 -fbdir "$scratch/screen" -ac >/dev/null 2>&1 &
xvfb=$!
sleep 2
kill -0 "$xvfb" || fail "Xvfb does not start"

# window_of TITLE NAME [SHARE]: waits until a window has the title and its drawing fills this share of the screen (0.2), and
# keeps its picture.
window_of() {
    local tries drawn least="${3:-0.2}"
    for tries in $(seq 90); do
        ! DISPLAY="$display" xwininfo -root -tree 2>/dev/null | grep -q "\"[^\"]*$1[^\"]* - Tomoloom\"" || break
        [ "$tries" -lt 90 ] || { DISPLAY="$display" xwininfo -root -tree | grep '"' || true; return 1; }
        sleep 1
    done
    for tries in $(seq 45); do
        sleep 2
        drawn="$(python3 "$source_folder/tests/packages/screenshot.py" "$scratch/screen/Xvfb_screen0" "$pictures/$2.png")"
        # The last wait is for the slices.
        if awk -v s="$drawn" -v l="$least" 'BEGIN {exit !(s > l)}'; then
            sleep 15
            python3 "$source_folder/tests/packages/screenshot.py" "$scratch/screen/Xvfb_screen0" "$pictures/$2.png" >/dev/null
            return 0
        fi
    done
    printf 'only %s of the screen is drawn\n' "$drawn"
    return 1
}
# Ends the programs that run in a root, and waits for it.
end_programs() {
    local process
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/root" 2>/dev/null)" != "$scratch/$1" ] || kill "${process##*/}" 2>/dev/null || true
    done
    sleep 2
}

# use ROOT STUDIO-BY-MENU: what a first user does, with the programs in PATH.
use_programs() {
    local root="$1" tomoloom="$2"
    as_user "$root" "$tomoloom --version" | grep -qx 'tomoloom [0-9.]*' || fail "$root: --version"
    as_user "$root" "$tomoloom verify --networks --quiet" || fail "$root: verify"
    pass "$root: verify --networks"
    as_user "$root" "$tomoloom first-light -o first-light" >"$scratch/$root.first" || fail "$root: first light"
    grep -q '^rms difference from the truth' "$scratch/$root.first" || fail "$root: first light says no error"
    pass "$root: first light ($(tail -1 "$scratch/$root.first"))"
    for scan in 1 2 3; do
        as_user "$root" "$tomoloom simulate -o scan$scan.nx --views 90 --rows 4 --cols 64 --axis $scan --quiet" || fail "$root: simulate"
    done
    as_user "$root" "$tomoloom run parallel --inputs scan1.nx scan2.nx scan3.nx --out results --quiet" || fail "$root: three scans"
    [ "$(as_user "$root" 'grep -c ,done results/scans.csv')" = 3 ] || { as_user "$root" 'cat results/scans.csv'; fail "$root: three scans are not done"; }
    pass "$root: three scans"
    as_user "$root" "$tomoloom templates example > mine.tomoloom && $tomoloom check mine.tomoloom >/dev/null" || fail "$root: a pipeline"
}

files_of() { (cd "$scratch/$1" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./sys -o -path ./run -o -path ./tmp -o -path ./visitor -o -path ./packages -o -path ./var/log -o -path ./var/lib/dpkg \
    -o -path ./var/lib/apt -o -path ./var/cache \) -prune -o -print | sort); }

test_deb() {
    make_root debian apt libglib2.0-bin
    add_user debian
    files_of debian >"$scratch/before"
    mkdir "$scratch/debian/packages"
    cp "$packages"/tomoloom_*.deb "$packages"/tomoloom-torch_*.deb "$scratch/debian/packages"
    inside debian 'apt-get update -qq && cd /packages && apt-get install -y -qq --no-install-recommends ./*.deb xdg-utils desktop-file-utils shared-mime-info >/tmp/apt.log 2>&1' || { tail -20 "$scratch/debian/tmp/apt.log"; fail "apt-get install ./*.deb"; }
    pass "apt-get install ./*.deb, with what it depends on alone and what associates files with programs"
    inside debian 'ldd /usr/bin/tomoloom-studio /usr/bin/tomoloom /usr/lib/tomoloom/torch/lib/*.so' >"$scratch/libraries" || fail "ldd"
    grep 'not found' "$scratch/libraries" && fail "libraries are not found"
    grep -q '=> .*/lib/tomoloom/torch/lib/libtorch_cpu.so' "$scratch/libraries" || fail "LibTorch is not the package's"
    pass "every library is found, LibTorch in its private folder"
    use_programs debian tomoloom
    [ "$(as_user debian 'xdg-mime query default application/vnd.tomoloom.pipeline+json')" = io.github.tomoloom.Tomoloom.desktop ] || fail "the default program for pipelines"
    [ "$(as_user debian 'xdg-mime query filetype mine.tomoloom')" = application/vnd.tomoloom.pipeline+json ] || fail "the file type of mine.tomoloom"
    pass "file type and default program"
    as_user debian 'xdg-open mine.tomoloom >opened.log 2>&1 &'
    window_of mine opened-by-file-type || { cat "$scratch/debian/visitor/opened.log"; fail "xdg-open mine.tomoloom opens no window"; }
    pass "xdg-open mine.tomoloom: a window with it"
    end_programs debian
    as_user debian 'gio launch /usr/share/applications/io.github.tomoloom.Tomoloom.desktop >menu.log 2>&1 &'
    window_of '' started-from-the-menu 0.05 || { cat "$scratch/debian/visitor/menu.log"; fail "the menu entry opens no window"; }
    pass "the menu entry: a window"
    end_programs debian

    # apt forgets a package from a file once it is removed: only dpkg can be asked to purge it then.
    inside debian 'apt-get remove -y -qq tomoloom tomoloom-torch >/tmp/apt.log 2>&1 && dpkg --purge tomoloom tomoloom-torch >>/tmp/apt.log 2>&1' || { tail -20 "$scratch/debian/tmp/apt.log"; fail "remove and purge"; }
    # Whatever is left belongs to the packages of Debian that came as dependencies: it is there after another installation too.
    files_of debian >"$scratch/after"
    grep -i tomoloom "$scratch/after" && fail "files are left"
    grep -rlsi tomoloom "$scratch/debian"/{etc,usr/share/mime,usr/share/applications,var/lib/systemd} && fail "the system's lists still name it"
    inside debian 'cd /packages && apt-get install -y -qq --no-install-recommends ./*.deb >/tmp/apt.log 2>&1 && apt-get purge -y -qq tomoloom tomoloom-torch >>/tmp/apt.log 2>&1' || fail "a second installation"
    files_of debian | diff "$scratch/after" - || fail "a second installation and its removal leave files"
    inside debian 'apt-get autoremove --purge -y -qq >/tmp/apt.log 2>&1' || fail "autoremove"
    rm -rf "$scratch/debian/packages"
    files_of debian | diff "$scratch/before" - | grep '^[<>]' >"$scratch/left" || true
    # Of Debian's own packages: lists that their triggers made, and folders of settings that they keep.
    pass "remove, purge: nothing of ours is left; with autoremove $(wc -l <"$scratch/left") files of others differ: $(sed 's/^. //' "$scratch/left" | tr '\n' ' ' | head -c 400)"
    for file in "$packages"/*.deb; do
        lintian --tag-display-limit 0 --fail-on error,warning "$file" >"$scratch/lintian.log" 2>&1 || { cat "$scratch/lintian.log"; fail "lintian: $(basename "$file")"; }
    done
    pass "lintian: no error, no warning"
}

test_newcomer() {
    make_root newcomer apt
    add_user newcomer
    mkdir "$scratch/newcomer/packages" "$scratch/newcomer/screen"
    cp "$packages"/tomoloom_*.deb "$packages"/tomoloom-torch_*.deb "$source_folder"/tests/packages/*.py "$scratch/newcomer/packages"
    mount --bind "$scratch/screen" "$scratch/newcomer/screen"
    inside newcomer 'apt-get update -qq && cd /packages && apt-get install -y -qq --no-install-recommends ./*.deb >/tmp/apt.log 2>&1' || { tail -20 "$scratch/newcomer/tmp/apt.log"; fail "apt-get install ./*.deb"; }
    # The desktop: window manager, menu, file manager, and what reads the screen.
    inside newcomer 'apt-get install -y -qq --no-install-recommends openbox rofi pcmanfm xdotool dbus at-spi2-core python3-gi gir1.2-atspi-2.0 procps >/tmp/apt.log 2>&1' || { tail -20 "$scratch/newcomer/tmp/apt.log"; fail "the newcomer's desktop"; }
    for scan in 1 2 3; do
        as_user newcomer "mkdir -p scans && tomoloom simulate -o scans/scan$scan.nx --views 180 --rows 16 --cols 128 --axis $scan --quiet" || fail "newcomer: simulate"
    done
    as_user newcomer "export TL_SCREEN=/screen/Xvfb_screen0 QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 PYTHONDONTWRITEBYTECODE=1
        dbus-run-session -- python3 /packages/newcomer.py scans pictures 2>newcomer.log" || failed=yes
    mkdir -p "$pictures/newcomer" && rm -f "$pictures/newcomer"/* && cp "$scratch"/newcomer/visitor/pictures/*.png "$pictures/newcomer"
    [ -z "${failed:-}" ] || { tail -20 "$scratch/newcomer/visitor/newcomer.log"; fail "the newcomer"; }
    pass "the newcomer: starts by the menu, drops, queues, reads, exports, starts again, finds, compares"
    end_programs newcomer
}

# What installer/Containerfile does, in a root of Debian 12 with as little as its image.
test_container() {
    local recipe="$source_folder/installer/Containerfile" command
    make_root container apt
    mkdir "$scratch/container/packages" "$scratch/container/data"
    cp "$packages"/*.deb "$scratch/container/packages"
    command="$(sed -n '/^RUN /,/[^\\]$/p' "$recipe" | sed 's/^RUN //; s/\\$//' | tr '\n' ' ')"
    [ -n "$command" ] || fail "no RUN in $recipe"
    inside container "$command" >"$scratch/container.log" 2>&1 || { tail -20 "$scratch/container.log"; fail "container: $command"; }
    [ ! -e "$scratch/container/packages" ] || fail "the packages are left in the image"
    local entry
    entry="$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' "$recipe")"
    inside container "cd /data && $entry verify --quiet && $entry first-light -o first-light" >"$scratch/container.first" || fail "container: $entry"
    grep -q '^rms difference from the truth' "$scratch/container.first" || fail "container: first light says no error"
    pass "container: verify, first light ($(tail -1 "$scratch/container.first"))"
    inside container "cd /data && DISPLAY=$display tomoloom-studio --example >/tmp/studio.log 2>&1 &"
    window_of '' container || { cat "$scratch/container/tmp/studio.log"; fail "container: no window"; }
    pass "container: a window"
    end_programs container
}

test_archive() {
    local archive=("$packages"/tomoloom-*-x86_64.tar.gz)
    [ -e "${archive[0]}" ] || fail "there is no archive in build/packages: run installer/package.sh archive"
    make_root bare essential libgl1,libegl1,libopengl0,libgl1-mesa-dri,fonts-dejavu-core
    add_user bare
    [ ! -e "$scratch/bare/usr/bin/apt-get" ] || fail "the root is not bare"
    mkdir "$scratch/bare/visitor/a folder"
    tar -xzf "${archive[0]}" -C "$scratch/bare/visitor/a folder" --strip-components 1
    chown -R 1234:1234 "$scratch/bare/visitor/a folder"
    as_user bare 'ldd "a folder/bin/tomoloom-studio" "a folder"/lib/tomoloom/plugins/*/*.so' >"$scratch/libraries" || fail "ldd"
    grep 'not found' "$scratch/libraries" && fail "libraries are not found"
    pass "every library is found in a root without packages"
    use_programs bare '"$HOME/a folder/tomoloom"'
    as_user bare '"$HOME/a folder/tomoloom-studio" mine.tomoloom >opened.log 2>&1 &'
    window_of mine archive || { cat "$scratch/bare/visitor/opened.log"; fail "the archive opens no window"; }
    pass "a window with mine.tomoloom"
    end_programs bare
}

for part in "${parts[@]}"; do
    case "$part" in
        deb) test_deb ;;
        newcomer) test_newcomer ;;
        archive) test_archive ;;
        container) test_container ;;
        *) fail "unknown part $part; parts: deb newcomer archive container" ;;
    esac
done
printf 'Totals: %d passed, 0 failed; pictures to look at: %s\n' "$passed" "$pictures"
