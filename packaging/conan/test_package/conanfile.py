# SPDX-License-Identifier: Apache-2.0
"""An outside project with the package of Conan: what every outside project of the tests builds."""

from pathlib import Path

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class Consumer(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain", "CMakeDeps"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        tests = Path(self.recipe_folder).parents[2] / "tests" / "consumers"
        cmake = CMake(self)
        cmake.configure(variables={"PROGRAMS": str(tests / "programs")})
        cmake.build()

    def test(self):
        if can_run(self):
            self.run(f"{Path(self.build_folder, self.cpp.build.bindir, 'sums')} 100", env="conanrun")
