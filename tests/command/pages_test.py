# SPDX-License-Identifier: Apache-2.0
"""Every C++ example of these pages of docs/ stands, word for word, in the test that runs it."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = {"algorithms.md": "tests/scenario/with_algorithms_page_test.cpp",
         "channels.md": "tests/scenario/with_page_of_ends_test.cpp",
         "coroutines.md": "tests/scenario/with_coroutines_page_test.cpp",
         "futures-and-threads.md": "tests/scenario/futures_page_test.cpp",
         "runtime.md": "tests/scenario/with_runtime_page_test.cpp",
         "task-groups.md": "tests/scenario/with_groups_page_test.cpp",
         "threads.md": "terrane/thread/page_test.cpp"}
OTHERS = ("docs/coming-from.md", "tests/scenario/with_other_words_test.cpp")
FENCE = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Pages(unittest.TestCase):
    def test_the_examples_are_the_texts_of_tests(self):
        for page, test in PAGES.items():
            examples = FENCE.findall((ROOT / "docs" / page).read_text())
            self.assertGreater(len(examples), 0, page)
            text = (ROOT / test).read_text()
            for example in examples:
                self.assertIn(example, text, f"{page} shows what {test} does not say")

    def test_the_lines_for_users_of_other_libraries_are_compiled(self):
        page, text = ((ROOT / each).read_text() for each in OTHERS)
        rows = [line for line in page.split("\n") if line.startswith("| ") and line.endswith("` |")]
        self.assertGreater(len(rows), 40)
        for row in rows:
            for code in re.findall(r"`([^`]*)`", row.rsplit(" | ", 1)[1]):
                self.assertIn(code, text, f"{OTHERS[0]} shows what {OTHERS[1]} does not say")


if __name__ == "__main__":
    unittest.main()
