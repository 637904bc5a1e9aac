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

    def test_dependencies_are_printed(self):
        self.write("hello.tc", '#include "said.h"\n' + HELLO)
        self.write("said.h", "\n")
        for word, system in ("-MM", False), ("-M", True):
            done = self.cc(word, "hello.tc")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"^hello\.o: \\\n  hello\.tc \\\n  (\./)?said\.h")
            self.assertEqual("stdio.h" in done.stdout, system)
        self.assertEqual(self.cc("-MM", "-MT", "x", "-MF", "rules", "hello.tc").stdout, "")
        self.assertRegex((self.folder / "rules").read_text(), r"^x: \\\n  hello\.tc")
        self.assertEqual(self.cc("-M", "hello.tc", "-o", "-").stdout[:7], "hello.o")
        self.assertFalse((self.folder / "a.out").exists())

    def test_the_standard_input_is_a_source_in_the_language_that_is_said(self):
        done = subprocess.run([CC, "-x", "threaded-c", "-", "-o", "hello"], cwd=self.folder,
                              input=HELLO, text=True, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(run(self.folder / "hello")[:2], (0, "hello\n"))
        self.refuses("the standard input has no suffix: .* -x threaded-c or -x c", "-")
        done = subprocess.run([CC, "-fsyntax-only", "-xthreaded-c", "-"], cwd=self.folder,
                              input="THREADED f() { return; }\n", text=True, capture_output=True,
                              check=False)
        self.assertIn("<stdin>:1:16: error: E211", done.stderr)

    def test_a_language_counts_for_the_files_behind_it(self):
        self.write("hello.text", HELLO.replace('"hello\\n"', '"%d\\n", two()')
                   .replace("THREADED", "int two( void );\nTHREADED"))
        self.write("two.text", "int two( void ) { return 2; }\n")
        self.write("more.c", "int more;\n")
        done = self.cc("-x", "threaded-c", "hello.text", "-x", "c", "two.text", "-x", "none",
                       "more.c")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(run(self.folder / "a.out")[:2], (0, "2\n"))
        self.refuses(r"-x c\+\+ is not known here: it is threaded-c, c or none", "-x", "c++",
                     "more.c")

    def test_words_may_stand_in_a_file(self):
        self.write("hello.tc", HELLO.replace('"hello\\n"', "SAID"))
        self.write("words", "-O1 '-DSAID=\"a b\\\\n\"'\n@more\n")
        self.write("more", "-o hello\\ there")
        done = self.cc("@words", "hello.tc")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(run(self.folder / "hello there")[:2], (0, "a b\n"))
        self.write("itself", "@itself")
        self.refuses("@itself names itself", "@itself", "hello.tc")
        self.refuses("@gone is no .tc", "@gone")

    def test_what_the_c_compiler_knows_is_asked_of_it(self):
        for word in "-dumpmachine", "-print-file-name=libc.so", "-dumpversion":
            answer = subprocess.run(["cc", word], text=True, capture_output=True, check=True)
            done = self.cc(word, CC="cc")
            self.assertEqual((done.returncode, done.stdout), (0, answer.stdout))

    def test_a_shared_library_needs_no_main(self):
        self.write("part.tc", "THREADED part( int n, int *GLOBAL to, SPTR done )\n"
                              "{ PUT_SYNC( n + 1, to, done ); TERMINATE; }\n")
        self.write("main.tc", "#include <stdio.h>\nTHREADED part( int, int *GLOBAL, SPTR );\n"
                              "THREADED MAIN() { int r; TOKEN( part, 6, TO_GLOBAL(&r), "
                              "TO_SPTR(A) );\n"
                              'FIBER A <* 1 *> { printf( "%d\\n", r ); TERMINATE; } }\n')
        done = self.cc("-fPIC", "-O1", "-shared", "-o", "libpart.so", "part.tc")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = self.cc("main.tc", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for machine in ("--nodes", "1"), ("--world", "sim", "--nodes", "3"):
            self.assertEqual(run(self.folder / "a.out", options=machine)[:2], (0, "7\n"))
        self.write("counts.tc", "int hits;\n")
        self.refuses("counts.tc has variables of its own outside functions", "-fPIC", "-shared",
                     "-o", "libcounts.so", "counts.tc")

    def test_a_threaded_function_that_nothing_defines(self):
        self.write("main.tc", "THREADED gone( int x, SPTR s );\nint lost( int );\n"
                              "THREADED MAIN() { TOKEN( gone, 3, TO_SPTR(A) );\n"
                              "FIBER A <* 1 *> { TERMINATE; } }\n")
        self.refuses(r"^main\.tc:1: error: THREADED 'gone' is declared, and nothing that is linked "
                     r"defines it; write THREADED gone\(\.\.\.\) .*\n$", "main.tc")
        self.assertEqual(self.cc("-c", "main.tc").returncode, 0)
        self.refuses(r"^terrane cc: error: THREADED 'gone' is declared.*\n$", "main.o")
        self.write("both.tc", (self.folder / "main.tc").read_text()
                   .replace("FIBER A <* 1 *> {", "FIBER A <* 1 *> { lost( 1 );"))
        self.refuses(r"both\.tc.*undefined reference to .lost'", "both.tc")
        self.write("two.tc", "THREADED gone( int x, SPTR s ) { TERMINATE; }\n")
        self.write("three.tc", "THREADED gone( int x, SPTR s ) { TERMINATE; }\n")
        self.refuses("^terrane cc: error: THREADED 'gone' is defined in two of the files.*\n$",
                     "main.o", "two.tc", "three.tc")

    def test_cmake_takes_it_for_a_c_compiler(self):
        if not shutil.which("cmake") or not shutil.which("make"):
            self.skipTest("cmake is not here")
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(two C)\n"
                                     'message(STATUS "id: ${CMAKE_C_COMPILER_ID}")\n'
                                     "include(CheckIncludeFile)\n"
                                     "check_include_file(stdio.h HAVE_STDIO)\n"
                                     "add_library(three STATIC three.c)\n"
                                     "set_source_files_properties(main.tc PROPERTIES LANGUAGE C)\n"
                                     "add_executable(two main.tc two.c)\n"
                                     "target_link_libraries(two three)\n")
        self.write("main.tc", "#include <stdio.h>\nint two( void ), three( void );\nTHREADED MAIN()"
                              '{ printf( "%d\\n", two() + three() ); TERMINATE; }\n')
        self.write("two.c", "int two( void ) { return 2; }\n")
        self.write("three.c", "int three( void ) { return 3; }\n")
        done = subprocess.run(["cmake", "-G", "Unix Makefiles", "-S", ".", "-B", "b",
                               f"-DCMAKE_C_COMPILER={CC}"], cwd=self.folder, text=True,
                              capture_output=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("id: Clang", done.stdout)
        self.assertIn("Looking for stdio.h - found", done.stdout)
        done = subprocess.run(["cmake", "--build", "b"], cwd=self.folder, text=True,
                              capture_output=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(run(self.folder / "b" / "two")[:2], (0, "5\n"))

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

    def test_gdb_does_not_step_into_the_headers(self):
        if not shutil.which("gdb"):
            self.skipTest("gdb is not here")
        self.write("steps.tc", "THREADED MAIN()\n{\n    int x;\n    SYNC( A );\n"
                               "    PUT_SYNC( 1, TO_GLOBAL(&x), A );\n    x = 2;\n"
                               "    FIBER A <* 2 *> { TERMINATE; }\n}\n")
        for level in "-O0", "-O1":
            self.assertEqual(self.cc("-g", level, "-o", "steps", "steps.tc").returncode, 0)
            done = subprocess.run(
                ["gdb", "-q", "-batch", "-iex", f"add-auto-load-safe-path {self.folder}", "-ex",
                 "set debuginfod enabled off", "-ex", "break steps.tc:4", "-ex", "run", "-ex",
                 "step", "-ex", "step", "--args", "./steps", "--processors", "1"],
                cwd=self.folder, text=True, capture_output=True, check=False, timeout=120)
            self.assertRegex(done.stdout, r"\n5\s.*PUT_SYNC", done.stderr)
            self.assertRegex(done.stdout, r"\n6\s.*x = 2", done.stderr)
            self.assertNotRegex(done.stdout, r"threaded_c\.h|terrane[a-z_]*\.h")


if __name__ == "__main__":
    unittest.main()
