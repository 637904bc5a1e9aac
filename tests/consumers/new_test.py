# SPDX-License-Identifier: Apache-2.0
"""What `terrane new` writes is built and tested as its page says, with an installed Terrane."""

import os
import re
import unittest

import outside
from outside import run

FORMS = (("c++", "futures"), ("c++", "fibers"), ("c++", "threads"), ("c", "fibers"),
         ("threaded-c", "fibers"))


class New(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = outside.new_folder(cls)
        cls.prefix = cls.folder / "installed"
        outside.install(cls.prefix)
        cls.terrane = cls.prefix / "bin" / "terrane"

    def refused(self, *words):
        said = run(self.terrane, "new", *words, folder=self.folder, check=False)
        self.assertEqual(said.count("\n"), 1, said)
        return said

    def test_every_form_builds_and_passes_its_test(self):
        for language, kind in FORMS:
            if language == "threaded-c" and not (self.prefix / "bin" / "terrane-cc").exists():
                continue
            name = f"my_{kind}_{language.replace('+', 'p').replace('-', '_')}"
            run(self.terrane, "new", name, "--lang", language, f"--kind={kind}",
                folder=self.folder)
            page = (self.folder / name / "README.md").read_text()
            for line in re.findall(r"^    (c(?:make|test).*)$", page, re.MULTILINE):
                done = run(*line.split(), folder=self.folder / name)
            self.assertRegex(done, "100% tests passed, 0 tests failed out of 2", name)

    def test_a_path_of_this_tree_is_nowhere_in_it(self):
        run(self.terrane, "new", "alone", folder=self.folder)
        for each in sorted((self.folder / "alone").iterdir()):
            self.assertNotIn(str(outside.SOURCE), each.read_text())
            self.assertNotIn("@", each.read_text())

    def test_misuse_is_one_sentence(self):
        (self.folder / "here").mkdir()
        for words, sentence in (
                ((), "new needs a name: terrane new NAME"),
                (("a", "b"), "new takes one name, not also 'b'"),
                (("here",), "here exists already: choose another name, or remove it"),
                (("a b",), "'a b' cannot be the name of a program"),
                (("test",), "'test' means something else to CMake"),
                (("a", "--lang", "fortran"),
                 "--lang takes one of c++, threaded-c, c, python, not 'fortran'"),
                (("a", "--lang", "c", "--kind", "futures"),
                 "a program in c is of kind fibers, not 'futures'"),
                (("a-b", "--lang", "python"), "'a-b' cannot be the name of a module of Python"),
                (("a", "--shape"), "there is no option --shape: new takes --lang and --kind"),
                (("a", "--kind"), "--kind needs a value")):
            self.assertIn(f"terrane: {sentence}", self.refused(*words))
        self.assertFalse(os.path.exists(self.folder / "a"))


if __name__ == "__main__":
    unittest.main()
