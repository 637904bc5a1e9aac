# SPDX-License-Identifier: Apache-2.0
"""hostile_test.py: runs whose connections all pass a proxy that disturbs them.

What only delays and cuts pieces smaller changes nothing: the counts are exact. What damages bytes
or ends connections ends the run, in time, with a sentence and exit code 123; never is the answer
wrong, and nothing is left behind. TERRANE_RUNS says how many damaged runs there are of each kind.
"""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

from rig import Rig, why_not

TERRANE = pathlib.Path(os.environ["TERRANE_BIN"]).resolve()
FIB = TERRANE.with_name("fib")
PROXY = pathlib.Path(__file__).with_name("proxy.py")
RUNS = int(os.environ.get("TERRANE_RUNS", "2"))
PORT, GROUP = 7000, 54321
N, TOKENS, FIBERS = 16, 3192, 4791  # 2 F(17) - 2, 3 F(17); F(17) = 1597
SECONDS_MAX = 10
WHY_NOT = why_not()


class Disturbed(Rig):
    """One host, whose connections to itself pass the proxy."""

    def __init__(self):
        super().__init__([])

    def build(self):
        super().build()
        self.rule("-A")

    def rule(self, what):
        subprocess.run(self.inside("home", "iptables", "-t", "nat", what, "OUTPUT", "-p", "tcp",
                                   "-m", "owner", "!", "--gid-owner", str(GROUP), "-j", "REDIRECT",
                                   "--to-port", str(PORT)), check=True)

    @contextlib.contextmanager
    def proxy(self, **how):
        words = self.inside("home", "setpriv", "--regid", str(GROUP), "--clear-groups",
                            sys.executable, str(PROXY), str(PORT), json.dumps(how))
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as started:
            try:
                if started.stdout.readline() != "ready\n":
                    raise RuntimeError("the proxy did not start")
                yield
            finally:
                started.kill()

    def fib(self, *words):
        """A run, how long it took, and the processes that it left."""
        start = time.monotonic()
        done = self.execute(FIB, "--world", "tcp", "--processors", "1", "--enough", "all",
                            "--stats", "json", *words, N, timeout=60)
        took = time.monotonic() - start
        left = []
        for _ in range(20):  # the kernel may need a moment to take them away
            left = self.processes("home", "/fib ")
            if not left:
                break
            time.sleep(0.05)
        return done, took, left


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = cls.enterClassContext(Disturbed())

    def assert_exact(self, done):
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(done.out, f"fib({N}) = 1597\n")
        counted = json.loads(done.err.splitlines()[-1])
        self.assertEqual((counted["tokens_generated"], counted["fibers_executed"]),
                         (TOKENS, FIBERS))

    def test_delays_and_small_pieces_change_nothing(self):
        for how in (("--progress", "poll"), ("--progress", "modules"), ("--connect", "lazy"),
                    ("--tls",)):
            with self.rig.proxy(delay_ms=(0.5, 1.5), short=True):
                done, _, left = self.rig.fib("--nodes", "3", *how)
            self.assert_exact(done)
            self.assertEqual(left, [])

    def damaged(self, *words, **how):
        """Runs with each seed; how many of them were ended. Every other one is damaged from its
        first bytes on, so often that it cannot escape; the others later and seldom."""
        ended = 0
        for seed in range(RUNS):
            damage = (dict.fromkeys(how, 0.5) if seed % 2 == 0 else {**how, "after": 2000})
            with self.rig.proxy(seed=seed, **damage):
                done, took, left = self.rig.fib("--nodes", "3", *words)
            where = f"seed {seed} of {how}: {done}"
            self.assertIsNotNone(done.code, f"hangs: {where}")
            self.assertLess(took, SECONDS_MAX, where)
            self.assertEqual(left, [], where)
            if done.code == 0:
                self.assert_exact(done)
                continue
            ended += 1
            self.assertIn(done.code, (1, 2, 123), where)
            self.assertRegex(done.err, r"terrane: ", where)
            self.assertNotIn("internal error", done.err, where)
            if "TERRANE_SHOW" in os.environ:
                print(f"{how} {seed}: {done.code}, {took:.1f} s\n{done.err}", file=sys.stderr)
        return ended

    def test_flipped_bits_end_the_run_or_change_nothing(self):
        self.assertGreater(self.damaged(flip=0.02), 0)

    def test_repeated_bytes_end_the_run_or_change_nothing(self):
        self.assertGreater(self.damaged(repeat=0.02), 0)

    def test_lost_bytes_end_the_run(self):
        self.assertGreater(self.damaged(lose=0.02), 0)

    def test_cut_connections_end_the_run(self):
        self.assertGreater(self.damaged(cut=0.02), 0)

    def test_damage_under_tls_ends_the_run(self):
        self.assertGreater(self.damaged("--tls", flip=0.01, repeat=0.01, cut=0.01), 0)


if __name__ == "__main__":
    unittest.main()
