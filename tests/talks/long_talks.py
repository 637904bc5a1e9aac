# SPDX-License-Identifier: Apache-2.0
"""long_talks.py: the storms of talks_test.py, many more of them."""

import unittest

from talks_test import EAGER, Storm


class Long(Storm):
    def test_2000_seeds_simulated(self):
        for seed in range(1, 2001):
            self.sim(seed)

    def test_100_runs_between_processes(self):
        for seed in range(1, 101):
            self.storm(seed, "--world", "shm", "--nodes", str(2 + seed % 3), *EAGER[seed % 3])


if __name__ == "__main__":
    unittest.main()
