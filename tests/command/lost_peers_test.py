# SPDX-License-Identifier: Apache-2.0
"""lost_peers_test.py: what needs a thread on a lost node throws peer_lost; the rest goes on."""

import collections
import os
import re
import unittest

from command import CommandTest, execute

BEREAVED = os.environ["TERRANE_BEREAVED"]
EXIT_NODE_LOST = 123
# How often each call says that it throws: threads on nodes 0 and 2 do the same.
LOST = {"recv": 2, "recv again": 2, "probe": 2, "any": 1, "ssend": 1, "long send": 1, "wait_all": 1,
        "main": 1, "main, any": 1, "barrier": 2, "in a rope": 2}
RIGHT = ["any again: 7", "rank 2: 5", "sent before: 2", "wait_all again: right"]


class LostPeers(CommandTest):
    def check(self, *options):
        done = execute(BEREAVED, "--nodes", "3", "--processors", "1", "--after-loss", "20",
                       *options)
        self.assertEqual(done.code, EXIT_NODE_LOST, done.err)
        lines = done.out.splitlines()
        told = [line.split(": lost, ") for line in lines]
        lost = collections.Counter(each[0] for each in told if len(each) == 2)
        others = sorted(each[0] for each in told if len(each) == 1)
        self.assertEqual((dict(lost), others), (LOST, RIGHT), done.out + done.err)
        self.assertRegex(done.out, r"(?m)^main: lost, <0,\d+> in recv from <1,\d+>, tag 9, "
                                   r"bereaved.cpp:\d+: node 1 is lost$")
        self.assertTrue(re.search(r"rank 0 <0,\d+> in recv from rank 1 <1,\d+>", done.out))

    def test_are_named_by_what_needs_them(self):
        for world in ("shm", "tcp"):
            with self.subTest(world=world):
                self.check("--world", world)

    def test_are_named_where_threads_look_for_messages_themselves(self):
        self.check("--world", "shm", "--recv-wait", "thread")

    def test_are_named_where_waits_are_noted(self):
        self.check("--world", "shm", "--waits")

    def test_end_the_run_unless_it_may_go_on(self):
        done = execute(BEREAVED, "--nodes", "3", "--processors", "1", "--world", "shm")
        self.assertEqual((done.code, done.out), (EXIT_NODE_LOST, ""))


if __name__ == "__main__":
    unittest.main()
