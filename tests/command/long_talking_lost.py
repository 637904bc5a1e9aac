# SPDX-License-Identifier: Apache-2.0
"""long_talking_lost.py: hundreds of runs of threads that talk, which lose a node at some moment.

Purpose     Threads that wait for messages of a lost node, ropes that are half in a collective, and
            long messages under way do not hold up the end: it comes soon, and names the node.
Method      That of long_shm_lost.py, with jacobi and pic in all versions that exchange messages.
            What a run must print is what the same run prints when nobody disturbs it; its hash is
            that of the sequential version.
"""

import functools
import re
import signal
import unittest

import long_shm_lost as lost
from command import FIB, execute

# program, versions, words; each takes some tenths of a second
PROGRAMS = {
    "jacobi": (("blocking", "overlapped", "threads", "rope"), "258 3000 1000 2 1 2"),
    "pic": (("original", "functional", "virtual"), "1024 32 200 2 2024"),
}
HASH = re.compile(r"^\w+\(.*\) = [0-9a-f]{16}")


@functools.cache
def answer(program, version, nodes, eager):
    """What it prints. None: it is not what the sequential version computes."""
    words = PROGRAMS[program][1].split()
    path = FIB.with_name(program)
    alone = execute(path, "--nodes", "1", "--processors", "1", "sequential", *words)
    done = execute(path, "--world", "shm", "--nodes", str(nodes), "--processors", "1", "--eager",
                   eager, version, *words)
    is_right = done.code == 0 and HASH.match(done.out)[0] == HASH.match(alone.out)[0]
    return done.out if is_right else None


class TalkingLost(lost.Lost):
    def draw(self, dice):
        program = dice.choice(list(PROGRAMS))
        versions, words = PROGRAMS[program]
        version, nodes = dice.choice(versions), dice.randint(2, 5)
        eager = dice.choice(("0", "2048", "1048576"))
        expected = answer(program, version, nodes, eager)
        self.assertIsNotNone(expected, f"{program} {version} on {nodes} nodes, eager {eager}")
        at_once = dice.random() < lost.AT_ONCE
        return lost.Run(nodes,
                        [str(FIB.with_name(program)), "--world", "shm", "--nodes", str(nodes),
                         "--processors", "1", "--eager", eager, version, *words.split()],
                        expected, 0 if at_once else dice.uniform(0, lost.MOMENT_SECONDS_MAX))

    test_a_node_that_is_killed_200_times = None
    test_a_node_that_is_stopped_50_times = None
    test_a_launcher_that_is_killed_50_times = None

    def test_a_node_that_is_killed_300_times(self):
        # A run of few tenths of a second is often over before it is struck.
        self.endure(300, self.strike_node(signal.SIGKILL, r"was killed by signal 9"), losses=0.25)


if __name__ == "__main__":
    unittest.main()
