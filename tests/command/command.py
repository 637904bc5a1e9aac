# SPDX-License-Identifier: Apache-2.0
"""Starts the command as a user would, and the questions that every test asks of it."""

import collections
import os
import pathlib
import subprocess
import tempfile
import unittest

TERRANE = pathlib.Path(os.environ["TERRANE_BIN"]).resolve()
FIB = TERRANE.with_name("fib")

Done = collections.namedtuple("Done", "code out err")


def surroundings(**variables):
    """The environment of a test: ours, but for options of a run, and with `variables`."""
    clean = {name: value for name, value in os.environ.items() if name != "TERRANE_OPTIONS"}
    return {**clean, **variables}


def execute(*words, folder=None, options=None, out=subprocess.PIPE, variables=None):
    """Runs a program to its end. options: what TERRANE_OPTIONS shall hold; variables: others of the
    environment. Text is decoded so that no byte is lost."""
    variables = dict(variables or {})
    if options is not None:
        variables["TERRANE_OPTIONS"] = options
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                          cwd=folder, env=surroundings(**variables), timeout=100)
    return Done(done.returncode, os.fsdecode(done.stdout or b""), os.fsdecode(done.stderr))


def terrane(*words, **how):
    return execute(TERRANE, *words, **how)


class CommandTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def make_folder(cls, **how):
        """Makes cls.folder, which goes when the tests of the class have run."""
        folder = tempfile.TemporaryDirectory(**how)
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def assert_printed(self, done, *parts):
        """Success, with all `parts` on stdout and nothing on stderr."""
        self.assertEqual((done.code, done.err), (0, ""))
        for part in parts:
            self.assertIn(part, done.out)

    def assert_refused(self, done, *parts):
        """Exit code 2, nothing on stdout and on stderr one printable line with all `parts`."""
        self.assertEqual((done.code, done.out), (2, ""), done.err)
        self.assertRegex(done.err, r"\Aterrane: [^\x00-\x1f\x7f\udc80-\udcff]+\n\Z")
        self.assertLess(len(done.err), 1000)
        for part in parts:
            self.assertIn(part, done.err)
