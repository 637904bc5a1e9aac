# SPDX-License-Identifier: Apache-2.0
"""Each program of programs/ is short, and prints what its file says."""

import os
import re
import subprocess
import unittest
from pathlib import Path

PROGRAMS = sorted((Path(__file__).resolve().parent / "programs").glob("*.cpp"))
BUILT = Path(os.environ["TERRANE_BIN"]).parent / "examples"
LINES_MAX = 60
OWN_MAIN = {"inside"}  # takes no options
NODES_OF_TWO = {"fibonacci", "queens", "map_reduce", "pi"}  # what leaves a node, on two of them


class Examples(unittest.TestCase):
    def test_there_are_programs_and_they_are_short(self):
        self.assertGreaterEqual(len(PROGRAMS), 30)
        for program in PROGRAMS:
            self.assertLessEqual(len(program.read_text().splitlines()), LINES_MAX, program.name)

    def run_one(self, program: Path, *options: str):
        expected = re.search(r"^// prints: (.*)$", program.read_text(), re.MULTILINE)
        self.assertIsNotNone(expected, f"{program.name} does not say what it prints")
        done = subprocess.run([BUILT / program.stem, *options], capture_output=True, text=True,
                              timeout=100, check=False)
        self.assertEqual(done.returncode, 0, f"{program.stem} {options}: {done.stderr}")
        self.assertEqual(done.stdout, expected[1] + "\n", f"{program.stem} {options}")

    def test_they_print_what_they_say(self):
        for program in PROGRAMS:
            if program.stem in OWN_MAIN:
                self.run_one(program)
                continue
            for processors in "1", "2":
                self.run_one(program, "--processors", processors, "--quiet")
            if program.stem in NODES_OF_TWO:
                self.run_one(program, "--nodes", "2", "--world", "shm", "--quiet")


if __name__ == "__main__":
    unittest.main()
