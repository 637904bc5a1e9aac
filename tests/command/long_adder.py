# SPDX-License-Identifier: Apache-2.0
"""long_adder.py: the adder of 256 times 256 bits gives the reference's totals, wherever it runs.

A thread for each element, 38 channels: all pairs of numbers below 256 go through an 8-bit adder
made of gates. The numbers are those of an independent program, in Python.
"""

import subprocess
import unittest

from command import TERRANE, CommandTest, surroundings

ADDER = TERRANE.with_name("adder")
ANSWER = ("adder(256, 256) = a780b0a6b766ad53, counts 3277056 3276800 1703936 2883584, least 99, "
          "most 243, firings 13959424\n")
BALANCERS = ("adaptive", "catapult", "central", "dual", "his", "minima", "nop", "rand", "range",
             "shis", "snd", "spn")


class Adder(CommandTest):
    def check(self, *options):
        with self.subTest(options=options):
            done = subprocess.run([ADDER, *options, "256", "256"], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, env=surroundings(),
                                  timeout=3600)
            self.assertEqual((done.returncode, done.stdout), (0, ANSWER), done.stderr)

    def test_is_the_same_on_one_processor(self):
        self.check("--nodes", "1", "--processors", "1")

    def test_is_the_same_on_simulated_nodes_under_every_balancer(self):
        for number, balancer in enumerate(BALANCERS):
            for nodes in (2 + number % 3, 16):
                self.check("--world", "sim", "--nodes", str(nodes), "--balancer", balancer)

    def test_is_the_same_between_processors_and_processes(self):
        for world in ("local", "shm", "tcp"):
            self.check("--world", world, "--nodes", "2", "--processors", "1")


if __name__ == "__main__":
    unittest.main()
