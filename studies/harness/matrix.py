# SPDX-License-Identifier: Apache-2.0
"""Programs x balancers x seeds: the matrix of runs that most studies are made of."""

import dataclasses
import math

import pandas

from .runs import Run
from .spread import interval, mean

SEEDS, QUICK_SEEDS = 20, 3


@dataclasses.dataclass(frozen=True)
class Program:
    """A program of a paper: how it is printed there, and how it is run."""
    title: str
    run: str
    quick: str
    group: str = ""


@dataclasses.dataclass
class Options:
    """What the command line chose."""
    world: str = "sim"
    network: str = "sp2"
    seeds: int = SEEDS
    quick: bool = False
    balancers: tuple = ()  # of the user's own, beside the paper's

    def command(self, program):
        return program.quick if self.quick else program.run

    def every_seed(self):
        return range(1, self.seeds + 1)

    def beside(self, printed):
        """The paper's numbers, where they may stand beside ours: not beside smaller programs."""
        return None if self.quick else printed


def run_of(options, program, nodes, balancer, seed=1, processors=None, network=None):
    return Run(options.command(program), nodes, balancer, seed, options.world,
               network or options.network, processors)


def seconds_of(result):
    """Infinite where the interface of a node overflowed, which the paper's machine did not
    survive; NaN of a run that failed or did not end."""
    if "failed" in result:
        return math.nan
    return math.inf if result.get("interface_overflows", 0) > 0 else result["elapsed_seconds"]


class Cells:
    """A number for each row, column and seed."""

    def __init__(self, rows, columns, values):
        self.rows, self.columns, self.values = list(rows), list(columns), values

    def seeds(self):
        return range(max((len(each) for each in self.values.values()), default=0))

    def at(self, seed):
        """A frame of one seed's numbers."""
        return self._frame(lambda each: each[seed])

    def frames(self):
        """A frame for each seed."""
        return [self.at(seed) for seed in self.seeds()]

    def only(self, columns):
        return Cells(self.rows, columns, {(row, column): self.values[row, column]
                                          for row in self.rows for column in columns})

    def mean(self):
        return self._frame(mean)

    def low(self):
        return self._frame(lambda each: interval(each)[0])

    def high(self):
        return self._frame(lambda each: interval(each)[1])

    def _frame(self, number):
        made = pandas.DataFrame({column: {row: number(self.values[row, column])
                                          for row in self.rows} for column in self.columns},
                                dtype=float).reindex(self.rows)
        made.index.name = "benchmark"
        return made

    def derived(self, change):
        """The same of `change(frame)`, seed by seed."""
        frames = [change(frame) for frame in self.frames()]
        rows, columns = list(frames[0].index), list(frames[0].columns)
        return Cells(rows, columns, {(row, column): [each.loc[row, column] for each in frames]
                                     for row in rows for column in columns})

    def long(self):
        """A table with mean, interval and number of seeds of each cell."""
        return pandas.DataFrame([
            {"row": row, "column": column, "mean": mean(each), "low95": interval(each)[0],
             "high95": interval(each)[1], "seeds": len(each)}
            for (row, column), each in self.values.items()])


def of_runs(runner, runs, jobs=None, number=seconds_of):
    """Cells of {(row, column): [Run, one a seed]}."""
    found = runner.all([run for each in runs.values() for run in each], jobs)
    return Cells(dict.fromkeys(row for row, _ in runs), dict.fromkeys(one for _, one in runs),
                 {place: [number(found[run]) for run in each] for place, each in runs.items()})


def seconds(runner, options, programs, balancers, nodes, seeds=None, network=None):
    """Seconds of programs (rows) under balancers, {column: name}."""
    return of_runs(runner, {
        (program.title, column): [run_of(options, program, nodes, name, seed, network=network)
                                  for seed in (seeds or options.every_seed())]
        for program in programs for column, name in balancers.items()},
        jobs=1 if options.world != "sim" else None)
