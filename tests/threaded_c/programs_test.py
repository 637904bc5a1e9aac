# SPDX-License-Identifier: Apache-2.0
"""The programs of the papers in Threaded-C: answers and counts, in every world, under every
balancer; and the same as the C++ versions where there are."""

import subprocess
import unittest

from threaded_c import PROGRAMS, TERRANE, run, statistics

BALANCERS = subprocess.run([TERRANE, "balancers"], capture_output=True, text=True,
                           check=True).stdout
BALANCERS = [line.split()[0] for line in BALANCERS.split("\n\n")[0].split("\n")
             if line[:1].isalpha()]


def echoed(rounds: int) -> str:
    return "".join(f"{1 + 50 * i} bytes\n" for i in range(rounds))


def known(name: str, p: int):
    """Words, output, tokens and fibers on p processors."""
    blocks = (300 + 63) // 64
    return {
        "fib": (["16"], "fib(16) = 1597\n", 3192, 4791),
        "reduce": ([], f"total = {p * (p - 1) // 2}\n", 0, 2 * p + 2),
        "counter": ([], f"{100 * p}\n", 0, 402 * p + 3),
        "istruct": ([], "C(19,9) = 92378\n", 210, 385),
        "pingpong": ([], echoed(100), 0, 504),
        "queens": (["8", "3"], "queens(8) = 92\n", 380, 951),
        "remote_sum": ([], "42\n", 1, 10),
        "matmul": (["64", "16"], "sum -1 sumsq 169107\n", 4, 14),
        "barrier": (["10"], "10 rounds\n", 0, p * 13 + 12),
        "atgc": (["300"], None, 0, p * (blocks + 2) + 4 * blocks * (p - 1) + p + 2),
    }[name]


NAMES = ["fib", "reduce", "counter", "istruct", "pingpong", "queens", "remote_sum", "matmul",
         "barrier", "atgc"]


class Programs(unittest.TestCase):
    def check(self, name: str, processors: int, *machine: str) -> dict:
        words, output, tokens, fibers = known(name, processors)
        with self.subTest(program=name, machine=" ".join(machine)):
            code, said, heard = run(PROGRAMS / name, *words, options=("--stats", "json", *machine))
            self.assertEqual(code, 0, heard)
            if output is not None:
                self.assertEqual(said, output)
            counted = statistics(heard)
            self.assertEqual((counted["tokens_generated"], counted["fibers_executed"]),
                             (tokens, fibers))
            return counted

    def test_every_program_in_world_local_on_1_2_4_and_7_nodes(self):
        for name in NAMES:
            for nodes in (1, 2, 4, 7):
                self.check(name, nodes, "--nodes", str(nodes), "--processors", "1")

    def test_every_program_under_every_balancer(self):
        self.assertGreaterEqual(len(BALANCERS), 4)
        for name in NAMES:
            for balancer in BALANCERS:
                self.check(name, 4, "--nodes", "4", "--processors", "1", "--balancer", balancer)
                self.check(name, 5, "--world", "sim", "--nodes", "5", "--balancer", balancer)

    def test_every_program_in_world_shm_on_1_to_7_processes(self):
        for name in NAMES:
            for nodes in (1, 2, 3, 4, 7):
                self.check(name, nodes, "--world", "shm", "--nodes", str(nodes), "--processors",
                           "1")

    def test_every_program_in_world_sim_on_1_to_32_nodes_with_several_seeds(self):
        for name in NAMES:
            for nodes in (1, 2, 3, 8, 32):
                for seed in (1, 2, 3):
                    self.check(name, nodes, "--world", "sim", "--nodes", str(nodes), "--seed",
                               str(seed))

    def test_declared_work_makes_a_simulated_run_repeatable(self):
        for name in NAMES:
            machine = ("--world", "sim", "--nodes", "5", "--seed", "9", "--stats", "text")
            words = known(name, 5)[0]
            first, second = (run(PROGRAMS / name, *words, options=machine)[2] for _ in range(2))
            self.assertNotIn("not repeatable", first)
            self.assertEqual(first, second)

    def test_alignments_of_known_sequences(self):
        for letters, best in ((100, 6), (1000, 13), (4000, 17)):
            for machine in (("--nodes", "3"), ("--world", "sim", "--nodes", "7")):
                code, said, heard = run(PROGRAMS / "atgc", str(letters),
                                        options=("--stats", "none", *machine))
                self.assertEqual((said, code), (f"best {best}\n", 0), heard)

    def test_the_numbers_of_the_paper_for_queens_and_fib(self):
        _, said, heard = run(PROGRAMS / "queens", "12", "4", options=("--stats", "json"))
        counted = statistics(heard)
        self.assertEqual((said, counted["tokens_generated"], counted["fibers_executed"]),
                         ("queens(12) = 14200\n", 9916, 24791))
        _, said, heard = run(PROGRAMS / "fib", "28", options=("--stats", "json"))
        counted = statistics(heard)
        self.assertEqual((said, counted["tokens_generated"], counted["fibers_executed"]),
                         ("fib(28) = 514229\n", 1028456, 1542687))

    def test_the_versions_in_two_languages_say_the_same(self):
        for name in NAMES:
            twin = PROGRAMS.parent / name
            if not twin.exists():
                continue
            words = known(name, 3)[0]
            options = ("--stats", "json", "--nodes", "3", "--processors", "1")
            _, said, heard = run(PROGRAMS / name, *words, options=options)
            _, twin_said, twin_heard = run(twin, *words, options=options)
            self.assertEqual(said, twin_said)
            for count in ("tokens_generated", "fibers_executed"):
                self.assertEqual(statistics(heard)[count], statistics(twin_heard)[count], name)


if __name__ == "__main__":
    unittest.main()
