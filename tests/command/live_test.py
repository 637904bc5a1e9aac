# SPDX-License-Identifier: Apache-2.0
"""live_test.py: what one asks a run while it goes on: top, dump, trace on and off."""

import json
import os
import pathlib
import re
import stat
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from command import TERRANE, CommandTest, surroundings, terrane

WAITING = pathlib.Path(os.environ["TERRANE_WAITING"]).resolve()


class Live(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        os.chmod(self.folder, 0o700)
        self.variables = {"XDG_RUNTIME_DIR": str(self.folder)}

    def start(self, *words, processes=1, program="fib", arguments=("60",)):
        """Starts a run that lasts until the test ends it, and waits until it can be asked."""
        left = set(self.sockets())  # by runs that were killed
        run = subprocess.Popen([TERRANE, "run", "--quiet", *words, program, *arguments],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, env=surroundings(**self.variables))

        def end():
            run.terminate()
            run.communicate(timeout=60)
        self.addCleanup(end)
        until = time.monotonic() + 30
        while len(set(self.sockets()) - left) < processes:
            self.assertIsNone(run.poll(), "the run has ended")
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)
        return run

    def sockets(self):
        return list((self.folder / "terrane").glob("*.sock"))

    def ask(self, *words):
        return terrane(*words, variables=self.variables)

    def test_top_shows_the_nodes_of_a_run_without_options(self):
        for world, processes in ("local", 1), ("shm", 2), ("tcp", 2):
            with self.subTest(world=world):
                run = self.start("--world", world, "--nodes", "2", "--processors", "1",
                                 "--enough", "all", processes=processes)
                time.sleep(0.2)
                done = self.ask("top", "--once")
                if run.poll() is not None:
                    self.fail(f"the run has ended: {run.stderr.read().decode()}")
                self.assert_printed(done, "fib 60", f"world {world}", "longest fibers: ")
                rows = re.findall(r"^ +([01]) +\d/1 +([\d.]+)% +([\d.]+)% +([\d.]+)% +([\d.]+)% "
                                  r"+(\d+) +\d+$", done.out, re.MULTILINE)
                self.assertEqual([row[0] for row in rows], ["0", "1"], done.out)
                run.terminate()
                run.communicate(timeout=60)
                for row in rows:
                    self.assertAlmostEqual(sum(float(each) for each in row[1:5]), 100, delta=0.3)
                self.assertGreater(sum(int(row[5]) for row in rows), 1000)

    def test_ps_lists_runs(self):
        self.assert_printed(self.ask("ps"), "no run of yours goes on")
        first = self.start("--nodes", "2", "--processors", "1")
        second = self.start("--world", "shm", "--nodes", "2", "--processors", "1", processes=2)
        done = self.ask("ps")
        rows = re.findall(r"^ *(\d+) +[\d.]+ s +(\w+) +(\d) +(\d) +([\d.]+)%  (.*)$", done.out,
                          re.MULTILINE)
        self.assertEqual(sorted(row[:4] + row[5:] for row in rows), sorted(
            (str(run.pid), world, "2", "2", "fib 60")
            for run, world in ((first, "local"), (second, "shm"))), done.out)
        for row in rows:
            self.assertGreater(float(row[4]), 0)

    def test_ps_says_what_threads_wait_for(self):
        for world, processes in ("local", 1), ("shm", 2):
            with self.subTest(world=world):
                run = self.start("--world", world, "--nodes", "2", "--processors", "1",
                                 processes=processes, program=WAITING, arguments=())
                self.assertEqual(run.stderr.readline(), b"all wait\n")
                done = self.ask("ps", str(run.pid))
                self.assertEqual(done.code, 0, done.err)
                for says in (r"node 0, processor 0: thread giver waits for the receiver of channel "
                             r"(<0,\d+>)\n  it sends on channel \1: 1 item",
                             r"node 0, processor 0: thread reader waits for a mutex",
                             r"node 0, processor 0: thread branch runs",
                             r"node 0, processor 0: thread late has not begun",
                             r"node 1, processor 1: thread branch waits for an item of channel "
                             r"(<0,\d+>)\n  it receives from channel \1: 0 items"):
                    self.assertRegex(done.out, says)
                run.terminate()
                run.communicate(timeout=60)
        simulated = self.start("--world", "sim", "--nodes", "2")
        self.assert_refused(self.ask("ps", "1", "2"), "one process")
        self.assert_refused(self.ask("ps", "x"), "number of a process, not 'x'")
        self.assert_refused(self.ask("ps", str(os.getpid())), "no run of yours")
        self.assert_refused(self.ask("ps", str(simulated.pid)), "gdb's terrane threads")

    def test_nobody_else_may_ask(self):
        self.start()
        mine, = self.sockets()
        self.assertEqual(stat.S_IMODE(mine.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(mine.parent.stat().st_mode), 0o700)

    def test_a_run_that_ends_takes_its_socket_along_and_a_killed_one_is_tidied_up(self):
        self.assertEqual(self.ask("run", "--quiet", "fib", "10").code, 0)
        self.assertEqual(self.sockets(), [])
        run = self.start()
        run.kill()
        run.wait(timeout=60)
        self.assert_refused(self.ask("top"), "no run of yours")
        self.assertEqual(self.ask("run", "--quiet", "fib", "10").code, 0)
        self.assertEqual(self.sockets(), [])

    def test_dump_prints_the_last_events(self):
        self.start("--nodes", "2")
        until = time.monotonic() + 20
        while "no event was kept yet" in (done := self.ask("dump")).out:
            self.assertLess(time.monotonic(), until)
        self.assert_printed(done, "events (balancers")
        self.assertRegex(done.out, r"s  node [01]  ")

    def test_classes_are_switched_while_it_runs(self):
        trace = self.folder / "run.trace"
        run = self.start("--nodes", "2", "--trace", str(trace), "--events", "none")
        time.sleep(0.3)
        small = trace.stat().st_size
        self.assertEqual(self.ask("trace", "on", "token").code, 0)
        time.sleep(0.3)
        self.assertEqual(self.ask("trace", "off", "all").code, 0)
        time.sleep(0.3)
        large = trace.stat().st_size
        self.assertGreater(large, small + 100_000)
        time.sleep(0.3)
        self.assertLess(trace.stat().st_size, large + 10_000)  # clocks alone
        self.assertIsNone(run.poll())

    def test_misuse_is_refused(self):
        self.assert_refused(self.ask("top"), "no run of yours goes on")
        self.assert_refused(self.ask("top", "x"), "number of a process, not 'x'")
        self.assert_refused(self.ask("dump", "1", "2"), "one process")
        self.assert_refused(self.ask("trace", "on"), "classes of events")
        self.assert_refused(self.ask("trace", "on", "colour"), "not 'colour'")
        self.start()
        self.assert_refused(self.ask("trace", "on", "fiber"), "--trace FILE --events none")
        self.assert_refused(self.ask("top", "999999999"), "no run of yours")

    def test_a_file_for_prometheus_is_replaced_while_the_run_goes_on(self):
        target = self.folder / "run.prom"
        self.start("--nodes", "2", "--processors", "1", "--metrics", "rem-comm,cpu-time",
                   "--metrics-file", str(target))
        until = time.monotonic() + 20
        while "terrane_load{" not in target.read_text():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        text = target.read_text()
        self.assertTrue(text.endswith("# EOF\n"))
        self.assertIn('terrane_load{node="1",metric="cpu-time"}', text)
        done = self.ask("run", "--quiet", "--stats", "json", "--nodes", "2", "--metrics-file",
                        str(self.folder / "short.prom"), "fib", "20")
        said = json.loads(done.err.strip().split("\n")[-1])
        samples = dict(re.findall(r"^(\S+) (\S+)$", (self.folder / "short.prom").read_text(),
                                  re.MULTILINE))
        self.assertEqual(sum(int(value) for name, value in samples.items()
                             if name.startswith("terrane_tokens_total")),
                         said["tokens_generated"])
        try:
            from prometheus_client.openmetrics import parser
        except ImportError:
            self.skipTest("there is no prometheus_client")
        for text in target.read_text(), (self.folder / "short.prom").read_text():
            families = list(parser.text_string_to_metric_families(text))
            self.assertIn("terrane_tokens", [each.name for each in families])
        self.assert_refused(self.ask("run", "--metrics-file", "/nowhere/x", "fib", "5"),
                            "choose another FILE")

    def test_a_page_shows_the_run_to_who_has_the_link(self):
        run = self.start("--nodes", "2", "--live", "0")
        line = run.stderr.readline().decode()
        link = re.search(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", line)[0]
        with urllib.request.urlopen(link, timeout=20) as page:
            self.assertIn("Terrane: live", page.read().decode())
        with urllib.request.urlopen(link + "data", timeout=20) as answer:
            data = json.load(answer)
        self.assertEqual([each["node"] for each in data["nodes"]], [0, 1])
        with urllib.request.urlopen(link + "metrics", timeout=20) as answer:
            self.assertTrue(answer.read().decode().endswith("# EOF\n"))
        root = re.sub(r"[0-9a-f]{32}/$", "", link)
        for wrong in root, root + "data", root + "0" * 32 + "/data", link + "else":
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(wrong, timeout=20)
            self.assertEqual(refused.exception.code, 404)
            refused.exception.close()
