# SPDX-License-Identifier: Apache-2.0
"""help_test.py: what the command says about itself, and what it answers to a wrong first word."""

import pathlib
import re

from command import CommandTest, terrane

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "programs"


class Help(CommandTest):
    def test_is_printed_when_asked_for(self):
        for words in (["--help"], ["-h"], ["help"]):
            self.assert_printed(terrane(*words), "usage: terrane SUBCOMMAND", "  run [OPTIONS]",
                                "  programs", "  balancers", "  help", "--version")

    def test_without_arguments_goes_to_stderr(self):
        done = terrane()
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertEqual(done.err, terrane("--help").out)

    def test_of_a_run_names_every_option(self):
        expected = terrane("run", "--help")
        self.assert_printed(expected, "usage: terrane run [OPTIONS] PROGRAM", "--nodes N",
                            "--processors P", "--world", "--balancer NAME", "--seed S",
                            "--stats FORM", "--quiet", "Exit code")
        for words in (["run", "-h"], ["help", "run"], ["--help", "run"],
                      ["run", "--nodes", "2", "--help"]):
            self.assertEqual(terrane(*words), expected)

    def test_of_the_other_subcommands(self):
        for name in ("programs", "balancers", "help"):
            self.assert_printed(terrane(name, "--help"), f"usage: terrane {name}")
            self.assertEqual(terrane("help", name), terrane(name, "-h"))

    def test_fits_a_terminal_of_80_columns(self):
        for words in (["help"], ["help", "run"], ["balancers"], ["programs"]):
            for line in terrane(*words).out.replace(" (not built)", "").splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_what_an_option_takes_stands_apart_from_what_it_does(self):
        for line in terrane("help", "run").out.splitlines():
            if line.startswith("  --"):
                self.assertRegex(line, r"^  --[a-z-]*( [A-Z]+)?  +\S")

    def test_version(self):
        done = terrane("--version")
        self.assert_printed(done)
        self.assertRegex(done.out, r"\Aterrane \d+\.\d+\.\d+\n\Z")


class Listings(CommandTest):
    def test_programs_with_what_they_show(self):
        done = terrane("programs")
        self.assert_printed(done, "fib N ", " 33 ")
        for name in ("queens", "knary", "reduce", "remote_sum", "matmul", "barrier"):
            self.assertRegex(done.out, rf"(?m)^{name} .*[a-z]{{3}}")
        self.assertNotRegex(done.out, r"fib .*\(not built\)")

    def test_every_program_of_the_sources_is_listed(self):
        listed = re.findall(r"(?m)^(\w+) ", terrane("programs").out)
        for folder in sorted(PROGRAMS.iterdir()):
            if any((folder / f"{folder.name}{suffix}").exists() for suffix in (".cpp", ".tc")):
                self.assertIn(folder.name, listed, "add it to tools/terrane/program_table.cpp")

    def test_a_program_tells_what_it_takes(self):
        said = terrane("programs", "tsp")
        self.assert_printed(said, "usage: terrane run [OPTIONS] tsp N T",
                            "N      10      1 to 13: ")
        for words in (("run", "tsp", "--help"), ("run", "--nodes", "4", "tsp", "-h")):
            self.assertEqual(terrane(*words), said)
        self.assert_refused(terrane("programs", "tspp"), "did you mean tsp?")
        self.assert_refused(terrane("programs", "tsp", "fib"), "takes one program")

    def test_a_program_with_many_arguments_tells_them_all(self):
        self.assertRegex(terrane("programs").out, r"(?m)^grep \.\.\. +0 nodes +lines of files")
        self.assert_printed(terrane("programs", "grep"), "grep TEXT DIR POLICY US DISKS",
                            "DISKS  nodes   1 to 1000000: ")

    def test_balancers_with_their_parameters(self):
        done = terrane("balancers")
        self.assert_printed(done, "nop ", "rand ", "--balancer NAME")
        self.assertRegex(done.out, r"(?m)^ +probes +\S+")
        self.assertRegex(done.out, r"(?m)^ +threshold +\S+")

    def test_each_balancer_is_explained_by_its_phases_and_source(self):
        for name in re.findall(r"(?m)^(\w+) {2,}", terrane("balancers").out):
            done = terrane("balancers", name)
            self.assertRegex(done.out, rf"\A{name}\.hpp: ")
            for phase in ("Transfer", "Source"):
                self.assertIn(phase, done.out, name)
        self.assert_refused(terrane("balancers", "quark"), "'quark'", "terrane balancers")


class WrongFirstWord(CommandTest):
    def test_unknown_subcommand(self):
        self.assert_refused(terrane("rum"), "'rum'", "did you mean run?")
        self.assert_refused(terrane("balancer"), "did you mean balancers?")
        self.assert_refused(terrane("quark"), "there is no subcommand 'quark'", "terrane --help")
        self.assert_refused(terrane("help", "quark"), "there is no subcommand 'quark'")

    def test_a_program_in_the_place_of_a_subcommand(self):
        self.assert_refused(terrane("fib", "20"), "terrane run fib")
        self.assert_refused(terrane("./prog"), "terrane run ./prog")

    def test_an_option_in_the_place_of_a_subcommand(self):
        self.assert_refused(terrane("--nodes", "4", "fib"), "no option --nodes here",
                            "terrane run --nodes 4 fib")

    def test_surplus_words(self):
        self.assert_refused(terrane("balancers", "rand", "spn"), "'spn'")
        self.assert_refused(terrane("--version", "2"), "'2'")
        self.assert_refused(terrane("help", "run", "fib"), "'fib'")

    def test_nonsense(self):
        for word in ("", " ", "x" * 100_000, b"\xff\xfe\x01\x1b[31m", "\n\n", "-", "--"):
            self.assert_refused(terrane(word))
            self.assert_refused(terrane("help", word))
            self.assert_refused(terrane("programs", word))


class Output(CommandTest):
    def test_that_cannot_be_written_is_said(self):
        for words in (["--help"], ["programs"], ["balancers"], ["run", "--help"], ["--version"]):
            with open("/dev/full", "wb") as full:
                done = terrane(*words, out=full)
            self.assertEqual(done.code, 1)
            self.assertRegex(done.err, r"\Aterrane: could not write to stdout: .+\n\Z")
