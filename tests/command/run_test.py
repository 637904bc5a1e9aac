# SPDX-License-Identifier: Apache-2.0
"""run_test.py: terrane run: which program it starts, with what, and what it refuses."""

import os
import pathlib
import shutil
import tempfile
import unittest

from command import FIB, TERRANE, CommandTest, execute, terrane

QUIET = ("run", "--stats", "none")


class Folder(CommandTest):
    """A test with a folder of its own, whose name has a blank in it."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="terrane run ")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def script(self, name, text, mode=0o755):
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return path


class Starts(Folder):
    def test_a_program_that_comes_along_by_its_name(self):
        self.assertEqual(terrane(*QUIET, "fib", "20"), (0, "fib(20) = 10946\n", ""))

    def test_a_program_by_its_path(self):
        self.assertEqual(terrane(*QUIET, FIB, "20").out, "fib(20) = 10946\n")
        self.assertEqual(terrane(*QUIET, "./fib", "20", folder=FIB.parent).code, 0)

    def test_from_any_folder_and_through_a_link(self):
        link = self.folder / "command"
        link.symlink_to(TERRANE)
        self.assertEqual(execute(link, *QUIET, "fib", "5", folder="/").out, "fib(5) = 8\n")

    def test_a_program_of_an_installation(self):
        for name, source in (("bin/terrane", TERRANE), ("libexec/terrane/fib", FIB)):
            (self.folder / name).parent.mkdir(parents=True)
            shutil.copy(source, self.folder / name)
        self.assertEqual(execute(self.folder / "bin/terrane", *QUIET, "fib", "5").out,
                         "fib(5) = 8\n")

    def test_with_the_arguments_as_they_are(self):
        show = self.script("show", '#!/bin/sh\nprintf "[%s]" "$0" "$@"\n')
        words = ["--nodes", "", " a  b ", "--", "-h", "x\ny"]
        self.assertEqual(terrane(*QUIET, "./show", *words, folder=self.folder).out,
                         "".join(f"[{word}]" for word in ["./show", *words]))
        self.assertEqual(terrane(*QUIET, "--", show, "--help").out, f"[{show}][--help]")

    def test_and_ends_with_the_exit_code_of_the_program(self):
        self.assertEqual(terrane(*QUIET, self.script("seven", "#!/bin/sh\nexit 7\n")).code, 7)
        done = terrane(*QUIET, "fib", "x")
        self.assertEqual(done.code, 2)
        self.assertRegex(done.err, r"\Afib: N must be .*, not 'x'\n\Z")

    def test_with_statistics_as_text_unless_told_otherwise(self):
        done = terrane("run", "--nodes", "2", "--processors", "1", "fib", "5")
        self.assertEqual((done.code, done.out), (0, "fib(5) = 8\n"))
        self.assertIn("2 nodes of 1 processor, world local, balancer rand, seed 1", done.err)

    @unittest.skipUnless(FIB.with_name("queens").exists(), "queens is not built")
    def test_queens(self):
        self.assertIn("14200", terrane("run", "--nodes", "4", "queens", "12", "4").out)


class Options(Folder):
    def test_reach_the_program(self):
        done = terrane("run", "--nodes", "3", "--processors=1", "--seed", "9", "--balancer",
                       "rand:probes=2", "fib", "5")
        self.assertIn("3 nodes of 1 processor, world local, balancer rand:probes=2, seed 9",
                      done.err)

    def test_behind_the_program_count_most(self):
        done = terrane("run", "--nodes", "3", "fib", "--nodes", "2", "5")
        self.assertIn("2 nodes of", done.err)

    def test_may_come_from_the_environment(self):
        self.assertIn(" 3 nodes ", terrane("run", "fib", "5", options="--nodes 3").err)
        self.assertIn(" 2 nodes ",
                      terrane("run", "--nodes", "2", "fib", "5", options="--nodes 3").err)
        self.assertEqual(terrane("run", "fib", "5", options=" --stats\nnone ").err, "")
        for command in (("run", "fib"), ()):
            program = TERRANE if command else FIB
            for wrong in ("--nodes 0", "fib", "--stats 'json=x", "--help", "\x01"):
                self.assert_refused(execute(program, *command, "5", options=wrong),
                                    "environment variable TERRANE_OPTIONS")

    def test_that_are_wrong(self):
        for words, part in (
                (["--nodes", "0"], "--nodes needs a whole number from 1 to 16384, not '0'"),
                (["--nodes", "-3"], "--nodes needs a whole number from 1 to 16384, not '-3'"),
                (["--nodes=2x"], "not '2x'"),
                (["--nodes="], "not ''"),
                (["--processors", "16385"], "--processors needs"),
                (["--seed", "-1"], "--seed needs"),
                (["--node", "2"], "did you mean --nodes?"),
                (["--colour", "red"], "there is no option --colour"),
                (["-n", "4"], "there is no option -n"),
                (["--quiet=1"], "--quiet takes no value"),
                (["--world", "moon"], "--world takes local, shm, tcp, mpi or sim, not 'moon'"),
                (["--balancer", "nobody"], "'nobody': choose one of nop,"),
                (["--balancer", "rand:speed=1"], "no parameter 'speed'"),
                (["--balancer", "rand:probes=x"], "probes"),
                (["--stats", "xml"], "--stats takes text, json, json=FILE or none, not 'xml'"),
                (["--stats", "json="], "json=FILE"),
                (["--pinning", "maybe"], "auto, on or off"),
                (["--enough", "some"], "--enough needs"),
                (["--frame-memory", "0"], "--frame-memory needs"),
                (["--nodes", "1024", "--processors", "2"], "2048 threads")):
            with self.subTest(words=words):
                self.assert_refused(terrane("run", *words, "fib", "5"), part)
        self.assert_refused(terrane("run", "--nodes"), "--nodes needs a value: --nodes N")

    def test_that_are_nonsense(self):
        for word in ("", " ", "9" * 100_000, b"\xff\x80\x01\x1b[2J", "\n", "0x10", "1e3", "²"):
            for option in ("--nodes", "--balancer", "--stats", "--seed", "--pinning"):
                with self.subTest(option=option, word=word[:20]):
                    self.assert_refused(terrane("run", option, word, "fib", "5"))
            self.assert_refused(terrane("run", b"--" + os.fsencode(word) + b"?", "fib", "5"))


class Refuses(Folder):
    def test_to_run_nothing(self):
        for words in ([], ["--"], ["--nodes", "2"]):
            self.assert_refused(terrane("run", *words), "needs a program", "terrane programs")

    def test_an_unknown_name(self):
        self.assert_refused(terrane("run", "fob"), "no program 'fob'", "did you mean fib?")
        self.assert_refused(terrane("run", "chess"), "no program 'chess'", "fib, queens, tsp",
                            "./prog")

    def test_a_name_that_is_not_built(self):
        alone = self.folder / "terrane"
        shutil.copy(TERRANE, alone)
        self.assert_refused(execute(alone, "run", "fib"), "fib is not built", "./dev build")
        rows = execute(alone, "programs").out.split("\n\n")[0].splitlines()[1:]
        self.assertGreater(len(rows), 1)
        for row in rows:
            self.assertTrue(row.endswith(" (not built)"), row)

    def test_a_file_of_this_folder_without_its_path(self):
        self.script("mine", "#!/bin/sh\n")
        self.assert_refused(terrane("run", "mine", folder=self.folder), "terrane run ./mine")

    def test_what_is_no_program(self):
        self.script("source.cpp", "int main() {}\n", 0o644)
        self.script("garbage", "\x7fELF no more", 0o755)
        self.script("orphan", "#!/no/such/interpreter\n", 0o755)
        (self.folder / "dangling").symlink_to("nowhere")
        for program, part in (("./none", "does not exist"), (".", "no program '.'"),
                              ("./", "is a folder"), ("/", "is a folder"),
                              ("./source.cpp", "may not be executed"),
                              ("./source.cpp/x", "cannot be reached"),
                              ("./dangling", "does not exist"), ("/dev/null", "is no program"),
                              ("./garbage", "cannot start ./garbage"),
                              ("./orphan", "interpreter")):
            with self.subTest(program=program):
                self.assert_refused(terrane("run", program, folder=self.folder), part)

    def test_a_program_that_is_not_linked_with_the_runtime(self):
        self.assert_refused(terrane("run", "/bin/true"), "/bin/true is no Terrane program")
        text = pathlib.Path("/bin/true").read_bytes()
        (self.folder / "short").write_bytes(text[:len(text) // 2])
        (self.folder / "short").chmod(0o755)
        self.assertNotIn("no Terrane program", terrane("run", "./short", folder=self.folder).err)

    def test_nonsense(self):
        for word in ("", " ", "x" * 100_000, "/" + "x" * 100_000, b"\xff\xfe\x01\x1b[31m",
                     b"./\xff\xfe\x01\x1b[31m", "\n", "./\n"):
            self.assert_refused(terrane("run", word))


class Directly(CommandTest):
    def test_a_program_runs_without_options(self):
        self.assertEqual(execute(FIB, "20"), (0, "fib(20) = 10946\n", ""))

    def test_a_program_takes_options(self):
        done = execute(FIB, "--nodes", "2", "--stats", "text", "20")
        self.assertEqual((done.code, done.out), (0, "fib(20) = 10946\n"))
        self.assertIn(" 2 nodes ", done.err)
        self.assertEqual(execute(FIB, "--", "20").out, "fib(20) = 10946\n")

    def test_a_program_refuses_wrong_options(self):
        self.assert_refused(execute(FIB, "--nodes", "0", "20"), "--nodes needs")
        self.assert_refused(execute(FIB, "--speed", "20"), "no option --speed", "--help")

    def test_a_program_has_a_help(self):
        self.assert_printed(execute(FIB, "--help"), f"usage: {FIB} [OPTIONS]", "--nodes N")

    def test_a_program_says_when_its_output_is_lost(self):
        with open("/dev/full", "wb") as full:
            done = execute(FIB, "20", out=full)
        self.assertEqual(done.code, 1)
        self.assertRegex(done.err, r"\Aterrane: what the program printed .*\n\Z")
