#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks how commits are written: a subject of at most 72 columns, then a body that says why.

Looks at the commits after SINCE; older ones are as they are. A checkout that does not have SINCE
(an archive, a shallow clone) has nothing to check.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

SINCE = "1f6f62f8d00ff364618b4c6393a2e0d916807867"
COLUMNS_MAX = 72
SUBJECT = re.compile(r"^[\w.+,/ -]+: \S")


def check(name: str, message: str) -> list[str]:
    """Every fault of one commit's message, as `name: sentence`."""
    lines = message.rstrip("\n").split("\n")
    found = []
    if len(lines[0]) > COLUMNS_MAX:
        found.append(f"{name}: the subject has {len(lines[0])} columns, {COLUMNS_MAX} are allowed")
    if not SUBJECT.match(lines[0]):
        found.append(f"{name}: the subject reads `core/slot: imperative sentence`")
    if len(lines) > 1 and lines[1]:
        found.append(f"{name}: the second line is not empty")
    if not any(line for line in lines[1:]):
        found.append(f"{name}: there is no body: say why")
    return found


def messages(root: Path) -> list[tuple[str, str]]:
    """Short name and message of each commit after SINCE, oldest first; none where it is unknown."""
    git = ["git", "-C", str(root)]
    known = subprocess.run([*git, "cat-file", "-e", f"{SINCE}^{{commit}}"], capture_output=True)
    if known.returncode != 0:
        return []
    log = subprocess.run([*git, "log", "--no-merges", "--reverse", "--format=%h%x00%B%x01",
                          f"{SINCE}..HEAD"], capture_output=True, text=True, check=True).stdout
    return [tuple(each.strip("\n").split("\0", 1)) for each in log.split("\1") if each.strip("\n")]


# message -> how many faults it has
SELF_TEST = {
    "core/slot: count signals of both kinds\n\nOne was lost.\n": 0,
    "README, docs: name the pages\n\nNobody found them.\n": 0,
    "core/slot: " + "x" * 61 + "\n\nWhy.\n": 0,
    "core/slot: " + "x" * 62 + "\n\nWhy.\n": 1,
    "core/slot: count signals\n": 1,
    "core/slot: count signals\nOne was lost.\n": 1,
    "count signals of both kinds\n\nOne was lost.\n": 1,
}


def self_test() -> int:
    failures = [f"FAILED: {message!r}: {check('name', message)}"
                for message, faults in SELF_TEST.items() if len(check("name", message)) != faults]
    for failure in failures:
        print(failure)
    print(f"{len(SELF_TEST) - len(failures)} of {len(SELF_TEST)} cases hold")
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--self-test", action="store_true",
                        help="prove on made-up messages that each fault is found")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    root = Path(__file__).resolve().parent.parent
    found = [line for name, message in messages(root) for line in check(name, message)]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
