# SPDX-License-Identifier: Apache-2.0
"""report_test.py: the page of a report: what is in it, and what a browser makes of it."""

import html
import json
import pathlib
import re
import shutil
import subprocess

from command import CommandTest, terrane
from report_page import data_of

PAGE_BYTES_MAX = 400_000  # beside the data
CHROMIUM = shutil.which("chromium")


class Report(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.make_folder()
        cls.page = cls.folder / "run.html"
        done = terrane("run", "--world", "sim", "--nodes", "6", "--report", str(cls.page),
                       "--stats", "json", "queens", "11", "5")
        assert done.code == 0, done.err
        cls.statistics = json.loads(done.err.strip().split("\n")[-1])
        cls.text = cls.page.read_text()
        cls.data = data_of(cls.text)

    def test_one_file_asks_nobody_for_anything(self):
        around = self.text.replace(json.dumps(self.data), "")
        self.assertLess(len(self.text) - len(re.search(
            r'type="application/json">(.*?)</script>', self.text, re.DOTALL).group(1)),
            PAGE_BYTES_MAX)
        addresses = set(re.findall(r"https?://[^\s\"'`<>]+", around))
        self.assertLessEqual(addresses, {"http://www.w3.org/2000/svg"})
        self.assertNotRegex(self.text,
                            r"<script[^>]+src=|<link[^>]+href=\"(?!data:)|@import|fetch\(")

    def test_agrees_with_the_statistics(self):
        self.assertEqual(len(self.data["lanes"]), 6)
        elapsed = self.statistics["elapsed_seconds"]
        for lane, said in zip(self.data["lanes"], self.statistics["per_processor"]):
            seconds = dict(zip(self.data["shares"], lane["seconds"]))
            # Node 0 ends the run. Statistics of others go on until they learn of it.
            most = 2e-9 if said["processor"] == 0 else 0.01 * elapsed
            for name in "balance", "poll", "idle":
                self.assertAlmostEqual(seconds[name], said[f"{name}_seconds"], delta=most)
            self.assertAlmostEqual(seconds["run"] + seconds["other"],
                                   said["run_seconds"] + said["switch_seconds"], delta=most)

    def test_causes_add_up_to_the_idle_time(self):
        idle = sum(dict(zip(self.data["shares"], lane["seconds"]))["idle"]
                   for lane in self.data["lanes"])
        causes = sum(self.data["idle"]["all"])
        self.assertGreater(idle, 0)
        self.assertAlmostEqual(causes, idle, delta=1e-3 * idle)
        for node, by_cause in enumerate(self.data["idle"]["nodes"]):
            lanes = [lane for lane in self.data["lanes"] if lane["node"] == node]
            self.assertAlmostEqual(sum(by_cause), sum(
                dict(zip(self.data["shares"], lane["seconds"]))["idle"] for lane in lanes),
                delta=1e-3 * idle)

    def test_the_critical_path_has_each_moment_once(self):
        path = self.data["path"]
        self.assertEqual(path["why_not"], "")
        self.assertAlmostEqual(sum(path["ns"]), self.statistics["elapsed_seconds"] * 1e9,
                               delta=1e-3 * sum(path["ns"]))
        unknown = path["ns"][path["parts"].index("not known")]
        self.assertLess(unknown, 0.05 * sum(path["ns"]))
        self.assertLessEqual(path["span"], sum(path["ns"]))
        run = sum(dict(zip(self.data["shares"], lane["seconds"]))["run"]
                  for lane in self.data["lanes"])
        self.assertAlmostEqual(path["work"] * 1e-9, run, delta=1e-3 * run)

    def test_span_and_work_are_those_of_the_graph(self):
        visit = 400 * 0.25  # ns, of one node of knary

        def span(levels, branching, serial):
            if levels == 1:
                return visit
            one = span(levels - 1, branching, serial)
            return visit + serial * one + (one if branching > serial else 0)

        for n, k, r in (4, 3, 1), (5, 2, 0), (4, 3, 3):
            for nodes in "1", "7":
                page = self.folder / "knary.html"
                done = terrane("run", "--world", "sim", "--network", "zero", "--nodes", nodes,
                               "--report", str(page), "knary", str(n), str(k), str(r))
                self.assertEqual(done.code, 0, done.err)
                path = data_of(page.read_text())["path"]
                self.assertEqual(path["span"], span(n, k, r), (n, k, r, nodes))
                self.assertEqual(path["work"], visit * (k ** n - 1) / (k - 1), (n, k, r, nodes))

    def test_the_shares_of_each_moment_fit_into_it(self):
        for lane in self.data["lanes"]:
            for shares in lane["bins"]:
                self.assertLessEqual(sum(shares), 1005)

    def test_a_browser_shows_every_part_and_says_nothing(self):
        if not CHROMIUM:
            self.skipTest("there is no chromium")
        picture = self.folder / "run.png"
        done = subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
             "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={self.folder}/profile",
             "--window-size=1366,768", "--virtual-time-budget=4000", "--dump-dom",
             self.page.as_uri()], capture_output=True, text=True, timeout=100, check=True)
        self.assertNotIn("CONSOLE", done.stderr)
        parts = re.findall(r'<section id="(\w+)"', done.stdout)
        self.assertEqual(parts, ["split", "findings", "heat", "timeline", "path", "idle",
                                 "decisions", "histograms", "messages", "moves"])
        self.assertEqual(len(re.findall(r"<canvas", done.stdout)), 8)
        self.assertIn(html.escape(self.data["command"]), done.stdout)
        subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu",
             f"--user-data-dir={self.folder}/profile", "--window-size=1366,3000",
             "--virtual-time-budget=4000", f"--screenshot={picture}", self.page.as_uri()],
            capture_output=True, timeout=100, check=True)
        self.assertGreater(picture.stat().st_size, 30_000)

    def test_of_a_trace_and_its_misuse(self):
        trace = str(self.page) + ".trace"
        self.assertEqual(terrane("report", trace).code, 0)
        self.assertTrue(pathlib.Path(trace + ".html").exists())
        self.assertEqual(data_of(terrane("report", trace, "-o", "-").out)["nodes"], 6)
        self.assert_refused(terrane("report"), "needs a trace")
        self.assert_refused(terrane("report", "/nowhere"), "No such file")
        self.assert_refused(terrane("report", trace, "x"), "not also 'x'")
