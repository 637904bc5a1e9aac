# SPDX-License-Identifier: Apache-2.0
"""Two thousand random graphs of activations: every signal comes once, and no frame is
overwritten."""

import unittest

from graph_runs import check_graphs


class Graphs(unittest.TestCase):
    def test_two_thousand_graphs_get_all_their_signals(self):
        check_graphs(self, first_seed=101, files=40, each=50)


if __name__ == "__main__":
    unittest.main()
