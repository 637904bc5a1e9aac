# SPDX-License-Identifier: Apache-2.0
"""Runs of programs as the studies make them: those of the package terrane, which lies beside the
studies and needs no installation for this."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import terrane  # noqa: E402  (from the folder above)

OUTPUT_MOST = 50_000  # letters of a program's output that a study may read
TERRANE = pathlib.Path(os.environ.get("TERRANE_BIN", "build/bin/terrane")).resolve()


class Run(terrane.Run):
    """One run: `program` with its arguments, as `terrane run` takes them."""

    def words(self):
        if self.world != "local" or "--enough" in self.options:
            return super().words()
        words, program = super().words(), len(self.program)
        # As EARTH did, and as world sim does.
        return [*words[:-program], "--enough", "all", *words[-program:]]


def label_of(results):
    """What runs are, from their own statistics: simulated or measured, and whether they repeat."""
    found = [(run, each) for run, each in results.items() if "failed" not in each]
    parts = []
    networks = sorted({pathlib.Path(run.network).stem for run, _ in found if run.world == "sim"})
    if networks:
        more = f" and {len(networks) - 3} more" if len(networks) > 3 else ""
        parts.append("SIMULATED, network " + ", ".join(networks[:3]) + more)
    parts += [f"MEASURED on this machine, world {world}"
              for world in sorted({run.world for run, _ in found} - {"sim"})]
    seeds = {run.seed for run, _ in found}
    if found:
        parts.append(f"{len(seeds)} seed{'s' if len(seeds) != 1 else ''}")
    if loose := sum(run.world == "sim" and each.get("repeatable") is False for run, each in found):
        parts.append(f"NOT REPEATABLE: {loose} of {len(found)} runs contain measured time")
    return "; ".join(parts) or "no run ended"


class Runner(terrane.Runner):
    """With the command that the studies use."""

    def __init__(self, folder, *rest, **named):
        super().__init__(folder, *rest, command=TERRANE, **named)
        self.extra = {}
        self.asked = {}  # of `made`, what the study in hand asked for

    def all(self, runs, jobs=None):
        found = super().all(runs, jobs)
        self.asked |= found
        return found

    def measure(self, name, function):
        """What a study measures without `terrane run`; never kept, but archived by its name."""
        if name not in self.extra:
            self.extra[name] = function()
        return self.extra[name]
