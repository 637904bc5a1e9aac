# SPDX-License-Identifier: Apache-2.0
"""[EARTH-LB Table 1] at its own size: tokens and fibers of every program on 1, 8 and 32 simulated
nodes of the sp2, under every balancer; and what the slow ones take on one node."""

import unittest

from programs_test import BALANCERS
from threaded_c import PROGRAMS, run, statistics

NODES = (1, 8, 32)
TABLE = {  # words: tokens, fibers, and as much for each processor
    "fib 33": (11405772, 17108661, 0, 0),
    "queens 12 4": (9916, 24791, 0, 0),
    "tsp 10 4": (5861, 18407, 0, 0),
    "knary 7 7 2": (98040, 274516, 0, 0),
    "tomcatv 257 100": (1, 104, 100, 200),
    "spmd 4 4 0": (2100, 4301, 0, 0),
    "paraffins 28": (1843, 1904, 0, 0),
}


def simulated(words: str, nodes: int, balancer: str) -> dict:
    name, *arguments = words.split()
    options = ("--world", "sim", "--network", "sp2", "--nodes", str(nodes), "--balancer", balancer,
               "--stats", "json")
    code, _, heard = run(PROGRAMS / name, *arguments, options=options, timeout=1200)
    if code != 0:
        raise AssertionError(heard)
    return statistics(heard)


class Table1(unittest.TestCase):
    def test_counts_are_the_papers(self):
        for balancer in BALANCERS:
            for words, (tokens, fibers, more_tokens, more_fibers) in TABLE.items():
                for nodes in NODES:
                    with self.subTest(program=words, nodes=nodes, balancer=balancer):
                        counted = simulated(words, nodes, balancer)
                        self.assertEqual(
                            (counted["tokens_generated"], counted["fibers_executed"]),
                            (tokens + nodes * more_tokens, fibers + nodes * more_fibers))

    def test_one_node_takes_as_long_as_the_papers(self):
        for words, seconds in (("fib 33", 27.27), ("matmul 1024 16", 284.4),
                               ("paraffins 28", 205.9)):
            with self.subTest(program=words):
                taken = simulated(words, 1, "nop")["elapsed_seconds"]
                self.assertAlmostEqual(taken / seconds, 1, delta=0.01)


if __name__ == "__main__":
    unittest.main()
