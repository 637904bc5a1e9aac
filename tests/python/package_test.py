# SPDX-License-Identifier: Apache-2.0
"""`pip install ./python` in an environment of its own, and the package's tests there."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ["TERRANE_BUILD"])
TERRANE = Path(os.environ["TERRANE_BIN"])
VENV = BUILD / "python" / "venv"
TOOLS = ("scikit-build-core", "nanobind", "cloudpickle", "pytest")
# Debian's Python: it has Debian's pandas, and a shared library of itself.
PYTHON = "/usr/bin/python3"


def run(*words, cwd=None, **variables):
    clean = {name: value for name, value in os.environ.items()
             if name not in ("TERRANE_OPTIONS", "PYTHONPATH", "TERRANE_BIN")}
    return subprocess.run([str(word) for word in words], text=True, check=False, timeout=550,
                          cwd=cwd,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**clean, **variables})


class Package(unittest.TestCase):
    def setUp(self):
        if not Path(PYTHON).exists():
            self.skipTest(f"{PYTHON} is not there")
        if not (VENV / "bin" / "pip").exists():
            shutil.rmtree(VENV, ignore_errors=True)
            if run(PYTHON, "-m", "venv", "--system-site-packages", VENV).returncode != 0:
                self.skipTest("no environment could be made (Debian: python3-venv)")
        pip = [VENV / "bin" / "pip", "install", "-q", "--disable-pip-version-check"]
        if (done := run(*pip, *TOOLS)).returncode != 0:
            self.skipTest(f"PyPI is not reached: {done.stdout.strip().splitlines()[-1]}")
        done = run(*pip, "--no-build-isolation", "--no-deps", "--force-reinstall",
                   "--config-settings", f"build-dir={BUILD / 'python' / 'build'}",
                   "--config-settings", f"cmake.define.TERRANE_COMMAND={TERRANE}",
                   SOURCE / "python")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_its_tests_pass_where_it_is_installed(self):
        done = run(VENV / "bin" / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                   "-rs", "--import-mode=importlib", SOURCE / "python" / "tests",
                   TERRANE_BIN=str(TERRANE), PYTHONDONTWRITEBYTECODE="1")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"\d\d passed")
        self.new_project_passes_its_test()
        for line in re.findall("^SKIPPED.*", done.stdout, re.MULTILINE):
            print(line)

    def new_project_passes_its_test(self):
        """What `terrane new --lang python` writes."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([TERRANE, "new", "mine", "--lang", "python"], check=True, cwd=folder,
                           capture_output=True)
            own = Path(folder) / "mine"
            done = run(VENV / "bin" / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                       cwd=own, TERRANE_BIN=str(TERRANE), PYTHONDONTWRITEBYTECODE="1")
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("4 passed", done.stdout)
            done = run(VENV / "bin" / "python", "mine.py", cwd=own,
                       TERRANE_BIN=str(TERRANE))
            self.assertRegex(done.stdout, r"(?m)^Mine .* tokens moved   queens\(9\) = 352$")


if __name__ == "__main__":
    unittest.main()
