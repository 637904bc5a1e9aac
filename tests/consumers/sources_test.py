# SPDX-License-Identifier: Apache-2.0
"""Projects outside of this tree have the sources of Terrane among their own."""

import sys
import unittest

import outside
from outside import HERE


class OfTheSources(outside.ConsumerTest):
    """Both projects compile the library, unoptimised; the second takes what the first compiled."""

    @classmethod
    def setUpClass(cls):
        cls.folder = outside.new_folder(cls)
        cls.repository = cls.folder / "repository"
        outside.make_repository(cls.repository)
        objects = cls.folder / "objects"
        objects.mkdir()
        launcher = f"{sys.executable};{HERE / 'share_objects.py'};{objects}"
        cls.options = [f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}",
                       f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}", "-DCMAKE_UNITY_BUILD=ON",
                       "-DCMAKE_UNITY_BUILD_BATCH_SIZE=12"]

    def test_fetch_content_then_add_subdirectory(self):
        fetched = self.folder / "fetch_content"
        outside.build(HERE / "fetch_content", fetched, f"-DREPOSITORY=file://{self.repository}",
                      *self.options)
        self.assert_sums(fetched / "sums")
        self.assertFalse((fetched / "_deps" / "terrane-build" / "tests").exists())
        added = self.folder / "add_subdirectory"
        outside.build(HERE / "add_subdirectory", added,
                      f"-DTERRANE={fetched / '_deps' / 'terrane-src'}", *self.options)
        self.assert_sums(added / "sums")


if __name__ == "__main__":
    unittest.main()
