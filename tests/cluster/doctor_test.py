# SPDX-License-Identifier: Apache-2.0
"""doctor_test.py: `terrane doctor` on hosts that differ: names, firewalls, speed, keys."""

import os
import pathlib
import unittest

from rig import Rig, why_not

TERRANE = pathlib.Path(os.environ["TERRANE_BIN"]).resolve()
WHY_NOT = why_not()


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Doctor(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = cls.enterClassContext(Rig("abc", rate="100mbit"))

    def examine(self, hosts="a,b:2,c"):
        return self.rig.execute(TERRANE, "doctor", "--hosts", hosts)

    def test_passes_sound_hosts_and_measures_their_wire(self):
        done = self.examine()
        self.assertEqual((done.code, done.err), (0, ""), done.out)
        self.assertIn("listens at 10.77.1.2 (eth0, MTU 1500)", done.out)
        self.assertIn("ssh starts programs there; it calls itself b", done.out)
        self.assertIn("6 connections between hosts tried", done.out)
        # 100 Mbit/s are at most 12.5 MB/s; the rest depends on this machine.
        speeds = [float(line.split(", ")[-1].split(" ")[0]) for line in done.out.splitlines()
                  if "MTU 1500, " in line and "MB/s" in line]
        self.assertEqual(len(speeds), 3, done.out)
        for each in speeds:
            self.assertGreater(each, 1)
            self.assertLess(each, 16)

    def test_finds_a_firewall_in_one_direction(self):
        with self.rig.rule("-s", self.rig.address("a"), "-d", self.rig.address("b"), "-p", "tcp",
                           "--syn", "-j", "DROP"):
            done = self.examine()
        self.assertEqual(done.code, 1, done.out)
        self.assertRegex(done.out, r"BAD +a cannot reach b: .*firewall.* -> let TCP connections")
        self.assertNotIn("b cannot reach a", done.out)

    def test_finds_a_name_that_means_loopback_on_one_side(self):
        self.rig.write_hosts("c", a="127.0.1.1")
        try:
            done = self.examine()
        finally:
            self.rig.write_hosts("c")
        self.assertEqual(done.code, 1, done.out)
        self.assertRegex(done.out, r"BAD +a means 127\.0\.1\.1 there, .* -> remove that line from "
                                   r"/etc/hosts of c")

    def test_finds_a_host_whose_sshd_is_not_there(self):
        with self.rig.rule("-d", self.rig.address("c"), "-p", "tcp", "--dport", "22", "-j",
                           "REJECT"):
            done = self.examine("a,c")
        self.assertEqual(done.code, 1, done.out)
        self.assertRegex(done.out, r"BAD +ssh could not start .*refused.* -> try by hand: ssh c")


if __name__ == "__main__":
    unittest.main()
