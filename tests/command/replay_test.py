# SPDX-License-Identifier: Apache-2.0
"""replay_test.py: recorded graphs, run again on other simulated machines."""

import json
import re

from command import CommandTest, terrane
from trace_chunks import chunk, chunks

SIM = ("run", "--world", "sim", "--network", "sp2", "--stats", "json")


class Replay(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.make_folder(prefix="terrane replay ")
        cls.traces = {}
        cls.said = {}
        for name, words in {"fib": ("fib", "12"), "queens": ("queens", "8", "4"),
                            "knary": ("knary", "4", "3", "1"),
                            "matmul": ("matmul", "32", "4")}.items():
            cls.traces[name] = cls.folder / f"{name}.trace"
            cls.said[name] = cls.run_there(8, "his", words, "--trace", cls.traces[name],
                                           "--events", "graph")

    @staticmethod
    def run_there(nodes, balancer, words, *options):
        done = terrane(*SIM, "--nodes", str(nodes), "--balancer", balancer, *options, *words)
        assert done.code == 0, done.err
        return json.loads(done.err.splitlines()[-1])

    def predicted(self, trace, *options):
        done = terrane("replay", trace, *options)
        self.assertEqual((done.code, done.err), (0, ""))
        return done.out, float(re.search(r"^  time +([0-9.]+) s", done.out, re.MULTILINE)[1])

    def test_the_recorded_machine_takes_as_long_again(self):
        for name, trace in self.traces.items():
            out, seconds = self.predicted(trace)
            self.assertIn(", +0.00 % off\n", out, name)
            self.assertAlmostEqual(seconds, self.said[name]["elapsed_seconds"], delta=1e-6)

    def test_other_machines_take_as_long_as_they_do(self):
        for name, words, nodes, balancer in (
                ("fib", ("fib", "12"), 32, "rand"), ("queens", ("queens", "8", "4"), 3, "spn"),
                ("queens", ("queens", "8", "4"), 24, "shis"),
                ("knary", ("knary", "4", "3", "1"), 16, "his"),
                ("matmul", ("matmul", "32", "4"), 4, "dual")):
            told = self.predicted(self.traces[name], "--nodes", str(nodes), "--balancer",
                                  balancer)[1]
            truth = self.run_there(nodes, balancer, words)["elapsed_seconds"]
            self.assertLess(abs(told / truth - 1), 0.02, (name, nodes, balancer, told, truth))

    def test_another_network_has_its_own_prices(self):
        told = self.predicted(self.traces["queens"], "--network", "beowulf")[1]
        truth = json.loads(terrane("run", "--world", "sim", "--network", "beowulf", "--stats",
                                   "json", "--nodes", "8", "--balancer", "his", "queens", "8",
                                   "4").err.splitlines()[-1])["elapsed_seconds"]
        self.assertLess(abs(told / truth - 1), 0.02)

    def test_seeds_have_a_spread_and_shares_add_up(self):
        out, _ = self.predicted(self.traces["queens"], "--balancer", "rand", "--seeds", "5")
        least, most = map(float, re.search(r"from ([0-9.]+) to ([0-9.]+), half", out).groups())
        self.assertLess(least, most)
        self.assertIn("5 seeds from 1", out)
        out, _ = self.predicted(self.traces["queens"])
        shares = re.findall(r"^  (?:program|balancing|messages|switching|idle) +([0-9.]+) %$", out,
                            re.MULTILINE)
        self.assertEqual(len(shares), 5)
        self.assertAlmostEqual(sum(map(float, shares)), 100, delta=0.5)

    def test_recording_changes_no_schedule(self):
        for words in (("fib", "12"), ("queens", "8", "4"), ("matmul", "32", "4")):
            plain = self.run_there(8, "his", words)
            self.assertEqual(plain["event_log_hash"], self.said[words[0]]["event_log_hash"])

    def test_a_usual_trace_has_no_graph_and_is_refused_with_the_cure(self):
        trace = self.folder / "usual.trace"
        self.run_there(2, "rand", ("fib", "5"), "--trace", trace)
        self.assert_refused(terrane("replay", trace), "has no graph", "--events graph")

    def test_a_library_that_a_trace_names_is_opened_only_when_it_is_asked_for(self):
        whole = self.traces["fib"].read_bytes()
        changed = whole[:16]
        for kind, process, source, data in chunks(whole):
            changed += chunk(kind, process, source, data.replace(b'"his"', b'"/nowhere/his.so"'))
        self.assertNotEqual(changed, whole)
        trace = self.folder / "library.trace"
        trace.write_bytes(changed)
        self.assert_refused(terrane("replay", trace), "if you trust it",
                            "--balancer /nowhere/his.so")
        self.assert_refused(terrane("replay", trace, "--balancer", "rand"), "if you trust it")
        self.assert_refused(terrane("replay", trace, "--balancer", "/nowhere/his.so"),
                            "cannot open")

    def test_lost_events_are_refused(self):
        lost = self.folder / "lost.trace"
        lost.write_bytes(self.traces["fib"].read_bytes() + chunk(5, 0, 0, bytes([3])))
        self.assert_refused(terrane("replay", lost), "3 events of the run were lost",
                            "--trace-full wait")

    def test_a_trace_that_was_cut_off_is_refused(self):
        whole = self.traces["fib"].read_bytes()
        for share in (0.3, 0.6, 0.95):
            cut = self.folder / "cut.trace"
            cut.write_bytes(whole[:int(len(whole) * share)])
            self.assert_refused(terrane("replay", cut))

    def test_tokens_that_ran_at_once_are_refused_with_the_cure(self):
        trace = self.folder / "local.trace"
        words = ("--nodes", "1", "--processors", "1", "--stats", "none", "--trace", trace,
                 "--trace-full", "wait", "--events", "graph", "fib", "10")
        self.assertEqual(terrane("run", *words).code, 0)
        self.assert_refused(terrane("replay", trace), "--enough all")
        self.assertEqual(terrane("run", "--enough", "all", *words).code, 0)
        out, _ = self.predicted(trace, "--processors", "2")
        self.assertIn("replayed there (1 node of modern, balancer", out)

    def test_what_cannot_be_repeated_is_said(self):
        trace = self.folder / "threads.trace"
        done = terrane(*SIM, "--nodes", "2", "--trace", trace, "--events", "graph", "jacobi")
        self.assertEqual(done.code, 0, done.err)
        self.assert_refused(terrane("replay", trace))

    def test_nonsense_is_refused(self):
        trace = self.traces["fib"]
        self.assert_refused(terrane("replay"), "needs a trace")
        self.assert_refused(terrane("replay", "--nodes", "4"), "needs a trace first")
        self.assert_refused(terrane("replay", self.folder / "none"), "cannot read the trace")
        for words in (("--seeds", "0"), ("--seeds",)):
            self.assert_refused(terrane("replay", trace, *words), "--seeds needs a whole number")
        self.assert_refused(terrane("replay", trace, "--nodes", "many"), "--nodes")
        self.assert_refused(terrane("replay", trace, "--network", "cray"), "cray")
        self.assert_refused(terrane("replay", trace, "--balancer", "luck"), "luck")
        self.assert_refused(terrane("replay", trace, "--world", "tcp"), "--world")
        self.assert_refused(terrane("replay", trace, "more"), "'more'")
        self.assert_refused(terrane("run", "--events", "graphs", "fib"), "graph")
