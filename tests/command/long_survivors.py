# SPDX-License-Identifier: Apache-2.0
"""long_survivors.py: storms of channels' ends, while a node is killed.

Purpose     Who has a thread, an end or lent data on the lost node may wait for ever, until the
            run's time is over. Every other storm goes on, and ends with each item once, in order.
Method      survivors.cpp has a storm on each node and on each pair of nodes. A generator with a
            fixed seed draws the machine, the moment and the victim. Several runs at a time: most of
            their time they wait.
Pitfall     A run may end before its node is killed: then everything must be right.
"""

import concurrent.futures
import os
import pathlib
import random
import re
import signal
import time
import unittest

import long_shm_lost as lost

SURVIVORS = pathlib.Path(os.environ["TERRANE_SURVIVORS"]).resolve()
AFTER_LOSS_SECONDS = 5
ROUNDS = 60  # some hundredths of a second, since all of it must fit into the time after a loss
MOMENT_SECONDS_MAX = 0.1
AT_A_TIME = 4
LINE = re.compile(r"storm on (\d+) and (\d+): (begins|right|wrong)")


def storms_of(nodes):
    return {(first, last) for first in range(nodes) for last in range(first, nodes)}


def faults_of(number):
    """Does the run of that number; one sentence for each thing that went wrong, and whether the
    node was lost before the end."""
    dice = random.Random(f"{lost.SEED} {number}")
    nodes = dice.randint(2, 4)
    victim = dice.randrange(1, nodes)
    run = lost.Run(nodes,
                   [str(SURVIVORS), "--world", "shm", "--nodes", str(nodes), "--processors",
                    str(dice.randint(1, 2)), "--balancer", "nop", "--after-loss",
                    str(AFTER_LOSS_SECONDS), str(ROUNDS), str(10_000 * number)],
                   "", dice.uniform(0, MOMENT_SECONDS_MAX))
    run.start()
    first = run.first_line()  # a storm has begun, so the run has
    time.sleep(run.moment)
    if process := run.process_of(victim):
        lost.send(process, signal.SIGKILL)
    faults = []
    seconds = run.seconds_to_end()
    if seconds > AFTER_LOSS_SECONDS + lost.END_SECONDS_MAX:
        faults.append(f"went on for {seconds:.1f} s")
        run.end_by_force()
    out, err = run.launcher.communicate()
    if left := run.members():
        faults.append(f"left processes {left}")
        run.end_by_force()
    ended = [LINE.fullmatch(line).groups() for line in (first + out).splitlines()]
    if wrong := [each for each in ended if each[2] == "wrong"]:
        faults.append(f"{wrong}")
    right = [(int(first), int(last)) for first, last, how in ended if how == "right"]
    if len(right) != len(set(right)):
        faults.append("a storm ended twice")
    code = run.launcher.returncode
    if code not in (0, lost.EXIT_NODE_LOST):
        faults.append(f"ended with {code}, {err!r}")
    if code == lost.EXIT_NODE_LOST and f"node {victim} (" not in err:
        faults.append(f"said {err!r}")
    expected = {each for each in storms_of(nodes) if code == 0 or victim not in each}
    if missing := expected - set(right):
        faults.append(f"ended with {code} before the storms {sorted(missing)}")
    told = f"run {number}, {nodes} nodes, victim {victim}, {run.moment:.3f} s: "
    return [told + each for each in faults], code != 0


class Survivors(unittest.TestCase):
    maxDiff = None

    def endure(self, runs):
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as several:
            ended = list(several.map(faults_of, runs))
        faults = [fault for found, _ in ended for fault in found]
        self.assertEqual("\n".join(faults), "", f"{len(faults)} faults")
        hit = sum(was_lost for _, was_lost in ended)
        self.assertGreater(hit, len(ended) / 4, "most runs were over before the node was killed")


class Many(Survivors):
    def test_storms_without_the_lost_node_end_300_times(self):
        self.endure(range(300))


if __name__ == "__main__":
    unittest.main()
