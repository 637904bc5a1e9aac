# SPDX-License-Identifier: Apache-2.0
"""secured_test.py: runs of world tcp with --tls give what they give without."""

import socket
import subprocess
import time
import unittest

from command import FIB, TERRANE, CommandTest, execute, surroundings, terrane
from tcp_test import listening_port_of

TCP = ("--world", "tcp", "--processors", "1")
NO_NODE = ("--hosts", "localhost", "--launcher", "sh -c 'exec sleep 30' {command}")
RECORD = bytes.fromhex("16030100050100000100")  # the first of a TLS client, with nonsense in it


class Secured(CommandTest):
    def test_runs_count_the_same_as_plain_ones(self):
        for how in ((), ("--progress", "poll"), ("--progress", "modules"), ("--connect", "lazy")):
            done = execute(FIB, *TCP, "--nodes", "3", "--enough", "all", "--tls", *how, "20")
            self.assertEqual((done.code, done.out, done.err), (0, "fib(20) = 10946\n", ""), how)

    def test_runs_of_a_real_program_have_its_answer(self):
        done = execute(TERRANE.with_name("queens"), *TCP, "--nodes", "3", "--tls", "--balancer",
                       "spn", "9", "4")
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertIn("352", done.out)

    def test_alone_answer_a_record_of_tls_with_one(self):
        for how, answer in (((), b""), (("--tls",), b"\x15\x03\x03")):  # an alert
            run = subprocess.Popen([FIB, *TCP, *NO_NODE, *how, "5"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, env=surroundings())
            self.addCleanup(run.kill)
            until = time.monotonic() + 20
            while not (port := listening_port_of(run.pid)) and time.monotonic() < until:
                time.sleep(0.05)
            with socket.create_connection(("127.0.0.1", port), timeout=10) as stranger:
                stranger.sendall(RECORD)
                self.assertEqual(stranger.recv(1000)[:3], answer)
            run.terminate()
            run.wait(20)

    def test_is_for_world_tcp_and_takes_no_value(self):
        self.assert_refused(terrane("run", "--tls=yes", "fib"), "--tls takes no value")


if __name__ == "__main__":
    unittest.main()
