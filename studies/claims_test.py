# SPDX-License-Identifier: Apache-2.0
"""The list of claims, how they are judged, and the numbers that they are judged by."""

import io
import math
import pathlib
import tempfile
import unittest

import catalogue
import s003
from harness import bench, claims, runs
from harness.matrix import Options, seconds_of
from harness.report import Report, paper_table
from harness.spread import geometric_error, interval, within


class Threads(unittest.TestCase):
    def verdicts(self, found):
        known, _ = claims.load()
        with tempfile.TemporaryDirectory() as folder:
            runner = runs.Runner(folder, show=io.StringIO())
            runner.extra["bench/threads"] = found
            report = Report("003_table2", "question", folder, known, runner)
            s003.table2(report, runner, Options())
            text, verdicts = report.finish()
        return text, {each.claim.name: each for each in verdicts}

    def test_are_compared_with_the_paper_and_with_others(self):
        rows = list(paper_table("003_table2_operation_us", "operation").index)
        ours = dict.fromkeys(rows, 0.005) | {"null thread": 0.04, "context switch": 0.012,
                                             "mutex ping-pong": 0.07}
        text, found = self.verdicts({"terrane": ours, "other": {"null thread": 0.1,
                                                                "mutex ping-pong": 0.1}})
        self.assertEqual(found["003_table2[null thread, Alpha AXP 250MHz]"].word, "holds")
        self.assertEqual(found["003_table2.null_in_switches"].word, "does not hold")
        self.assertIn("3.33 switches here, the paper's machines 2.40 to 3.29", text)
        self.assertEqual(found["003_table2.ahead"].word, "does not hold")
        self.assertIn("mutex ping-pong 1.43 x", text)
        self.assertIn("MEASURED on this machine", text)
        self.assertNotIn("SIMULATED", text)

    def test_that_cannot_be_measured_say_why(self):
        text, found = self.verdicts("no compiler")
        self.assertEqual({each.word for each in found.values()}, {"not measured"})
        self.assertIn("no compiler", text)

    def test_hand_overs_count_both_ways(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "threads" / "run"
            script.parent.mkdir()
            script.write_text("print('library,operation,ns_min,ns_median\\n"
                              "terrane,null thread,39,40\\ngo,null thread,390,400\\n"
                              "terrane,mutex ping-pong,29,30\\nx: 2.0 x, 2.1 x')")
            real, bench.BENCH = bench.BENCH, pathlib.Path(folder)
            self.addCleanup(setattr, bench, "BENCH", real)
            us = s003.measured(1)
        self.assertEqual(us["go"]["null thread"], 0.4)
        self.assertEqual(us["terrane"]["mutex ping-pong"], 0.06)


class Numbers(unittest.TestCase):
    def test_of_runs_are_seconds_or_overflows_or_missing(self):
        self.assertEqual(seconds_of({"elapsed_seconds": 1}), 1)
        self.assertEqual(seconds_of({"elapsed_seconds": 1, "interface_overflows": 2}), math.inf)
        self.assertTrue(math.isnan(seconds_of({"failed": "so"})))

    def test_have_intervals_that_are_the_same_each_time(self):
        values = [1.0, 2.0, 3.0, 4.0, 5.0]
        low, high = interval(values)
        self.assertEqual((low, high), interval(values))
        self.assertTrue(1.5 < low < 2.2 and 3.8 < high < 4.5, (low, high))
        self.assertTrue(math.isnan(interval([1.0])[0]))

    def test_are_compared_by_factors(self):
        self.assertEqual(within([1.0, 1.2, 0.7, 3], 0.25), 2)
        self.assertAlmostEqual(geometric_error([2, 0.5]), 2)
        self.assertEqual(geometric_error([1, math.inf]), math.inf)


class Claims(unittest.TestCase):
    def claim(self, test, printed=None):
        return claims.Claim("x", "y", "place", "quote", "measure", test, "why", printed=printed)

    def word(self, test, samples, printed=None):
        return claims.judge(self.claim(test, printed), samples).word

    def test_hold_by_their_own_test(self):
        for test, good, bad in ((">= 2", 2, 1.9), ("<= 2", 2, 2.1), ("> 2", 2.1, 2),
                                ("< 2", 1.9, 2), ("== 1", True, False)):
            self.assertEqual((self.word(test, [good]), self.word(test, [bad])),
                             ("holds", "does not hold"), test)
        self.assertEqual(self.word("within 1.35", [1.3], 1.0), "holds")
        self.assertEqual(self.word("within 1.35", [0.74], 1.0), "does not hold")
        self.assertEqual(self.word("points 2", [93.5], 95.0), "holds")
        self.assertEqual(self.word("within 1.35", [math.inf], 1.0), "does not hold")

    def test_hold_in_k_of_n_seeds(self):
        found = claims.judge(self.claim("<= 1"), [0.9] * 12 + [1.1] * 8)
        self.assertEqual((found.word, found.holds, found.there), ("in part", 12, 20))
        self.assertIn("holds in 12 of 20", str(found))
        self.assertEqual(self.word("<= 1", [0.9] * 19 + [1.1]), "holds")
        self.assertEqual(self.word("<= 1", [1.1] * 19 + [0.9]), "does not hold")

    def test_are_not_judged_by_a_part(self):
        found = claims.judge(self.claim("<= 1"), [0.9, None, math.nan])
        self.assertEqual((found.word, found.there, found.wanted), ("not measured", 1, 3))
        self.assertIn("1 of 3 measured", str(found))
        self.assertEqual(self.word("<= 1", []), "not measured")

    def test_are_complete(self):
        known, inputs = claims.load()
        self.assertGreater(len(known), 300)
        self.assertEqual({each.study for each in known.values()} - set(catalogue.STUDIES), set())
        used = {name for each in known.values() for name in each.inputs}
        self.assertEqual(used, set(inputs), "each input is one of a claim")
        for name, one in inputs.items():
            self.assertEqual("to" in one, one["origin"] in ("fitted", "chosen"), name)
        for table, numbers in (("000_table2_seconds_32_nodes", 66), ("000_table1_counts", 14)):
            name = "_".join(table.split("_")[:2])
            self.assertEqual(sum(each.startswith(f"{name}[") for each in known), numbers)

    def test_that_are_not_in_the_list_cannot_be_measured(self):
        known, _ = claims.load()
        with tempfile.TemporaryDirectory() as folder:
            report = Report("000_table2", "question", folder, known)
            with self.assertRaises(KeyError):
                report.measured("000_table2.mine", 1)


if __name__ == "__main__":
    unittest.main()
