# SPDX-License-Identifier: Apache-2.0
"""Every example of docs/threaded-c.md is the text of a test, and is shown as it stands there.

A fence names its file: ```c file=PATH, and perhaps from=WORD, the first word of the first line that
is shown. `python3 page_test.py --fill` writes the texts into the page.
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "threaded-c.md"
FENCE = re.compile(r"^```c file=(\S+)(?: from=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_SHOWN = re.compile(r"^// (SPDX|expect: ).*\n", re.MULTILINE)


def shown(path: str, first: str | None) -> str:
    text = NOT_SHOWN.sub("", (ROOT / path).read_text())
    if first:
        text = text[re.search(rf"^{re.escape(first)}\b", text, re.MULTILINE).start():]
    return text


def filled(page: str) -> str:
    def fence(match: re.Match) -> str:
        head = match[0].split("\n", 1)[0]
        return f"{head}\n{shown(match[1], match[2])}```"
    return FENCE.sub(fence, page)


class Page(unittest.TestCase):
    maxDiff = None

    def test_the_examples_are_the_texts_of_tests(self):
        page = PAGE.read_text()
        self.assertGreater(len(FENCE.findall(page)), 8)
        self.assertEqual(page, filled(page), "run: python3 tests/threaded_c/page_test.py --fill")
        for path, _, _ in FENCE.findall(page):
            tested = path.startswith(("tests/threaded_c/language/", "programs/"))
            self.assertTrue(tested, f"{path} is run by no test")


if __name__ == "__main__":
    if "--fill" in sys.argv:
        PAGE.write_text(filled(PAGE.read_text()))
    else:
        unittest.main()
