# SPDX-License-Identifier: Apache-2.0
"""What a program prints arrives, or its run says that it did not: the same in every world."""

import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import unittest

from command import FIB, CommandTest, Done, execute, surroundings

COMPANY = pathlib.Path(os.environ["TERRANE_COMPANY"]).resolve()
WORLDS = ("local", "sim", "shm")
SANITIZED = os.environ["TERRANE_SANITIZE"] != ""


def fib(world, *words, **how):
    """A run whose descriptors and limits the shell sets: how["shell"] follows the command."""
    line = how.pop("before", "") + 'exec "$0" "$@" ' + how.pop("shell", "")
    return execute("bash", "-c", line, FIB, "--world", world, "--nodes", "2", "--processors", "1",
                   *words, "12", **how)


class Lost(CommandTest):
    def assert_lost(self, done, why):
        self.assertEqual((done.code, done.err), (
            1, f"terrane: what the program printed could not all be written: {why}\n"))

    def test_output_to_a_full_device_ends_with_1_and_the_reason(self):
        for world in WORLDS:
            with self.subTest(world=world):
                self.assert_lost(fib(world, shell=">/dev/full"), "No space left on device")

    def test_output_to_a_closed_stdout_ends_with_1_and_the_reason(self):
        for world in WORLDS:
            with self.subTest(world=world):
                self.assert_lost(fib(world, shell=">&-"), "stdout is closed")

    def test_a_file_that_may_grow_no_more_is_named_as_the_reason_also_if_stdio_forgot_it(self):
        def limited():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
        for world in ("local", "sim"):
            with self.subTest(world=world), tempfile.TemporaryFile() as file:
                done = subprocess.run(
                    [COMPANY, "--world", world, "--nodes", "2", "--processors", "1", "print",
                     "5000"], stdout=file, stderr=subprocess.PIPE, preexec_fn=limited, text=True,
                    env=surroundings(), timeout=60, check=False)
                self.assert_lost(Done(done.returncode, "", done.stderr), "File too large")
                self.assertEqual(file.seek(0, os.SEEK_END), 10_000)

    def test_an_event_log_that_is_not_complete_ends_with_1(self):
        done = fib("sim", "--log", "/dev/full")
        self.assertEqual((done.code, done.err),
                         (1, "terrane: the event log is not complete: No space left on device\n"))


class Closed(CommandTest):
    def test_a_closed_stderr_changes_nothing_else(self):
        for world in WORLDS:
            for closed in ("2>&-", "<&-", "<&- 2>&-"):
                with self.subTest(world=world, closed=closed):
                    self.assertEqual(fib(world, shell=closed), (0, "fib(12) = 233\n", ""))

    def test_no_file_of_ours_takes_the_place_of_a_closed_stream(self):
        with tempfile.TemporaryDirectory() as folder:
            for world in WORLDS:
                with self.subTest(world=world):
                    file = pathlib.Path(folder, world)
                    done = fib(world, "--stats", f"json={file}", shell=">&- <&-")
                    self.assertEqual(done.code, 1)
                    self.assertEqual(json.loads(file.read_text())["tokens_generated"], 464)


class Long(CommandTest):
    def test_lines_of_two_mebibytes_are_not_mixed(self):
        for tag in ((), ("--tag-output",)):
            done = execute(COMPANY, "--world", "shm", "--processors", "1", "--nodes", "4", *tag,
                           "long", str(2 << 20))
            self.assertEqual((done.code, done.err), (0, ""))
            lines = sorted(line[len("[node 0] ") if tag else 0:] for line in
                           done.out.splitlines())
            self.assertEqual([(len(line), set(line)) for line in lines],
                             [(2 << 20, {each}) for each in "abcd" for _ in range(3)])


@unittest.skipIf(SANITIZED, "a sanitizer needs more addresses and stack")
class Limits(CommandTest):
    def test_a_small_stack_is_enough_for_the_launcher(self):
        for world in WORLDS:
            with self.subTest(world=world):
                self.assertEqual(fib(world, before="ulimit -s 64; "), (0, "fib(12) = 233\n", ""))

    def test_too_little_address_space_is_one_sentence_and_one_exit_code(self):
        for world in WORLDS:
            for kibibytes in (400_000, 4_000_000, 12_000_000):
                with self.subTest(world=world, kibibytes=kibibytes):
                    done = fib(world, before=f"ulimit -v {kibibytes}; ")
                    self.assert_refused(done, "no address space for processor",
                                        "GiB of it (is there a limit set with ulimit -v?)")


if __name__ == "__main__":
    unittest.main()
