# SPDX-License-Identifier: Apache-2.0
"""ucx_test.py: messages over UCX, in worlds tcp and mpi: what arrives, is refused, and ends."""

import json
import os
import signal
import subprocess
import time
import unittest

from mpi_job import BIN, BUILD, COMPANY, MPIS, members, mpirun
from command import CommandTest, execute, surroundings

ONE = ("--processors", "1")
OVER_TCP = ("--world", "tcp", "--wire", "ucx")
LONGEST_S = 10


@unittest.skipUnless((BUILD / "lib" / "libterrane_ucx.so").exists(),
                     "the part for UCX was not built; on Debian: apt-get install libucx-dev")
class UcxTest(CommandTest):
    """A test that needs UCX."""


class Programs(UcxTest):
    def test_everybody_sends_everybody_and_nothing_is_lost(self):
        for progress in ("watchdog", "modules"):
            with self.subTest(progress=progress):
                done = execute(COMPANY, *OVER_TCP, "--nodes", "3", *ONE, "--progress", progress,
                               "send", "300000")
                self.assertEqual((done.code, done.out), (0, "sent 900000\n"), done.err)

    def test_nodes_find_each_other_by_an_mpi(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                done = mpirun(mpi, 3, BIN / "matmul", *ONE, "--wire", "ucx", "--enough", "0",
                              "96", "16")
                self.assertEqual((done.code, done.out), (0, "sum 11 sumsq 499243\n"), done.err)

    def test_each_transport_carries_the_same(self):
        for transports in ("tcp,self", "posix,self", "sysv,cma,self"):
            with self.subTest(transports=transports):
                done = execute(BIN / "matmul", *OVER_TCP, "--nodes", "3", *ONE, "--enough", "0",
                               "--stats", "json", "96", "16", variables={"UCX_TLS": transports})
                self.assertEqual((done.code, done.out), (0, "sum 11 sumsq 499243\n"), done.err)
                told = json.loads(done.err.splitlines()[-1])
                self.assertTrue(told["wires"], told)

    def test_a_run_that_sends_little_ends(self):
        for _ in range(5):
            done = execute(BIN / "fib", *OVER_TCP, "--nodes", "2", *ONE, "10")
            self.assertEqual((done.code, done.out), (0, "fib(10) = 89\n"), done.err)


class Ends(UcxTest):
    def test_errors_keep_their_sentences(self):
        done = execute(COMPANY, *OVER_TCP, "--nodes", "3", *ONE, "mistake")
        self.assertEqual(done.code, 122, done.err)
        self.assertIn("R-20", done.err)
        done = execute(COMPANY, *OVER_TCP, "--nodes", "3", *ONE, "forget")
        self.assertEqual(done.code, 121, done.err)
        self.assertEqual(done.err.count("deadlock"), 1, done.err)

    def test_a_node_that_is_killed_ends_the_run(self):
        for transports in ("tcp,self", "posix,self"):
            with self.subTest(transports=transports):
                mark = f"ucx-{os.getpid()}-{time.monotonic_ns()}"
                run = subprocess.Popen(
                    [COMPANY, *OVER_TCP, "--nodes", "3", *ONE, "wait"], text=True,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                    env=surroundings(TERRANE_TEST_MARK=mark, UCX_TLS=transports))
                until = time.monotonic() + LONGEST_S
                while len(members(mark)) != 4:  # the launcher is the first
                    self.assertLess(time.monotonic(), until)
                    time.sleep(0.05)
                time.sleep(0.3)
                os.kill(members(mark)[-1], signal.SIGKILL)
                said, _ = run.communicate(timeout=LONGEST_S)
                self.assertEqual(run.returncode, 123, said)
                self.assertRegex(said, "(?i)killed")
                self.assertEqual(members(mark), [])


class Refused(UcxTest):
    def test_what_cannot_be(self):
        for words, said in (
                (("--world", "shm", "--wire", "ucx"), "--wire is for world tcp or mpi"),
                ((*OVER_TCP, "--tls"), "--tls encrypts sockets"),
                ((*OVER_TCP, "--connect", "lazy"), "leave --connect lazy out"),
                (("--world", "tcp", "--wire", "rdma"), "takes own or ucx, not 'rdma'")):
            with self.subTest(words=words):
                done = execute(BIN / "fib", *words, "--nodes", "2", "10")
                self.assertEqual((done.code, done.out), (2, ""))
                self.assertEqual(done.err.count("\n"), 1, done.err)
                self.assertIn(said, done.err)


class Doctor(UcxTest):
    def test_it_names_what_ucx_offers_and_takes(self):
        done = execute(BIN / "terrane", "doctor")
        self.assertRegex(done.out, r"--wire ucx: UCX offers \w+ \(.+; .* takes \w+ \(")


if __name__ == "__main__":
    unittest.main()
