# SPDX-License-Identifier: Apache-2.0
"""The harness of the studies, on a machine that only pretends."""

import contextlib
import dataclasses
import io
import json
import math
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

import pandas

import catalogue
import s000_sensitivity
import s002_more
import s003
import s003_moves
import study
from harness import claims, runs
from harness.report import Report, beside, paper_table
from harness.spread import spearman

# Writes what `terrane run --stats json` would: Rand is fastest, Minima slow, Snd loses messages.
PRETENDER = """#!/bin/sh
echo run >> "$(dirname "$0")/calls"
case "$*" in *'broken fib --help'*) echo 'terrane: it broke' >&2; exit 2;; esac
case "$*" in *nap*) sleep 5;; *broken*) echo 'terrane: it broke' >&2; exit 122;; esac
seconds=2; overflows=0; repeatable=true
per='[{"node":0,"run_seconds":1.0,"balance_seconds":0.1,
"poll_seconds":0.2,"switch_seconds":0.1,"idle_seconds":0.1},
{"node":1,"run_seconds":1.1,"balance_seconds":0.1,
"poll_seconds":0.2,"switch_seconds":0.1,"idle_seconds":0.1}]'
case "$*" in *moves*)
  printf 'push,latency_us,2\\npush,overhead_us,1\\npush,per_second,9\\nsteal,latency_us,3\\n'
  printf 'two sources,per_second,18\\n';;
*grep\\ -t*) printf 'a/b.c:4000.5:local\\nb/c.c:9000.5:remote\\n';; esac
case "$*" in *--balancer\\ rand*) seconds=1;; *--balancer\\ minima*) seconds=20;;
*--balancer\\ snd*) overflows=3;; esac
case "$*" in *loose*) repeatable=false;; *\\ 0\\ 1000\\ *)  # jacobi without iterations
  seconds=0.5; per='[{"node":0,"run_seconds":0.1},{"node":1,"run_seconds":0.1}]';;
*pic*) printf 'pic(1024, 32, 10) = 0, kinetic 1.0, sends 30, receives 40\\n';; esac
printf '{"elapsed_seconds":%s,"tokens_generated":9916,"fibers_executed":24791,' $seconds >&2
printf '"repeatable":%s,"interface_overflows":%s,"per_processor":%s}\\n' \\
  $repeatable $overflows "$(echo $per)" >&2
"""


class Pretended(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.binary = self.folder / "terrane"
        self.binary.write_text(PRETENDER)
        self.binary.chmod(self.binary.stat().st_mode | stat.S_IXUSR)
        for name in {each for one in catalogue.STUDIES.values() for each in one.programs}:
            (self.folder / name).write_text("build 1")
        real, runs.TERRANE = runs.TERRANE, self.binary
        self.addCleanup(setattr, runs, "TERRANE", real)

    def calls(self):
        file = self.folder / "calls"
        return len(file.read_text().split()) if file.exists() else 0

    def runner(self, **options):
        return runs.Runner(self.folder / "runs", show=io.StringIO(), **options)


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

    def test_that_are_measured_are_never_kept(self):
        for run in (runs.Run("queens 12 4", 2, "rand", world="local"),
                    runs.Run("loose 1", 2, "rand")):
            before = self.calls()
            for _ in range(2):
                self.runner().all([run])
            self.assertEqual(self.calls() - before, 2, run.program)

    def test_say_themselves_whether_they_are_simulated_and_repeat(self):
        found = self.runner().all([runs.Run("queens 12 4", 2, "rand"), runs.Run("loose 1", 2)])
        self.assertIn("SIMULATED, network sp2", runs.label_of(found))
        self.assertIn("NOT REPEATABLE: 1 of 2 runs", runs.label_of(found))
        local = self.runner().all([runs.Run("queens 12 4", 2, world="shm")])
        self.assertEqual(runs.label_of(local), "MEASURED on this machine, world shm; 1 seed")


class Reports(unittest.TestCase):
    def test_print_ours_beside_the_papers(self):
        ours = pandas.DataFrame({"Rand": [0.5, "OF"]}, index=["a", "b"], dtype=object)
        paper = pandas.DataFrame({"Rand": [0.25]}, index=["a"])
        self.assertEqual(list(beside(ours, paper, 3)["Rand"]), ["0.5 / 0.25", "OF / -"])

    def test_rank_correlation(self):
        nan = math.nan
        self.assertAlmostEqual(spearman([1, 2, 3, nan], [9, 8, 7, 1]), -1)
        self.assertAlmostEqual(spearman([1, 2, 2, 3], [1, 3, 3, 4]), 1)
        self.assertTrue(math.isnan(spearman([1, 2], [1, 2])))

    def test_write_table_figure_and_verdicts(self):
        claim = claims.Claim("x.sure", "x", "place", "quote", "it is sure", "== 1", "why")
        silent = dataclasses.replace(claim, name="x.silent")
        with tempfile.TemporaryDirectory() as folder:
            report = Report("x", "why?", folder, {"a": claim, "b": silent})
            with report.figure() as axes:
                axes.plot([1, 2])
            report.csv(pandas.DataFrame({"a": [1]}))
            report.measured("x.sure", True)
            text, verdicts = report.finish()
            self.assertIn("holds         x.sure: it is sure == 1", text)
            self.assertEqual([each.word for each in verdicts], ["holds", "not measured"])
            self.assertEqual(sorted(os.listdir(folder)),
                             ["x.csv", "x.png", "x.svg", "x.txt", "x.verdicts.json"])

    def test_what_a_picture_says_comes_from_its_data(self):
        with tempfile.TemporaryDirectory() as folder:
            runner = runs.Runner(folder, show=io.StringIO())
            local, sim = runs.Run("a", world="shm"), runs.Run("a")
            runner.made = {local: {"elapsed_seconds": 1}, sim: {"elapsed_seconds": 1}}
            report = Report("x", "why?", folder, {}, runner)
            for part, run in (("_here", local), ("_there", sim)):
                with report.figure(part, runs=[run]) as axes:
                    axes.plot([1, 2])
            here = (pathlib.Path(folder) / "x_here.svg").read_text()
            there = (pathlib.Path(folder) / "x_there.svg").read_text()
        self.assertIn("MEASURED on this machine", here)
        self.assertNotIn("SIMULATED", here)
        self.assertIn("SIMULATED, network sp2", there)

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
        self.no_compiler()
        for name in study.STUDIES:
            with self.subTest(name=name):
                code, text = self.run_study(name, "--quick")
                self.assertRegex(text, "SIMULATED|MEASURED on this machine")
                self.assertNotIn("did not come to it", text)
                if name not in ("003_table2", "003_fig4", "000_fig2", "000_fig3",
                                "001_fig6", "002_polling") and not name.startswith("004"):
                    self.assertEqual(code, 0, text)

    def test_each_measures_every_claim_of_the_papers_sizes(self):
        self.no_compiler()
        for name in study.STUDIES:
            with self.subTest(name=name):
                _, text = self.run_study(name, "--seeds", "2")
                self.assertNotIn("did not come to it", text)

    def test_each_runs_only_programs_that_it_names(self):
        self.no_compiler()
        for name, one in study.STUDIES.items():
            Seen.programs = set()
            real, runs.Runner = runs.Runner, Seen
            try:
                self.run_study(name, "--quick")
            finally:
                runs.Runner = real
            self.assertLessEqual(Seen.programs, set(one.programs), name)

    def test_a_program_that_is_not_there_leaves_nothing_judged(self):
        self.no_compiler()
        for name, one in study.STUDIES.items():
            for lacking in one.programs[:1]:
                with self.subTest(name=name, lacking=lacking):
                    (self.folder / lacking).rename(self.folder / "away")
                    code, text = self.run_study(name, "--seeds", "1")
                    (self.folder / "away").rename(self.folder / lacking)
                    if "not measured" in text or any(
                            each.study == name for each in claims.load()[0].values()):
                        self.assertEqual(code, 1)
                        self.assertIn(f"{lacking} not beside", text)
                        self.assertNotRegex(text, "(?m)^(holds|does not hold|in part)")

    def test_a_run_that_fails_leaves_its_claims_unmeasured(self):
        self.binary.write_text(PRETENDER.replace("case \"$*\" in *nap*)",
                                                 "case \"$*\" in *tsp*) exit 3;; *nap*)"))
        for name in ("000_table1", "000_table2", "000_table3", "000_table4", "000_table5"):
            with self.subTest(name=name):
                code, text = self.run_study(name, "--seeds", "2")
                self.assertEqual(code, 1)
                self.assertIn("not measured", text)
                self.assertNotRegex(text, "(?m)^(holds|does not hold|in part)")

    def test_an_overflow_is_in_the_table_and_a_balancer_of_ones_own_beside(self):
        _, text = self.run_study("000_table2", "--quick", "--balancer", "./mine.so")
        self.assertIn("OF", text)
        self.assertIn("mine.so", text)

    def test_small_programs_do_not_stand_beside_the_papers_seconds(self):
        _, text = self.run_study("000_table2", "--quick")
        self.assertNotIn("the paper's; -", text)
        self.assertIn("not asked", text)

    def test_an_archive_makes_the_same_report_without_a_run(self):
        kept = self.folder / "kept"
        _, first = self.run_study("000_table4", "--seeds", "2", "--archive", str(kept))
        calls = self.calls()
        _, again = self.run_study("000_table4", "--seeds", "2", "--from", str(kept))
        self.assertEqual(first, again)
        self.assertEqual(self.calls(), calls)
        for name in ("runs.json", "claims.toml", "versions.json", "000_table4.txt"):
            self.assertTrue((kept / name).is_file(), name)
        self.assertEqual(json.loads((kept / "studies.json").read_text()), {"000_table4": {
            "seeds": 2, "command": "terrane study 000_table4 --seeds 2"}})

    def test_lists_need_nothing_but_python(self):
        hidden = self.folder / "hidden"
        hidden.mkdir()
        for name in ("pandas", "matplotlib"):
            (hidden / f"{name}.py").write_text("raise ImportError(name)")
        for words in (("list",), ("claims", "000_table2")):
            done = subprocess.run([sys.executable, study.__file__, *words], text=True,
                                  capture_output=True, check=False,
                                  env={**os.environ, "PYTHONPATH": str(hidden)})
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_claims_are_listed_with_their_verdicts(self):
        self.run_study("000_fig6", "--quick", "--seeds", "2")
        _, text = self.run_study("claims", "000")
        self.assertIn("000_fig6.snd_spends_more", text)
        self.assertIn("not asked", text)
        self.assertIn("not made yet", text)
        self.assertRegex(text, "input snd_threshold: .*; fitted")

    def no_compiler(self):
        """003_table2 and 002_polling measure, and 003_fig4 repeats, whatever command pretends."""
        for module, name, instead in ((s003, "measured", lambda rounds: "no compiler"),
                                      (s002_more, "measured", lambda rounds: "no compiler"),
                                      (s000_sensitivity, "POINTS", 2),
                                      (s000_sensitivity, "QUICK_POINTS", 2),
                                      (s003_moves, "MOST_REPEATS", 3)):
            self.addCleanup(setattr, module, name, getattr(module, name))
            setattr(module, name, instead)


class Seen(runs.Runner):
    """Remembers what was run."""
    programs = set()

    def all(self, wanted, jobs=None):
        wanted = list(wanted)
        Seen.programs |= {run.program[0] for run in wanted}
        return super().all(wanted, jobs)


if __name__ == "__main__":
    unittest.main()
