# SPDX-License-Identifier: Apache-2.0
"""long_scenarios.py: every scenario that runs on machines of any world, on 2, 3 and 4 ranks."""

import itertools
import unittest

import scenarios_test
from mpi_job import MPIS
from scenarios import suites


class Scenarios(scenarios_test.Scenarios):
    def test_every_suite(self):
        for ranks in (2, 3, 4):
            found = suites(ranks)
            self.assertGreater(sum(found.values()), 400)
            for wire, mpi in itertools.product(scenarios_test.WIRES, MPIS):
                for suite, count in found.items():
                    self.passes(mpi, ranks, f"{suite}*", wire, least=count)


if __name__ == "__main__":
    unittest.main()
