# SPDX-License-Identifier: Apache-2.0
"""browser_test.py: the page of a report and the live page, as a reader uses them.

Headless Chromium; skipped where there is none. TERRANE_PICTURES=FOLDER keeps pictures of the pages.
"""

import base64
import csv
import json
import os
import pathlib
import re
import shlex
import subprocess
import time
import unittest
import xml.etree.ElementTree

from browser import CHROMIUM, Browser
from command import FIB, TERRANE, CommandTest, surroundings, terrane
from report_page import data_of

PARTS = ["split", "findings", "heat", "timeline", "path", "idle", "decisions", "histograms",
         "messages", "moves"]
FIGURES = [name for name in PARTS if name not in ("findings", "decisions")]
# What a figure saves is kept in `saved` instead of being downloaded.
KEEP = """window.saved = {};
URL.createObjectURL = blob => { saved.blob = blob; return "blob:kept"; };
HTMLAnchorElement.prototype.click = function () {
  const link = this;
  saved.text = link.href === "blob:kept" ? saved.blob.text() : Promise.resolve(link.href);
  saved.name = link.download;
};"""


class Page(CommandTest):
    @classmethod
    def setUpClass(cls):
        if not CHROMIUM:
            raise unittest.SkipTest("there is no chromium")
        cls.make_folder(prefix="terrane browser ")
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def keep_picture(self, name):
        path = pathlib.Path(os.environ.get("TERRANE_PICTURES", self.folder)) / f"{name}.png"
        self.browser.picture(path)
        self.assertGreater(path.stat().st_size, 10_000)
        return path

    def assert_quiet(self, *addresses):
        """The page asked for nothing but these, and nothing was said of it."""
        self.assertEqual([each for each in self.browser.asked_for()
                          if not each.startswith(addresses)], [])
        self.assertEqual(self.browser.said(), [])

    def text(self, selector):
        return self.browser.value(f"document.querySelector({json.dumps(selector)}).textContent")


class ReportInBrowser(Page):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.folder / "run.html"
        done = terrane("run", "--world", "sim", "--nodes", "6", "--report", str(cls.page),
                       "--stats", "json", "queens", "11", "5")
        assert done.code == 0, done.err
        cls.statistics = json.loads(done.err.strip().split("\n")[-1])
        cls.data = data_of(cls.page.read_text())

    def setUp(self):
        self.took = self.browser.open(self.page.as_uri())
        self.browser.value(KEEP)

    def saved(self, part, what):
        buttons = f"#{part} .tools button[aria-label^={what}]"
        self.browser.click(buttons)
        text = self.browser.value("saved.text")
        self.assertEqual(self.browser.value("saved.name"), f"{part}.{what.lower()}")
        return text

    def rows(self, part):
        return list(csv.DictReader(self.saved(part, "CSV").splitlines()))

    def test_every_part_is_there_and_the_page_is_quiet(self):
        self.assertLess(self.took, 30)  # 3 s on a quiet machine
        self.assertEqual(self.browser.value(
            "[...document.querySelectorAll('main > section')].map(s => s.id)"), PARTS)
        self.assertEqual(self.browser.value(
            "[...document.querySelectorAll('canvas')].every(c => c.width > 300 && c.height > 20"
            " && c.getAttribute('aria-label') && c.tabIndex === 0)"), True)
        self.assertLessEqual(self.browser.value("document.documentElement.scrollWidth"), 1366)
        for part in PARTS:  # each by its link
            self.browser.click(f"#contents a[href='#{part}']")
            top = self.browser.value(
                f"document.getElementById('{part}').getBoundingClientRect().top")
            self.assertLess(top, 768, part)
        self.keep_picture("report")
        self.assert_quiet(self.page.as_uri())

    def test_what_figures_save_are_the_numbers_of_the_run(self):
        elapsed = self.statistics["elapsed_seconds"]
        for row, said in zip(self.rows("split"), self.statistics["per_processor"], strict=True):
            # Node 0 ends the run; the statistics of others go on until they learn of it.
            most = 2e-9 if said["processor"] == 0 else 0.01 * elapsed
            for name in "balance", "poll", "idle":
                self.assertAlmostEqual(float(row[f"{name}_seconds"]), said[f"{name}_seconds"],
                                       delta=most)
            self.assertAlmostEqual(float(row["run_seconds"]) + float(row["other_seconds"]),
                                   said["run_seconds"] + said["switch_seconds"], delta=most)
        idle = self.rows("idle")
        self.assertAlmostEqual(sum(float(value) for row in idle for cause, value in row.items()
                                   if cause != "node"), sum(self.data["idle"]["all"]), delta=1e-6)
        messages = self.rows("messages")
        self.assertEqual(sum(int(row["messages"]) for row in messages),
                         sum(sum(pair[2]) for pair in self.data["traffic"]))
        self.assertEqual(sum(row["kind"] == "token" for row in self.rows("moves")),
                         self.statistics["tokens_moved"])
        path = self.rows("path")
        self.assertLessEqual(sum(int(row["ns"]) for row in path),
                             round(elapsed * 1e9) + 1)
        self.assertEqual(len(self.rows("timeline")),
                         sum(len(lane["slices"]) // 5 for lane in self.data["lanes"]))
        self.assertEqual({int(row["node"]) for row in self.rows("heat")}, set(range(6)))
        longest = max(self.data["histograms"], key=lambda each: each["count"])
        self.assertEqual(sum(int(row["count"]) for row in self.rows("histograms")
                             if row["what"] == longest["title"]), longest["count"])
        self.assert_quiet(self.page.as_uri())

    def test_every_figure_is_saved_as_a_picture(self):
        for part in FIGURES:
            drawn = xml.etree.ElementTree.fromstring(self.saved(part, "SVG"))
            self.assertEqual(drawn.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertEqual({each.tag.split("}")[1] for each in drawn.iter()} -
                             {"svg", "rect", "line", "text"}, set(), part)
            self.assertGreater(len(list(drawn)), 5, part)
            head, data = self.saved(part, "PNG").split(",")
            self.assertEqual(head, "data:image/png;base64")
            self.assertEqual(base64.b64decode(data)[:8], b"\x89PNG\r\n\x1a\n", part)
        self.assert_quiet(self.page.as_uri())

    def shown(self):
        """What the timeline says it shows: from, to, in seconds of the run."""
        return [float(each) for each in
                re.search(r"--from ([\d.e-]+) --to ([\d.e-]+)", self.text("#timeline")).groups()]

    def test_the_timeline_moves_by_keys_wheel_and_mouse(self):
        whole = self.shown()
        self.browser.value("document.getElementById('timeline-figure').focus()")
        self.browser.key("+", "+")
        zoomed = self.shown()
        self.assertAlmostEqual(zoomed[1] - zoomed[0], (whole[1] - whole[0]) / 2, delta=1e-6)
        self.browser.key("ArrowRight")
        right = self.shown()
        self.assertAlmostEqual(right[0] - zoomed[0], (zoomed[1] - zoomed[0]) / 5, delta=1e-6)
        self.browser.key("ArrowLeft")
        self.assertEqual(self.shown(), zoomed)
        self.browser.key("0", "0")
        self.assertEqual(self.shown(), whole)
        x, y = self.browser.place("#timeline-figure")
        self.browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-100)
        self.browser.next_frame()
        wheeled = self.shown()
        self.assertLess(wheeled[1] - wheeled[0], whole[1] - whole[0])
        self.browser.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.browser.mouse("mouseMoved", x - 200, y, button="left", buttons=1)
        self.browser.mouse("mouseReleased", x - 200, y, button="left", clickCount=1)
        self.browser.next_frame()
        self.assertGreater(self.shown()[0], wheeled[0])
        self.browser.move("#timeline-figure", 0.5, 0.1)
        self.assertRegex(self.text("#timeline .about"), r"processor \d+ of node \d")
        self.browser.click("#timeline input[type=search]")
        self.browser.call("Input.insertText", text="queens")
        self.browser.next_frame()
        self.assert_quiet(self.page.as_uri())

    def test_the_command_that_it_names_shows_these_events(self):
        self.browser.value("document.getElementById('timeline-figure').focus()")
        for _ in range(4):
            self.browser.key("+", "+")
        begin, end = self.shown()
        words = shlex.split(re.search(r"terrane (trace show .*)$", self.text("#timeline"))[1])
        self.assertEqual(words[2], str(self.page) + ".trace")  # there are spaces in it
        done = terrane(*words)
        self.assertEqual(done.code, 0, done.err)
        times = [float(each) for each in re.findall(r"^ *([\d.]+) s  ", done.out, re.MULTILINE)]
        self.assertGreater(len(times), 10)
        self.assertGreaterEqual(min(times), begin - 1e-6)
        self.assertLessEqual(max(times), end + 1e-6)

    def test_clicks_lead_to_the_moment_in_the_timeline(self):
        for part, x in ("heat", 0.8), ("path", 0.4):
            self.browser.value("document.getElementById('timeline-figure').focus()")
            self.browser.key("0", "0")
            whole = self.shown()
            self.browser.click(f"#{part}-figure", x, 0.2)
            begin, end = self.shown()
            self.assertLess(end - begin, 0.1 * (whole[1] - whole[0]))
        rows = "#idle .scroll tbody tr"
        begin, end, node, cause = self.data["idle"]["longest"][0]
        self.browser.click(rows)
        shown = self.shown()
        origin = self.data["begin"]
        self.assertAlmostEqual(shown[0], max(0, origin + begin - (end - begin) / 2) / 1e9,
                               delta=1e-6)
        self.browser.value(f"document.querySelectorAll('{rows}')[2].focus()")
        self.browser.key("Enter")
        self.assertNotEqual(self.shown(), shown)
        self.browser.move("#heat-figure", 0.6, 0.2)
        self.assertRegex(self.text("#heat .about"), r"node \d at .*run [\d.]+ %")
        self.assert_quiet(self.page.as_uri())

    def test_choices_change_what_is_shown(self):
        def choose(selector, value):
            return self.browser.value(
                f"(e => {{ e.value = {json.dumps(value)};"
                f"e.dispatchEvent(new Event('change')); e.dispatchEvent(new Event('input'));"
                f"return e.closest('section').querySelector('canvas').toDataURL(); }})"
                f"(document.querySelector({json.dumps(selector)}))")
        for selector, values in (("#heat select", ["0", "3", "10", "11"]),
                                 ("#histograms select", ["0", "1", "3"]),
                                 ("#messages select", ["2"]),
                                 ("#messages input", ["-1", "3", "9"])):
            pictures = {choose(selector, value) for value in values}
            self.assertEqual(len(pictures), len(values), selector)
        self.assertIn("from", self.text("#messages .tools"))
        everything = self.browser.value(
            "document.querySelectorAll('#decisions tbody tr').length")
        self.assertEqual(everything, min(500, len(self.data["decisions"])))
        self.browser.click("#decisions input[type=search]")
        self.browser.call("Input.insertText", text="token_given")
        found = self.browser.value("[...document.querySelectorAll('#decisions tbody tr')]"
                                   ".map(row => row.cells[2].textContent)")
        self.assertEqual(set(found), {"token_given"})
        self.browser.click("#decisions input[type=number]")
        self.browser.call("Input.insertText", text="0")
        self.assertEqual(set(self.browser.value(
            "[...document.querySelectorAll('#decisions tbody tr')]"
            ".map(row => row.cells[1].textContent)")), {"0"})
        self.assert_quiet(self.page.as_uri())

    def test_tables_say_what_the_data_says(self):
        cells = self.browser.value("[...document.querySelectorAll('#path table')][0].textContent")
        for name in self.data["path"]["parts"]:
            self.assertIn(name, cells)
        shown = self.browser.value("[...document.querySelectorAll('#idle table')][0]"
                                   ".tBodies[0].rows.length")
        self.assertEqual(shown, len(self.data["idle"]["causes"]) + 1)
        for says, cure in self.data["findings"]:
            self.assertIn(says, self.text("#findings"))
            self.assertIn(cure, self.text("#findings"))
        self.assertIn(self.data["command"], self.text("header"))

    def test_light_and_dark(self):
        brightness, drawn = {}, set()
        for name in "light", "dark":
            self.browser.theme(name)
            self.keep_picture("report_" + name)
            back = self.browser.value("getComputedStyle(document.body).backgroundColor")
            brightness[name] = sum(int(each) for each in re.findall(r"\d+", back)[:3])
            drawn.add(self.browser.value("document.querySelector('canvas').toDataURL()"))
        self.browser.theme("light")
        self.assertGreater(brightness["light"], 700)
        self.assertLess(brightness["dark"], 150)
        self.assertEqual(len(drawn), 2)
        self.assert_quiet(self.page.as_uri())

    def test_names_are_shown_as_text(self):
        evil = "<img src=x onerror=console.log(1)>"
        program, page = self.folder / evil, self.folder / "evil.html"
        program.write_bytes(FIB.read_bytes())
        program.chmod(0o755)
        done = terrane("run", "--world", "sim", "--nodes", "2", "--report", str(page), str(program),
                       "5")
        self.assertEqual(done.code, 0, done.err)
        self.browser.open(page.as_uri())
        self.assertIn(evil, self.text("h1"))
        self.assertEqual(self.browser.value("document.images.length"), 0)
        self.assert_quiet(page.as_uri())


class LiveInBrowser(Page):
    def test_the_live_page_shows_the_run_until_it_ends(self):
        run = subprocess.Popen([TERRANE, "run", "--nodes", "2", "--processors", "1", "--enough",
                                "all", "--live", "0", "--metrics", "rq-length,cpu-time", "fib",
                                "60"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, env=surroundings())

        def end():
            run.kill()
            run.communicate(timeout=60)
        self.addCleanup(end)
        link = re.search(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/",
                         run.stderr.readline().decode())[0]
        self.browser.open(link)
        until = time.monotonic() + 60
        states = set()
        while len(states) < 4:  # one a second
            self.assertLess(time.monotonic(), until)
            states.add(self.text("#state"))
            time.sleep(0.2)
        rows = self.browser.value("[...document.querySelectorAll('#nodes tr')]"
                                  ".map(row => [...row.cells].map(cell => cell.textContent))")
        self.assertEqual([row[0] for row in rows], ["0", "1"])
        self.assertGreater(sum(int(row[3]) for row in rows), 1000)  # tokens a second
        for row in rows:
            self.assertIn("rq-length", row[5])
        for told in self.browser.value("[...document.querySelectorAll('#nodes td.bar')]"
                                       ".map(cell => cell.getAttribute('aria-label'))"):
            shares = [int(each) for each in re.findall(r"(\d+) %", told)]
            self.assertEqual(len(shares), 4)
            self.assertAlmostEqual(sum(shares), 100, delta=2)
        lengths = self.browser.value("[...document.querySelectorAll('#lengths tr')]"
                                     ".map(row => Number(row.cells[1].textContent))")
        self.assertGreater(sum(lengths), 0)
        self.assertIn("fib 60", self.text("#words"))
        self.keep_picture("live")
        self.assert_quiet(link)
        asked = len(self.browser.asked_for())
        run.terminate()
        while "the run has ended" not in self.text("#state"):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.2)
        time.sleep(2.5)
        self.assertLessEqual(len(self.browser.asked_for()), asked + 2)  # then it asks no more
