# SPDX-License-Identifier: Apache-2.0
"""lost_traces_test.py: the trace of a run of world shm of which a node is killed: it is read to
within a second of the death, and names the node. long_lost_traces.py does it 200 times."""

import contextlib
import datetime
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import time

from command import TERRANE, CommandTest, surroundings, terrane
from report_page import data_of

NODES, EXIT_NODE_LOST = 3, 123


def node_processes():
    """[(process, node)] of this host."""
    for each in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if told := re.fullmatch(r"terrane node (\d+)\n", (each / "comm").read_text()):
                yield int(each.name), int(told[1])


class LostTraces(CommandTest):
    RUNS = 3

    @classmethod
    def setUpClass(cls):
        cls.make_folder()

    def victim_of(self, run, node):
        """The process of that node, once the run has made some events."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            self.assertIsNone(run.poll(), "the run has ended")
            for process, its in node_processes():
                with contextlib.suppress(ProcessLookupError):
                    if its == node and os.getsid(process) == run.pid:
                        return process
            time.sleep(0.02)
        return self.fail("there is no such node")

    def kill_one(self, dice):
        """Runs, kills a node, and judges the trace."""
        trace, node = self.folder / "run.trace", dice.randrange(NODES)
        run = subprocess.Popen(
            [TERRANE, "run", "--world", "shm", "--nodes", str(NODES), "--processors", "1",
             "--quiet", "--trace", trace, "--events", "memory,balance", "fib", "60"],
            start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, env=surroundings())
        try:
            victim = self.victim_of(run, node)
            wanted = dice.uniform(0.5, 1.2)
            begin = time.monotonic()
            time.sleep(wanted)
            late = time.monotonic() - begin - wanted  # other work on the machine
            death = time.time()
            os.kill(victim, signal.SIGKILL)
            said = run.communicate(timeout=60)[1]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
        self.assertEqual(run.returncode, EXIT_NODE_LOST, said)
        self.assertRegex(said, f"node {node}\\b")
        done = terrane("report", trace, "-o", "-")
        self.assertEqual((done.code, done.err), (0, ""))
        data = data_of(done.out)
        facts = dict(data["facts"])
        self.assertRegex(facts["It ran"], f"node {node}\\b")
        self.assertEqual(data["problems"], [])
        began = datetime.datetime.fromisoformat(facts["Started"].removesuffix(" UTC")).replace(
            tzinfo=datetime.timezone.utc).timestamp()
        shown = terrane("trace", "show", trace).out
        its = rf"^ *([\d.]+) s  (?:process of )?node {node}\b"
        times = [float(each) for each in re.findall(its, shown, re.MULTILINE)]
        self.assertGreater(len(times), 0, shown[-500:])
        self.assertGreater(max(times), death - began - 1 - 10 * late, json.dumps(facts))

    def test_they_are_read_to_the_death_and_name_the_node(self):
        dice = random.Random(22)
        for number in range(self.RUNS):
            with self.subTest(number=number):
                self.kill_one(dice)
