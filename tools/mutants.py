#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the tests notice? Breaks the sources in one place at a time, and runs the test that must fail.

tools/mutants.toml lists the mutants: a file, the text that stands there once, what takes its place,
and the test that must kill it, as an executable of build/release/tests with its arguments. One that
survives for a good reason has that reason as `survives`. The sources are copied to build/mutants,
which has a build of its own; yours stay as they are.
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tools" / "mutants.toml"
COPY = ROOT / "build" / "mutants"
PATIENCE_S = 300  # a test that takes longer has noticed, too: it hangs
LEAST_SHARE = 0.9


def faults(mutants):
    """What is wrong with the list itself, a sentence each."""
    found = []
    for number, each in enumerate(mutants):
        name = each.get("name", f"mutant {number + 1}")
        lacking = {"name", "file", "old", "new", "test"} - each.keys()
        if lacking:
            found.append(f"{name}: lacks {', '.join(sorted(lacking))}")
            continue
        file = ROOT / each["file"]
        times = file.read_text().count(each["old"]) if file.is_file() else 0
        if times != 1:
            found.append(f"{name}: its text stands in {each['file']} {times} times, not once")
        if each["old"] == each["new"]:
            found.append(f"{name}: changes nothing")
    names = [each.get("name") for each in mutants]
    found += [f"{name}: is listed twice" for name in {n for n in names if names.count(n) > 1}]
    return found


def copy_sources():
    COPY.mkdir(parents=True, exist_ok=True)
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True).stdout
    subprocess.run(["rsync", "-a", "--files-from=-", f"{ROOT}/", f"{COPY}/"], input=listed,
                   check=True)


def build(*targets):
    """What the build says if it fails."""
    done = subprocess.run(["cmake", "--build", "build/release", "--target", *targets], cwd=COPY,
                          capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def verdict(mutant):
    """killed, SURVIVED, or what else became of it."""
    words = shlex.split(mutant["test"])
    if failed := build(words[0]):
        # A static_assert or a warning that notices is as good as a test.
        return "killed (it does not compile)" if re.search(r"error:", failed) else "no build"
    try:
        done = subprocess.run([COPY / "build/release/tests" / words[0], *words[1:]], cwd=COPY,
                              capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        return "killed (it hangs)"
    if "Running 0 tests" in done.stdout:
        return "no such test"
    return "killed" if done.returncode != 0 else "SURVIVED"


def tried(mutant):
    file = COPY / mutant["file"]
    text = file.read_text()
    file.write_text(text.replace(mutant["old"], mutant["new"]))
    try:
        return verdict(mutant)
    finally:
        file.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only mutants whose names contain one of these")
    parser.add_argument("--list", action="store_true", help="look through the list alone")
    given = parser.parse_args()
    mutants = tomllib.loads(LIST.read_text())["mutant"]
    if wrong := faults(mutants):
        sys.exit("\n".join(f"mutants: {each}" for each in wrong))
    chosen = [each for each in mutants
              if not given.names or any(name in each["name"] for name in given.names)]
    if given.list:
        print(f"{len(mutants)} mutants, {sum('survives' in each for each in mutants)} may survive")
        return 0
    copy_sources()
    subprocess.run(["cmake", "--preset", "release", "-DTERRANE_TESTS=ON"], cwd=COPY, check=True,
                   stdout=subprocess.DEVNULL)
    killed, unexplained = 0, []
    for each in chosen:
        started = time.monotonic()
        became = tried(each)
        killed += became.startswith("killed")
        reason = each.get("survives", "")
        if not became.startswith("killed") and not reason:
            unexplained.append(each["name"])
        print(f"{became:<10} {each['name']} ({time.monotonic() - started:.0f} s)"
              + (f"\n           may survive: {reason}" if reason else ""), flush=True)
    print(f"{killed} of {len(chosen)} killed")
    for name in unexplained:
        print(f"nobody notices: {name}")
    return 1 if unexplained or killed < LEAST_SHARE * len(chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
