# SPDX-License-Identifier: Apache-2.0
"""Projects outside of this tree use an installed Terrane in each of the ways that docs/install.md
names, and in ways that are refused."""

import unittest

import outside
from outside import HERE, PROGRAMS, run


class OfAnInstallation(outside.ConsumerTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = outside.new_folder(cls)
        installed = cls.folder / "installed"
        outside.install(installed)
        cls.prefix = cls.folder / "moved"
        installed.rename(cls.prefix)  # the package finds its parts wherever it lies
        cls.terrane = cls.prefix / "bin" / "terrane"
        cls.has_compiler = (cls.prefix / "bin" / "terrane-cc").exists()

    def refused(self, *options):
        build = self.folder / f"refused-{'-'.join(options)}".replace("/", "")
        said = outside.configure(HERE / "find_package", build, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                                 *options, check=False)
        self.assertNotIn("Build files have been written", said)
        return " ".join(said.split())

    def test_find_package(self):
        build = self.folder / "find_package"
        outside.build(HERE / "find_package", build, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                      f"-DWANTED={'threaded_c' if self.has_compiler else ''}")
        self.assert_sums(build / "sums")
        said = run(self.terrane, "run", "--stats", "none", "--nodes", "2", "--balancer",
                   build / "ask_anyone.so", build / "sums", "10")
        self.assertEqual(said, "sum to 10: 55, nodes reached: 2\n")
        if self.has_compiler:
            self.assertEqual(run(build / "counter", TERRANE_OPTIONS="--world sim --nodes 4"),
                             "400\n")
            again = run("cmake", "--build", build)
            self.assertIn("no work to do", again)

    def test_a_library_that_no_user_asked_for_is_not_linked(self):
        program = self.folder / "linked"
        run("g++", "-std=c++20", f"-I{self.prefix}/include", PROGRAMS / "sums.cpp", "-o", program,
            f"-L{self.prefix}/lib", "-lterrane")
        self.assert_sums(program)  # this is plain g++
        needed = run("objdump", "-p", program)
        libraries = {line.split()[1].split(".so")[0] for line in needed.splitlines()
                     if "NEEDED" in line}
        self.assertLessEqual(libraries, {"libc", "libm", "libstdc++", "libgcc_s"})

    def test_pkg_config(self):
        build = self.folder / "pkg_config"
        build.mkdir()
        run("make", "-f", HERE / "pkg_config" / "Makefile", f"PROGRAMS={PROGRAMS}", folder=build,
            PKG_CONFIG_PATH=str(self.prefix / "lib" / "pkgconfig"))
        self.assert_sums(build / "sums")

    def test_a_component_that_was_not_built_is_named(self):
        said = self.refused("-DWANTED=teleport")
        self.assertRegex(said, r"The terrane package at \S+ was built without the component "
                               r"teleport: it has [\w, ]+\.")

    def test_another_version_is_refused(self):
        project = self.folder / "version"
        project.mkdir()
        for wanted in ("0.1", "0.99", "7"):
            (project / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(outside LANGUAGES C CXX)\n"
                f"find_package(terrane {wanted} REQUIRED)\n")
            said = outside.configure(project, project / "build",
                                     f"-DCMAKE_PREFIX_PATH={self.prefix}", check=False)
            self.assertRegex(" ".join(said.split()), r'compatible with requested version "'
                             + wanted + r'"\. .*version: 0\.2\.\d+')

    def test_a_project_in_c_alone_is_told_what_to_write(self):
        project = self.folder / "c_alone"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(outside LANGUAGES C)\n"
            "find_package(terrane REQUIRED)\n")
        said = outside.configure(project, project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                                 check=False)
        self.assertIn("write project(... LANGUAGES C CXX)", " ".join(said.split()))


if __name__ == "__main__":
    unittest.main()
