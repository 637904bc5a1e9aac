#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_test.py: tests of bench/messages/run. Needs g++ alone."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import libraries  # noqa: E402
import matrix  # noqa: E402
import testing  # noqa: E402

run = testing.load_script("messages_run", HERE / "run")
ONE_WAY = run.Figure("one_way", 8, 160, "ns")
RING = libraries.LIBRARIES[0]


def fake(folder, script):
    """The ring, played by the given shell script."""
    return libraries.Entrant(RING, str(testing.shell_program(folder, script)))


class BadInput(unittest.TestCase):
    def test_is_one_sentence_and_exit_status_2(self):
        for arguments in (["--libraries", "nobody"], ["--libraries", ","], ["--rounds", "0"],
                          ["--figure", "beauty"], ["surplus"]):
            done = subprocess.run([HERE / "run", *arguments], capture_output=True, text=True,
                                  check=False)
            said = done.stderr.strip().splitlines()
            self.assertEqual((done.returncode, len(said)), (2, 1), (arguments, said))
            self.assertTrue(said[0].startswith("bench/messages/run: "), said)


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_a_result_line_is_found_among_other_lines(self):
        line = run.run_once(fake(self.folder, 'echo hello, reader\necho "messages,ring,gcc,$1,$2,'
                                              '$3,0.5,125.000"\n'), ONE_WAY)
        self.assertEqual((line["ns_each"], line["figure"]), ("125.000", "one_way"))

    def test_a_failing_program_fails_the_run_with_its_own_words(self):
        with self.assertRaisesRegex(run.Failure, "one_way 8 failed with status 1: message 7 is"):
            run.run_once(fake(self.folder, "echo message 7 is wrong >&2\nexit 1\n"), ONE_WAY)

    def test_a_line_about_something_else_fails_the_run(self):
        with self.assertRaisesRegex(run.Failure, "measured something else"):
            run.run_once(fake(self.folder, "echo messages,ring,gcc,rate,8,160,0.5,1.0\n"), ONE_WAY)

    def test_a_silent_program_fails_the_run(self):
        with self.assertRaisesRegex(run.Failure, "printed no result line"):
            run.run_once(fake(self.folder, "exit 0\n"), ONE_WAY)

    def test_a_library_that_is_missing_is_skipped_with_its_packages(self):
        lacking = libraries.Library("nobody", compiler="mpicc.nobody", package="libnobody-dev")
        self.assertEqual(libraries.prepare(lacking).skipped,
                         "mpicc.nobody is not installed (packages libnobody-dev)")


class Ring(unittest.TestCase):
    def setUp(self):
        self.entrant = libraries.prepare(RING)
        self.assertEqual(self.entrant.skipped, "")

    def test_measures_every_figure(self):
        for figure in (each for each in run.FIGURES if each.name in RING.figures):
            few = run.Figure(figure.name, figure.bytes, 1600, figure.unit)
            self.assertGreater(float(run.run_once(self.entrant, few)["ns_each"]), 0)

    def test_refuses_bad_arguments_with_status_2(self):
        for arguments in ([], ["one_way", "8"], ["beauty", "8", "16"], ["one_way", "9", "16"],
                          ["one_way", "8", "7"], ["one_way", "0", "16"]):
            done = subprocess.run([self.entrant.program, *arguments], capture_output=True,
                                  text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertEqual(len(done.stderr.splitlines()), 1, arguments)

    def test_notices_a_wrong_message(self):
        source = (HERE / "ring.cpp").read_text()
        spoiled = source.replace("write(at + sizeof(std::uint64_t));",
                                 "write(at + sizeof(std::uint64_t)); at[11] ^= written_ == 100;")
        self.assertNotEqual(source, spoiled)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "spoiled.cpp"
            path.write_text(spoiled)
            program = pathlib.Path(folder) / "spoiled"
            subprocess.run(["g++", "-std=c++20", f"-I{matrix.ROOT}", path, "-o", program],
                           check=True)
            for figure in ("one_way", "rate"):
                done = subprocess.run([program, figure, "8", "1600"], capture_output=True,
                                      text=True, timeout=60, check=False)
                self.assertEqual((done.returncode, done.stdout), (1, ""), figure)
                self.assertRegex(done.stderr, r"message \d+ is wrong at byte 0")


class Ucx(unittest.TestCase):
    def test_its_last_line_becomes_ours(self):
        lines = ["iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw",
                 "160,0.160,0.524,0.500,14.56"]
        self.assertEqual(libraries.ucx_line(lines, ONE_WAY, 160, "ucx"),
                         "messages,ucx,ucx_perftest,one_way,8,160,0.000080000,500.000")

    def test_words_instead_of_numbers_fail_the_run(self):
        with self.assertRaisesRegex(run.Failure, "no result: out of luck"):
            libraries.ucx_line(["out of luck"], ONE_WAY, 160, "ucx")


class Tables(unittest.TestCase):
    def test_a_ratio_is_to_the_fastest_of_each_round(self):
        mine = [run.Sample(100.0, 40.0), run.Sample(300.0, 40.0)]
        others = [[run.Sample(50.0, 40.0), run.Sample(100.0, 40.0)],
                  [run.Sample(25.0, 40.0), run.Sample(150.0, 40.0)]]
        self.assertEqual(run.ratio(mine, others), "3.50 of 2")

    def test_rounds_compare_only_where_hops_are_alike(self):
        mine = [run.Sample(100.0, 40.0), run.Sample(300.0, 160.0)]
        other = [run.Sample(50.0, 41.0), run.Sample(100.0, 40.0)]
        self.assertEqual(run.ratio(mine, [other]), "2.00 of 1")
        self.assertEqual(run.ratio(mine[1:], [other[1:]]), "")

    def test_units_follow_from_the_time_of_a_message(self):
        self.assertEqual(run.Figure("bandwidth", 1000, 16, "GB/s").value(500.0), 2.0)
        self.assertEqual(run.Figure("rate", 8, 16, "M/s").value(20.0), 50.0)


if __name__ == "__main__":
    unittest.main()
