# SPDX-License-Identifier: Apache-2.0
"""moves_test.py: what the program moves measures, in each world."""

import json
import os
import unittest

from command import TERRANE, CommandTest, execute

MOVES = TERRANE.with_name("moves")
SANITIZED = bool(os.environ.get("TERRANE_SANITIZE"))  # threads stay in their process, frames grow
ROWS = ["push,latency_us", "push,overhead_us", "push,per_second", "steal,latency_us"]


class Moves(CommandTest):
    def rows(self, *words):
        done = execute(MOVES, "--processors", "1", "--balancer", "nop", *words)
        self.assertEqual((done.code, done.err), (0, ""))
        return {row: float(value) for row, value in
                (line.rsplit(",", 1) for line in done.out.splitlines())}

    def test_has_all_rows_in_each_world(self):
        for world in ("local", "sim") if SANITIZED else ("local", "shm", "sim"):
            with self.subTest(world=world):
                rows = self.rows("--world", world, "--nodes", "2", "1", "5")
                self.assertEqual(list(rows), ROWS)
                self.assertTrue(all(value > 0 for value in rows.values()), rows)
        three = self.rows("--world", "sim", "--nodes", "3", "0", "5")
        self.assertIn("two sources,per_second", three)

    @unittest.skipIf(SANITIZED, "a KiB of stack is more there")
    def test_a_simulated_move_takes_what_its_bytes_take(self):
        latency = {kib: self.rows("--world", "sim", "--network", "myrinet", "--nodes", "2",
                                  str(kib), "5")["push,latency_us"] for kib in (1, 2, 32)}
        a_kib = 1024 / 2.104 + 1024 / 73.14  # over the link, and copied before that
        self.assertAlmostEqual(latency[2] - latency[1], a_kib, delta=0.1)
        self.assertAlmostEqual(latency[32] - latency[2], 30 * a_kib, delta=0.5)

    @unittest.skipIf(SANITIZED, "a KiB of stack is more there")
    def test_a_simulated_source_pays_by_the_byte_and_limits_what_it_sends(self):
        rows = {kib: self.rows("--world", "sim", "--network", "myrinet", "--nodes", "3",
                               str(kib), "20") for kib in (1, 2)}
        more = rows[2]["push,overhead_us"] - rows[1]["push,overhead_us"]
        self.assertAlmostEqual(more, 1024 / 73.14, delta=0.1)
        for kib in rows:
            self.assertGreater(rows[kib]["two sources,per_second"],
                               1.7 * rows[kib]["push,per_second"])

    def test_a_simulated_run_repeats(self):
        seen = set()
        for _ in range(2):
            done = execute(MOVES, "--world", "sim", "--network", "myrinet", "--nodes", "3",
                           "--processors", "1", "--balancer", "nop", "--stats", "json", "1", "10")
            stats = json.loads(done.err.splitlines()[-1])
            self.assertTrue(stats["repeatable"])
            seen.add((stats["event_log_hash"], done.out))
        self.assertEqual(len(seen), 1)

    def test_refuses_what_it_cannot_do(self):
        for words, sentence in ((("--nodes", "1"), "there must be two nodes"),
                                (("--nodes", "2", "3"), "KIB must be 0, 1, 2, 4, 8, 16 or 32"),
                                (("--nodes", "2", "0", "0"), "TIMES must be a whole number")):
            done = execute(MOVES, *words)
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertIn(sentence, done.err)
            self.assertEqual(len(done.err.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
