# SPDX-License-Identifier: Apache-2.0
"""What `cmake --install` puts into an empty folder is all that a user of Threaded-C needs."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = os.environ["TERRANE_BUILD"]
SOURCE = Path(__file__).resolve().parent.parent.parent
PROGRAM = SOURCE / "programs" / "counter" / "counter.tc"


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.prefix = cls.folder / "installed"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True,
                       capture_output=True)

    def test_compiles_and_runs_a_program_with_that_alone(self):
        commands = subprocess.run(
            [self.prefix / "bin" / "terrane", "cc", "--verbose", "-O1", "-o", "counter", PROGRAM],
            cwd=self.folder, check=True, text=True, capture_output=True).stderr
        self.assertIn(str(self.prefix / "lib" / "libterrane.a"), commands)
        self.assertNotIn(BUILD, commands)
        for machine in (["--nodes", "3"], ["--world", "sim", "--nodes", "5"]):
            done = subprocess.run([self.prefix / "bin" / "terrane", "run", "--processors", "1",
                                   *machine, "./counter"], cwd=self.folder, check=True, text=True,
                                  capture_output=True)
            self.assertEqual(done.stdout, f"{100 * int(machine[-1])}\n")

    def test_the_compiler_needs_no_library_of_clang(self):
        needed = subprocess.run(["ldd", self.prefix / "bin" / "terrane-cc"], check=True, text=True,
                                capture_output=True).stdout
        self.assertNotRegex(needed, "clang|LLVM|libstdc")

    def test_says_what_is_missing_of_an_installation(self):
        broken = self.folder / "broken"
        shutil.copytree(self.prefix / "bin", broken / "bin")
        done = subprocess.run([broken / "bin" / "terrane-cc", PROGRAM], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"terrane cc: error: .*threaded_c\.h is missing beside .*"
                                      "the installation is incomplete; install Terrane again")


if __name__ == "__main__":
    unittest.main()
