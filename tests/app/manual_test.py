#!/usr/bin/env python3
"""Manual pages and completions say what the programs' own --help says; shells and validators take them; every place that
names the version names the same one.

Usage: manual_test.py TOMOLOOM STUDIO MANUAL_FOLDER SOURCE_FOLDER
"""
import functools
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

TOMOLOOM, STUDIO, MANUAL, SOURCE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])


class Skip(Exception):
    pass


def output(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **more)
    assert done.returncode == 0, f"{command}: {done.returncode} {done.stderr}"
    return done.stdout


def tool(name):
    if shutil.which(name) is None:
        raise Skip(f"{name} is not installed")
    return name


@functools.cache
def help_of(*words):
    return output(TOMOLOOM, *words, "--help")


@functools.cache
def commands():
    listed = help_of().split("Subcommands:\n")[1]
    return re.findall(r"^  ([a-z][a-z-]*) ", listed, re.M)


def options(command):
    found = []
    for line in help_of(command).splitlines():
        if match := re.match(r"  ((?:-\w,)?--[\w-]+)", line):
            found += match[1].split(",")
    return found


def choices(command):
    """{option: its choices}, from TEXT:{a,b}."""
    return {name: listed.split(",") for name, listed in
            re.findall(r"(--[\w-]+) [A-Z]+:\{([^}]*)\}", help_of(command))}


@functools.cache
def commands_within(command):
    parts = help_of(command).split("Subcommands:\n")
    return re.findall(r"^  ([a-z][a-z-]*) ", parts[1], re.M) if len(parts) > 1 else []


def options_within(command, within):
    found = []
    for line in help_of(command, within).splitlines():
        if match := re.match(r"  ((?:-\w,)?--[\w-]+)", line):
            found += match[1].split(",")
    return found


def page(name):
    return gzip.decompress((MANUAL / f"man/{name}.1.gz").read_bytes()).decode()


def offered(*words):
    """What bash offers for a command line whose last word is being typed."""
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tomoloom; '
              '[ ${#COMPREPLY[@]} -eq 0 ] || printf "%s\\n" "${COMPREPLY[@]}"')
    return output("bash", "--norc", "-c", script, "bash", str(MANUAL / "bash/tomoloom"), "tomoloom", *words).split()


def test_every_command_and_option_has_its_place_in_the_manual():
    assert len(commands()) > 20
    for command in commands():
        text = page("tomoloom-" + command)
        assert f"\\fBtomoloom\\-{command.replace('-', chr(92) + '-')}\\fR(1)" in page("tomoloom"), command
        for option in options(command):
            assert "\\fB" + option.replace("-", "\\-") + "\\fR" in text, (command, option)
    pages = {p.name[:-5] for p in (MANUAL / "man").iterdir()}
    assert pages == {"tomoloom", "tomoloom-studio"} | {"tomoloom-" + c for c in commands()}, pages


def test_commands_within_commands_have_their_place_too():
    assert {"replay", "ridge"} <= set(commands_within("tune")) and "show" in commands_within("history")
    for command in commands():
        inside = commands_within(command)
        if inside:
            assert set(offered(command, "")) == set(inside), command
        for within in inside:
            text = page("tomoloom-" + command).split(f".SS {command} {within}")[1].split(".SS ")[0]
            assert set(offered(command, within, "-")) == set(options_within(command, within)), (command, within)
            for option in options_within(command, within):
                assert "\\fB" + option.replace("-", "\\-") + "\\fR" in text, (command, within, option)


def test_the_page_of_the_studio_has_its_options():
    text = output(STUDIO, "--help", env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    names = re.findall(r"(?<![\w-])(--?[a-z][\w-]*)(?=[ ,])", text.split("Arguments:")[0])
    assert "--screenshot" in names and "--example" in names, text
    for name in names:
        assert "\\fB" + name.replace("-", "\\-") + "\\fR" in page("tomoloom-studio"), name


def test_pages_are_correct_roff():
    tool("man")
    for file in sorted((MANUAL / "man").iterdir()):
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(file)], capture_output=True,
                              text=True, env={**os.environ, "MANROFFSEQ": "", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        assert done.returncode == 0 and not done.stderr, (file.name, done.stderr)


def test_bash_completes_commands_options_and_choices():
    assert set(offered("")) >= set(commands()) | {"--help", "--version"}
    assert offered("reco") == ["reconstruct"]
    some = 0
    for command in commands():
        assert set(offered(command, "-")) == set(options(command)), command
        for option, listed in choices(command).items():
            assert offered(command, option, "") == listed, (command, option)
            some += 1
    assert some > 3
    assert offered("run", "pipe") == [], "files are left to the shell"


def test_zsh_takes_its_completion():
    file = str(MANUAL / "zsh/_tomoloom")
    output(tool("zsh"), "-n", file)
    text = pathlib.Path(file).read_text()
    for command in commands():
        part = text.split(f"    {command})\n")[1].split(";;")[0]
        for option in options(command):
            assert f"{option}[" in part, (command, option)


def test_every_place_names_the_same_version():
    version = re.search(r"tomoloom VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]
    date = re.search(r"TL_RELEASE_DATE ([\d-]+)", (SOURCE / "CMakeLists.txt").read_text())[1]
    assert output(TOMOLOOM, "--version").strip() == f"tomoloom {version}"
    release = ElementTree.parse(SOURCE / "installer/io.github.tomoloom.Tomoloom.metainfo.xml").find("releases/release")
    assert (release.get("version"), release.get("date")) == (version, date), release.attrib
    assert (SOURCE / "installer/debian/changelog").read_text().startswith(f"tomoloom ({version}) ")
    assert f"## [{version}]" in (SOURCE / "CHANGELOG.md").read_text()
    assert f"Tomoloom {version}" in page("tomoloom") and f"Tomoloom {version}" in page("tomoloom-studio")


def test_desktop_entry_and_metainfo_are_valid():
    desktop = SOURCE / "installer/io.github.tomoloom.Tomoloom.desktop"
    output(tool("desktop-file-validate"), str(desktop))
    output(tool("appstreamcli"), "validate", "--no-net", str(SOURCE / "installer/io.github.tomoloom.Tomoloom.metainfo.xml"))


def main():
    passed = failed = skipped = 0
    for name, test in sorted((n, t) for n, t in globals().items() if n.startswith("test_")):
        try:
            test()
            passed += 1
            print(f"PASS   : {name}")
        except Skip as reason:
            skipped += 1
            print(f"SKIP   : {name}: {reason}")
        except Exception as error:
            failed += 1
            print(f"FAIL!  : {name}: {type(error).__name__}: {error}")
    print(f"Totals: {passed} passed, {failed} failed, {skipped} skipped, 0 blacklisted")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
