# SPDX-License-Identifier: Apache-2.0
"""The shared library: what it exports, and programs that use it in every world."""

import re
import subprocess
import unittest
from pathlib import Path

import outside
from outside import HERE, SOURCE, run

BUILD = Path(outside.BUILD) / "shared"


class Shared(outside.ConsumerTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = outside.new_folder(cls)
        cls.prefix = cls.folder / "installed"
        run("cmake", "-G", "Ninja", "-S", SOURCE, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release",
            "-DBUILD_SHARED_LIBS=ON", "-DTERRANE_TESTS=OFF", "-DTERRANE_PROGRAMS=OFF",
            "-DTERRANE_COMPILER=OFF")
        subprocess.run(["cmake", "--build", BUILD], check=True, stdout=subprocess.DEVNULL)
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.library = cls.prefix / "lib" / "libterrane.so"

    def test_has_a_soname_and_hides_what_is_not_its_own(self):
        self.assertRegex(run("objdump", "-p", self.library), r"SONAME\s+libterrane\.so\.0\n")
        names = run("nm", "-D", "--defined-only", "--format=posix", self.library).split("\n")
        names = [line.split()[0] for line in names if line]
        self.assertGreater(len(names), 300)
        self.assertEqual([name for name in names
                          if not re.match(r"terrane_|_Z[A-Z]*7terrane", name)], [])
        for hidden in ("7balance3his", "11run_options", "8nlohmann", "3fmt"):
            self.assertEqual([name for name in names if hidden in name], [])

    def test_find_package(self):
        build = self.folder / "find_package"
        outside.build(HERE / "find_package", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assertIn("libterrane.so.0", run("objdump", "-p", build / "sums"))
        self.assert_sums(build / "sums")

    def test_pkg_config(self):
        build = self.folder / "pkg_config"
        build.mkdir()
        run("make", "-f", HERE / "pkg_config" / "Makefile", f"PROGRAMS={outside.PROGRAMS}",
            folder=build, PKG_CONFIG_PATH=str(self.prefix / "lib" / "pkgconfig"))
        self.assert_sums(build / "sums", LD_LIBRARY_PATH=str(self.prefix / "lib"))

    def test_a_program_compiled_for_the_static_library_is_refused_by_the_linker(self):
        said = run("g++", "-std=c++20", f"-I{self.prefix}/include", outside.PROGRAMS / "sums.cpp",
                   "-o", self.folder / "wrong", f"-L{self.prefix}/lib", "-Wl,-Bdynamic",
                   self.library, check=False)
        self.assertIn("terrane_here", said)
        self.assertFalse((self.folder / "wrong").exists())


if __name__ == "__main__":
    unittest.main()
