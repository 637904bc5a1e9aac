# SPDX-License-Identifier: Apache-2.0
"""The recipe for Spack: a folder packages/terrane/ of a repository of one's own."""

from spack.package import *


class Terrane(CMakePackage):
    """A runtime for fine-grain multithreading: futures, fibers and threads that move, on one
    machine, on many processes, or on a simulated machine."""

    homepage = "https://example.org/terrane"
    git = "https://example.org/terrane.git"
    license("Apache-2.0")

    version("main", branch="main")
    version("0.2.0", tag="v0.2.0")

    variant("shared", default=True, description="Build the shared library")
    variant("compiler", default=False, description="Build the compiler of Threaded-C")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("fmt", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("llvm@19 +clang", type="build", when="+compiler")
    depends_on("zstd libs=static", type="build", when="+compiler")
    conflicts("%gcc@:11", msg="C++20 as g++ 12 has it")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("TERRANE_COMPILER", "compiler"),
            self.define("TERRANE_TESTS", False),
        ]
