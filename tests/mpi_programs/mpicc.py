# SPDX-License-Identifier: Apache-2.0
"""mpicc.py: compiles the MPI programs of this folder by terrane mpicc, and runs them."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "command"))

from command import CommandTest, execute, surroundings, terrane  # noqa: E402

WORLDS = (("local", 1, 2), ("local", 3, 2), ("shm", 2, 1), ("shm", 3, 2), ("sim", 4, 2),
          ("tcp", 2, 1))


class MpiccTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.make_folder()

    @classmethod
    def compile(cls, name, *words, sources=None):
        """The path of the program; what mpicc said."""
        program = cls.folder / name
        sources = sources or [HERE / f"{name}.c"]
        done = terrane("mpicc", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", *words,
                       *sources, "-o", program, "-lm")
        if done.code != 0 or done.out:
            raise AssertionError(done)
        return program, done.err

    def ranks(self, program, count, *arguments, world="local", nodes=1, processors=1, options=()):
        return terrane("run", "--stats", "none", "--world", world, "--nodes", str(nodes),
                       "--processors", str(processors), "--ranks", str(count), *options, program,
                       *map(str, arguments))

    def assert_said(self, done, out):
        self.assertEqual((done.code, done.err, done.out), (0, "", out))


__all__ = ["HERE", "WORLDS", "CommandTest", "MpiccTest", "execute", "surroundings", "terrane"]
