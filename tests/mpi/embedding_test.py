# SPDX-License-Identifier: Apache-2.0
"""embedding_test.py: phases of an application that uses MPI by itself."""

import unittest

from mpi_job import BUILD, MPIS, MpiTest, mpirun, ours

LEVELS = ("funneled", "multiple")
# Work moves between the ranks, also on one processor each.
MOVES = {"TERRANE_OPTIONS": "--processors 1 --enough 0"}


def embedded(mpi, ranks, *words, options=MOVES):
    return mpirun(mpi, ranks, BUILD / "tests" / f"embedded_{mpi}", *words, **options)


class Embedding(MpiTest):
    MACHINES = (MOVES,)  # long_mpi.py has more

    def holds(self, mode, ranks, levels=LEVELS):
        for mpi in MPIS:
            for level in levels:
                for options in self.MACHINES:
                    with self.subTest(mpi=mpi, level=level, options=options):
                        done = embedded(mpi, ranks, level, mode, options=options)
                        self.assertEqual((done.code, done.out, ours(done.err)),
                                         (0, "all is well\n", []), done.err)

    def test_phases_come_and_go_beside_messages_with_equal_tags(self):
        self.holds("phases", 3, levels=("single", *LEVELS))

    def test_halves_of_the_ranks_run_different_programs_at_once(self):
        self.holds("halves", 4)

    def test_a_local_run_may_end_before_mpi_begins(self):
        self.holds("after", 2)

    def test_errors_of_the_application_stay_its_own(self):
        self.holds("errors", 2)

    def test_a_thread_waits_for_messages_of_the_application(self):
        self.holds("waits", 2)

    def test_a_fiber_awaits_a_message_of_the_application(self):
        self.holds("then", 2)


class WrongUse(MpiTest):
    def refused(self, mode, part):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                done = embedded(mpi, 2, "multiple", mode)
                self.assertEqual(done.code, 2, done.err)
                self.assertEqual(len(ours(done.err)), 1, done.err)
                self.assertIn(part, ours(done.err)[0])

    def test_a_run_within_a_run(self):
        self.refused("nested", "run_on was called within a run")

    def test_a_run_before_mpi_begins(self):
        self.refused("early", "run_on is for the time between MPI_Init and MPI_Finalize")

    def test_a_run_after_mpi_has_ended(self):
        self.refused("late", "run_on is for the time between MPI_Init and MPI_Finalize")

    def test_the_launcher_of_another_mpi(self):
        if len(MPIS) < 2:
            self.skipTest("only one MPI is here")
        done = mpirun("mpich", 2, BUILD / "tests" / "embedded_openmpi", "multiple", "phases",
                      **MOVES)
        self.assertEqual(done.code, 2, done.err)
        self.assertIn("this program uses Open MPI, and MPICH's launcher started it: use "
                      "mpirun.openmpi", done.err)

    def test_an_application_that_aborts_ends_with_its_code(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                self.assertEqual(embedded(mpi, 3, "multiple", "abort").code, 5)


if __name__ == "__main__":
    unittest.main()
