# SPDX-License-Identifier: Apache-2.0
"""talking_programs_test.py: jacobi and pic give the known answers in every version and world."""

import json
import os
import re
import unittest

from command import TERRANE, CommandTest, execute

WORLDS = ("local", "shm", "sim")
JACOBI = "jacobi({}, 20) = {}, sum {}\n"
JACOBI_60 = "jacobi(66, 60) = 8a6e8c5254de3a19, sum 2160.133430\n"
# Each member goes to the next processor, at every balance().
SHIFTS = os.path.join(os.environ["TERRANE_BUILD"], "tests", "shifts_members.so")
POINTS_66 = (66, "7539fb3d422bc523", "2159.213882")
POINTS_514 = (514, "9caae17bd22725ec", "130789.870081")


def run(program, world, nodes, *words, options=()):
    return execute(TERRANE.with_name(program), "--world", world, "--nodes", str(nodes),
                   "--processors", "1", *options, *map(str, words))


class Jacobi(CommandTest):
    def test_is_the_same_in_every_version_and_world(self):
        for world in WORLDS:
            for nodes in (1, 2, 4):
                for version in ("sequential", "blocking", "overlapped", "threads", "rope"):
                    with self.subTest(world=world, nodes=nodes, version=version):
                        done = run("jacobi", world, nodes, version, 66, 20, 1000, 2, 1, 3)
                        self.assertEqual((done.code, done.err, done.out),
                                         (0, "", JACOBI.format(*POINTS_66)))

    def test_has_the_answers_of_the_reference(self):
        for words, expected in (((514, 20, 1000), "9caae17bd22725ec"),
                                ((512, 20, 1000), "48e18eae780222af"),
                                ((514, 20, 900), "aafb7692a3456996")):
            done = run("jacobi", "local", 2, "overlapped", *words)
            self.assertIn(f" = {expected}, sum ", done.out)

    def test_is_the_same_however_messages_travel(self):
        for eager in (0, 1 << 30):
            for version in ("blocking", "overlapped", "threads", "rope"):
                for world in WORLDS:
                    done = run("jacobi", world, 4, version, 66, 20, 1000, 1, 4, 3,
                               options=("--eager", str(eager)))
                    self.assertEqual((done.code, done.err, done.out),
                                     (0, "", JACOBI.format(*POINTS_66)))

    def test_is_the_same_on_many_simulated_nodes_with_faults(self):
        for seed in range(1, 21):
            done = run("jacobi", "sim", 16, "rope", 66, 20, 1000, 1, 1, 2,
                       options=("--seed", str(seed), "--faults",
                                "delay=0.1,heavy=0.1,reorder=0.1,slow=0.1"))
            self.assertEqual((done.code, done.out), (0, JACOBI.format(*POINTS_66)), done.err)
        done = run("jacobi", "sim", 128, "threads", 514)
        self.assertEqual((done.code, done.out), (0, JACOBI.format(*POINTS_514)), done.err)

    def test_is_the_same_wherever_its_members_go(self):
        for policy in ("greedy", "refine", "neighbours", SHIFTS):
            for world, more in (("local", ()), ("shm", ()), ("sim", ("--network", "paragon"))):
                with self.subTest(policy=policy, world=world):
                    done = run("jacobi", world, 4, "rope", 66, 60, 1000, 1, 8, 4, options=(
                        "--rope-balancer", policy, "--stats", "json", *more))
                    self.assertEqual((done.code, done.out), (0, JACOBI_60), done.err)
                    found = json.loads(done.err.splitlines()[-1])
                    if world == "sim" or policy == SHIFTS:
                        self.assertGreater(found["members_moved"], 0)

    def test_is_the_same_when_members_move_in_spite_of_faults(self):
        moved = 0
        for seed in range(1, 21):
            done = run("jacobi", "sim", 8, "rope", 66, 60, 1000, 1, 4, 3, options=(
                "--seed", str(seed), "--faults", "delay=0.1,heavy=0.1,reorder=0.1,slow=0.1",
                "--rope-balancer", ("greedy", "refine", "neighbours", SHIFTS)[seed % 4],
                "--stats", "json"))
            self.assertEqual((done.code, done.out), (0, JACOBI_60), done.err)
            moved += json.loads(done.err.splitlines()[-1])["members_moved"]
        self.assertGreater(moved, 100)

    def test_gains_by_balance_where_there_is_something_to_gain(self):
        def seconds(load, members, policy):
            done = run("jacobi", "sim", 8, "rope", 258, 100, 1000, 1, load, members, options=(
                "--network", "paragon", "--rope-balancer", policy, "--stats", "json"))
            found = json.loads(done.err.splitlines()[-1])
            self.assertTrue(found["repeatable"])
            return found["elapsed_seconds"]

        one, even = seconds(4, 1, "none"), seconds(1, 8, "none")
        for policy in ("greedy", "refine", "neighbours"):
            self.assertGreater(one / seconds(4, 8, policy), 1.8, policy)
            self.assertLess(seconds(1, 8, policy) / even, 1.05, policy)

    def test_refuses_balancers_that_are_none(self):
        for given, said in (("nobody", "no balancer of ropes 'nobody'"),
                            ("./nowhere.so", "./nowhere.so cannot be loaded")):
            done = run("jacobi", "local", 2, "rope", options=("--rope-balancer", given))
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertIn(said, done.err)

    def test_balances_by_few_messages(self):
        """Each call is a message of each other node to the home, and one back."""
        def messages(iterations, policy):
            done = run("jacobi", "sim", 8, "rope", 258, iterations, 1000, 1, 1, 16, options=(
                "--rope-balancer", policy, "--stats", "json"))
            found = json.loads(done.err.splitlines()[-1])
            self.assertEqual(found["members_moved"], 0)
            return found["messages_sent"] - found["notes_sent"]

        calls = 5  # at every tenth of 50 iterations, the first among them
        more = messages(50, "refine") - messages(50, "none")
        self.assertLessEqual(more, calls * 14 + 40, "besides what looks for the end")

    def test_waits_in_each_way(self):
        for how in ("scheduler", "thread", "spin"):
            for world in ("local", "sim"):
                done = run("jacobi", world, 2, "threads", 66, options=("--recv-wait", how))
                self.assertEqual(done.out, JACOBI.format(*POINTS_66))

    def test_says_who_waited_for_whom(self):
        for world in WORLDS:
            with self.subTest(world=world):
                done = run("jacobi", world, 2, "rope", 258, 20, 1000, 1, 4, 4,
                           options=("--waits", "--stats", "json"))
                self.assertEqual(done.code, 0)
                self.assertRegex(done.err, r"\Aterrane: threads waited for threads [0-9.]+ s in "
                                           r"all; other work hid [0-9.]+%\n")
                self.assertRegex(done.err, r"  jacobi rank 3 <0,\d+> +rank 4 <1,\d+> \(recv, ")
                found = json.loads(done.err.splitlines()[-1])
                rows = found["waits"]
                for longer, shorter in zip(rows, rows[1:]):
                    self.assertGreaterEqual(longer["seconds"], shorter["seconds"])
                for name, each in (("wait_seconds", "seconds"),
                                   ("hidden_wait_seconds", "hidden_seconds")):
                    self.assertAlmostEqual(found[name], sum(row[each] for row in rows), places=6)
                self.assertLessEqual(found["hidden_wait_seconds"], found["wait_seconds"])
                # Four members a processor: while one waits, others compute.
                self.assertGreater(found["hidden_wait_seconds"], 0)
                self.assertGreater(found["messages_unexpected_peak"], 0)

    def test_hides_nothing_where_there_is_nothing_else_to_do(self):
        def of(members):
            done = run("jacobi", "sim", 2, "rope", 258, 20, 1000, 1, 4, members,
                       options=("--waits", "--stats", "json", "--network", "paragon"))
            found = json.loads(done.err.splitlines()[-1])
            self.assertTrue(found["repeatable"])
            return {row["who"].split(" <")[0]: row for row in found["waits"]
                    if "rank" in row["whom"] and row["where"].startswith("recv")}
        self.assertEqual([row["hidden_seconds"] for row in of(1).values()], [0, 0])
        many = of(4)
        self.assertGreater(sum(row["hidden_seconds"] for row in many.values()), 0)

    def test_notes_no_waits_unasked(self):
        done = run("jacobi", "local", 2, "rope", 66, options=("--stats", "json"))
        self.assertEqual({name for name in json.loads(done.err) if "wait" in name}, set())

    def test_refuses_what_cannot_be(self):
        for words in (("columns",), ("threads", 66, 20, 1000, 17), ("blocking", 5),
                      ("rope", 66, 20, 1000, 1, 1, 0)):
            done = run("jacobi", "local", 4, *words)
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertRegex(done.err, r"\Ajacobi: [^\n]+\n\Z")


class Pic(CommandTest):
    ANSWER = re.compile(r"pic\(1024, 32, (\d+)\) = ([0-9a-f]{16}), kinetic (\d+\.\d{6}), "
                        r"sends (\d+), receives (\d+)\n\Z")

    def hash_and_counts(self, *words, **how):
        done = run("pic", *words, **how)
        self.assertEqual((done.code, done.err), (0, ""))
        read = self.ANSWER.match(done.out)
        self.assertTrue(read, done.out)
        return read[2], int(read[4]), int(read[5])

    def test_is_the_same_in_every_version_and_world_and_counts_by_a_formula(self):
        steps = 10
        for world in WORLDS:
            for nodes in (1, 3):
                for version, each in (("sequential", 0), ("original", 1), ("functional", 1),
                                      ("virtual", 2)):
                    with self.subTest(world=world, nodes=nodes, version=version):
                        n = max(1, nodes * each)
                        count = 0 if n == 1 else steps * n * (2 * (n - 1) + 83)
                        self.assertEqual(
                            self.hash_and_counts(world, nodes, version, 1024, 32, steps, 2),
                            ("abc194cd059f3e81", count, count))

    def test_has_the_answers_of_the_reference(self):
        for steps, expected in ((1, "6af87c2d9d5c87df"), (50, "ed2414f34ff7304b")):
            self.assertEqual(self.hash_and_counts("local", 2, "original", 1024, 32, steps)[0],
                             expected)
        self.assertEqual(self.hash_and_counts("sim", 32, "original", 1024, 32, 1)[0],
                         "6af87c2d9d5c87df")

    def test_is_the_same_however_messages_travel(self):
        for eager in (0, 1 << 30):
            for version in ("original", "functional", "virtual"):
                self.assertEqual(
                    self.hash_and_counts("shm", 2, version, 1024, 32, 1,
                                         options=("--eager", str(eager)))[0], "6af87c2d9d5c87df")

    def test_refuses_what_cannot_be(self):
        for words in (("all",), ("original", 1024, 3), ("virtual", 1024, 7, 1, 2)):
            done = run("pic", "local", 4, *words)
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertRegex(done.err, r"\Apic: [^\n]+\n\Z")


if __name__ == "__main__":
    unittest.main()
