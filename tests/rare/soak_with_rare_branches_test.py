# SPDX-License-Identifier: Apache-2.0
"""soak_with_rare_branches_test.py: the soak takes every rare branch, and fails where it did not."""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
from command import CommandTest, terrane  # noqa: E402


class SoakWithRareBranches(CommandTest):
    def test_every_branch_is_taken(self):
        done = terrane("soak", "--runs", "150", "queens", "6")  # its progress may be on stderr
        self.assertEqual(done.code, 0, done.out)
        self.assertIn("all the same", done.out)

    def test_a_branch_that_no_run_took_is_named(self):
        done = terrane("soak", "--runs", "20", "--nodes", "4", "--processors", "1", "reduce")
        self.assertEqual(done.code, 1)
        self.assertRegex(done.out, r"\Ain 20 runs from seed 1 on, these rare branches were never "
                                   r"reached: core\.pool_refuses, .*; make more runs")

    def test_without_faults_no_branch_is_asked_for(self):
        self.assert_printed(terrane("soak", "--runs", "5", "--nodes", "2", "--processors", "1",
                                    "--faults", "none", "reduce"), "all the same")

    def test_the_rate_is_in_the_command_that_repeats(self):
        done = terrane("soak", "--runs", "20", "--faults", "rare=0.25", "reduce")
        self.assertEqual(done.code, 1)
        self.assertRegex(done.out, r"(?m)^to repeat it: terrane run .*--faults rare=0\.25 ")

    def test_probes_are_in_the_statistics(self):
        for world in ("sim", "local"):
            done = terrane("run", "--world", world, "--nodes", "2", "--faults", "rare=0.3",
                           "--stats", "json", "queens", "8")
            self.assertEqual((done.code, done.out), (0, "queens(8) = 92\n"))
            probes = json.loads(done.err.splitlines()[-1])["probes"]
            self.assertEqual(list(probes), sorted(probes))
            self.assertGreater(probes["core.nothing_to_take"], 0)
            places = {name.split(".")[0] for name in probes}
            self.assertEqual(places, {"core", world})
        shown = terrane("run", "--world", "sim", "--faults", "rare=0.3", "fib", "9").err
        self.assertTrue(re.search(r"(?m)^terrane: rare branches: core\.\w+ \d+, ", shown))
