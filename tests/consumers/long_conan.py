# SPDX-License-Identifier: Apache-2.0
"""The recipe of Conan: the package is made, and an outside project uses it."""

import subprocess
import sys
import unittest

import outside
from outside import SOURCE, run


class Conan(unittest.TestCase):
    def test_a_package_is_made_and_used(self):
        folder = outside.new_folder(type(self))
        pip = [folder / "venv" / "bin" / "pip", "install", "-q", "conan>=2"]
        if subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=False,
                          capture_output=True).returncode != 0:
            self.skipTest("no environment could be made (Debian: python3-venv)")
        if subprocess.run(pip, check=False, capture_output=True).returncode != 0:
            self.skipTest("PyPI is not reached, from which conan comes")
        conan, home = folder / "venv" / "bin" / "conan", {"CONAN_HOME": str(folder / "home")}
        run(conan, "profile", "detect", **home)
        said = run(conan, "create", SOURCE / "packaging" / "conan", "-s", "compiler.cppstd=20",
                   "--no-remote", "-c", "tools.build:jobs=2",
                   "-c", f"tools.cmake.cmake_layout:test_folder={folder / 'outside'}",
                   "-c", "tools.cmake.cmaketoolchain:user_presets=", **home)
        self.assertIn("sum to 100: 5050, nodes reached: 1", said)


if __name__ == "__main__":
    unittest.main()
