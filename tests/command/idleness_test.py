# SPDX-License-Identifier: Apache-2.0
"""idleness_test.py: why processors were idle, in runs of which it is known."""

import json
import os
import pathlib
import tempfile

from command import CommandTest, terrane
from report_page import data_of

TESTS = os.path.join(os.environ["TERRANE_BUILD"], "tests")
IDLES = os.environ["TERRANE_IDLES"]
ASKS, GIVES = (os.path.join(TESTS, name) for name in ("asks_once.so", "tells_of_waiting.so"))


class Idleness(CommandTest):
    """Of each cause at least 95 % is found."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def causes(self, *words, machine=("--nodes", "2"), latency_s=0):
        page, network = self.folder / "run.html", "zero"
        if latency_s:
            network = self.folder / "far.net"
            network.write_text(f"summary = far apart\nlatency_ns = {round(1e9 * latency_s)}\n")
        done = terrane("run", "--world", "sim", "--network", str(network), *machine,
                       "--report", str(page), "--stats", "json", *words)
        self.assertEqual(done.code, 0, done.err)
        data = data_of(page.read_text())
        idle = dict(zip(data["idle"]["causes"], data["idle"]["all"]))
        return idle, sum(idle.values()), json.loads(done.err.strip().split("\n")[-1])

    def test_a_chain_is_no_work_for_others(self):
        idle, whole, _ = self.causes("--balancer", "nop", "knary", "12", "1", "1", "40000")
        self.assertGreater(whole, 0)
        self.assertGreater(idle["no work existed anywhere"], 0.95 * whole)

    def test_a_balancer_that_never_asks_leaves_work_where_it_is(self):
        idle, whole, _ = self.causes("--balancer", "nop", "knary", "6", "4", "0", "4000")
        self.assertGreater(whole, 0)
        self.assertGreater(idle["work elsewhere, not asked for yet"], 0.95 * whole)

    def assert_found(self, seconds, there_is):
        self.assertGreaterEqual(seconds, 0.95 * there_is)
        self.assertLessEqual(seconds, 1.05 * there_is)

    def test_activations_that_were_put_on_a_node_may_not_move(self):
        idle, _, _ = self.causes("--balancer", "nop", IDLES, "pinned")
        # While the last of ten activations runs, there is no other work.
        self.assert_found(idle["work elsewhere that may not move: ready fibers of activations that "
                               "have begun"], 9e-3)

    def test_work_in_a_node_that_its_own_processors_have_not_taken(self):
        idle, _, said = self.causes("--balancer", "nop", IDLES, "stock",
                                    machine=("--nodes", "1", "--processors", "2"))
        # The fiber that makes the tokens keeps some of them until it ends: 20 ms of work in all.
        there_is = 2 * said["elapsed_seconds"] - 0.02
        self.assertGreater(there_is, 1e-3)
        self.assert_found(idle["work was on the node, but not taken yet"], there_is)

    def test_a_question_without_an_answer(self):
        idle, whole, _ = self.causes("--balancer", ASKS, "knary", "6", "4", "0", "4000")
        self.assertGreater(whole, 0)
        self.assertGreater(idle["work elsewhere, asked, no answer yet"], 0.95 * whole)

    def test_a_question_that_is_refused(self):
        idle, whole, _ = self.causes("--balancer", ASKS + ":refuses=1", "knary", "6", "4", "0",
                                     "4000")
        self.assertGreater(whole, 0)
        self.assertGreater(idle["work elsewhere, but the node that was asked refused"],
                           0.95 * whole)

    def test_tokens_that_travel(self):
        idle, _, said = self.causes("--balancer", GIVES, IDLES, "stock", latency_s=0.01)
        self.assertEqual(said["tokens_moved"], 10)
        # The other node works for 10 ms, and is idle until its last token begins. The signal that
        # it is done takes 10 ms more.
        self.assert_found(idle["a token was on its way"], said["elapsed_seconds"] - 0.01 - 0.01)

    def test_questions_and_tokens_that_travel_long(self):
        idle, whole, said = self.causes("knary", "4", "9", "0", "4000000", latency_s=0.01)
        flights = said["tokens_moved"] * 0.01  # some at the same time
        self.assertGreater(flights, 0)
        self.assertLessEqual(idle["a token was on its way"], 1.001 * flights)
        self.assertGreater(idle["a token was on its way"], 0.3 * flights)
        known = sum(seconds for cause, seconds in idle.items()
                    if cause in ("a token was on its way", "own data was on its way",
                                 "work elsewhere, asked, no answer yet"))
        self.assertGreater(known, 0.75 * whole)  # else it waits to ask again

    def test_data_that_travel(self):
        idle, _, _ = self.causes("--balancer", "nop", IDLES, "data", latency_s=0.01)
        # Ten questions with their answers, the first activation with its two, the last signals.
        self.assert_found(idle["own data was on its way"], 0.01 * (10 * 2 + 2 + 2))
