# SPDX-License-Identifier: Apache-2.0
"""findings_test.py: each rule of a report has a run that fires it, and one that does not."""

from command import CommandTest, terrane
from report_page import data_of
from trace_chunks import chunk

SHORT, IDLE, UNEVEN = "Fibers are short", "Processors were idle", "times as much work"
NARROW, LOST = "The longest chain of fibers", "events were dropped"
EVEN = ("--nodes", "2", "--network", "zero", "queens", "9", "4")  # nothing is wrong with it


class Findings(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.make_folder()

    def found(self, *words):
        """What a simulated run's report says, with the cures: one text for each finding."""
        page = self.folder / "run.html"
        done = terrane("run", "--world", "sim", "--quiet", "--report", str(page), *words)
        self.assertEqual(done.code, 0, done.err)
        return [" ".join(each) for each in data_of(page.read_text())["findings"]]

    def assert_finds(self, words, says, *more):
        found = [each for each in self.found(*words) if says in each]
        self.assertEqual(len(found), 1, self.found(*words))
        for part in more:
            self.assertIn(part, found[0])

    def assert_does_not_find(self, words, says):
        self.assertEqual([each for each in self.found(*words) if says in each], [])

    def test_a_run_that_is_even_and_busy_has_none(self):
        self.assertEqual(self.found(*EVEN), [])

    def test_short_fibers(self):
        self.assert_finds(("--nodes", "1", "--network", "sp2", "--balancer", "nop", "fib", "16"),
                          SHORT, "fib", "throttle")
        self.assert_does_not_find(("--nodes", "1", "--network", "sp2", "--balancer", "nop", "knary",
                                   "6", "4", "0", "40000"), SHORT)

    def test_idleness_and_its_cause(self):
        self.assert_finds(("--nodes", "2", "--network", "zero", "--balancer", "nop", "knary", "12",
                           "1", "1", "40000"), IDLE, "50 %", "no work existed anywhere",
                          "make tokens earlier")
        self.assert_finds(("--nodes", "2", "--network", "zero", "--balancer", "nop", "knary", "6",
                           "4", "0", "4000"), IDLE, "work elsewhere, not asked for yet",
                          "try another balancer")
        self.assert_does_not_find(EVEN, IDLE)

    def test_one_node_with_most_of_the_work(self):
        self.assert_finds(("--nodes", "4", "--network", "zero", "--balancer", "nop", "knary", "6",
                           "4", "0", "4000"), UNEVEN, "Node 0 did 4.0 times")
        self.assert_does_not_find(EVEN, UNEVEN)

    def test_a_chain_that_no_processor_shortens(self):
        self.assert_finds(("--nodes", "2", "--network", "zero", "knary", "6", "3", "3", "4000"),
                          NARROW, "100 % of the time", "critical path")
        self.assert_does_not_find(EVEN, NARROW)

    def test_of_a_trace_that_lost_events_nothing_else_is_concluded(self):
        trace = self.folder / "run.trace"
        self.assertEqual(terrane("run", "--world", "sim", "--quiet", "--nodes", "2", "--balancer",
                                 "nop", "--trace", str(trace), "knary", "6", "3", "3").code, 0)

        def told():
            return [each[0] for each in
                    data_of(terrane("report", trace, "-o", "-").out)["findings"]]
        whole = told()
        self.assertGreater(len(whole), 0)
        self.assertEqual([each for each in whole if LOST in each], [])
        trace.write_bytes(trace.read_bytes() + chunk(5, 0, 0, bytes([3])))
        self.assertEqual(told(), ["3 events were dropped, because the rings were full: nothing "
                                  "else is concluded."])
