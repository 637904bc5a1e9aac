# SPDX-License-Identifier: Apache-2.0
"""talks_test.py: storms of messages in every world: no receive takes what it may not."""

import os
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "command"))

from command import CommandTest, execute  # noqa: E402

TALKS = os.path.join(os.environ["TERRANE_BUILD"], "tests", "talks")
SAID = re.compile(r"talks: (\d+) messages, (\d+) moves, 0 wrong\n\Z")
FAULTS = "delay=0.1,heavy=0.1,reorder=0.1,slow=0.1"
EAGER = (("--eager", "0"), (), ("--eager", str(1 << 30)))


class Storm(CommandTest):
    def storm(self, seed, *options, words=()):
        """How many moves it had."""
        done = execute(TALKS, "--processors", "1", *options, str(seed), *map(str, words))
        self.assertEqual((done.code, done.err), (0, ""), f"seed {seed} {options}: {done}")
        read = SAID.match(done.out)
        self.assertTrue(read, done.out)
        return int(read[2])

    def sim(self, seed):
        faults = ("--faults", FAULTS) if seed % 2 else ()
        return self.storm(seed, "--world", "sim", "--nodes", str(2 + seed % 5), "--seed",
                          str(seed), *faults, *EAGER[seed % 3])


class Short(Storm):
    def test_simulated_with_faults_and_moves(self):
        self.assertGreater(sum(self.sim(seed) for seed in range(1, 61)), 100)

    def test_between_processes(self):
        self.assertGreater(sum(self.storm(seed, "--world", "shm", "--nodes", str(2 + seed % 2),
                                          *EAGER[seed % 3]) for seed in range(1, 7)), 10)

    def test_in_one_process_and_over_tcp(self):
        for seed in range(1, 7):
            self.storm(seed, "--nodes", "3", *EAGER[seed % 3])
        self.storm(7, "--world", "tcp", "--nodes", "2")

    def test_many_members_of_one_processor(self):
        self.storm(8, words=(3, 600, 60, 2000))


if __name__ == "__main__":
    unittest.main()
