# SPDX-License-Identifier: Apache-2.0
"""world_test.py: world mpi as its user meets it: mpirun, and terrane run."""

import ctypes.util
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from mpi_job import (BIN, COMPANY, MPIS, PERMITTED, TITLES, MpiTest, command, environment,
                     members, mpirun, ours, terrane)

ONE = ("--processors", "1")


class Programs(MpiTest):
    # long_mpi.py has more
    RANKS = (2, 4)
    SENT = (("300000", "watchdog"), ("300000", "modules"))

    def test_a_program_under_mpirun_is_a_run_of_all_ranks(self):
        for mpi in MPIS:
            for ranks in self.RANKS:
                with self.subTest(mpi=mpi, ranks=ranks):
                    done = mpirun(mpi, ranks, BIN / "fib", *ONE, "--enough", "0", "--stats",
                                  "json", "18")
                    self.assertEqual((done.code, done.out), (0, "fib(18) = 4181\n"), done.err)
                    told = json.loads(done.err.splitlines()[-1])
                    self.assertEqual((told["world"], told["nodes"]), ("mpi", ranks))
                    self.assertEqual(told["tokens_generated"], 8360)
                    self.assertEqual(told["fibers_executed"], 12543)
                    self.assertEqual(len(told["per_processor"]), ranks)

    def test_large_messages_arrive(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                done = mpirun(mpi, 3, BIN / "matmul", *ONE, "--enough", "0", "96", "16")
                self.assertEqual((done.code, done.out), (0, "sum 11 sumsq 499243\n"), done.err)

    def test_everybody_sends_everybody_and_nothing_is_lost(self):
        for mpi in MPIS:
            for size, progress in self.SENT:
                with self.subTest(mpi=mpi, size=size, progress=progress):
                    done = mpirun(mpi, 3, COMPANY, *ONE, "--progress", progress, "send", size)
                    self.assertEqual((done.code, done.out), (0, f"sent {3 * int(size)}\n"),
                                     done.err)

    def test_nodes_may_have_several_processors(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                done = mpirun(mpi, 2, COMPANY, "--processors", "2", "send", "20000")
                self.assertEqual((done.code, done.out), (0, "sent 80000\n"), done.err)

    def test_another_world_may_be_asked_for(self):
        done = mpirun(MPIS[0], 2, BIN / "fib", "--world", "local", "10")
        self.assertEqual((done.code, done.out), (0, "fib(10) = 89\n" * 2), done.err)

    def test_rank_0_reads_standard_input(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                done = mpirun(mpi, 2, COMPANY, *ONE, "echo", stdin="one\ntwo\n")
                self.assertEqual((done.code, done.out), (0, "one\ntwo\n"), done.err)


class Ends(MpiTest):
    def test_the_exit_code_is_the_programs(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                self.assertEqual(mpirun(mpi, 3, COMPANY, *ONE, "exit", "7").code, 7)

    def test_a_deadlock_is_reported_once(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                done = mpirun(mpi, 3, COMPANY, *ONE, "forget")
                self.assertEqual(done.code, 121, done.err)
                self.assertEqual(done.err.count("deadlock"), 1, done.err)

    def test_an_error_of_a_node_ends_all_with_its_sentence(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                done = mpirun(mpi, 3, COMPANY, *ONE, "mistake")
                self.assertEqual(done.code, 122, done.err)
                self.assertIn("R-20", done.err)


class Lost(MpiTest):
    """A process that is killed takes the others along, and nothing is left."""

    def start(self, mpi):
        mark = f"{mpi}-{os.getpid()}-{time.monotonic_ns()}"
        run = subprocess.Popen(command(mpi, 3, COMPANY, *ONE, "wait"), stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True,
                               env=environment(TERRANE_TEST_MARK=mark))
        until = time.monotonic() + 20
        while len(members(mark)) != 3:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        time.sleep(0.3)
        return run, mark

    def ends(self, run, mark):
        begun = time.monotonic()
        said, _ = run.communicate(timeout=20)
        while members(mark):
            self.assertLess(time.monotonic() - begun, 10, members(mark))
            time.sleep(0.05)
        self.assertLess(time.monotonic() - begun, 10)
        self.assertNotEqual(run.returncode, 0)
        return said

    def test_a_rank_that_is_killed(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                run, mark = self.start(mpi)
                os.kill(members(mark)[-1], signal.SIGKILL)
                self.assertRegex(self.ends(run, mark), "(?i)killed")

    def test_the_launcher_that_is_killed(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                run, mark = self.start(mpi)
                try:
                    run.kill()
                    self.ends(run, mark)
                finally:
                    for each in members(mark):
                        os.kill(each, signal.SIGKILL)


class Launch(MpiTest):
    def test_terrane_run_calls_the_mpirun_that_is_there(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                done = terrane("run", "--world", "mpi", "--mpi", mpi, "--nodes", "3", *ONE,
                               "--stats", "none", "fib", "18", variables=PERMITTED)
                self.assertEqual(done, (0, "fib(18) = 4181\n", ""))

    def test_without_an_mpirun_one_sentence_says_what_to_install(self):
        done = terrane("run", "--world", "mpi", "--nodes", "2", "fib", "18",
                       variables={"PATH": "/nonexistent"})
        self.assert_refused(done, "--world mpi needs an mpirun", "openmpi-bin or mpich")


class WrongUse(MpiTest):
    def refused(self, done, *parts):
        self.assertEqual((done.code, done.out), (2, ""), done.err)
        self.assertEqual(len(ours(done.err)), 1, done.err)
        for part in parts:
            self.assertIn(part, ours(done.err)[0])

    def test_nodes_that_contradict_the_job(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                self.refused(mpirun(mpi, 2, BIN / "fib", "--nodes", "3", "10"),
                             "--nodes 3 contradicts the MPI job, which has 2 ranks")

    def test_an_mpi_that_did_not_start_the_job(self):
        for mpi, other in zip(MPIS, reversed(MPIS)):
            if mpi == other:
                self.skipTest("only one MPI is here")
            with self.subTest(mpi=mpi):
                self.refused(mpirun(mpi, 2, BIN / "fib", "--mpi", other, "10"),
                             f"--mpi {other} contradicts {TITLES[mpi]}, which started it")

    def test_two_mpis_in_one_process(self):
        libraries = [ctypes.util.find_library(each) for each in ("mpi", "mpich")]
        if None in libraries or len(MPIS) < 2:
            self.skipTest("only one MPI is here")
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                self.refused(mpirun(mpi, 2, "env", f"LD_PRELOAD={':'.join(libraries)}",
                                    BIN / "fib", "10"),
                             "Open MPI and MPICH are both in this process")

    def test_an_mpi_that_is_not_on_this_machine(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi), tempfile.TemporaryDirectory() as folder:
                # It cannot be opened, as where the MPI's library is missing.
                (Path(folder) / f"libterrane_mpi_{mpi}.so").write_text("no library\n")
                self.refused(mpirun(mpi, 2, BIN / "fib", "10", TERRANE_PARTS=folder),
                             f"{TITLES[mpi]} is not on this machine", "apt-get install")

    def test_a_wrong_option_is_said_once(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                self.refused(mpirun(mpi, 3, BIN / "fib", "--nosuch", "10"), "--nosuch")

    def test_rank_0_does_not_wait_for_those_who_wait_for_it_in_the_run(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                self.refused(mpirun(mpi, 2, BIN / "fib", "--stats", "json=/nonexistent/file", "10"),
                             "--stats json=FILE: ")


if __name__ == "__main__":
    unittest.main()
