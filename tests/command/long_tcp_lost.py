# SPDX-License-Identifier: Apache-2.0
"""long_tcp_lost.py: what long_shm_lost.py does, in world tcp; and processes that only pause."""

import signal
import time
import unittest

import long_shm_lost

PAUSE_SECONDS = 0.5  # less than a heartbeat


class Lost(long_shm_lost.Lost):
    WORLD = "tcp"
    HOST = r" on \S+"

    def test_a_node_that_pauses_100_times(self):
        def strike(run, dice):
            process = run.process_of(dice.randrange(run.nodes))
            if process:
                long_shm_lost.send(process, signal.SIGSTOP)
                time.sleep(PAUSE_SECONDS)
                long_shm_lost.send(process, signal.SIGCONT)
            return "it ends well"
        self.endure(100, strike, losses=0)


if __name__ == "__main__":
    unittest.main()
