#!/usr/bin/env python3
"""Brings the files of translations up to date: collects every text of the window and of core.

usage: installer/translations.py [PROGRAM]      from the root of the sources; PROGRAM: build/release/tomoloom
Writes resources/translations/tomoloom_*.ts, which Qt Linguist edits, and core_patterns.txt, the texts of core that have
values in them ("%1 is out of range"). Translations that exist are kept; texts that are gone are left out. A text has
one translation wherever it stands. Exit code 1 with --check: files are not up to date.
"""
import json, pathlib, re, subprocess, sys
from xml.etree import ElementTree
from xml.sax.saxutils import escape

FOLDER = pathlib.Path("resources/translations")
PATTERNS = FOLDER / "core_patterns.txt"
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|\w+|[^\s\w]', re.S)
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "'": "'"}
# What Qt's own dialogs and names of keys say.
QT = """Ctrl|Shift|Del|Space|Return|Left|Right|Up|Down|&Yes|&No|OK|&OK|&Save|Discard|&Close|&Cancel|&Open|Apply|Reset|Look in:|
File &name:|Files of type:|Directory:|Name|Size|Date Modified|Cu&t|&Copy|&Paste|&Undo|&Redo|Select All|&Create|
Show &hidden files|&New Folder|&Rename|&Delete|Create New Folder|Parent Directory|Back|Forward|List View|Detail View|
Find Directory|Recent Places|Select Color|Restore Defaults|Show Details...|Hide Details..."""
ERRORS = {"invalid", "unavailable", "io_error", "Error", "two_wordings", "fail", "wrong", "refuse"}
# Files of core whose sentences reach the window otherwise than as errors.
SPOKEN = ("core/run/hints", "core/live", "core/learn", "core/run/common", "core/exports", "core/io/reader", "core/train")


def tokens_of(text):
    found = []
    for match in TOKEN.finditer(text):
        token = match.group()
        if not token.startswith(("//", "/*")):
            found.append(token)
    return found


def is_text(token):
    return token.startswith('"')


def text_of(token):
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m.group(1), m.group()), token[1:-1])


def arguments(tokens, opening):
    """The tokens of each argument of the call whose bracket stands at `opening`, and where it ends."""
    parts, depth, at = [[]], 0, opening
    while at < len(tokens):
        token = tokens[at]
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth == 0:
                return parts, at
        if token == "," and depth == 1:
            parts.append([])
        elif at > opening:
            parts[-1].append(token)
        at += 1
    return parts, at


def texts_in(tokens):
    """Every text of an argument of tr(); neighbours are one text."""
    texts, was_text, depth = [], False, 0
    for token in tokens:
        depth += (token in "([{") - (token in ")]}")
        if is_text(token) and depth == 0:
            if was_text:
                texts[-1] += text_of(token)
            else:
                texts.append(text_of(token))
        was_text = is_text(token)
    return texts


def pattern_of(tokens):
    """"a" + x + "b" becomes "a%1b"; None where no text is in it, or where it is chosen by a condition."""
    if not any(map(is_text, tokens)) or "?" in tokens:
        return None
    parts, depth = [[]], 0
    for token in tokens:
        depth += (token in "([{") - (token in ")]}")
        if token == "+" and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    text, number = "", 0
    for part in parts:
        if part and all(map(is_text, part)):
            text += "".join(map(text_of, part))
        elif text.endswith(f"%{number}") and number:
            continue  # two values in a row are one
        else:
            number += 1
            text += f"%{number}"
    return text


def sum_around(tokens, at):
    """The tokens of the sum of texts and values in which the text at `at` stands."""
    ends = {",", ";", "=", "?", ":", "return", "<", "case"}

    def walk(step, opens, closes):
        here, depth = at, 0
        while 0 <= here + step < len(tokens):
            token = tokens[here + step]
            if token in opens:
                depth += 1
            elif token in closes:
                if depth == 0:
                    break
                depth -= 1
            elif depth == 0 and token in ends:
                break
            here += step
        return here

    return tokens[walk(-1, ")]}", "([{"):walk(1, "([{", ")]}") + 1]


def says_something(text):
    return " " in text.strip() and len(re.findall(r"[A-Za-z]{2,}", re.sub(r"%\d", "", text))) > 1


def window_texts():
    files = sorted(pathlib.Path("widgets").rglob("*.cpp")) + sorted(pathlib.Path("widgets").rglob("*.h"))
    sources = {file: file.read_text() for file in files}
    helpers = {"tr", "QT_TR_NOOP"}
    for source in sources.values():
        helpers.update(re.findall(r"(\w+)\(const char\* text\) \{ return QCoreApplication::translate", source))
    texts = {}
    for file, source in sources.items():
        tokens = tokens_of(source)
        for at, token in enumerate(tokens[:-1]):
            if tokens[at + 1] != "(":
                continue
            parts, _ = arguments(tokens, at + 1)
            if token in helpers:
                is_counted = len(parts) >= 3 and parts[1] == ["nullptr"]
                for text in texts_in(parts[0]):
                    texts[text] = is_counted
            elif token in ("translate", "QT_TRANSLATE_NOOP") and len(parts) >= 2:
                for text in texts_in(parts[1]):
                    texts[text] = len(parts) >= 4
    for file in ("widgets/theme/tokens.cpp",):
        for name in re.findall(r'\{"\w+",\s*"([^"]+)"', sources[pathlib.Path(file)]):
            texts[name] = False
    return texts


def declared_texts(program):
    """Titles, summaries, help and choices of all nodes, as the program declares them."""
    texts = []
    for node in json.loads(subprocess.run([program, "nodes", "--json"], check=True, capture_output=True).stdout):
        texts += [node["title"], node["category"], node["summary"]]
        for port in node["inputs"] + node["outputs"]:
            texts += [port["help"], port["type"]]
        texts += [port["name"] for port in node["outputs"]]
        for param in node["parameters"]:
            texts += [param["title"], param.get("help", ""), param.get("automatic", "")]
            texts += [choice["title"] for choice in param.get("choices", [])]
    return [text for text in texts if text]


def spoken_texts():
    """Errors of all of core and gpu, and the sentences of SPOKEN, with %1 for their values."""
    texts = []
    for file in sorted([*pathlib.Path("core").rglob("*.cpp"), *pathlib.Path("gpu").rglob("*.cpp")]):
        tokens = tokens_of(file.read_text())
        is_spoken = str(file).startswith(SPOKEN)
        at = 0
        while at < len(tokens) - 1:
            if tokens[at] in ERRORS and tokens[at + 1] in ("(", "{"):
                parts, _ = arguments(tokens, at + 1)
                texts += [pattern_of(part) for part in parts]
            elif is_spoken and is_text(tokens[at]) and tokens[at - 1] != "include":
                texts.append(pattern_of(sum_around(tokens, at)))
            at += 1
    return [text for text in texts if text and says_something(text)]


def read(file):
    known = {}
    if file.exists():
        for message in ElementTree.parse(file).getroot().iter("message"):
            translation = message.find("translation")
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            if any(forms) and translation.get("type") != "vanished":
                known[message.findtext("source")] = forms
    return known


def ts_of(language, texts, known):
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>",
             f'<TS version="2.1" language="{language}" sourcelanguage="en">', "<context>", "    <name>tomoloom</name>"]
    for text, is_counted in texts.items():
        forms = known.get(text)
        lines.append('    <message numerus="yes">' if is_counted else "    <message>")
        lines.append(f"        <source>{escape(text)}</source>")
        state = "" if forms else ' type="unfinished"'
        if is_counted:
            inner = "".join(f"<numerusform>{escape(form)}</numerusform>" for form in (forms or ["", ""]))
            lines.append(f"        <translation{state}>{inner}</translation>")
        else:
            lines.append(f"        <translation{state}>{escape(forms[0]) if forms else ''}</translation>")
        lines.append("    </message>")
    return "\n".join(lines + ["</context>", "</TS>", ""])


def main():
    program = next((a for a in sys.argv[1:] if not a.startswith("-")), "build/release/tomoloom")
    texts = window_texts()
    spoken = spoken_texts()
    for text in [*QT.replace("\n", "").split("|"), *declared_texts(program), *spoken]:
        texts.setdefault(text, False)
    texts.pop("", None)
    texts = dict(sorted(texts.items()))
    patterns = sorted({text for text in spoken if "%1" in text})
    wanted = {PATTERNS: "".join(pattern.replace("\\", "\\\\").replace("\n", "\\n") + "\n" for pattern in patterns)}
    for file in FOLDER.glob("tomoloom_*.ts"):
        known = read(file)
        wanted[file] = ts_of(file.stem.split("_", 1)[1], texts, known)
        print(f"{file}: {sum(text in known for text in texts)} of {len(texts)} texts translated")
    old = [file for file, content in wanted.items() if not file.exists() or file.read_text() != content]
    if "--check" in sys.argv:
        sys.exit("not up to date: " + ", ".join(map(str, old)) if old else 0)
    for file in old:
        file.write_text(wanted[file])


if __name__ == "__main__":
    main()
