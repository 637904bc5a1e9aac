#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the shared library's binary interface with that of the latest release (abidiff).

  check_abi.py [FOLDER]   builds both below FOLDER (build/abi), and fails if a program that was
                          linked with the release would no longer run (docs/compatibility.md)
  check_abi.py --self-test

A release is a tag v0.2.0 and the like. Where none is an ancestor, that is said, and nothing fails.
Changes of another MINOR are allowed, and said."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FAILED = 3  # of its exit code: it could not compare


def output(*words: str) -> str:
    return subprocess.run(words, cwd=ROOT, text=True, capture_output=True, check=False).stdout


def version_of(source: Path) -> str:
    text = (source / "CMakeLists.txt").read_text()
    return re.search(r"project\(terrane VERSION (\d+\.\d+)", text)[1]


def build(source: Path, folder: Path) -> Path:
    """The shared library of the sources, with the debugging information that abidiff reads."""
    subprocess.run(["cmake", "-G", "Ninja", "-S", source, "-B", folder, "-DBUILD_SHARED_LIBS=ON",
                    "-DTERRANE_TESTS=OFF", "-DTERRANE_COMPILER=OFF", "-DCMAKE_BUILD_TYPE=Debug",
                    "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g -DNDEBUG"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", "terrane_shared"], check=True,
                   stdout=subprocess.DEVNULL)
    return folder / "lib" / "libterrane.so"


def compare(before: Path, now: Path) -> tuple[bool, str]:
    """Whether what was linked with the one runs with the other, and abidiff's report."""
    done = subprocess.run(["abidiff", "--no-added-syms", before, now], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode & FAILED:
        raise RuntimeError(f"abidiff could not compare {before} and {now}:\n{done.stdout}")
    # A changed type or parameter is left to a person's judgement by abidiff; here it is a fault.
    return done.returncode == 0, done.stdout


def self_test() -> int:
    with tempfile.TemporaryDirectory() as folder:
        def library(name: str, text: str) -> Path:
            file = Path(folder) / f"{name}.so"
            subprocess.run(["cc", "-g", "-shared", "-fPIC", "-x", "c", "-", "-o", file], input=text,
                           text=True, check=True)
            return file
        old = library("old", "struct s { int a; }; int f(struct s* x) { return x->a; }")
        grown = library("grown", "struct s { long b; int a; }; int f(struct s* x) { return x->a; }")
        more = library("more", "struct s { int a; }; int f(struct s* x) { return x->a; }"
                               "int g(void) { return 1; }")
        gone = library("gone", "int g(void) { return 1; }")
        wrong = [name for name, file, right in (("grown", grown, False), ("more", more, True),
                                                ("gone", gone, False), ("same", old, True))
                 if compare(old, file)[0] != right]
    print(f"self-test: judged wrongly: {', '.join(wrong)}" if wrong else "self-test: all is well")
    return 1 if wrong else 0


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "abi")
    tag = output("git", "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*").strip()
    if not tag:
        print("abi: no release is tagged, so there is nothing to compare with")
        return 0
    release = folder / "release"
    release.mkdir(parents=True, exist_ok=True)
    tree = subprocess.run(["git", "archive", tag], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", release], input=tree, check=True)
    fits, report = compare(build(release, folder / "of_release"), build(ROOT, folder / "of_tree"))
    same = version_of(release) == version_of(ROOT)
    print(report)
    if fits:
        print(f"abi: programs that were linked with {tag} run")
    elif same:
        print(f"abi: a program that was linked with {tag} would not run: undo the change above, or "
              "raise the MINOR in CMakeLists.txt")
    else:
        print(f"abi: it changed since {tag}, which has another MINOR")
    return 0 if fits or not same else 1


if __name__ == "__main__":
    sys.exit(main())
