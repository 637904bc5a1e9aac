# SPDX-License-Identifier: Apache-2.0
"""gdb knows the threads, fibers and slots of a program, running or as a core."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PARKED = pathlib.Path(os.environ["TERRANE_PARKED"]).resolve()


def gdb(*commands, arguments=()):
    words = ["gdb", "-nx", "-batch", "-iex", f"add-auto-load-safe-path {PARKED.parent}"]
    for each in commands:
        words += ["-ex", each]
    done = subprocess.run([*words, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=100)
    return done.stdout + done.stderr


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class GdbTest(unittest.TestCase):
    COMMANDS = ("terrane threads", "terrane bt all", "terrane fibers", "terrane slots")

    def assert_tells(self, said):
        self.assertNotIn("Python Exception", said)
        self.assertRegex(said, r"processor 0: thread main runs, stack \d+ bytes at 0x[0-9a-f]+\n")
        for name in ("reader", "writer"):
            self.assertRegex(said, rf"processor 0: thread {name} waits for a mutex, stack")
            self.assertRegex(said, rf"thread {name} waits for a mutex\n(  #\d+ .*\n)*"
                                   r"  #\d+ .*wait_for_news \(\) at .*parked.cpp:\d+\n"
                                   r"(  #\d+ .*\n)*  #\d+ terrane_context_begin \(\)")
        self.assertIn("processor 0: 0 ready\n", said)
        self.assertRegex(said, r"waits_for_two::never \(.*parked.cpp:\d+\) waits for 2, frame at ")

    def test_of_a_program_that_runs(self):
        said = gdb("run --processors 1", *self.COMMANDS, arguments=[str(PARKED)])
        self.assert_tells(said)

    @unittest.skipIf(pathlib.Path("/proc/sys/kernel/core_pattern").read_text().startswith("|"),
                     "the system gives cores to a program")
    def test_of_a_core(self):
        with tempfile.TemporaryDirectory() as folder:
            dies = f"ulimit -c unlimited; exec {PARKED} --processors 1 abort"
            subprocess.run(["bash", "-c", dies], cwd=folder, stdin=subprocess.DEVNULL,
                           capture_output=True, timeout=100)
            cores = list(pathlib.Path(folder).glob("core*"))
            if not cores:
                self.skipTest("the system writes no cores here")
            self.assert_tells(gdb(*self.COMMANDS, arguments=[str(PARKED), str(cores[0])]))

    def test_outside_a_run_it_says_so(self):
        said = gdb("break main", "run", "terrane threads", arguments=[str(PARKED)])
        self.assertIn("no thread of this program is a processor", said)


if __name__ == "__main__":
    unittest.main()
