# SPDX-License-Identifier: Apache-2.0
"""A hundred random graphs of activations: every signal comes once, and no frame is overwritten."""

import unittest

from graph_runs import check_graphs


class Graphs(unittest.TestCase):
    def test_a_hundred_graphs_get_all_their_signals(self):
        check_graphs(self, first_seed=1, files=4, each=25)


if __name__ == "__main__":
    unittest.main()
