# SPDX-License-Identifier: Apache-2.0
"""traced.py: the trace that tests of what is made of traces look at."""

import json
import re

from command import CommandTest, terrane

TOKENS, FIBERS = 2 * 987 - 2, 3 * 987  # of fib 15


def samples_of(text):
    """The samples of a text of OpenMetrics; fails on a line that is none."""
    found = {}
    lines = text.split("\n")
    assert lines[-2:] == ["# EOF", ""], lines[-2:]
    for line in lines[:-2]:
        if line.startswith("# TYPE ") or line.startswith("# HELP "):
            continue
        name, labels, value = re.fullmatch(r'(\w+)\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\} ([0-9.]+)',
                                           line).groups()
        found.setdefault(name, []).append(
            (dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels)), float(value)))
    return found


class Traced(CommandTest):
    """A trace of fib 15 on four simulated nodes, which is the same each time."""
    @classmethod
    def setUpClass(cls):
        cls.make_folder()
        cls.trace = str(cls.folder / "run.trace")
        done = terrane("run", "--world", "sim", "--nodes", "4", "--seed", "3", "--trace", cls.trace,
                       "--stats", "json", "fib", "15")
        assert done.code == 0, done.err
        cls.statistics = json.loads(done.err)

    def converted(self, form):
        path = self.folder / form
        done = terrane("trace", "convert", self.trace, "--to", form, "-o", str(path))
        self.assertEqual((done.code, done.out, done.err), (0, "", ""))
        return path.read_bytes()
