# SPDX-License-Identifier: Apache-2.0
"""Two thousand random programs: results and counts as their sequential reading says."""

import unittest

from generated_runs import check_batches


class Generated(unittest.TestCase):
    def test_two_thousand_programs_do_what_their_sequential_reading_does(self):
        check_batches(self, first_seed=1001, batches=80, each=25, thorough=True)


if __name__ == "__main__":
    unittest.main()
