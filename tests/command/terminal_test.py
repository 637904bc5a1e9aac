# SPDX-License-Identifier: Apache-2.0
"""terminal_test.py: a long run shows its progress on a terminal, and nowhere else."""

import os
import pty
import re
import select
import signal
import subprocess
import time
import unittest

from command import TERRANE, surroundings

LINE = re.compile(rb"terrane: \d+\.\d s, \d+ tokens, \d+ processors? busy")
LONG = ("--stats", "none", "--processors", "1", "fib", "60")  # hours
SECONDS_MAX = 30  # the line comes after 1.5 s, on a machine with little else to do


class Watched:
    """A long run whose stderr is read as it comes."""

    def __init__(self, *options, terminal=True):
        self.source, target = pty.openpty() if terminal else os.pipe()
        self.run = subprocess.Popen([TERRANE, "run", *options, *LONG], env=surroundings(),
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                    stderr=target)
        os.close(target)
        self.seen = b""

    def read(self, seconds):
        while select.select([self.source], [], [], seconds)[0]:
            more = os.read(self.source, 4096)
            if not more:
                return
            self.seen += more
            seconds = 0

    def stop(self):
        self.run.send_signal(signal.SIGINT)
        code = self.run.wait(10)
        os.close(self.source)
        return code


class Progress(unittest.TestCase):
    def test_is_shown_on_a_terminal_unless_quiet_and_never_in_a_pipe(self):
        for world in ((), ("--world", "shm", "--nodes", "2")):
            with self.subTest(world=world):
                self.expect_shown(*world)

    def expect_shown(self, *world):
        runs = [Watched(*world, "--quiet"), Watched(*world, terminal=False), Watched(*world)]
        quiet, piped, shown = runs
        try:
            until = time.monotonic() + SECONDS_MAX
            while not LINE.search(shown.seen) and time.monotonic() < until:
                shown.read(0.1)
            time.sleep(1)  # the other two began no later
            quiet.read(0)
            piped.read(0)
        finally:
            codes = [each.stop() for each in runs]
        self.assertRegex(shown.seen, LINE)
        self.assertEqual((quiet.seen, piped.seen), (b"", b""))
        self.assertEqual(codes, [-signal.SIGINT] * 3)
