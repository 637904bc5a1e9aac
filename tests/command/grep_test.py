# SPDX-License-Identifier: Apache-2.0
"""grep_test.py: the program grep finds what grep -rn finds, under each policy and in each world."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from command import TERRANE, CommandTest, execute

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "programs"
sys.path.insert(0, str(PROGRAMS / "grep"))
from make_tree import make_tree  # noqa: E402

GREP = TERRANE.with_name("grep")
POLICIES = ("steal-search", "steal-cascade", "round-robin", "by-load", "locality")
WORLDS = (("local", 4), ("shm", 3), ("sim", 5))


class Grep(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.tree = pathlib.Path(cls.folder.name) / "tree"
        cls.matching = make_tree(cls.tree, directories=6, files=24)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def wanted(self, *words):
        return sorted(subprocess.run(["grep", "-rn", *words, str(self.tree)], check=True, text=True,
                                     capture_output=True).stdout.splitlines())

    def found(self, world, nodes, *words):
        done = execute(GREP, "--world", world, "--nodes", str(nodes), "--processors", "1",
                       "--balancer", "rand", *words)
        self.assertEqual((done.code, done.err), (0, ""))
        return sorted(done.out.splitlines())

    def test_finds_every_line_under_each_policy(self):
        wanted = self.wanted("mutex")
        self.assertEqual(len(wanted), self.matching)
        for world, nodes in WORLDS:
            for policy in POLICIES:
                with self.subTest(world=world, policy=policy):
                    self.assertEqual(self.found(world, nodes, "mutex", str(self.tree), policy),
                                     wanted)

    def test_finds_regular_expressions(self):
        expression = "^(the|a) .*mut[a-f]x"
        self.assertEqual(self.found("local", 2, "-e", expression, str(self.tree)),
                         self.wanted("-E", expression))

    def test_reads_of_another_nodes_disk_take_longer_and_find_the_same(self):
        self.assertEqual(self.found("local", 3, "mutex", str(self.tree), "round-robin", "200"),
                         self.wanted("mutex"))

    def test_a_simulated_run_repeats_wherever_the_tree_lies(self):
        moved = pathlib.Path(self.folder.name) / "elsewhere" / "and" / "deeper"
        shutil.copytree(self.tree, moved, dirs_exist_ok=True)
        for policy in POLICIES:
            with self.subTest(policy=policy):
                seen = set()
                for tree in (self.tree, self.tree, moved):
                    done = execute(GREP, "--world", "sim", "--network", "myrinet", "--nodes", "4",
                                   "--processors", "2", "--balancer", "spn", "--stats", "json",
                                   "mutex", str(tree), policy, "1", "4")
                    stats = json.loads(done.err.splitlines()[-1])
                    self.assertTrue(stats["repeatable"])
                    seen.add((stats["event_log_hash"], stats["elapsed_seconds"]))
                self.assertEqual(len(seen), 1, seen)

    def test_says_how_long_each_file_took_and_where_it_lay(self):
        lives = [line.split(":") for line in self.found("sim", 2, "-t", "mutex", str(self.tree),
                                                        "locality", "1", "2")]
        self.assertEqual(sorted(path for path, _, _ in lives),
                         sorted(map(str, self.tree.rglob("*.c"))))
        self.assertEqual({disk for _, _, disk in lives}, {"local"}, "each went where its file lies")
        self.assertTrue(all(float(us) > 0 for _, us, _ in lives))
        far = self.found("sim", 1, "-t", "mutex", str(self.tree), "locality", "1", "1000")
        self.assertTrue(all(line.endswith(":remote") for line in far), far)

    def test_refuses_what_it_cannot_do_in_one_sentence(self):
        tree = str(self.tree)
        far = [tree, "locality", "1"]
        for words, sentence in ((["mutex"], "say what to find, and where: [-e] [-t] PATTERN"),
                                (["", tree], "PATTERN must have 1 to 127 letters"),
                                (["-e", "[", tree], "PATTERN is no extended regular expression"),
                                (["mutex", tree + "/none"], "none' is no directory"),
                                (["mutex", tree, "far"], "POLICY must be steal-search, "),
                                (["mutex", tree, "locality", "soon"], "REMOTE_US must be a whole"),
                                (["mutex", *far, "0"], "DISKS must be a whole number"),
                                (["mutex", *far, "2", "3"], "one argument too many")):
            with self.subTest(words=words):
                done = execute(GREP, "--processors", "1", *words)
                self.assertEqual((done.code, done.out), (2, ""))
                self.assertIn(sentence, done.err)
                self.assertEqual(len(done.err.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
