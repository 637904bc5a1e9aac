# SPDX-License-Identifier: Apache-2.0
"""options_pages_test.py: man pages, docs/options.md and completions have what the command has."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from command import CommandTest, execute, terrane

SOURCE = Path(__file__).resolve().parent.parent.parent
BASH = """
source {file}
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_terrane
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


class OptionsPages(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        done = terrane("pages", str(cls.folder))
        assert done == (0, "", ""), done
        listed = terrane("run", "--help").out
        cls.options = set(re.findall(r"^  (--[a-z-]+)", listed, re.MULTILINE))
        cls.subcommands = set(re.findall(r"^  ([a-z]+) ", terrane("--help").out, re.MULTILINE))
        cls.subcommands -= {"terrane"}  # an example

    def text(self, name):
        return (self.folder / name).read_text()

    def test_the_page_of_options_is_as_the_command_writes_it(self):
        self.assertEqual((SOURCE / "docs" / "options.md").read_text(), self.text("options.md"),
                         "the tables changed; to mend the page: build/bin/terrane pages build/pages"
                         " && cp build/pages/options.md docs/")

    def test_every_option_and_subcommand_is_everywhere(self):
        self.assertGreater(len(self.options), 15)
        self.assertGreater(len(self.subcommands), 9)
        roff = self.text("man/terrane-run.1").replace("\\-", "-")
        for option in self.options - {"--help"}:
            self.assertIn(f"`{option}", self.text("options.md"))
            self.assertIn(f".B {option}", roff)
            self.assertIn(f"'{option}[", self.text("completions/zsh/_terrane"))
            self.assertIn(f" -l {option[2:]} ", self.text("completions/fish/terrane.fish"))
        for each in self.subcommands:
            self.assertIn(f"`terrane {each}", self.text("options.md"))
            self.assertIn(f".B {each}", self.text("man/terrane.1"))

    @needs("groff")
    def test_man_pages_are_sound(self):
        pages = sorted((self.folder / "man").iterdir())
        self.assertGreater(len(pages), 3)
        for page in pages:
            done = execute("groff", "-man", "-Tascii", "-ww", "-z", str(page))
            self.assertEqual(done, (0, "", ""), page)

    def completed(self, *words):
        file = self.folder / "completions" / "bash" / "terrane"
        quoted = " ".join(f"'{word}'" for word in ("terrane", *words))
        done = subprocess.run(["bash", "-c", BASH.format(file=file, words=quoted)], text=True,
                              capture_output=True, check=True, cwd=self.folder)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_bash_completes(self):
        self.assertLessEqual(self.subcommands, self.completed(""))
        self.assertEqual(self.completed("ne"), {"networks", "new"})
        self.assertEqual(self.options | {"--help"}, self.completed("run", "--"))
        self.assertEqual(self.completed("run", "--world", "s"), {"shm", "sim"})
        self.assertEqual(self.completed("run", "--nodes", "4", "--network", "sp"), {"sp2"})
        self.assertIn("queens", self.completed("run", "--nodes", "4", "q"))
        self.assertIn("options.md", self.completed("run", "./o") | self.completed("run", "o"))
        self.assertIn("options.md", self.completed("report", "o"))

    @needs("zsh")
    def test_zsh_reads_its_completion(self):
        file = self.folder / "completions" / "zsh" / "_terrane"
        self.assertEqual(execute("zsh", "-n", str(file)), (0, "", ""))

    @needs("fish")
    def test_fish_completes(self):
        file = self.folder / "completions" / "fish" / "terrane.fish"
        for line, expected in (("terrane ne", {"networks", "new"}),
                               ("terrane run --world s", {"shm", "sim"}),
                               ("terrane run --quie", {"--quiet"}),
                               ("terrane report opt", {"options.md"}),
                               ("terrane trace convert -", {"-o", "--class", "--from", "--to"})):
            done = execute("fish", "--no-config", "-c", f"source {file}; complete -C '{line}'",
                           variables={"HOME": str(self.folder)}, folder=self.folder)
            self.assertEqual(done.err, "")
            self.assertEqual({each.split("\t")[0] for each in done.out.splitlines()}, expected)

    def test_misuse_is_one_sentence(self):
        for words in ((), ("--form",), ("a", "b")):
            self.assert_refused(terrane("pages", *words), "pages takes the folder to write into")


if __name__ == "__main__":
    unittest.main()
