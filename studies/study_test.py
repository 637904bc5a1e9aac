# SPDX-License-Identifier: Apache-2.0
"""The harness of the studies, on a machine that only pretends."""

import contextlib
import io
import math
import os
import pathlib
import stat
import tempfile
import unittest

import pandas

import s003
import study
from harness import runs
from harness.matrix import Options, cell
from harness.report import Report, beside, paper_table, spearman

# Writes what `terrane run --stats json` would: Rand is fastest, Minima slow, Snd loses messages.
PRETENDER = """#!/bin/sh
echo run >> "$(dirname "$0")/calls"
case "$*" in *'broken fib --help'*) echo 'terrane: it broke' >&2; exit 2;; esac
case "$*" in *nap*) sleep 5;; *broken*) echo 'terrane: it broke' >&2; exit 122;; esac
seconds=2; overflows=0; per='[{"node":0,"run_seconds":1.0,"balance_seconds":0.1,
"poll_seconds":0.1,"switch_seconds":0.1,"idle_seconds":0.1}]'
case "$*" in *moves*)
  printf 'push,latency_us,2\\npush,overhead_us,1\\npush,per_second,9\\nsteal,latency_us,3\\n'
  printf 'two sources,per_second,18\\n';;
*grep\\ -t*) printf 'a/b.c:4000.5:local\\nb/c.c:9000.5:remote\\n';; esac
case "$*" in *--balancer\\ rand*) seconds=1;; *--balancer\\ minima*) seconds=20;;
*--balancer\\ snd*) overflows=3;; esac
printf '{"elapsed_seconds":%s,"tokens_generated":9916,"fibers_executed":24791,' $seconds >&2
printf '"interface_overflows":%s,"per_processor":%s}\\n' $overflows "$(echo $per)" >&2
"""


class Pretended(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.binary = self.folder / "terrane"
        self.binary.write_text(PRETENDER)
        self.binary.chmod(self.binary.stat().st_mode | stat.S_IXUSR)
        (self.folder / "queens").write_text("build 1")
        real, runs.TERRANE = runs.TERRANE, self.binary
        self.addCleanup(setattr, runs, "TERRANE", real)

    def calls(self):
        file = self.folder / "calls"
        return len(file.read_text().split()) if file.exists() else 0

    def runner(self, **options):
        return runs.Runner(self.folder / "runs", show=io.StringIO(), **options)


class Threads(unittest.TestCase):
    def found(self, us):
        real, s003.measured = s003.measured, lambda rounds: us
        self.addCleanup(setattr, s003, "measured", real)
        with tempfile.TemporaryDirectory() as folder:
            report = Report("003_table2", "question", folder, "label")
            s003.table2(report, None, Options())
            return report.finish()

    def test_are_compared_with_the_paper_and_with_others(self):
        rows = ["null thread", "context switch", "uncontested mutex", "mutex ping-pong"]
        text = self.found(pandas.DataFrame({"terrane": [0.04, 0.012, 0.005, 0.07],
                                            "other": [0.1, 0.03, 0.02, 0.10]}, index=rows))
        self.assertIn("holds          the operations cost less than on the paper's", text)
        self.assertIn("3.33 here, 2.40 to 3.29 there", text)
        self.assertIn("DOES NOT HOLD  a thread is made, run and ended in few switches", text)
        self.assertIn("DOES NOT HOLD  each is at least twice as fast", text)
        self.assertIn("mutex ping-pong 1.43 x", text)

    def test_that_cannot_be_measured_say_why(self):
        self.assertIn("not measurable the operations cost less than on the paper's machines: "
                      "no compiler", self.found("no compiler"))

    def test_hand_overs_count_both_ways(self):
        with tempfile.TemporaryDirectory() as folder:
            bench = pathlib.Path(folder) / "run"
            bench.write_text("print('library,operation,ns_min,ns_median\\n"
                             "terrane,null thread,39,40\\ngo,null thread,390,400\\n"
                             "terrane,mutex ping-pong,29,30\\nx: 2.0 x, 2.1 x')")
            real, s003.BENCH = s003.BENCH, bench
            self.addCleanup(setattr, s003, "BENCH", real)
            us = s003.measured(1)
        self.assertEqual(us.loc["null thread", "go"], 0.4)
        self.assertEqual(us.loc["mutex ping-pong", "terrane"], 0.06)


class Runs(Pretended):
    def test_are_made_once_and_kept(self):
        wanted = [runs.Run("queens 12 4", 32, "rand", seed) for seed in (1, 2, 1)]
        found = self.runner().all(wanted)
        self.assertEqual((len(found), self.calls()), (2, 2))
        self.assertEqual(found[wanted[0]]["elapsed_seconds"], 1)
        self.runner().all(wanted)
        self.assertEqual(self.calls(), 2, "what an earlier study made is not made again")

    def test_are_made_again_for_another_build_or_other_options(self):
        run = runs.Run("queens 12 4", 32, "rand")
        self.runner().all([run])
        (self.folder / "queens").write_text("build 2")
        self.runner().all([run])
        self.assertEqual(self.calls(), 2)
        self.runner().all([runs.Run("queens 12 4", 32, "rand", network="zero")])
        self.assertEqual(self.calls(), 3)
        network = self.folder / "mine.net"
        for latency in (1, 1, 2):
            network.write_text(f"latency_ns = {latency}")
            self.runner().all([runs.Run("queens 12 4", 32, "rand", network=str(network))])
        self.assertEqual(self.calls(), 5, "a file's contents count, not its name")

    def test_that_fail_say_why_and_the_others_go_on(self):
        good, bad = runs.Run("queens 12 4", 2, "rand"), runs.Run("broken 1", 2, "rand")
        found = self.runner().all([good, bad])
        self.assertIn("it broke", found[bad]["failed"])
        self.assertEqual(found[good]["elapsed_seconds"], 1)

    def test_that_do_not_end_have_no_result_and_are_tried_again(self):
        nap = runs.Run("nap", 2, "rand")
        for _ in range(2):
            self.assertIn("no end", self.runner(limit_s=0.2).all([nap])[nap]["failed"])
        self.assertEqual(self.calls(), 2)


class Cells(unittest.TestCase):
    def test_are_means_or_of_or_missing(self):
        self.assertEqual(cell([{"elapsed_seconds": 1}, {"elapsed_seconds": 3}]), 2)
        self.assertEqual(cell([{"elapsed_seconds": 1, "interface_overflows": 2}]), "OF")
        self.assertTrue(math.isnan(cell([{"failed": "so"}, {"elapsed_seconds": 1}])))


class Reports(unittest.TestCase):
    def test_print_ours_beside_the_papers(self):
        ours = pandas.DataFrame({"Rand": [0.5, "OF"]}, index=["a", "b"], dtype=object)
        paper = pandas.DataFrame({"Rand": [0.25]}, index=["a"])
        self.assertEqual(list(beside(ours, paper, 3)["Rand"]), ["0.5 / 0.25", "OF / -"])

    def test_rank_correlation(self):
        one = pandas.Series([1, 2, 3, "OF"], index=list("abcd"))
        self.assertAlmostEqual(spearman(one, pandas.Series([9, 8, 7, 1], index=list("abcd"))), -1)
        self.assertTrue(math.isnan(spearman(one[:2], one[:2])))

    def test_write_table_figure_and_verdicts(self):
        with tempfile.TemporaryDirectory() as folder:
            report = Report("x", "why?", folder, "SIMULATED")
            with report.figure() as axes:
                axes.plot([1, 2])
            report.csv(pandas.DataFrame({"a": [1]}))
            report.verdict("sure", True, "1 of 1")
            report.verdict("no", False, "0 of 1")
            report.verdict("who knows", None, "nothing printed")
            text = report.finish()
            for each in ("SIMULATED", "holds", "DOES NOT HOLD", "not measurable"):
                self.assertIn(each, text)
            self.assertEqual(sorted(os.listdir(folder)), ["x.csv", "x.png", "x.svg", "x.txt"])

    def test_the_papers_tables_can_be_read(self):
        for name in ("table1_counts", "table2_seconds_32_nodes", "table3_normalised",
                     "table4_vs_minima_32_nodes", "table5_speedup_use_32_nodes"):
            self.assertGreater(len(paper_table(f"000_{name}")), 6)


class Studies(Pretended):
    def run_study(self, *words):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            code = study.main([*words, "--out", str(self.folder / "out")])
        return code, out.getvalue()

    def test_are_listed_with_their_questions(self):
        code, text = self.run_study("list")
        self.assertEqual(code, 0)
        for name in study.STUDIES:
            self.assertRegex(text, rf"(?m)^{name} +\S")

    def test_of_another_name_are_refused(self):
        with self.assertRaises(SystemExit) as refused, contextlib.redirect_stderr(io.StringIO()):
            study.main(["000_table9"])
        self.assertEqual(refused.exception.code, 2)

    def test_nonsense_is_refused_at_once_in_one_sentence(self):
        for words, part in ((["000_table2", "--bogus"], "--bogus"), (["--seeds", "x"], "'x'"),
                            (["--seeds", "0"], "--seeds"), (["all", "more"], "more"),
                            (["000_table2", "--balancer", "broken"], "terrane: it broke")):
            with self.subTest(words=words), contextlib.redirect_stderr(io.StringIO()) as said:
                with self.assertRaises(SystemExit) as refused:
                    study.main(words)
                self.assertEqual(refused.exception.code, 2)
                self.assertRegex(said.getvalue(), r"\Aterrane: [^\n]+\n\Z")
                self.assertIn(part, said.getvalue())
                self.assertFalse((self.folder / "runs").exists())

    def test_a_papers_number_stands_for_all_of_its_studies(self):
        self.assertIn("000_fig7", study.chosen("000"))
        self.assertNotIn("adaptive", study.chosen("000"))
        self.assertEqual(study.chosen("000_table2"), ["000_table2"])
        self.assertEqual(study.chosen("all"), list(study.STUDIES))
        self.assertEqual(study.chosen("00"), [])

    def test_each_comes_to_its_verdicts(self):
        self.addCleanup(setattr, s003, "measured", s003.measured)
        s003.measured = lambda rounds: "no compiler"  # it measures, whatever command pretends
        for name in study.STUDIES:
            with self.subTest(name=name):
                code, text = self.run_study(name, "--quick")
                self.assertEqual(code, 0)
                self.assertRegex(text, "SIMULATED|measured on this machine")
                self.assertRegex(text, "(?m)^(holds|DOES NOT HOLD|not measurable)")

    def test_an_overflow_is_in_the_table_and_a_balancer_of_ones_own_beside(self):
        _, text = self.run_study("000_table2", "--quick", "--balancer", "./mine.so")
        self.assertIn("OF /", text)
        self.assertIn("mine.so", text)


if __name__ == "__main__":
    unittest.main()
