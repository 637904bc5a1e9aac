# SPDX-License-Identifier: Apache-2.0
"""trace_test.py: traces of runs, as the command shows them."""

import csv
import io
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from command import FIB, CommandTest, execute, surroundings, terrane
from traced import Traced, samples_of

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "events.md"


class Show(Traced):
    def test_says_which_run_it_is(self):
        shown = terrane("trace", "show", self.trace)
        self.assert_printed(shown, "fib 15\n", "4 x 1 processors, world sim, network modern",
                            "balancer rand, seed 3", "an activation of programs::fib began")

    def test_chooses_by_time_and_class(self):
        shown = terrane("trace", "show", self.trace, "--class", "balance", "--from", "1e-6", "--to",
                        "2e-6s")
        lines = [line for line in shown.out.split("\n") if " s  " in line]
        self.assertTrue(lines)
        for line in lines:
            self.assertRegex(line, r"^ *0\.00000[12]\d+ s  balancer of node \d")

    def test_the_page_of_events_is_up_to_date(self):
        self.assert_printed(terrane("trace", "events"))
        self.assertEqual(terrane("trace", "events").out, PAGE.read_text(),
                         "make it anew: terrane trace events > docs/events.md")

    def test_misuse_is_refused(self):
        self.assert_refused(terrane("trace"), "show, convert, on, off and events")
        self.assert_refused(terrane("trace", "show"), "needs a trace")
        self.assert_refused(terrane("trace", "show", "/nowhere"), "No such file")
        self.assert_refused(terrane("trace", "show", str(FIB)), "does not begin as one")
        self.assert_refused(terrane("trace", "show", self.trace, "--class", "x"), "no class")
        self.assert_refused(terrane("trace", "show", self.trace, "--from", "x"), "needs seconds")
        self.assert_refused(terrane("trace", "convert", self.trace), "needs --to FORM: perfetto")
        self.assert_refused(terrane("trace", "convert", self.trace, "--to", "x"), "no form 'x'")
        self.assert_refused(terrane("run", "--events", "token,x", "fib", "1"), "token, fiber",
                            "not 'x'")
        self.assert_refused(terrane("run", "--trace-full", "x", "fib", "1"), "drop or wait")
        self.assert_refused(terrane("run", "--trace", "/nowhere/x", "fib", "1"), "choose another")


class Metrics(Traced):
    def rows(self, which):
        done = terrane("metrics", self.trace, "--metrics", which)
        self.assertEqual((done.code, done.err), (0, ""))
        return list(csv.DictReader(io.StringIO(done.out)))

    def events(self, *names):
        return [row for row in csv.DictReader(io.StringIO(self.converted("csv").decode()))
                if row["event"] in names]

    def test_remote_communication_counts_each_message_between_nodes_once(self):
        sent = [row for row in self.events("message_sent", "token_given")
                if row["node"] != row["field1" if row["event"] == "message_sent" else "field2"]]
        rows = self.rows("rem-comm:period=1us")
        self.assertEqual(sum(float(row["value"]) for row in rows), len(sent))
        self.assertTrue(all(int(row["node"]) < int(row["other"]) for row in rows))

    def test_ready_queues_follow_the_events(self):
        length, expected = {}, []
        for row in self.events("fiber_ready", "fiber_unready"):
            change = 1 if row["event"] == "fiber_ready" else -1
            length[row["node"]] = length.get(row["node"], 0) + change
            expected.append((row["node"], row["ns"], length[row["node"]]))
        self.assertTrue(expected)
        self.assertEqual([(row["node"], row["ns"], int(row["value"]))
                          for row in self.rows("rq-length")], expected)
        end = 1000 * (max(int(each[1]) for each in expected) // 1000)
        means = self.rows("rq-length:sample=1us")
        self.assertLessEqual(max(int(row["ns"]) for row in means), end + 10 ** 6)
        self.assertTrue(all(float(row["value"]) >= 0 for row in means))

    def test_the_program_has_its_share_of_the_time(self):
        rows = self.rows("cpu-time:period=1us")
        self.assertTrue(all(0 <= float(row["value"]) <= 1 for row in rows))
        spent = samples_of(self.converted("openmetrics").decode())["terrane_spent_seconds_total"]
        fibers = sum(value for labels, value in spent if labels["in"] == "fiber")
        self.assertAlmostEqual(sum(float(row["value"]) for row in rows) * 1e-6, fibers,
                               delta=0.1 * fibers)
        wide = self.rows("cpu-time:period=1us:window=10")
        self.assertLess(max(float(row["value"]) for row in wide),
                        max(float(row["value"]) for row in rows) + 1e-9)

    def test_a_run_measures_what_its_trace_says(self):
        for world in "sim", "local", "shm", "tcp":
            with self.subTest(world=world):
                trace = str(self.folder / f"measured.{world}")
                done = terrane("run", "--world", world, "--nodes", "3", "--processors", "1",
                               "--trace", trace, "--trace-full", "wait", "--stats", "json",
                               "--metrics", "rq-length,cpu-time,rem-comm,n-threads",
                               "queens", "9", "3")
                self.assertEqual(done.code, 0, done.err)
                found = json.loads(done.err.strip().split("\n")[-1])
                loads = found["metrics"]
                self.assertEqual([each["node"] for each in loads["means"]], [0, 1, 2])
                rows = list(csv.DictReader(io.StringIO(
                    terrane("metrics", trace, "--metrics", "rem-comm,cpu-time:period=10us").out)))
                links = {}
                for row in rows:
                    if row["metric"] == "rem-comm":
                        pair = int(row["node"]), int(row["other"])
                        links[pair] = links.get(pair, 0) + int(float(row["value"]))
                self.assertEqual({tuple(each["nodes"]): each["rem-comm"]
                                  for each in loads["links"]}, links)
                self.assertTrue(all(each["n-threads"] == 0 for each in loads["means"]))
                self.assertTrue(all(each["rq-length"] >= 0 for each in loads["means"]))
                self.assertTrue(all(0 <= each["cpu-time"] <= 1 for each in loads["means"]))
                for each in loads["means"] if world == "sim" else ():
                    spent = sum(float(row["value"]) for row in rows if row["metric"] == "cpu-time"
                                and int(row["node"]) == each["node"]) * 10e-6
                    self.assertAlmostEqual(each["cpu-time"] * found["elapsed_seconds"], spent,
                                           delta=0.05 * found["elapsed_seconds"])

    def test_misuse_is_refused(self):
        self.assert_refused(terrane("run", "--metrics", "x", "fib", "5"), "no metric 'x'")
        self.assert_refused(terrane("metrics"), "needs a trace")
        self.assert_refused(terrane("metrics", self.trace, "--metrics", "x"), "no metric 'x'")
        self.assert_refused(terrane("metrics", self.trace, "--metrics", "cpu-time:sample=1s"),
                            "window=10")


class Cut(CommandTest):
    def test_a_killed_run_can_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/run.trace"
            run = subprocess.Popen([FIB, "--trace", path, "--events", "time", "--quiet",
                                    "--nodes", "2", "--processors", "1", "45"], env=surroundings(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                for _ in range(300):
                    time.sleep(0.05)
                    shown = terrane("trace", "show", path)
                    if "messages had been taken" in shown.out:
                        break
            finally:
                run.send_signal(signal.SIGKILL)
                run.wait()
            shown = terrane("trace", "show", path)
            self.assertEqual(shown.code, 0)
            self.assertIn("it does not say how the run ended", shown.out)
            self.assertIn("messages had been taken", shown.out)

    def test_a_lost_node_is_named_and_its_last_events_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/run.trace"
            run = subprocess.Popen([FIB, "--trace", path, "--events", "-token,-signal",
                                    "--world", "shm",
                                    "--nodes", "2", "--processors", "1", "45"], env=surroundings(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            victim = None
            children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children")
            for _ in range(300):
                time.sleep(0.05)
                for each in children.read_text().split():
                    if pathlib.Path(f"/proc/{each}/comm").read_text() == "terrane node 1\n":
                        victim = int(each)
                if victim and "  balancer of node 1 " in terrane("trace", "show", path).out:
                    break
            os.kill(victim, signal.SIGKILL)
            err = run.communicate(timeout=60)[1]
            self.assertEqual(run.returncode, 123)
            self.assertIn("node 1 (process", err)
            self.assertRegex(err, r"terrane: the last \d+ events")
            self.assertRegex(err, r"\n  \d+\.\d+ s  node 1  ")
            shown = terrane("trace", "show", path)
            self.assertRegex(shown.out, r"it ended: node 1 \(process \d+, .*killed by signal 9")

    def test_dropped_events_are_counted_and_the_cure_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/run.trace"
            for mode, some in (("drop", True), ("wait", False)):
                done = execute(FIB, "--trace", path, "--trace-full", mode, "--quiet", "--nodes",
                               "1", "--processors", "2", "27")
                self.assertEqual(done.code, 0)
                shown = terrane("trace", "show", path, "--class", "memory").out
                if not some:
                    self.assertNotIn("were dropped", shown)
                elif "were dropped" in shown:
                    self.assertIn("--trace-full wait", shown)


class Events(CommandTest):
    def test_a_program_has_its_own_events(self):
        source = """
            #include <stdio.h>
            #include "terrane/terrane.h"
            typedef struct root { terrane_frame head; int argc; char** argv; } root;
            static void run(terrane_processor*, const void*);
            static const terrane_function root_function = {"root", 0, 0,
                TERRANE_FRAME_CLASS(sizeof(root)), sizeof(root), sizeof(terrane_root_args), run,
                terrane_root_ended, 0, 0};
            static void run(terrane_processor* here, const void* args) {
              terrane_frame* f = terrane_frame_new(here, &root_function, root_function.frame_class);
              terrane_event(7, -41);
              if (((const terrane_root_args*)args)->argc > 1) terrane_fail(299, "as asked");
              terrane_proceed(here, f, TERRANE_DONE, &root_function);
            }
            int main(int argc, char** argv) { return terrane_run(argc, argv, &root_function); }
        """
        root = PAGE.parents[1]
        library = pathlib.Path(os.environ["TERRANE_BUILD"]) / "lib" / "libterrane.a"
        if os.environ.get("TERRANE_SANITIZE"):
            self.skipTest("a program built by hand has no sanitizer")
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "own.c").write_text(source)
            built = execute("cc", "-std=c11", "-D_GNU_SOURCE", f"-I{root}", "-o", folder + "/own",
                            folder + "/own.c", str(library), "-lstdc++", "-lpthread", "-ldl", "-lm")
            self.assertEqual((built.code, built.err), (0, ""))
            path = folder + "/run.trace"
            self.assertEqual(execute(folder + "/own", "--trace", path).code, 0)
            shown = terrane("trace", "show", path, "--class", "user")
            self.assertIn("event 7 of the program: -41\n", shown.out)
            self.assertEqual(execute(folder + "/own", "--trace", path, "--events",
                                     "-user").code, 0)
            self.assertNotIn("event 7", terrane("trace", "show", path).out)
            # An error at run time is the end of its trace.
            self.assertEqual(execute(folder + "/own", "--trace", path, "fail").code, 122)
            shown = terrane("trace", "show", path)
            self.assertIn("it ended: R-299: as asked", shown.out)
            self.assertIn("event 7 of the program: -41\n", shown.out)


if __name__ == "__main__":
    unittest.main()
