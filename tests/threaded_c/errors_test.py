# SPDX-License-Identifier: Apache-2.0
"""Every rule of the language that the compiler checks: one text that breaks it, and exactly the
messages it gets, with their places.

A case is errors/<name>.tc; its last lines say what is expected, all of it:
    // expect: LINE:COLUMN: error: the message
"""

import re
import subprocess
import unittest
from pathlib import Path

from threaded_c import CC, FOLDER, without_blanks

EXPECT = re.compile(r"^// expect: (.*)$", re.MULTILINE)


def messages(case: Path) -> tuple[int, list[str]]:
    """The exit code, and `line:column: kind: text` of each error and warning."""
    done = subprocess.run([CC, "-fsyntax-only", case.name], cwd=case.parent, text=True, timeout=60,
                          capture_output=True, check=False)
    place = re.compile(rf"^{re.escape(case.name)}:(\d+:\d+: (?:error|warning): .*)$", re.MULTILINE)
    return done.returncode, place.findall(done.stderr)


class Errors(unittest.TestCase):
    maxDiff = None


def add(case: Path) -> None:
    def test(self):
        expected = EXPECT.findall(case.read_text())
        self.assertTrue(expected, "the case says nothing of what it expects")
        code, said = messages(case)
        self.assertEqual([without_blanks(each) for each in said],
                         [without_blanks(each) for each in expected])
        self.assertEqual(code, 1 if any(": error: " in each for each in expected) else 0)
    setattr(Errors, f"test_{case.stem}", test)


for path in sorted((FOLDER / "errors").glob("*.tc")):
    add(path)


class Numbers(unittest.TestCase):
    def test_every_number_of_the_page_of_errors_has_a_case(self):
        page = (FOLDER.parent.parent / "docs" / "threaded-c-errors.md").read_text()
        listed = set(re.findall(r"^\| ([EW]\d+) \|", page, re.MULTILINE))
        cases = "".join(path.read_text() for path in (FOLDER / "errors").glob("*.tc"))
        tested = set(re.findall(r"(?:error|warning): ([EW]\d+):", cases))
        self.assertEqual(listed, tested)


if __name__ == "__main__":
    unittest.main()
