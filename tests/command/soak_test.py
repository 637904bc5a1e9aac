# SPDX-License-Identifier: Apache-2.0
"""soak_test.py: seed after seed under world sim, and the command that repeats a run."""

import re
import shlex

from command import FIB, CommandTest, terrane


FAULTS = "delay=0.2,reorder=0.1,pause=0.001"  # no rare ones, which few runs do not all reach


class Soak(CommandTest):
    def test_runs_that_are_all_the_same(self):
        self.assert_printed(terrane("soak", "--runs", "20", "--faults", FAULTS, "fib", "9"),
                            "20 runs from seed 1 on, all the same: ended with exit code 0, "
                            "108 tokens, 165 fibers")

    def test_shapes_that_were_fixed(self):
        self.assert_printed(terrane("soak", "--runs=5", "--seed", "9", "--nodes", "3",
                                    "--processors", "2", "--balancer", "spn", "--faults", "none",
                                    "--network", "zero", "reduce"), "5 runs from seed 9 on")

    def test_for_a_time(self):
        self.assert_printed(terrane("soak", "--minutes", "0.01", "--faults", FAULTS, "fib", "5"),
                            "all the same")

    def test_a_run_that_differs_can_be_repeated(self):
        done = terrane("soak", "--runs", "20", "reduce")  # counts depend on the processors
        self.assertEqual(done.code, 1)
        self.assertRegex(done.out, r"\Aseed \d+: it (printed something else|had )")
        command = shlex.split(re.search(r"(?m)^to repeat it: terrane (.*)$", done.out)[1])
        first, again = (terrane(command[0], "--stats", "json", *command[1:]) for _ in range(2))
        self.assertEqual(first.code, 0)
        hashes = [re.search(r'"event_log_hash":"(\w+)"', run.err)[1] for run in (first, again)]
        self.assertEqual(hashes[0], hashes[1])

    def test_wrong_arguments(self):
        self.assert_refused(terrane("soak"), "soak needs a program")
        self.assert_refused(terrane("soak", "--runs", "0", "fib"), "--runs needs a whole number")
        self.assert_refused(terrane("soak", "--runs"), "--runs needs a value")
        self.assert_refused(terrane("soak", "--quiet", "--runs", "3", "fib", "5"),
                            "--runs stands before the other options")
        self.assert_refused(terrane("soak", "--minutes", "-1", "fib"), "--minutes needs a number")
        self.assert_refused(terrane("soak", "--world", "local", "fib"), "world sim only")
        self.assert_refused(terrane("soak", "--log", "x", "fib"), "takes no --log")
        self.assert_refused(terrane("soak", "fob"), "did you mean fib?")

    def test_arguments_that_the_program_refuses(self):
        done = terrane("soak", "--runs", "2", "fib", "x")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertIn("fib: N must be a whole number", done.err)

    def test_help(self):
        self.assert_printed(terrane("soak", "--help"), "usage: terrane soak", "--runs N",
                            "--faults RATES")
        self.assertEqual(terrane("help", "soak"), terrane("soak", "--help"))


class Repeating(CommandTest):
    def test_no_command_is_printed_without_need(self):
        self.assertNotIn("to repeat", terrane("run", "--world", "sim", "fib", "5").err)
        self.assertNotIn("to repeat", terrane("run", "--world", "sim", "fib", "x").err)

    def test_wrong_faults_are_one_sentence(self):
        for wrong in ("delay=2", "quake=0.1", "delay", ""):
            self.assert_refused(terrane("run", "--faults", wrong, "fib", "5"), "--faults")

    def test_the_same_program_by_its_path(self):
        done = terrane("run", "--world", "sim", "--stats", "json", "--faults", "delay=0.5,late=1",
                       FIB, "8")
        self.assertEqual((done.code, done.out), (0, "fib(8) = 34\n"))
