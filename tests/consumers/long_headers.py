# SPDX-License-Identifier: Apache-2.0
"""Each public header alone, with each compiler, in each language."""

import unittest

import headers_test


class InFull(headers_test.Headers):
    def test_each_compiles_alone(self):
        self.compile_all(in_full=True)


if __name__ == "__main__":
    unittest.main()
