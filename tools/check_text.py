#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what a formatter does not.

  files  licence line, width, blanks, and the length of each source file;
  heads  papers are named by their keys (docs/sources.md), never by a file's name;
  pages  links between pages lead to files;
  steps  a page docs/follow-*.md names a function and its file in each step, and the function is
         there: `3. **`policy_host::idle`** (`terrane/core/policy_host.cpp`) ...`.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

from source_files import source_files

FOLDERS = ["terrane", "python", "compiler", "dashboard",
           "programs", "examples", "studies", "tools", "tests", "bench"]
SUFFIXES = (".hpp", ".cpp", ".h", ".c", ".py")
LICENCE = "SPDX-License-Identifier: Apache-2.0"
COLUMNS_MAX = 100
LINES_MAX = 400

KEYS = ("EARTH-LB", "EARTH-SMP", "CHANT", "ACTIVE", "TESTBED")
NO_SOURCE = re.compile(r"\b00\d_[0-9a-f]{16}\b|\bspec:(?: |$)")
KEY = re.compile(r"\[([A-Z]+(?:-[A-Z]+)?) (?:§|Table|Fig\.|App\.)")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
SHORT_PAGES = {"ARCHITECTURE.md": 250}  # lines, of COLUMNS_MAX
STEP = re.compile(r"^\d+\. \*\*`([\w:~]+)`\*\* \(`([^`]+)`\)")

# file -> why it may be longer than LINES_MAX
LONG_FILES: dict[str, str] = {}


def check_sources(path: str, number: int, line: str) -> list[str]:
    """What is wrong with how one line names papers."""
    if NO_SOURCE.search(line):
        return [f"{path}:{number}: names a source that readers do not have: write its key, such as "
                "[EARTH-LB §3.1], or a page of docs/"]
    return [f"{path}:{number}: [{key} ...] is no key: docs/sources.md has {', '.join(KEYS)}"
            for key in KEY.findall(line) if key not in KEYS]


def check_page(root: Path, path: str) -> list[str]:
    """Every fault of one page of docs/, as `file:line: sentence`."""
    found = []
    steps = 0
    follows = Path(path).name.startswith("follow-")
    lines = (root / path).read_text().removesuffix("\n").split("\n")
    if len(lines) > SHORT_PAGES.get(path, len(lines)):
        found.append(f"{path}:{len(lines)}: {len(lines)} lines, {SHORT_PAGES[path]} are allowed")
    for number, line in enumerate(lines, 1):
        found += check_sources(path, number, line)
        if path in SHORT_PAGES and len(line) > COLUMNS_MAX:
            found.append(f"{path}:{number}: {len(line)} columns, {COLUMNS_MAX} are allowed")
        found += [f"{path}:{number}: {link} does not exist" for link in LINK.findall(line)
                  if not (root / path).parent.joinpath(link).exists()]
        step = STEP.match(line) if follows else None
        if follows and re.match(r"^\d+\. \*\*", line) and not step:
            found.append(f"{path}:{number}: a step reads `1. **`function`** (`file`) ...`")
        if not step:
            continue
        steps += 1
        function, file = step[1].rpartition("::")[2], root / step[2]
        if not file.is_file():
            found.append(f"{path}:{number}: {step[2]} does not exist; name the file that has "
                         f"{step[1]} now")
        elif not re.search(rf"\b{function}\b", file.read_text()):
            found.append(f"{path}:{number}: {step[2]} does not name {function}; name the function "
                         "that does this step now")
    if follows and steps == 0:
        found.append(f"{path}:1: has no step that names a function")
    return found


def check_file(path: str, data: bytes, long_files: dict[str, str]) -> list[str]:
    """Every fault of one file, as `file:line: sentence`."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return [f"{path}:{line}: is not UTF-8"]

    found = []
    lines = text.split("\n")
    if lines[-1]:
        found.append(f"{path}:{len(lines)}: the last line does not end in a line break")
    else:
        lines.pop()

    head = 1 if lines and lines[0].startswith("#!") else 0
    opening = lines[head] if head < len(lines) else ""
    if opening not in (f"// {LICENCE}", f"# {LICENCE}", f"/* {LICENCE}", f"/* {LICENCE} */"):
        found.append(f"{path}:{head + 1}: does not start with `{LICENCE}`")
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS_MAX:
            found.append(f"{path}:{number}: {len(line)} columns, {COLUMNS_MAX} are allowed")
        if "\t" in line:
            found.append(f"{path}:{number}: holds a tab")
        if line != line.rstrip():
            found.append(f"{path}:{number}: ends in a blank")
        found += check_sources(path, number, line)

    if len(lines) > LINES_MAX and path not in long_files:
        found.append(f"{path}:{len(lines)}: {len(lines)} lines, {LINES_MAX} are allowed: look for "
                     "the second concept, or list the file in LONG_FILES with the reason")
    if len(lines) <= LINES_MAX and path in long_files:
        found.append(f"{path}:1: is listed in LONG_FILES and no longer long")
    return found


def check(root: Path, long_files: dict[str, str]) -> list[str]:
    files = source_files(root, FOLDERS, SUFFIXES)
    found = [f"{path}:1: is listed in LONG_FILES and does not exist"
             for path in long_files if path not in files]
    for path in files:
        found += check_file(path, (root / path).read_bytes(), long_files)
    for path in source_files(root, FOLDERS, (".tc", ".net")):
        for number, line in enumerate((root / path).read_text().split("\n"), 1):
            found += check_sources(path, number, line)
    for path in source_files(root, ["."], (".md",)):
        found += check_page(root, path)
    return found


HEAD = f"// {LICENCE}\n"
# name -> (text, the lines at which something is wrong)
SELF_TEST = {
    "a tidy file passes": (HEAD + "int x;\n", []),
    "a script may start with its interpreter": (f"#!/bin/sh\n# {LICENCE}\n", []),
    "a comment of several lines may open with it": (f"/* {LICENCE}\n * more */\n", []),
    "an empty file lacks the licence": ("", [1]),
    "the licence comes first": ("int x;\n" + HEAD, [1]),
    "another licence is refused": (HEAD.replace("Apache-2.0", "MIT"), [1]),
    "100 columns pass, and are counted as characters": (HEAD + "é" * 100 + "\n", []),
    "101 columns do not": (HEAD + "x" * 101 + "\n", [2]),
    "a tab is found": (HEAD + "\tint x;\n", [2]),
    "a trailing blank is found": (HEAD + "\nint x; \n", [3]),
    "a carriage return is found": (HEAD + "int x;\r\n", [2]),
    "a missing last line break is found": (HEAD + "int x;", [2]),
    "400 lines pass": (HEAD + "\n" * 399, []),
    "401 lines do not": (HEAD + "\n" * 400, [401]),
    "what is not UTF-8 is found": ((HEAD + "x\n").encode() + b"\xff\n", [3]),
    "a paper is named by its key": (HEAD + "// Source  [EARTH-LB §3.1]; [ACTIVE Table 1].\n", []),
    "a paper is not named by a file": (HEAD + "// Source  000_" + "bc3addaab27f37f8.txt\n", [2]),
    "nor by a text that is not in the tree": (HEAD + "// Source  spec" + ": language P2.\n", [2]),
    "a key that no paper has is found": (HEAD + "// [EARTH" + "-XX §3]\n", [2]),
}
# text of a page beside a file that holds `void begin();` -> the lines at which something is wrong
PAGES = {
    "a step whose function is there passes": ("# x\n1. **`a::begin`** (`base/a.hpp`) does.\n", []),
    "a function that is gone is found": ("1. **`a::finish`** (`base/a.hpp`) does.\n", [1]),
    "a part of a name is not the name": ("1. **`beg`** (`base/a.hpp`) does.\n", [1]),
    "a file that is gone is found": ("1. **`begin`** (`base/b.hpp`) does.\n", [1]),
    "a step in another form is found": ("1. **`begin`** does.\n", [1, 1]),
    "a page without steps is found": ("# x\n", [1]),
    "a link to a file passes": ("1. **`begin`** (`base/a.hpp`): [a](../base/a.hpp#x)\n", []),
    "a link to no file is found": ("1. **`begin`** (`base/a.hpp`): [a](b.md)\n", [1]),
}


def self_test() -> int:
    failures = []
    path = "terrane/base/a.hpp"

    def expect(name: str, found: list[str], lines: list[int]) -> None:
        if [int(line.split(":")[1]) for line in found] != lines:
            failures.append(f"FAILED: {name}\n  expected lines {lines}\n  found {found}")

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / path
        file.parent.mkdir(parents=True)
        for name, (text, lines) in SELF_TEST.items():
            data = text.encode() if isinstance(text, str) else text
            file.write_bytes(data)
            expect(name, check(Path(folder), {}), lines)

        file.write_text(HEAD)
        page = Path(folder) / "docs/follow-x.md"
        page.parent.mkdir()
        (Path(folder) / "base").mkdir()
        (Path(folder) / "base/a.hpp").write_text("void begin();\n")
        for name, (text, lines) in PAGES.items():
            page.write_text(text)
            expect(name, check_page(Path(folder), "docs/follow-x.md"), lines)
        page.unlink()

        file.write_text(HEAD + "\n" * 400)
        expect("a listed long file passes", check(Path(folder), {path: "why"}), [])
        file.write_text(HEAD)
        expect("a stale listing is found", check(Path(folder), {path: "why"}), [1])
        file.unlink()
        expect("a listing of no file is found", check(Path(folder), {path: "why"}), [1])

    for failure in failures:
        print(failure)
    cases = len(SELF_TEST) + len(PAGES) + 3
    print(f"{cases - len(failures)} of {cases} cases hold")
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, help="default: the tree this script lies in",
                        default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true",
                        help="prove on small made-up files that each fault is found")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    found = check(options.root.resolve(), LONG_FILES)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
