# SPDX-License-Identifier: Apache-2.0
"""scenarios_test.py: a few scenarios in world mpi, and over UCX; long_scenarios.py has all."""

import re
import unittest

from mpi_job import BUILD, MPIS, MpiTest
from scenarios import scenarios

SHORT = "everywhere/tokens.*:everywhere/block_moves.*:everywhere/migrations.*"
WIRES = ("own", "ucx") if (BUILD / "lib" / "libterrane_ucx.so").exists() else ("own",)


class Scenarios(MpiTest):
    def passes(self, mpi, ranks, chosen, wire, least=1):
        with self.subTest(mpi=mpi, ranks=ranks, chosen=chosen, wire=wire):
            done = scenarios(mpi, ranks, chosen, 250, wire)
            self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
            passed = re.search(r"PASSED +\] (\d+) test", done.stdout)
            self.assertGreaterEqual(int(passed.group(1)), least)

    def test_work_data_and_threads_move_between_ranks(self):
        for mpi in MPIS:
            self.passes(mpi, 3, SHORT, "own", least=20)
        for wire in WIRES[1:]:
            self.passes(MPIS[0], 2, SHORT, wire, least=20)


if __name__ == "__main__":
    unittest.main()
