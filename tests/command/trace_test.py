# SPDX-License-Identifier: Apache-2.0
"""trace_test.py: traces of runs, as the command shows and converts them."""

import csv
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from command import FIB, CommandTest, execute, surroundings, terrane

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "events.md"
TOKENS, FIBERS = 2 * 987 - 2, 3 * 987  # of fib 15


def fields_of(data):
    """The fields of a message of protocol buffers: number -> list of values."""
    found, at = {}, 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = number()
        if key & 7 == 0:
            value = number()
        elif key & 7 == 1:
            value = int.from_bytes(data[at:at + 8], "little")
            at += 8
        else:
            size = number()
            value = data[at:at + size]
            at += size
        found.setdefault(key >> 3, []).append(value)
    return found


def samples_of(text):
    """The samples of a text of OpenMetrics; fails on a line that is none."""
    found = {}
    lines = text.split("\n")
    assert lines[-2:] == ["# EOF", ""], lines[-2:]
    for line in lines[:-2]:
        if line.startswith("# TYPE ") or line.startswith("# HELP "):
            continue
        name, labels, value = re.fullmatch(r'(\w+)\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\} ([0-9.]+)',
                                           line).groups()
        found.setdefault(name, []).append(
            (dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels)), float(value)))
    return found


class Traced(CommandTest):
    """A trace of fib 15 on four simulated nodes, which is the same each time."""
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.trace = str(cls.folder / "run.trace")
        done = terrane("run", "--world", "sim", "--nodes", "4", "--seed", "3", "--trace", cls.trace,
                       "--stats", "json", "fib", "15")
        assert done.code == 0, done.err
        cls.statistics = json.loads(done.err)

    def converted(self, form):
        path = self.folder / form
        done = terrane("trace", "convert", self.trace, "--to", form, "-o", str(path))
        self.assertEqual((done.code, done.out, done.err), (0, "", ""))
        return path.read_bytes()


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


class Converted(Traced):
    def test_csv_has_every_event_and_agrees_with_the_statistics(self):
        rows = list(csv.DictReader(io.StringIO(self.converted("csv").decode())))
        count = {}
        for row in rows:
            count[row["event"]] = count.get(row["event"], 0) + 1
        self.assertEqual(count["token_queued"] + count.get("token_inlined", 0), TOKENS)
        self.assertEqual(sum(int(row["field1"]) + int(row["field2"]) for row in rows
                             if row["event"] == "fiber_ended"), FIBERS)
        self.assertEqual(count["token_given"], self.statistics["tokens_moved"])
        self.assertEqual(count["note_sent"], self.statistics["notes_sent"])
        times = [int(row["ns"]) for row in rows]
        self.assertEqual(times, sorted(times))

    def test_chrome_nests_slices_and_has_both_ends_of_flows(self):
        events = json.loads(self.converted("chrome"))["traceEvents"]
        threads = {(each["pid"], each["tid"]) for each in events if each["name"] == "thread_name"}
        self.assertGreaterEqual(len(threads), 4)
        slices = [each for each in events if each["ph"] == "X"]
        self.assertTrue(all((each["pid"], each["tid"]) in threads for each in slices))
        fibers = [each for each in slices if each["cat"] == "fiber"]
        self.assertLessEqual({"programs::fib", "programs::fib::sum"},
                             {each["name"] for each in fibers})
        ends = {mark: sorted(each["id"] for each in events if each["ph"] == mark) for mark in "sf"}
        self.assertTrue(ends["s"])
        self.assertEqual(ends["s"], ends["f"])

    def test_perfetto_is_balanced_declared_and_matched(self):
        packets = [fields_of(each) for each in fields_of(self.converted("perfetto"))[1]]
        declared, depth, sent, taken = set(), {}, {}, {}
        for packet in packets:
            if 60 in packet:
                declared.add(fields_of(packet[60][0])[1][0])
                continue
            event = fields_of(packet[11][0])
            track, kind = event[11][0], event[9][0]
            self.assertIn(track, declared)
            depth[track] = depth.get(track, 0) + {1: 1, 2: -1}.get(kind, 0)
            self.assertGreaterEqual(depth[track], 0)
            for flow in event.get(47, []):
                sent[flow] = packet[8][0]
            for flow in event.get(48, []):
                taken[flow] = packet[8][0]
        self.assertEqual(set(depth.values()), {0})
        self.assertTrue(sent)
        self.assertEqual(set(sent), set(taken))
        self.assertTrue(all(sent[each] <= taken[each] for each in sent))

    def test_perfetto_is_what_its_own_library_reads(self):
        try:
            from perfetto.protos.perfetto.trace import perfetto_trace_pb2
        except ImportError:
            self.skipTest("PyPI's perfetto is not installed")
        trace = perfetto_trace_pb2.Trace()
        trace.ParseFromString(self.converted("perfetto"))
        begins = sum(each.track_event.type == 1 for each in trace.packet)
        self.assertGreater(begins, 0)
        self.assertEqual(begins, sum(each.track_event.type == 2 for each in trace.packet))

    def test_openmetrics_counts_the_same(self):
        found = samples_of(self.converted("openmetrics").decode())
        queued = sum(value for labels, value in found["terrane_events_total"]
                     if labels["event"] in ("token_queued", "token_inlined"))
        self.assertEqual(queued, TOKENS)
        self.assertEqual(sum(value for _, value in found["terrane_dropped_total"]), 0)
        self.assertEqual(len({labels["processor"] for labels, _ in
                              found["terrane_spent_seconds_total"]}), 4)

    def test_the_output_may_be_stdout_or_a_file_beside(self):
        done = terrane("trace", "convert", self.trace, "--to", "csv", "-o", "-")
        self.assertTrue(done.out.startswith("ns,source,"))
        self.assertEqual(terrane("trace", "convert", self.trace, "--to", "csv").code, 0)
        self.assertTrue(pathlib.Path(self.trace + ".csv").exists())


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
            run = subprocess.Popen([FIB, "--trace", path, "--events", "-token", "--quiet",
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
