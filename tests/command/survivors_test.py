# SPDX-License-Identifier: Apache-2.0
"""survivors_test.py: a few of the runs of long_survivors.py."""

import unittest

import long_survivors


class Few(long_survivors.Survivors):
    def test_storms_without_the_lost_node_end(self):
        self.endure(range(1000, 1004))


if __name__ == "__main__":
    unittest.main()
