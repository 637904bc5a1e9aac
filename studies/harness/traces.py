# SPDX-License-Identifier: Apache-2.0
"""Runs of world sim with a trace, and what the command makes of it: events, load metrics."""

import csv
import pathlib
import subprocess
import tempfile

from . import runs


class NoTrace(Exception):
    """Why there is none."""


def said(*words):
    done = subprocess.run([str(runs.TERRANE), *words], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise NoTrace(done.stderr.strip()[-200:] or f"{words[0]} ended with {done.returncode}")
    return done.stdout


class Trace:
    """with Trace("remote 50 4", "testbed", 5, "channel") as trace: trace.output, trace.events()"""

    def __init__(self, program, network, nodes, classes, seed=1):
        self.words = ("run", "--quiet", "--stats", "none", "--world", "sim", "--network", network,
                      "--nodes", str(nodes), "--balancer", "nop", "--seed", str(seed), "--events",
                      classes, "--trace-full", "wait")
        self.program = program.split()

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.folder.name) / "trace"
        try:
            self.output = said(*self.words, "--trace", str(self.file), *self.program)
            if not self.file.is_file():
                raise NoTrace(f"{self.program[0]} left no trace")
        except BaseException:
            self.folder.cleanup()
            raise
        return self

    def __exit__(self, *failed):
        self.folder.cleanup()

    def events(self):
        """[[ns, node, event, field, ...]] of the processors, in the order of their times."""
        table = pathlib.Path(self.folder.name) / "csv"
        said("trace", "convert", str(self.file), "--to", "csv", "-o", str(table))
        with open(table, newline="") as file:
            head, *rows = csv.reader(file)
        ns, source, event = (head.index(name) for name in ("ns", "source", "event"))
        fields = head.index("field1")
        found = [[int(row[ns]), int(row[source].split()[1]), row[event], *row[fields:]]
                 for row in rows if row[source].startswith("processor ")]
        return sorted(found, key=lambda each: each[0])

    def metrics(self, wanted):
        """Rows of `terrane metrics`, as dictionaries."""
        return list(csv.DictReader(said("metrics", str(self.file), "--metrics",
                                        wanted).splitlines()))
