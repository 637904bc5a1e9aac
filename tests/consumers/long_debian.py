# SPDX-License-Identifier: Apache-2.0
"""Debian's packages: lintian finds nothing, and in a fresh Debian root they install, and an outside
project is written, built and run."""

import os
import shutil
import subprocess
import time
import unittest
from pathlib import Path

import outside
from outside import SOURCE, run

BUILD = Path(outside.BUILD) / "debian"
IN_ROOT = """set -eu
cd /root
apt-get install -y -qq --no-install-recommends /debs/*.deb >/dev/null 2>&1
terrane --version
terrane run --stats none fib 20
terrane new hello >/dev/null
cmake -S hello -B hello/build >/dev/null && cmake --build hello/build >/dev/null
terrane run --stats none --nodes 2 hello/build/hello 20
ldd hello/build/hello | grep -c libterrane.so.0
g++ -std=c++20 hello/hello.cpp -o plain $(pkg-config --cflags --libs terrane 2>/dev/null ||
  echo -DTERRANE_SHARED -lterrane) && ./plain 10
"""


class Debian(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for program in ("lintian", "mmdebstrap", "dpkg-shlibdeps"):
            if not shutil.which(program):
                raise unittest.SkipTest(f"{program} is not installed")
        run("cmake", "-G", "Ninja", "-S", SOURCE, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_INSTALL_PREFIX=/usr", "-DBUILD_SHARED_LIBS=ON", "-DTERRANE_TESTS=OFF")
        subprocess.run(["cmake", "--build", BUILD], check=True, stdout=subprocess.DEVNULL)
        for old in BUILD.glob("*.deb"):
            old.unlink()
        run("cpack", "-G", "DEB", folder=BUILD)
        cls.packages = sorted(BUILD.glob("*.deb"))

    def test_are_four_and_one_for_each_mpi(self):
        names = {each.name.split("_")[0] for each in self.packages}
        parts = {f"libterrane0-{each}" for each in ("openmpi", "mpich")
                 if shutil.which(f"mpicc.{each}")}
        self.assertEqual(names, {"libterrane-dev", "libterrane0", "terrane-doc", "terrane"} | parts)

    def test_lintian_finds_nothing(self):
        said = run("lintian", *self.packages, check=False)
        # Whoever publishes packages names himself (TERRANE_PACKAGER), and closes Debian's bugs.
        about_packager = ("mail", "initial-upload", "maintainer")
        self.assertEqual([line for line in said.splitlines() if line.startswith(("E:", "W:"))
                          and not any(each in line for each in about_packager)], [])

    @unittest.skipUnless(os.geteuid() == 0, "a root is made by root")
    def test_a_fresh_root_builds_and_runs_a_program(self):
        folder = outside.new_folder(type(self))
        root = folder / "root"
        done = subprocess.run(["mmdebstrap", "--variant=apt", "--include=g++,cmake,make",
                               "bookworm", root], text=True, capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest(f"no mirror of Debian's: {done.stderr.strip().splitlines()[-1]}")
        (root / "debs").mkdir()
        for each in self.packages:
            shutil.copy(each, root / "debs")
        started = time.monotonic()
        # With a /proc of its own, in which the command finds itself.
        said = run("unshare", "--mount", "--pid", "--fork", f"--mount-proc={root}/proc",
                   "chroot", root, "env", "-i", "HOME=/root",
                   "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "sh", "-c", IN_ROOT)
        print(f"from apt install to an own program that ran: {time.monotonic() - started:.0f} s")
        self.assertEqual(said.splitlines()[1:], ["fib(20) = 10946", "fib(20) = 10946", "1",
                                                 "fib(10) = 89"])


if __name__ == "__main__":
    unittest.main()
