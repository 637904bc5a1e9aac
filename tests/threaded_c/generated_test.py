# SPDX-License-Identifier: Apache-2.0
"""A hundred random programs: results and counts as their sequential reading says."""

import unittest

from generated_runs import check_batches


class Generated(unittest.TestCase):
    def test_a_hundred_programs_do_what_their_sequential_reading_does(self):
        check_batches(self, first_seed=1, batches=4, each=25)


if __name__ == "__main__":
    unittest.main()
