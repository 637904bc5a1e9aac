#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a misuse is refused by the compiler, and for the reason it should be.

A case is one .cpp file whose first lines name what the compiler must say:

    // SPDX-License-Identifier: Apache-2.0
    // expect: a token's arguments must be trivially copyable

Each `expect:` is a regular expression that some line of the compiler's messages must match; the
lines of source that compilers quote, and the file's own name, do not count. With -DCURED the same
file must compile, so that a misspelt include cannot pass for a refusal.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HEADER = "terrane/threads.hpp"
EXPECT = re.compile(r"^// expect: *(.+?) *$", re.MULTILINE)
HEAD_LINES = 15
QUOTED_SOURCE = re.compile(r"^ *\d* \|.*$", re.MULTILINE)
PLACE = re.compile(r"^(In file included )?\s*(from )?[^\s:]+(:\d+)*[:,] *", re.MULTILINE)


def run_compiler(compiler: str, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([compiler, "-std=c++20", "-DFMT_HEADER_ONLY", *arguments],
                          capture_output=True, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C"})


def compile_ahead(compiler: str, header: Path, folder: Path) -> Path:
    """A header that costs next to nothing to include: compilers look for the .gch beside it."""
    ahead = folder / "ahead.hpp"
    ahead.write_text(f'#include "{header}"\n')
    done = run_compiler(compiler, "-I", str(header.parent.parent), "-x", "c++-header", str(ahead),
                        "-o", f"{ahead}.gch")
    if done.returncode:
        raise SystemExit(f"{header} does not compile:\n{done.stderr}")
    return ahead


def compile_case(compiler: str, root: Path, case: Path, *flags: str) -> tuple[bool, str]:
    """Whether the case compiles, and what the compiler says, without source lines and places."""
    done = run_compiler(compiler, "-fsyntax-only", "-I", str(root), *flags, str(case))
    messages = QUOTED_SOURCE.sub("", done.stderr).replace(str(case), "case")
    return done.returncode == 0, re.sub(r"\n+", "\n", PLACE.sub("", messages))


def fault(compiler: str, root: Path, case: Path, *flags: str) -> str | None:
    """What is wrong with the case, or None when it is refused as it should be."""
    head = "\n".join(case.read_text().split("\n")[:HEAD_LINES])
    expected = EXPECT.findall(head)
    if not expected:
        return f"has no line `// expect: <regex>` among its first {HEAD_LINES}"
    cured, messages = compile_case(compiler, root, case, *flags, "-DCURED")
    if not cured:
        return f"does not compile with -DCURED:\n{messages}"
    compiles, messages = compile_case(compiler, root, case, *flags)
    if compiles:
        return "compiles, and must not"
    for pattern in expected:
        if not any(re.search(pattern, line) for line in messages.split("\n")):
            return f"is refused, but no message matches `{pattern}`:\n{messages}"
    return None


ASSERT = "template <class T> struct s { static_assert(sizeof(T) == 1, \"one byte only\"); };\n"
MISUSE = ASSERT + "#ifdef CURED\ns<char> x;\n#else\ns<int> x;\n#endif\n"
# name -> (text, a part of the fault, or None when the case must pass)
SELF_TEST = {
    "a refused misuse passes": ("// expect: one byte only\n" + MISUSE, None),
    "a misuse inside a function template passes": (
        "// expect: one byte only\n" + ASSERT +
        "template <class T> int f() { return sizeof(s<T>); }\n"
        "#ifdef CURED\nint x = f<char>();\n#else\nint x = f<int>();\n#endif\n", None),
    "every expectation counts": (
        "// expect: one byte only\n// expect: two bytes\n" + MISUSE, "no message matches"),
    "the expectation must be there": (MISUSE, "has no line"),
    "a misuse that compiles is found": (
        "// expect: one byte only\n" + MISUSE.replace("s<int>", "s<bool>"), "compiles, and must"),
    "a refusal for another reason is found": (
        "// expect: one byte only\n" + MISUSE.replace("s<int> x;", "s<int x;"), "no message"),
    "a cure that does not compile is found": (
        "// expect: one byte only\n#include \"no_such_file.hpp\"\n" + MISUSE, "does not compile"),
    "quoted source does not count": (
        "// expect: a_name_of_its_own\n#ifndef CURED\nint a_name_of_its_own = 1, x = ;\n#endif\n",
        "no message matches"),
    "the file's name does not count": (
        "// expect: must_not_compile_case\n" + MISUSE, "no message matches"),
}


def self_test(compiler: str) -> int:
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        case = Path(folder) / "must_not_compile_case.cpp"
        for name, (text, expected) in SELF_TEST.items():
            case.write_text(text)
            found = fault(compiler, Path(folder), case)
            if (found is None) != (expected is None) or (expected and expected not in found):
                failures += 1
                print(f"FAILED: {name}\n  expected {expected}\n  found    {found}")
    print(f"{len(SELF_TEST) - failures} of {len(SELF_TEST)} cases hold")
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", type=Path, metavar="case.cpp")
    parser.add_argument("--compiler", default="c++", help="default: %(default)s")
    parser.add_argument("--self-test", action="store_true",
                        help="prove on small made-up cases that each fault is found")
    parser.add_argument("--make-ahead", type=Path, metavar="FOLDER",
                        help="compile the public header into FOLDER, for --ahead")
    parser.add_argument("--ahead", type=Path, metavar="FOLDER",
                        help="where --make-ahead put it (default: it is compiled first)")
    options = parser.parse_args()
    if options.self_test:
        return self_test(options.compiler)
    root = Path(__file__).resolve().parent.parent.parent
    if options.make_ahead:
        options.make_ahead.mkdir(parents=True, exist_ok=True)
        compile_ahead(options.compiler, root / HEADER, options.make_ahead)
        return 0
    if not options.cases:
        parser.error("name a case, or say --self-test")
    with tempfile.TemporaryDirectory() as folder:
        ahead = (options.ahead / "ahead.hpp" if options.ahead else
                 compile_ahead(options.compiler, root / HEADER, Path(folder)))
        faults = {case: fault(options.compiler, root, case, "-include", str(ahead))
                  for case in options.cases}
    for case, sentence in faults.items():
        if sentence:
            print(f"{case.name} {sentence}")
    return 1 if any(faults.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
