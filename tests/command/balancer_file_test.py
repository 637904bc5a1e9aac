# SPDX-License-Identifier: Apache-2.0
"""A balancer of the user's own, in a shared library: --balancer ./mine.so."""

import json
import os
import unittest

from command import CommandTest, TERRANE, terrane

LIBRARY = os.path.join(os.path.dirname(TERRANE), "balancers", "ask_anyone.so")


class BalancerFile(CommandTest):
    def test_moves_work_in_every_world(self):
        for world in ("local", "sim", "shm"):
            done = terrane("run", "--world", world, "--nodes", "4", "--stats", "json",
                           "--balancer", LIBRARY + ":hops=2", "queens", "10", "4")
            read = json.loads(done.err.splitlines()[-1])
            self.assertEqual((done.code, done.out), (0, "queens(10) = 724\n"), world)
            self.assertEqual(read["tokens_generated"], 3692)
            if world == "sim":
                self.assertGreater(read["tokens_moved"], 0)

    def test_an_idle_node_is_told_whether_its_last_token_waits_for_data(self):
        library = os.path.join(os.environ["TERRANE_BUILD"], "tests", "tells_of_waiting.so")

        def notes(*program):
            done = terrane("run", "--world", "sim", "--network", "sp2", "--nodes", "4",
                           "--stats", "json", "--balancer", library, *program)
            self.assertEqual(done.code, 0, done.err)
            read = json.loads(done.err.splitlines()[-1])
            self.assertGreater(read["tokens_moved"], 0)
            return read["notes_sent"]

        # 64 blocks of work, each on 256 KB that 2 ms bring; then numbers that tokens bring along.
        self.assertGreater(notes("matmul", "256", "4"), 20)
        self.assertEqual(notes("fib", "15"), 0)

    def test_wrong_ones_are_refused_in_a_sentence(self):
        self.assert_refused(terrane("run", "--balancer", "./nowhere.so", "fib", "5"),
                            "./nowhere.so cannot be loaded")
        self.assert_refused(terrane("run", "--balancer", LIBRARY + ":bogus=1", "fib", "5"),
                            "ask_anyone has no parameter 'bogus'")


if __name__ == "__main__":
    unittest.main()
