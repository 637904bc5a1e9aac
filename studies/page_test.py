# SPDX-License-Identifier: Apache-2.0
"""docs/studies.md says what the studies found: its tables are made from the kept results, and with
TERRANE_STUDIES_ANEW=1 from new runs."""

import io
import os
import pathlib
import re
import tempfile
import unittest

import page
from harness import archive, runs


class Page(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.text = page.PAGE.read_text()

    def compared(self, runner):
        again = page.made(self.text, runner)
        self.assertEqual(self.text, again, "make it anew: /usr/bin/python3 studies/page.py")

    def test_says_what_the_kept_results_say(self):
        self.assertGreaterEqual(len(re.findall(r"<!-- \w+_\w+ -->", self.text)), 8)
        self.compared(archive.Kept(page.KEPT))

    def test_notices_a_number_that_differs(self):
        changed = re.sub(r"(\d\.\d)(\d) / ", lambda found: f"{found.group(1)}"
                         f"{(int(found.group(2)) + 1) % 10} / ", self.text, count=1)
        self.assertNotEqual(changed, self.text)
        self.assertEqual(page.made(changed, archive.Kept(page.KEPT)), self.text)

    @unittest.skipUnless(os.environ.get("TERRANE_STUDIES_ANEW"), "TERRANE_STUDIES_ANEW=1 runs it")
    def test_says_what_new_runs_say(self):
        with tempfile.TemporaryDirectory() as folder:
            self.compared(runs.Runner(pathlib.Path(folder), show=io.StringIO()))


if __name__ == "__main__":
    unittest.main()
