# SPDX-License-Identifier: Apache-2.0
"""long_mpi.py: what takes long in world mpi: programs, more ranks, kills again and again."""

import itertools
import subprocess
import unittest

import embedding_test
import jacobi_test
import world_test
from mpi_job import BIN, MPIS, MpiTest, mpirun

TIMES = 50
# Programs with arguments that keep them short; what they print is compared with world local.
PROGRAMS = (("fib", "22"), ("queens", "9"), ("matmul", "96", "16"), ("knary", "5", "4", "1"),
            ("quadrature", "8", "6"), ("remote_sum",), ("adder", "4", "3"))


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


class Compared(MpiTest):
    def test_programs_print_what_they_print_in_world_local(self):
        for program, *words in PROGRAMS:
            due = subprocess.run([BIN / program, "--world", "local", "--nodes", "2", *words],
                                 capture_output=True, text=True, timeout=60, check=True).stdout
            for mpi, ranks in itertools.product(MPIS, (2, 3, 4)):
                with self.subTest(program=program, mpi=mpi, ranks=ranks):
                    done = mpirun(mpi, ranks, BIN / program, "--processors", "1", "--enough", "0",
                                  *words)
                    self.assertEqual((done.code, done.out), (0, due), done.err)


if __name__ == "__main__":
    unittest.main()
