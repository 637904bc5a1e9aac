# SPDX-License-Identifier: Apache-2.0
"""Programs for each part of the language: what they print, in every world, is in their last lines.

    // output: a line of stdout

failures/ holds programs that end with a run-time error; their last lines say the exit code, then
regular expressions that stderr must match. They run on two nodes unless `options` say otherwise: a
run for each, of a program compiled with each line of `compile`.

    // compile: -O0
    // options: --world shm --nodes 2
    // expect: 122
    // expect: R-203: .*MAIN::ONCE
"""

import re
import tempfile
import unittest
from pathlib import Path

from threaded_c import FOLDER, compile_program, run

OUTPUT = re.compile(r"^// output: ?(.*)$", re.MULTILINE)
EXPECT = re.compile(r"^// expect: (.*)$", re.MULTILINE)
COMPILE = re.compile(r"^// compile: (.*)$", re.MULTILINE)
OPTIONS = re.compile(r"^// options: (.*)$", re.MULTILINE)
MACHINES = [("--nodes", "1", "--processors", "1"), ("--nodes", "1", "--processors", "3"),
            ("--nodes", "2", "--processors", "2"), ("--nodes", "4"), ("--nodes", "7"),
            ("--world", "shm", "--nodes", "2", "--processors", "2"),
            ("--world", "shm", "--nodes", "4", "--processors", "1"),
            *(("--world", "sim", "--nodes", str(nodes), "--seed", str(seed))
              for nodes in (1, 3, 8, 32) for seed in (1, 2))]


class Language(unittest.TestCase):
    def expect_everywhere(self, program: Path, output: str) -> None:
        for machine in MACHINES:
            with self.subTest(machine=" ".join(machine)):
                code, said, heard = run(program, options=("--stats", "none", *machine))
                self.assertEqual(code, 0, heard)
                if "shm" in machine:  # lines of two processes come in any order
                    self.assertEqual(sorted(said.splitlines()), sorted(output.splitlines()))
                else:
                    self.assertEqual(said, output)

    def test_a_program_of_several_files_in_two_languages(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "parts"
            compile_program(program, "main.tc", "part.tc", "plain.c",
                            cwd=FOLDER / "language" / "parts")
            self.expect_everywhere(program, "2 14 26, 3 3\n")


class Failures(unittest.TestCase):
    def test_every_number_of_the_page_of_errors_has_a_case(self):
        page = (FOLDER.parent.parent / "docs" / "threaded-c-errors.md").read_text()
        rows = re.findall(r"^\| (R-[^|]*) \|", page, re.MULTILINE)
        listed = {number for row in rows for number in re.findall(r"R-\d+", row)}
        cases = "".join(path.read_text() for path in (FOLDER / "failures").glob("*.tc"))
        # No text is at fault; a deadlock says so without its number; fibers run on processors.
        elsewhere = {"R-213", "R-250", "R-273"}
        tested = set(re.findall(r"^// expect: (R-\d+)", cases, re.MULTILINE)) | elsewhere
        self.assertEqual(listed, tested)


def add_program(case: Path) -> None:
    def test(self):
        lines = OUTPUT.findall(case.read_text())
        self.assertTrue(lines, "the case says nothing of its output")
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / case.stem
            compile_program(program, case.name, cwd=case.parent)
            self.expect_everywhere(program, "".join(line + "\n" for line in lines))
    setattr(Language, f"test_{case.stem}", test)


def add_failure(case: Path) -> None:
    def test(self):
        text = case.read_text()
        code_expected, *patterns = EXPECT.findall(text)
        self.assertTrue(patterns)
        for flags in COMPILE.findall(text) or ["-Wall -O1"]:
            with tempfile.TemporaryDirectory() as folder:
                program = Path(folder) / case.stem
                compile_program(program, case.name, cwd=case.parent, options=tuple(flags.split()))
                for options in OPTIONS.findall(text) or ["--nodes 2 --processors 1"]:
                    with self.subTest(flags=flags, options=options):
                        code, _, heard = run(program, options=options.split())
                        self.assertEqual(code, int(code_expected), heard)
                        for pattern in patterns:
                            self.assertRegex(heard, pattern)
    setattr(Failures, f"test_{case.stem}", test)


for path in sorted((FOLDER / "language").glob("*.tc")):
    add_program(path)
for path in sorted((FOLDER / "failures").glob("*.tc")):
    add_failure(path)

if __name__ == "__main__":
    unittest.main()
