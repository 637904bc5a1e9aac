# SPDX-License-Identifier: Apache-2.0
"""The recipe for Conan 2:  conan create packaging/conan [-o '&:shared=True']

fmt and nlohmann-json are used inside alone; they come from the system (Debian: libfmt-dev,
nlohmann-json3-dev), as they do for a build without Conan."""

from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Terrane(ConanFile):
    name = "terrane"
    version = "0.2.0"
    license = "Apache-2.0"
    description = "A runtime for fine-grain multithreading"
    topics = ("parallel", "multithreading", "load-balancing", "simulation")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    def export_sources(self):
        root = Path(self.recipe_folder).parent.parent
        for part in ("CMakeLists.txt", "LICENSE", "terrane/*", "compiler/CMakeLists.txt", "cmake/*",
                     "parts/*"):
            copy(self, part, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        chain = CMakeToolchain(self)
        chain.variables.update({"BUILD_SHARED_LIBS": bool(self.options.shared),
                                "TERRANE_TESTS": False, "TERRANE_COMPILER": False,
                                "TERRANE_PROGRAMS": False, "TERRANE_INSTALL": True})
        chain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")
        CMake(self).install()

    def package_info(self):
        # The package's own files for CMake are right wherever they lie.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/terrane"]
        self.cpp_info.libs = ["terrane"]
        self.cpp_info.cxxflags = self.cpp_info.cflags = ["-fstack-clash-protection", "-pthread"]
        self.cpp_info.system_libs = ["pthread", "dl", "m"]
        if self.options.shared:
            self.cpp_info.defines = ["TERRANE_SHARED"]
