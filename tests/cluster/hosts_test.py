# SPDX-License-Identifier: Apache-2.0
"""hosts_test.py: some of on_hosts.py, for every day. long_hosts.py has all of it."""

import unittest

from on_hosts import BadStarts, Lost, Sound

EVERY_DAY = [(Sound, "test_counts_are_exact"), (BadStarts, "test_a_host_that_refuses_ssh"),
             (BadStarts, "test_another_build"), (Lost, "test_a_killed_node_is_named")]


def load_tests(*_):
    return unittest.TestSuite(of(name) for of, name in EVERY_DAY)


if __name__ == "__main__":
    unittest.main()
