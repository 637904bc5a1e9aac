# SPDX-License-Identifier: Apache-2.0
"""A balancer of the user's own, in a shared library: --balancer ./mine.so."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from command import FIB, CommandTest, TERRANE, execute, surroundings, terrane

LIBRARY = os.path.join(os.path.dirname(TERRANE), "balancers", "ask_anyone.so")
FAULTY = os.path.join(os.environ["TERRANE_BUILD"], "tests", "faulty.so")
WORLDS = ("local", "sim", "shm")


class BalancerFile(CommandTest):
    def test_moves_work_in_every_world(self):
        for world in ("local", "sim", "shm"):
            done = terrane("run", "--world", world, "--nodes", "4", "--stats", "json",
                           "--balancer", LIBRARY + ":hops=2", "queens", "10", "4")
            read = json.loads(done.err.splitlines()[-1])
            self.assertEqual((done.code, done.out), (0, "queens(10) = 724\n"), world)
            self.assertEqual(read["tokens_generated"], 3692)
            if world == "sim":
                self.assertGreater(read["tokens_moved"], 0)

    def test_an_idle_node_is_told_whether_its_last_token_waits_for_data(self):
        library = os.path.join(os.environ["TERRANE_BUILD"], "tests", "tells_of_waiting.so")

        def notes(*program):
            done = terrane("run", "--world", "sim", "--network", "sp2", "--nodes", "4",
                           "--stats", "json", "--balancer", library, *program)
            self.assertEqual(done.code, 0, done.err)
            read = json.loads(done.err.splitlines()[-1])
            self.assertGreater(read["tokens_moved"], 0)
            return read["notes_sent"]

        # 64 blocks of work, each on 256 KB that 2 ms bring; then numbers that tokens bring along.
        self.assertGreater(notes("matmul", "256", "4"), 20)
        self.assertEqual(notes("fib", "15"), 0)

    def test_wrong_ones_are_refused_in_a_sentence(self):
        self.assert_refused(terrane("run", "--balancer", "./nowhere.so", "fib", "5"),
                            "./nowhere.so cannot be loaded")
        self.assert_refused(terrane("run", "--balancer", LIBRARY + ":bogus=1", "fib", "5"),
                            "ask_anyone has no parameter 'bogus'")

    def test_a_file_that_is_not_whole_is_refused_wherever_it_ends(self):
        whole = pathlib.Path(FAULTY).read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            short = pathlib.Path(folder, "short.so")
            for share in range(20):
                short.write_bytes(whole[:len(whole) * share // 20])
                self.assert_refused(terrane("run", "--balancer", short, "fib", "5"),
                                    f"the balancer {short} cannot be loaded: ")


class Faulty(CommandTest):
    """What goes wrong in it is said with its name, in every world."""

    DEEDS = "nothing throws throws_a_number crashes divides aborts leaves loops refuses".split()

    def words(self, world, deed, program):
        return [*program[:1], "--world", world, "--nodes", "2", "--processors", "1", "--balancer",
                f"{FAULTY}:does={self.DEEDS.index(deed)}", *program[1:]]

    def idle_program(self, world):
        """A program with a node that is idle for as long as it takes."""
        return (FIB, "15") if world == "sim" else (os.environ["TERRANE_COMPANY"], "wait")

    def run_one(self, world, deed):
        return execute(*self.words(world, deed, self.idle_program(world)))

    def test_one_that_does_nothing_is_none(self):
        for world in WORLDS:
            self.assertEqual(execute(*self.words(world, "nothing", (FIB, "25"))),
                             (0, "fib(25) = 121393\n", ""), world)

    def test_an_exception_ends_the_run_with_what_it_says(self):
        for world in WORLDS:
            for deed, said in (("throws", " in on_idle: no idea"),
                               ("throws_a_number", " in on_idle"),
                               ("refuses", " in its constructor: not today")):
                with self.subTest(world=world, deed=deed):
                    done = self.run_one(world, deed)
                    self.assertEqual(done.code, 122, done.err)
                    self.assertIn(f"R-310: the balancer {FAULTY} threw an exception{said}",
                                  done.err)

    def test_exit_in_it_ends_the_run(self):
        for world in WORLDS:
            with self.subTest(world=world):
                done = self.run_one(world, "leaves")
                self.assertEqual(done.code, 122, done.err)
                self.assertRegex(done.err, rf"R-310: the balancer {FAULTY} called exit\(\) in "
                                           r"on_idle at node [01]\n")

    def test_a_crash_in_it_has_a_sentence_and_stays_a_crash(self):
        for world in WORLDS:
            for deed, number, what in (("crashes", signal.SIGSEGV, "Segmentation fault"),
                                       ("divides", signal.SIGFPE,
                                        "(Floating point|Arithmetic) exception|Floating.*"),
                                       ("aborts", signal.SIGABRT, "Aborted")):
                with self.subTest(world=world, deed=deed):
                    done = self.run_one(world, deed)
                    if os.environ["TERRANE_SANITIZE"] == "":
                        self.assertEqual(done.code, 123 if world == "shm" else -number, done.err)
                    self.assertRegex(done.err, rf"R-310: the balancer {FAULTY} crashed \({what}\) "
                                               r"in on_idle at node [01]\n")

    def test_one_that_never_returns_is_named(self):
        runs = {world: subprocess.Popen(
            self.words(world, "loops", self.idle_program(world)), stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, env=surroundings()) for world in WORLDS}
        for world, run in runs.items():
            with self.subTest(world=world):
                said = run.communicate(timeout=200)[1]
                self.assertEqual(run.returncode, 122, said)
                self.assertRegex(said, rf"R-310: the balancer {FAULTY} has not returned from "
                                       r"on_idle at node [01] for 10 s: it must not block\n")


if __name__ == "__main__":
    unittest.main()
