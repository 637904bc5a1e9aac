# SPDX-License-Identifier: Apache-2.0
"""secured_test.py: runs of world tcp with --tls give what they give without."""

import unittest

from command import FIB, TERRANE, CommandTest, execute, terrane

TCP = ("--world", "tcp", "--processors", "1")


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

    def test_is_for_world_tcp_and_takes_no_value(self):
        self.assert_refused(terrane("run", "--tls=yes", "fib"), "--tls takes no value")


if __name__ == "__main__":
    unittest.main()
