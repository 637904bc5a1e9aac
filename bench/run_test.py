#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_test.py: tests of bench/run. Needs g++ alone."""

import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH))
import ahead  # noqa: E402
import matrix  # noqa: E402
import page  # noqa: E402
import testing  # noqa: E402


WRONG = """
#include "bench/queens/known.h"
#include "bench/report.hpp"
int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "queens", "wrong", queens_n_max);
  bench::measure(run, queens_known(run.n), [] { return 91u; });
}
"""


run = testing.load_script("run", BENCH / "run")


def fake(folder, script):
    """A cell whose program is the given shell script."""
    return matrix.Cell("fib", matrix.LIBRARIES[0], "g++", testing.shell_program(folder, script))


def refusal(*arguments):
    done = subprocess.run([BENCH / "run", *arguments], capture_output=True, text=True)
    return done.returncode, done.stderr.strip().splitlines()


class BadInput(unittest.TestCase):
    def test_is_one_sentence_and_exit_status_2(self):
        for arguments in (["--libraries", "nobody"], ["--rounds", "0"], ["--problem", "chess"],
                          ["--n", "20"], ["--problem", "queens", "--n", "17"],
                          ["--compilers", "no-such-compiler"], ["--compilers", ","], ["surplus"],
                          ["--suite", "--problem", "fib"], ["--problem", "uts_t1", "--n", "4"]):
            status, said = refusal(*arguments)
            self.assertEqual((status, len(said)), (2, 1), (arguments, said))
            self.assertTrue(said[0].startswith("bench/run: "), said)


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_a_result_line_is_found_among_other_lines(self):
        cell = fake(self.folder, "echo hello, reader\necho fib,x,gcc,2,20,0.5,100,5000000.0,2048\n")
        line = run.run_once(cell, 2, 20)
        self.assertEqual((line["ns_per_task"], line["rss_kib"]), ("5000000.0", "2048"))

    def test_a_failing_program_fails_the_run_with_its_own_words(self):
        cell = fake(self.folder, "echo wrong answer >&2\nexit 1\n")
        with self.assertRaisesRegex(run.Failure, "status 1: wrong answer"):
            run.run_once(cell, 1, 20)

    def test_a_silent_program_fails_the_run(self):
        with self.assertRaisesRegex(run.Failure, "printed no result line"):
            run.run_once(fake(self.folder, "exit 0\n"), 1, 20)

    def test_a_line_about_another_size_fails_the_run(self):
        cell = fake(self.folder, "echo fib,x,gcc,1,21,0.5,100,5000000.0,2048\n")
        with self.assertRaisesRegex(run.Failure, "measured something else"):
            run.run_once(cell, 1, 20)


class Tables(unittest.TestCase):
    def test_a_ratio_is_of_the_minima_and_of_the_median_round(self):
        self.assertEqual(run.ratio([4.0, 6.0, 9.0], [2.0, 2.0, 1.0]), "4.00 / 3.00")

    def test_rayon_is_compared_with_the_clang_twin(self):
        twins = [matrix.Cell("fib", matrix.LIBRARIES[0], name) for name in ("g++", "clang++-19")]
        rust = matrix.Cell("fib", matrix.LIBRARIES[0], "rustc")
        self.assertEqual(run.twin_compiler(rust, twins), "clang++-19")
        self.assertEqual(run.twin_compiler(twins[0], twins), "g++")


def measured(problem, library, compiler, workers, *ns):
    cell = matrix.Cell(problem, matrix.Library(library), compiler)
    return cell, {(cell.name(), workers): [{"ns_per_task": str(each)} for each in ns]}


class WhoIsAhead(unittest.TestCase):
    def setUp(self):
        self.cells, self.lines = [], {}
        for each in (("fib", "terrane_futures", "g++", 1, 3.0, 2.0),
                     ("fib", "terrane", "g++", 1, 1.0),  # does not stand for Terrane here
                     ("fib", "lace", "g++", 1, 1.0, 4.0), ("fib", "lace", "clang++-19", 1, 9.0),
                     ("fib", "rayon", "rustc", 1, 8.0), ("wavefront", "terrane", "g++", 1, 5.0),
                     ("wavefront", "lace", "g++", 1, 40.0), ("uts_t1", "lace", "g++", 2, 4.0)):
            cell, lines = measured(*each)
            self.cells.append(cell)
            self.lines |= lines

    def test_ratios_are_of_the_minima_and_below_one_a_peer_is_ahead(self):
        rows = ahead.rows_of(ahead.best_of(self.cells, self.lines), "g++")
        self.assertEqual(rows[:3], [("problem", "Terrane", "workers", "lace", "rayon", "ahead"),
                                    ("fib", "futures", "1", "0.50", "4.00", "lace"),
                                    ("wavefront", "tokens", "1", "8.00", "", "Terrane")])

    def test_means_are_geometric_and_say_of_how_many_problems(self):
        rows = ahead.rows_of(ahead.best_of(self.cells, self.lines), "g++")
        self.assertEqual(rows[3:], [
            ("geometric mean", "", "1 worker", "2.00 (2)", "4.00 (1)", "Terrane"),
            ("geometric mean", "", "both", "2.00 (2)", "4.00 (1)", "Terrane")])

    def test_without_terrane_there_is_no_table(self):
        self.assertEqual(ahead.rows_of(ahead.best_of(self.cells[2:4], self.lines), "g++"), [])

    def test_the_page_shows_every_measured_program_and_marks_who_is_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.html"
            page.write(path, "A <title>", self.cells, self.lines, "a machine")
            text = path.read_text()
        self.assertIn("A &lt;title&gt;", text)
        self.assertIn("<td class=less>0.50</td>", text)
        self.assertEqual(text.count("<rect"), len(self.lines))


class Builds(unittest.TestCase):
    def test_a_peer_without_a_checkout_is_skipped_with_the_reason(self):
        library = next(each for each in matrix.LIBRARIES if each.name == "lace")
        cell = matrix.Cell("fib", library, "g++")
        with unittest.mock.patch.dict(os.environ, {"LACE_DIR": ""}):
            matrix.build(cell)
        self.assertIsNone(cell.program)
        self.assertIn("LACE_DIR", cell.skipped)

    def test_the_sequential_twins_verify_their_answers(self):
        for problem, n in (("fib", 20), ("queens", 8), ("skynet", 4), ("mergesort", 12),
                           ("matmul", 100), ("wavefront", 50), ("queue", 3)):
            cell = matrix.Cell(problem, matrix.LIBRARIES[0], "g++")
            matrix.build(cell)
            self.assertEqual(cell.skipped, "")
            self.assertEqual(run.run_once(cell, 1, n)["n"], str(n))

    def test_a_library_without_a_program_of_its_own_takes_the_one_that_forks(self):
        named = {each.name: each for each in matrix.LIBRARIES}
        own = matrix.source_of("skynet", named["terrane"])
        self.assertEqual((own.name, own.exists()), ("terrane.cpp", True))
        self.assertEqual(matrix.source_of("uts_t3", named["onetbb"]).name, "forked.cpp")
        self.assertFalse(matrix.source_of("queue", named["openmp"]).exists())

    def test_programs_refuse_bad_arguments_with_status_2(self):
        cell = matrix.Cell("queens", matrix.LIBRARIES[0], "g++")
        matrix.build(cell)
        for arguments in ([], ["1"], ["0", "8"], ["1", "17"], ["1", "8x"]):
            done = subprocess.run([cell.program, *arguments], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)

    def test_a_wrong_answer_ends_with_status_1_and_no_line(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "wrong.cpp"
            source.write_text(WRONG)
            program = pathlib.Path(folder) / "wrong"
            subprocess.run(["g++", "-std=c++20", f"-I{matrix.ROOT}", source, "-o", program],
                           check=True)
            done = subprocess.run([program, "1", "8"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("91 instead of 92", done.stderr)


class Reports(unittest.TestCase):
    def test_every_skipped_cell_is_named_once_under_its_reason(self):
        cells = [matrix.Cell("fib", matrix.LIBRARIES[0], name) for name in ("g++", "clang++-19")]
        for cell in cells:
            cell.skipped = "no paper"
        self.assertEqual(run.reasons(cells),
                         ["fib/sequential g++, fib/sequential clang++-19: no paper"])

    def test_the_columns_line_up(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            run.print_table(("a", "long head"), [("wide cell", "b")])
        self.assertEqual(len({len(line) for line in output.getvalue().splitlines()}), 1)


if __name__ == "__main__":
    unittest.main()
