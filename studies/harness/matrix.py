# SPDX-License-Identifier: Apache-2.0
"""Programs x balancers: the matrix of runs that most studies are made of."""

import dataclasses
import statistics

import pandas

from .runs import Run


@dataclasses.dataclass(frozen=True)
class Program:
    """A program of a paper: how it is printed there, and how it is run."""
    title: str
    run: str
    quick: str
    group: str


@dataclasses.dataclass
class Options:
    """What the command line chose."""
    world: str = "sim"
    network: str = "sp2"
    seeds: int = 1
    quick: bool = False
    balancers: tuple = ()  # of the user's own, beside the paper's

    def command(self, program):
        return program.quick if self.quick else program.run

    def label(self):
        where = (f"SIMULATED, network {self.network}" if self.world == "sim"
                 else f"measured, world {self.world}")
        small = "; --quick: smaller programs than the paper's" if self.quick else ""
        return f"{where}, {self.seeds} seed{'s' if self.seeds != 1 else ''}{small}"


def run_of(options, program, nodes, balancer, seed=1, processors=None):
    return Run(options.command(program), nodes, balancer, seed, options.world, options.network,
               processors)


def cell(results):
    """The mean seconds of the seeds; "OF" where the interface overflowed, NaN without an end."""
    if any(each.get("interface_overflows", 0) > 0 for each in results):
        return "OF"
    if any("failed" in each for each in results):
        return float("nan")
    return statistics.fmean(each["elapsed_seconds"] for each in results)


def seconds(runner, options, programs, balancers, nodes):
    """{title: {column: seconds}} as a frame. balancers: {column: name}."""
    cells = {(program.title, column): [run_of(options, program, nodes, name, seed)
                                       for seed in range(1, options.seeds + 1)]
             for program in programs for column, name in balancers.items()}
    found = runner.all([run for runs in cells.values() for run in runs])
    frame = pandas.DataFrame(index=[each.title for each in programs], columns=list(balancers),
                             dtype=object)
    frame.index.name = "benchmark"
    spread = pandas.DataFrame(0.0, index=frame.index, columns=frame.columns)
    for (title, column), runs in cells.items():
        results = [found[run] for run in runs]
        frame.loc[title, column] = value = cell(results)
        if options.seeds > 1 and isinstance(value, float) and value == value:
            spread.loc[title, column] = statistics.pstdev(
                each["elapsed_seconds"] for each in results)
    return frame, spread
