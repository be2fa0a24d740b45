# shellcheck shell=bash disable=SC2154
# tests/packages/roots.sh: fresh roots of Debian 12, a screen, and programs that run in one on the other. run.sh
# includes it and sets the folders.
passed=0
pass() { passed=$((passed + 1)); printf 'PASS   : %s\n' "$*"; }
fail() { printf 'FAIL!  : %s\n' "$*"; exit 1; }
# must MESSAGE COMMAND...: shows the end of what the command printed if it fails, and ends the test.
must() {
    local message="$1"
    shift
    "$@" >"$scratch/output" 2>&1 || { tail -20 "$scratch/output"; fail "$message"; }
}

# nothing MESSAGE COMMAND...: the command must print nothing.
nothing() {
    local message="$1" printed
    shift
    printed="$("$@" || true)"
    [ -z "$printed" ] || { printf '%s\n' "$printed"; fail "$message"; }
}

# begin: a folder for the roots, and a screen that programs in them see.
begin() {
    local number=$((90 + $$ % 900))
    scratch="$(mktemp -d "${TMPDIR:-/tmp}/tomoloom-packages.XXXXXX")"
    xvfb=""
    trap clean_up EXIT
    mkdir -p "$scratch/x11" "$scratch/screen" "$scratch/archives/partial" /tmp/.X11-unix
    chmod 1777 "$scratch/x11"
    mount --bind "$scratch/x11" /tmp/.X11-unix
    display=":$number"
    Xvfb "$display" -screen 0 1680x1050x24 -fbdir "$scratch/screen" -ac >/dev/null 2>&1 &
    xvfb=$!
    sleep 2
    kill -0 "$xvfb" || fail "Xvfb does not start"
}
clean_up() {
    local root
    for root in "$scratch"/*/; do end_programs "$(basename "$root")"; done
    [ -z "$xvfb" ] || kill "$xvfb" 2>/dev/null || true
    mount | awk -v under="$scratch/" 'index($3, under) == 1 {print $3}' | tac | xargs -r -n 1 umount -l
    [ -n "${TL_KEEP_ROOTS:-}" ] || rm -rf --one-file-system "$scratch"
}

# make_root NAME VARIANT PACKAGES: with the package sources and the settings of apt of this machine, and a user 1234.
make_root() {
    local root="$scratch/$1" options=(--dpkgopt=force-unsafe-io) line  # a root that is thrown away needs no fsync
    while read -r line; do options+=(--aptopt="$line"); done < <(
        apt-config dump | grep -iE '^Acquire::(http|https|Check|Retries)' || true)
    must "mmdebstrap could not make the root $1" \
        mmdebstrap --quiet --variant="$2" ${3:+--include="$3"} "${options[@]}" bookworm "$root" "$sources"
    cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    mkdir -p "$root/tmp/.X11-unix"
    mount --bind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --bind "$scratch/x11" "$root/tmp/.X11-unix"
    # Packages of Debian are fetched once for all roots.
    [ ! -d "$root/var/cache/apt/archives" ] || mount --bind "$scratch/archives" "$root/var/cache/apt/archives"
    inside "$1" 'mkdir -p /visitor && chown 1234:1234 /visitor
        echo visitor:x:1234:1234::/visitor:/bin/sh >>/etc/passwd && echo visitor:x:1234: >>/etc/group'
}
# inside ROOT COMMAND: as root. as_user ROOT COMMAND: as somebody without rights, on the screen.
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive TMPDIR=/tmp \
        "$chroot" "$scratch/$1" sh -c "$2"
}
as_user() {
    env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/visitor DISPLAY="$display" XDG_CURRENT_DESKTOP=GNOME TMPDIR=/tmp \
        "$chroot" --userspec=1234:1234 "$scratch/$1" sh -c "cd; $2"
}
# install_packages ROOT PACKAGE...: both packages as a user would, and others of Debian with them.
install_packages() {
    local root="$1"
    shift
    mkdir -p "$scratch/$root/packages"
    cp "$packages"/tomoloom_*.deb "$packages"/tomoloom-torch_*.deb "$scratch/$root/packages"
    must "apt-get update" inside "$root" 'apt-get update -qq'
    must "apt-get install ./*.deb" inside "$root" \
        "cd /packages && apt-get install -y -qq --no-install-recommends ./*.deb $*"
}
# Ends the programs that run in a root, and waits for it.
end_programs() {
    local process ended=""
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/root" 2>/dev/null)" = "$scratch/$1" ] || continue
        ! kill "${process##*/}" 2>/dev/null || ended=yes
    done
    [ -z "$ended" ] || sleep 2
}
# The files of a root that are neither the user's nor lists of apt and dpkg.
files_of() {
    local skipped=() folder
    for folder in proc dev sys run tmp visitor packages var/log var/lib/dpkg var/lib/apt var/cache; do
        skipped+=(-o -path "./$folder")
    done
    (cd "$scratch/$1" && find . -xdev \( "${skipped[@]:1}" \) -prune -o -print | sort)
}

take_picture() {
    python3 "$source_folder/tests/packages/screenshot.py" "$scratch/screen/Xvfb_screen0" "$pictures/$1.png"
}
# window_of TITLE NAME [SHARE]: waits until a window has the title and its drawing fills this share of the screen (0.2),
# and keeps its picture.
window_of() {
    local tries drawn least="${3:-0.2}"
    for tries in $(seq 90); do
        ! DISPLAY="$display" xwininfo -root -tree 2>/dev/null | grep -q "\"[^\"]*$1[^\"]* - Tomoloom\"" || break
        [ "$tries" -lt 90 ] || { DISPLAY="$display" xwininfo -root -tree | grep '"' || true; return 1; }
        sleep 1
    done
    for tries in $(seq 45); do
        sleep 2
        drawn="$(take_picture "$2")"
        if awk -v s="$drawn" -v l="$least" 'BEGIN {exit !(s > l)}'; then
            sleep 15  # for the slices
            take_picture "$2" >/dev/null
            return 0
        fi
    done
    printf 'only %s of the screen is drawn\n' "$drawn"
    return 1
}
# opens ROOT TITLE PICTURE SHARE COMMAND: a user's command that goes on, and the window that it must open.
opens() {
    as_user "$1" "($5) >opened.log 2>&1 &"
    window_of "$2" "$3" "$4" || { cat "$scratch/$1/visitor/opened.log"; fail "$1: no window by $5"; }
    end_programs "$1"
}
