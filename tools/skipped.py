#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the tests that skipped themselves, in ctest's log: ctest calls them passed."""

import re
import sys

ONE = re.compile(r"^\d+/\d+ Test(?:ing)?: (\S+)$", re.MULTILINE)
OF_GOOGLETEST = re.compile(r"^\[  SKIPPED \] (\d+) tests?", re.MULTILINE)
OF_UNITTEST = re.compile(r"^OK \((?:.*, )?skipped=(\d+)", re.MULTILINE)


def skipped(log: str) -> dict[str, int]:
    """How many each test skipped; those that skipped none are not in it."""
    heads = list(ONE.finditer(log))
    ends = [head.start() for head in heads[1:]] + [len(log)]
    found = {}
    for head, end in zip(heads, ends):
        text = log[head.end():end]
        count = sum(int(each) for rule in (OF_GOOGLETEST, OF_UNITTEST)
                    for each in rule.findall(text))
        if count:
            found[head[1]] = count
    return found


def self_test() -> int:
    log = ("1/3 Testing: base/a\n[==========] 3 tests\n[  PASSED  ] 1 test.\n"
           "[  SKIPPED ] 2 tests, listed below:\n"
           "2/3 Testing: base/b\n[  PASSED  ] 1 test.\n"
           "3/3 Testing: command/c\nRan 4 tests in 1 s\n\nOK (skipped=1)\n")
    found = skipped(log)
    assert found == {"base/a": 2, "command/c": 1}, found
    return 0


def main(words: list[str]) -> int:
    if words == ["--self-test"]:
        return self_test()
    with open(words[0], encoding="utf-8", errors="replace") as log:
        found = skipped(log.read())
    print(f"dev: {sum(found.values())} tests were skipped"
          + "".join(f"\n  {count:3} of {name}" for name, count in sorted(found.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
