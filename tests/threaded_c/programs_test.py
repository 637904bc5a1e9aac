# SPDX-License-Identifier: Apache-2.0
"""The programs of the papers in Threaded-C: answers and counts, in every world, under every
balancer; and the same as the C++ versions where there are."""

import functools
import shlex
import unittest

from threaded_c import PROGRAMS, balancers, run, statistics


# Output that stands for: what the sequential twin prints, which other tests know.
SEQUENTIAL = object()


@functools.cache
def sequential(name: str, *words: str) -> str:
    code, said, heard = run("sequential", name, *words, options=("--stats", "none"))
    if code != 0:
        raise AssertionError(heard)
    return said


def echoed(rounds: int) -> str:
    return "".join(f"{1 + 50 * i} bytes\n" for i in range(rounds))


def known(name: str, p: int):
    """Words, output, tokens and fibers on p processors."""
    strips = (300 + 63) // 64
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
        "knary": (["4", "3", "1", "20"], "knary(4,3,1) = 40\n", 26, 82),
        "tsp": (["6", "3"], "tsp(6) = 2486\n", 157, 511),
        "spmd": (["3", "4", "25", "100"], SEQUENTIAL, 1300, 2701),
        "jacobi": (["66", "20"], "jacobi(66, 20) = 7539fb3d422bc523, sum 2159.213882\n", 0,
                   23 * p + 38 * (p - 1) + 3),
        "tomcatv": (["20", "5"], SEQUENTIAL, 5 * p + 1, 10 * p + 9),
        "paraffins": (["14", "100"], SEQUENTIAL, 110, 143),
        "atgc": (["300"], SEQUENTIAL, 0, p * (strips + 2) + 4 * strips * (p - 1) + p + 2),
    }[name]


NAMES = ["fib", "reduce", "counter", "istruct", "pingpong", "queens", "remote_sum", "matmul",
         "barrier", "knary", "tsp", "spmd", "tomcatv", "paraffins", "atgc",
         "jacobi"]
TWINS = ["fib", "queens", "tsp", "knary", "matmul", "tomcatv", "spmd", "paraffins", "atgc"]


class Programs(unittest.TestCase):
    def check(self, name: str, processors: int, *machine: str) -> dict:
        words, output, tokens, fibers = known(name, processors)
        with self.subTest(program=name, machine=" ".join(machine)):
            code, said, heard = run(PROGRAMS / name, *words, options=("--stats", "json", *machine))
            self.assertEqual(code, 0, heard)
            expected = sequential(name, *words) if output is SEQUENTIAL else output
            self.assertEqual(said, expected)
            counted = statistics(heard)
            self.assertEqual((counted["tokens_generated"], counted["fibers_executed"]),
                             (tokens, fibers))
            return counted

    def test_every_program_in_world_local_on_1_2_4_and_7_nodes(self):
        for name in NAMES:
            for nodes in (1, 2, 4, 7):
                self.check(name, nodes, "--nodes", str(nodes), "--processors", "1")

    def test_every_program_under_every_balancer(self):
        self.assertGreaterEqual(len(balancers()), 4)
        for name in NAMES:
            for balancer in balancers():
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
        for letters, best in ((100, "6 at (84,70), sum 5645"),
                              (1000, "13 at (296,433), sum 786131"),
                              (4000, "17 at (3821,3050), sum 12593897")):
            for machine in (("--nodes", "3"), ("--world", "sim", "--nodes", "7")):
                code, said, heard = run(PROGRAMS / "atgc", str(letters),
                                        options=("--stats", "none", *machine))
                self.assertEqual((said, code), (f"atgc({letters}) = {best}\n", 0), heard)

    def test_the_numbers_of_the_paper(self):
        for machine in (("--nodes", "1", "--processors", "1"), ("--nodes", "2")):
            processors = 2 if "2" in machine else 1
            for words, said, tokens, fibers in (
                    ("fib 28", "fib(28) = 514229", 1028456, 1542687),
                    ("queens 12 4", "queens(12) = 14200", 9916, 24791),
                    ("tsp 10 4", "tsp(10) = 3014", 5861, 18407),
                    ("knary 7 7 2", "knary(7,7,2) = 137257", 98040, 274516),
                    ("spmd 4 4 0 1000", "spmd(4,4,0) = 2100000", 2100, 4301),
                    ("spmd 1 1 0 1000", "spmd(1,1,0) = 100000", 100, 301),
                    ("paraffins 28", "paraffins(28) = 617105614, 1011987676 in all, "
                                     "sum 2173272084683710441", 1843, 1904)):
                self.check_paper(words, said, (tokens, fibers), machine)
            self.check_paper("tomcatv 257 100", "tomcatv(257) = residuals 1.125839e-09 "
                             "4.965908e-10, sums 33454.215836180 33024.526466732",
                             (100 * processors + 1, 200 * processors + 104), machine)

    def test_one_simulated_node_takes_as_long_as_the_papers(self):
        for words, seconds in (("queens 12 4", 5.100), ("tsp 10 4", 8.579), ("knary 7 7 2", 24.77),
                               ("tomcatv 257 100", 7.58), ("spmd 4 4 0", 14.037)):
            name, *arguments = words.split()
            with self.subTest(program=words):
                code, _, heard = run(PROGRAMS / name, *arguments, options=(
                    "--world", "sim", "--network", "sp2", "--stats", "json"))
                self.assertEqual(code, 0, heard)
                taken = statistics(heard)["elapsed_seconds"]
                self.assertAlmostEqual(taken / seconds, 1, delta=0.01)

    def check_paper(self, words: str, answer: str, counts: tuple, machine: tuple) -> None:
        name, *arguments = words.split()
        with self.subTest(program=words, machine=" ".join(machine)):
            code, said, heard = run(PROGRAMS / name, *arguments,
                                    options=("--stats", "json", *machine))
            self.assertEqual((said, code), (answer + "\n", 0), heard)
            counted = statistics(heard)
            self.assertEqual((counted["tokens_generated"], counted["fibers_executed"]), counts)

    def test_the_sequential_twins_print_the_same(self):
        for words in ("fib 20", "queens 9 3", "tsp 7 2", "knary 5 4 2 10", "matmul 50 7",
                      "tomcatv 33 7", "spmd 3 8 25 100", "paraffins 17 500", "paraffins 1",
                      "paraffins 2", "atgc 777"):
            name, *arguments = words.split()
            with self.subTest(program=words):
                _, said, heard = run(PROGRAMS / name, *arguments, options=("--stats", "none"))
                self.assertEqual((said, heard), (sequential(name, *arguments), ""))

    def test_wrong_arguments_are_refused_in_one_sentence(self):
        for words, sentence in (
                ("fib x", "fib: N must be a whole number from 0 to 45, not 'x'"),
                ("queens 8 9", "queens: T must be a whole number from 1 to 8, not '9'"),
                ("tsp 14", "tsp: N must be a whole number from 1 to 13, not '14'"),
                ("tomcatv 2", "tomcatv: N must be a whole number from 3 to 2049, not '2'"),
                ("spmd 4 4 101", "spmd: C must be a whole number from 0 to 100, not '101'"),
                ("spmd 4 4 0 1 2", "spmd: '2' is one argument too many: it takes A B C G"),
                ("paraffins +3", "paraffins: N must be a whole number from 1 to 29, not '+3'"),
                ("atgc ''", "atgc: N must be a whole number from 1 to 1000000, not ''")):
            name, *arguments = shlex.split(words)
            with self.subTest(program=words):
                code, said, heard = run(PROGRAMS / name, *arguments, options=("--quiet",
                                                                              "--stats", "none"))
                self.assertEqual((code, said, heard), (2, "", sentence + "\n"))

    def test_the_versions_in_two_languages_say_the_same(self):
        for name in NAMES:
            twin = PROGRAMS.parent / name
            if not twin.exists() or name == "jacobi":  # whose twin has threads, and takes a version
                continue
            words = known(name, 3)[0]
            options = ("--stats", "json", "--nodes", "3", "--processors", "1")
            _, said, heard = run(PROGRAMS / name, *words, options=options)
            _, twin_said, twin_heard = run(twin, *words, options=options)
            self.assertEqual(said, twin_said)
            for count in ("tokens_generated", "fibers_executed"):
                self.assertEqual(statistics(heard)[count], statistics(twin_heard)[count], name)

    def test_the_versions_in_two_languages_take_the_same_simulated_time(self):
        for words in ("fib 12", "queens 7 3", "knary 4 3 1", "reduce"):
            name, *arguments = words.split()
            for nodes in ("1", "4"):
                if (name, nodes) == ("fib", "4"):
                    continue  # an int in Threaded-C, a long in C++: other bytes on the wire
                options = ("--world", "sim", "--network", "sp2", "--nodes", nodes, "--stats",
                           "json")
                with self.subTest(program=words, nodes=nodes):
                    taken = [statistics(run(program, *arguments, options=options)[2])
                             for program in (PROGRAMS / name, PROGRAMS.parent / name)]
                    self.assertEqual(taken[0]["elapsed_seconds"], taken[1]["elapsed_seconds"])


if __name__ == "__main__":
    unittest.main()
