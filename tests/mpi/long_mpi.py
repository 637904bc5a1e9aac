# SPDX-License-Identifier: Apache-2.0
"""long_mpi.py: what takes long in world mpi: programs, more ranks, kills again and again."""

import itertools
import subprocess
import unittest

import embedding_test
import jacobi_test
import world_test
from mpi_job import BIN, BUILD, MPIS, MpiTest, mpirun

TIMES = 50
# Programs with arguments that keep them short; what they print is compared with world local. The
# others print times, or how many processors there were.
PROGRAMS = (("fib", "22"), ("queens", "9"), ("matmul", "96", "16"), ("knary", "5", "4", "1"),
            ("quadrature", "8", "6"), ("remote_sum",), ("adder", "4", "3"), ("barrier", "3"),
            ("jacobi", "blocking", "34", "3"), ("wator", "1", "5", "4", "20"), ("multi_phase", "2"),
            ("synthetic", "2", "1", "1", "0", "5", "5"), ("threaded_c/fib", "18"),
            ("threaded_c/queens", "8"), ("threaded_c/tsp", "7"), ("threaded_c/tomcatv", "33", "5"),
            ("threaded_c/spmd", "2", "4", "0", "100"), ("threaded_c/paraffins", "14", "50"),
            ("threaded_c/atgc", "300"), ("threaded_c/matmul", "64", "16"), ("threaded_c/istruct",),
            ("threaded_c/knary", "5", "4", "1"), ("threaded_c/barrier", "3"),
            ("threaded_c/pingpong",))
WIRES = ("own", "ucx") if (BUILD / "lib" / "libterrane_ucx.so").exists() else ("own",)


class Embedding(embedding_test.Embedding):
    MACHINES = ({"TERRANE_OPTIONS": "--processors 1 --enough 0"},
                {"TERRANE_OPTIONS": "--processors 2 --enough 0"},
                {"TERRANE_OPTIONS": "--processors 1 --balancer spn"})


class Jacobi(jacobi_test.Jacobi):
    RANKS = (1, 2, 3, 4)


class Programs(world_test.Programs):
    RANKS = (1, 2, 3, 4)
    SENT = tuple(itertools.product(("100", "9000", "300000"), ("poll", "watchdog", "modules")))


class Lost(world_test.Lost):
    def test_a_rank_that_is_killed(self):
        for _ in range(TIMES):
            super().test_a_rank_that_is_killed()

    def test_the_launcher_that_is_killed(self):
        for _ in range(TIMES):
            super().test_the_launcher_that_is_killed()


class Aborts(embedding_test.WrongUse):
    def test_an_application_that_aborts_ends_with_its_code(self):
        for _ in range(TIMES):
            super().test_an_application_that_aborts_ends_with_its_code()


class Compared(MpiTest):
    def test_programs_print_what_they_print_in_world_local(self):
        for program, *words in PROGRAMS:
            if not (BIN / program).exists():
                continue  # the compiler of Threaded-C was not built
            due = subprocess.run([BIN / program, "--world", "local", "--nodes", "2", *words],
                                 capture_output=True, text=True, timeout=60, check=True).stdout
            for mpi, ranks, wire in itertools.product(MPIS, (2, 3, 4), WIRES):
                with self.subTest(program=program, mpi=mpi, ranks=ranks, wire=wire):
                    done = mpirun(mpi, ranks, BIN / program, "--processors", "1", "--enough", "0",
                                  "--wire", wire, *words)
                    self.assertEqual((done.code, done.out), (0, due), done.err)


if __name__ == "__main__":
    unittest.main()
