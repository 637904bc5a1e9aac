# SPDX-License-Identifier: Apache-2.0
"""Each public header of an installation compiles alone, without a warning, with both compilers."""

import concurrent.futures
import os
import shutil
import subprocess
import unittest

import outside

WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")
# Each header alone with the quicker compiler; all at once with every compiler in every language.
# The full product is in long_headers.py.
ALONE = {"c": ("clang-19", "-std=c11"), "c++": ("clang++-19", "-std=c++20")}
EVERY = {"c": (("gcc", "-std=c11"), ("clang-19", "-std=c11")),
         "c++": (("g++", "-std=c++20"), ("g++", "-std=c++23"), ("clang++-19", "-std=c++20"),
                 ("clang++-19", "-std=c++23"))}


class Headers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = outside.new_folder(cls)
        outside.install(folder)
        cls.include = folder / "include"
        base = cls.include / "terrane"
        # Those for applications of MPI need its mpi.h, senders.hpp needs stdexec; tests/mpi and
        # tests/senders compile them.
        elsewhere = ("internal", "mpi.h", "mpi.hpp", "senders.hpp")
        cls.public = sorted(str(each.relative_to(base)) for each in base.rglob("*.h*")
                            if each.relative_to(base).parts[0] not in elsewhere)

    def compile(self, language, compiler, standard, *headers):
        # A unit of C has to declare something.
        text = "".join(f'#include "terrane/{each}"\n' for each in headers)
        done = subprocess.run([compiler, standard, "-x", language, *WARNINGS, f"-I{self.include}",
                               "-fsyntax-only", "-"], input=f"{text}typedef int something;\n",
                              text=True, capture_output=True, check=False)
        return f"{compiler} {standard} {headers}:\n{done.stderr}" if done.returncode else ""

    def of_language(self, language):
        """The headers that a program in it may include. threaded_c.h has the words of Threaded-C,
        which mean other things elsewhere, so that it is not among the others."""
        return [each for each in self.public if language == "c++" or each.endswith(".h")]

    def jobs(self, in_full):
        for language, ways in EVERY.items():
            headers = self.of_language(language)
            if in_full:
                yield from ((language, *way, each) for each in headers for way in ways)
                continue
            yield from ((language, *ALONE[language], each) for each in headers)
            together = [each for each in headers
                        if not each.startswith(("threaded_c", "c/threaded_c"))]
            yield from ((language, *way, *together) for way in ways)

    def compile_all(self, in_full):
        jobs = [job for job in self.jobs(in_full) if shutil.which(job[1])]
        self.assertGreater(len(jobs), 60)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            faults = [each for each in pool.map(lambda job: self.compile(*job), jobs) if each]
        self.assertEqual("".join(faults), "")

    def test_each_compiles_alone(self):
        self.compile_all(in_full=False)

    def test_what_a_user_must_not_include_is_in_a_folder_that_says_so(self):
        for name in ("core/processor.hpp", "base/check.hpp", "thread/thread_block.hpp"):
            self.assertNotIn(name, self.public)
            self.assertTrue((self.include / "terrane" / "internal" / name).is_file(), name)
        for name in ("machine/options.hpp", "internal/machine/options.hpp", "transport/shm.hpp"):
            self.assertFalse((self.include / "terrane" / name).exists(), name)
        self.assertLess(len(self.public), 90, "is that header to be public?")


if __name__ == "__main__":
    unittest.main()
