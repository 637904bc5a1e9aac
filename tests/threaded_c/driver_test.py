# SPDX-License-Identifier: Apache-2.0
"""`terrane cc` as a command: like cc, and one clear sentence where it cannot."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from threaded_c import CC, TERRANE, run

HELLO = '#include <stdio.h>\nTHREADED MAIN() { printf( "hello\\n" ); TERMINATE; }\n'


class Driver(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def cc(self, *words: str, **environment: str):
        return subprocess.run([CC, *words], cwd=self.folder, text=True, capture_output=True,
                              check=False, timeout=120, env={**os.environ, **environment})

    def refuses(self, sentence: str, *words: str, **environment: str) -> None:
        before = sorted(os.listdir(self.folder))
        done = self.cc(*words, **environment)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, sentence)
        self.assertEqual(sorted(os.listdir(self.folder)), before, "something was left behind")

    def test_compiles_and_links_in_one_go(self):
        self.write("hello.tc", HELLO)
        done = self.cc("-O2", "-g", "-o", "hello", "hello.tc")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(run(self.folder / "hello")[:2], (0, "hello\n"))
        self.assertEqual(subprocess.run([self.folder / "hello"], capture_output=True, text=True,
                                        check=True).stdout, "hello\n")

    def test_a_dash_is_the_standard_output(self):
        self.write("hello.tc", HELLO)
        for word in "--emit-c", "-S", "-E":
            done = self.cc(word, "-o", "-", "hello.tc")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("MAIN__run", done.stdout)
        self.assertEqual(os.listdir(self.folder), ["hello.tc"])

    def test_terrane_cc_is_the_same_command(self):
        self.write("hello.tc", HELLO)
        subprocess.run([TERRANE, "cc", "hello.tc"], cwd=self.folder, check=True)
        self.assertEqual(run(self.folder / "a.out")[:2], (0, "hello\n"))

    def test_objects_archives_c_and_threaded_c_link_together(self):
        self.write("hello.tc", 'int two( void ), three( void );\n#include <stdio.h>\n'
                               'THREADED MAIN()\n{\n    printf( "%d\\n", two() + three() );\n'
                               '    TERMINATE;\n}\n')
        self.write("two.c", "int two( void ) { return ADD + 1; }\n")
        self.write("three.tc", "int three( void ) { return 3; }\n")
        self.assertEqual(self.cc("-c", "hello.tc", "three.tc").returncode, 0)
        subprocess.run(["ar", "rc", "libthree.a", "three.o"], cwd=self.folder, check=True)
        done = self.cc("-DADD=1", "hello.o", "two.c", "-L.", "-lthree", "-o", "all")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(run(self.folder / "all")[:2], (0, "5\n"))

    def test_works_as_the_compiler_of_a_makefile(self):
        if not shutil.which("make"):
            self.skipTest("make is not here")
        self.write("hello.tc", '#include "said.h"\n' + HELLO.replace('"hello\\n"', "SAID"))
        self.write("said.h", '#define SAID "made\\n"\n')
        self.write("Makefile", "CFLAGS = -O1 -MMD\nhello: hello.o\n\t$(CC) -o $@ $^\n"
                               "%.o: %.tc\n\t$(CC) $(CFLAGS) -c -o $@ $<\n-include hello.d\n")
        subprocess.run(["make", "-s", f"CC={CC}"], cwd=self.folder, check=True)
        self.assertEqual(run(self.folder / "hello")[1], "made\n")
        self.assertIn("said.h", (self.folder / "hello.d").read_text())

    def test_emit_c_prints_c_that_the_c_compiler_takes(self):
        self.write("hello.tc", HELLO)
        done = self.cc("--emit-c", "hello.tc")
        self.assertIn('#line 2 "hello.tc"', done.stdout)
        self.assertIn("MAIN__init", done.stdout)
        self.assertEqual(self.cc("--emit-c", "-o", "hello_made.c", "hello.tc").returncode, 0)
        self.assertEqual((self.folder / "hello_made.c").read_text(), done.stdout)

    def test_verbose_shows_the_commands(self):
        self.write("hello.tc", HELLO)
        self.assertRegex(self.cc("--verbose", "-O2", "hello.tc").stderr,
                         r"-O2 .* -c .*\n.*libterrane")

    def test_help_and_version(self):
        self.assertIn("usage: terrane cc", self.cc("--help").stdout)
        self.assertRegex(self.cc("--version").stdout, r"^terrane cc \d")

    def test_input_that_is_not_there_or_no_source(self):
        self.refuses("terrane cc: error: gone.tc: no such file", "gone.tc")
        self.refuses("no input: name a", "-O2")
        self.refuses("is no .tc, .c, .o or .a file", "hello.txt")
        (self.folder / "folder.tc").mkdir()
        self.refuses("folder.tc is a folder", "folder.tc")
        (self.folder / "binary.tc").write_bytes(b"\x7fELF\x00\x01")
        self.refuses("binary.tc is no source text: it holds a zero byte at offset 4", "binary.tc")

    def test_text_that_is_not_c(self):
        self.write("poem.tc", "Shall I compare thee to a summer's day?\n")
        self.refuses("poem.tc:1:1: error: ", "-c", "poem.tc")

    def test_main_that_is_missing_or_doubled(self):
        self.write("none.tc", "THREADED f() { TERMINATE; }\n")
        self.refuses("the program has no MAIN: none of none.tc defines one", "none.tc")
        self.write("one.tc", HELLO)
        self.write("two.tc", HELLO)
        self.refuses("MAIN is defined twice, in one.tc and in two.tc", "one.tc", "two.tc")
        self.assertEqual(self.cc("-c", "none.tc").returncode, 0)

    def test_strict_exit_makes_an_error_of_what_is_left(self):
        self.write("left.tc", "THREADED f( SPTR s ) { SYNC( s ); FIBER NEVER <* 1 *> {} }\n"
                              "THREADED MAIN() { INVOKE( NODE_ID, f, TO_SPTR(END) );\n"
                              "FIBER END <* 1 *> { TERMINATE; } }\n")
        self.assertEqual(self.cc("-o", "left", "left.tc").returncode, 0)
        self.assertEqual(self.cc("-fstrict-exit", "-o", "strict", "left.tc").returncode, 0)
        for world in ("local", "sim", "shm"):
            options = ("--world", world, "--nodes", "1", "--processors", "1")
            code, _, heard = run(self.folder / "left", options=options)
            self.assertEqual(code, 0, heard)
            self.assertIn("terrane: warning: at the end of the program 1 activation still lived",
                          heard)
            code, _, heard = run(self.folder / "strict", options=options)
            self.assertEqual(code, 122, heard)
            self.assertIn("terrane: error: at the end of the program 1 activation still lived "
                          "(1 f)", heard)

    def test_a_c_compiler_that_is_not_there(self):
        self.write("hello.tc", HELLO)
        self.refuses("no C compiler: nowhere could not be started", "hello.tc", CC="nowhere")
        self.refuses("the C compiler false does not work", "hello.tc", CC="false")

    def test_warnings_and_errors_of_cc_options(self):
        self.write("warned.tc", "THREADED MAIN() { int unused; TERMINATE; }\n")
        self.assertRegex(self.cc("-Wall", "-fsyntax-only", "warned.tc").stderr,
                         "warned.tc:1:23: warning: unused")
        self.refuses("warned.tc:1:23: error: unused", "-Wall", "-Werror", "-c", "warned.tc")

    def test_gdb_steps_through_the_text_and_shows_frame_variables(self):
        if not shutil.which("gdb"):
            self.skipTest("gdb is not here")
        source = Path(__file__).resolve().parent.parent.parent / "programs" / "fib" / "fib.tc"
        self.assertEqual(self.cc("-g", "-O0", "-o", "fib", str(source)).returncode, 0)
        line = next(i for i, text in enumerate(source.read_text().split("\n"), 1)
                    if "r1+r2" in text)
        done = subprocess.run(
            ["gdb", "-q", "-batch", "-ex", "set debuginfod enabled off", "-ex",
             f"break fib.tc:{line}", "-ex", "run", "-ex", "print frame->r1 + frame->r2", "-ex",
             "next", "-ex", "info locals", "--args", "./fib", "--processors", "1", "2"],
            cwd=self.folder, text=True, capture_output=True, check=False, timeout=120)
        self.assertIn("= 2", done.stdout, done.stderr)
        self.assertRegex(done.stdout, rf"fib__READY [^\n]*fib\.tc:{line}")
        self.assertIn("frame = ", done.stdout)


if __name__ == "__main__":
    unittest.main()
