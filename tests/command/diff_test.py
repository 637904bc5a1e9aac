# SPDX-License-Identifier: Apache-2.0
"""diff_test.py: event logs: written by a run of world sim, compared by terrane diff."""

import pathlib
import tempfile

from command import CommandTest, terrane

SIM = ("run", "--stats", "none", "--world", "sim", "--nodes", "3")


class Diff(CommandTest):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="terrane diff ")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def log(self, name, *options):
        path = self.folder / name
        done = terrane(*SIM, "--log", path, *options, "fib", "8")
        self.assertEqual((done.code, done.out), (0, "fib(8) = 34\n"), done.err)
        return path

    def test_one_seed_gives_one_log(self):
        first, second = self.log("first"), self.log("second")
        self.assertEqual(first.read_bytes(), second.read_bytes())
        count = len(first.read_text().splitlines())
        self.assert_printed(terrane("diff", first, second), f"the same {count} events")

    def test_the_first_event_that_differs_is_named_with_those_before(self):
        first, second = self.folder / "first", self.folder / "second"
        lines = [f"{time} turn 0 {time} 1\n" for time in range(10)]
        first.write_text("".join(lines))
        second.write_text("".join(lines[:7]) + "7 note 0 1 0\n")
        done = terrane("diff", first, second)
        self.assertEqual((done.code, done.err), (1, ""))
        self.assertEqual(done.out.splitlines()[0].split(" (")[0], "event 8 differs")
        for line in ("  2 turn 0 2 1", "  6 turn 0 6 1", "< 7 turn 0 7 1", "> 7 note 0 1 0"):
            self.assertIn(line + "\n", done.out)
        self.assertNotIn("  1 turn", done.out)

    def test_a_log_that_ends_early_differs(self):
        first, second = self.folder / "first", self.folder / "second"
        first.write_text("0 turn 0 0 1\n")
        second.write_text("0 turn 0 0 1\n5 turn 0 5 2\n")
        done = terrane("diff", first, second)
        self.assertEqual(done.code, 1)
        self.assertIn("event 2 differs", done.out)
        self.assertIn("< (ends here)\n> 5 turn 0 5 2\n", done.out)

    def test_seeds_differ(self):
        done = terrane("diff", self.log("first"), self.log("second", "--seed", "2"))
        self.assertEqual(done.code, 1)

    def test_what_is_no_log_is_refused(self):
        empty = self.folder / "empty"
        empty.write_text("")
        self.assert_refused(terrane("diff", empty, empty), "it is empty")
        self.assert_refused(terrane("diff", empty.with_name("none"), empty), "none",
                            "No such file or directory")
        self.assert_refused(terrane("diff", empty), "two event logs")
        self.assert_refused(terrane("diff"), "two event logs")

    def test_a_log_that_cannot_be_made_is_said_before_the_run(self):
        done = terrane(*SIM, "--log", "/nowhere/log", "fib", "8")
        self.assert_refused(done, "cannot write the event log /nowhere/log",
                            "No such file or directory", "--log")

    def test_a_log_goes_to_the_folder_where_it_was_asked_for(self):
        terrane(*SIM, "--log", "here", "fib", "5", folder=self.folder)
        self.assertTrue((self.folder / "here").exists())


class Runs(CommandTest):
    """Traces and statistics."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def run_once(self, name, *options):
        trace, numbers = self.folder / f"{name}.trace", self.folder / f"{name}.json"
        done = terrane("run", "--world", "sim", "--trace", trace, "--stats", f"json={numbers}",
                       *options, "queens", "8", "3")
        self.assertEqual(done.code, 0, done.err)
        return trace, numbers

    def test_what_differs_between_two_runs_is_named(self):
        one, two = self.run_once("one", "--nodes", "2"), self.run_once("two", "--nodes", "4")
        done = terrane("diff", one[1], two[1])
        self.assert_printed(done, "nodes: 2 | 4", "elapsed_seconds", "time split", "one run each")
        done = terrane("diff", one[0], two[0])
        self.assert_printed(done, "nodes: 2 | 4", "critical path", "functions", "span")
        self.assertEqual(terrane("diff", one[0], one[0]).code, 0)
        self.assertNotIn("one run each", terrane("diff", one[1], one[1]).out.split("how much")[0])

    def test_repeated_runs_give_a_verdict(self):
        a = [self.run_once(f"a{seed}", "--nodes", "4", "--seed", str(seed))[1]
             for seed in (1, 2, 3)]
        b = [self.run_once(f"b{seed}", "--nodes", "4", "--seed", str(seed))[1]
             for seed in (4, 5, 6)]
        slow = [self.run_once(f"c{seed}", "--nodes", "1", "--seed", str(seed))[1]
                for seed in (1, 2, 3)]
        self.assertRegex(terrane("diff", *a, "--", *b).out,
                         r"elapsed_seconds .*within the spread")
        done = terrane("diff", *a, "--", *slow)
        self.assertEqual(done.code, 1)
        self.assertRegex(done.out, r"elapsed_seconds .*differs")

    def test_misuse_is_refused(self):
        one = self.run_once("one", "--nodes", "2")
        self.assert_refused(terrane("diff", "--", one[0]), "both sides")
        self.assert_refused(terrane("diff", one[0], "--", "/nowhere"), "no such file")
