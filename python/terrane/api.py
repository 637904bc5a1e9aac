# SPDX-License-Identifier: Apache-2.0
"""run and sweep."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import runs
from .errors import UsageError
from .result import Result, result_of
from .runs import Run, Runner

if TYPE_CHECKING:
    import pandas


def run(program: str, *arguments: Any, nodes: int = 1, world: str = "local",
        network: str | None = None, balancer: Any = "rand", seed: int = 1,
        processors: int | None = None, options: Sequence[str] = (), trace: bool = False,
        limit_s: float | None = None, parameters: dict[str, Any] | None = None) -> Result:
    """Runs a program on a machine, and returns what it printed and did.

    program      one that comes with Terrane (`terrane programs`), or the path of one's own
    arguments    the program's
    balancer     a name, such as "his" or "rand:probes=2"; the path of a library; or a class that
                 derives from terrane.Balancer (worlds sim and local)
    parameters   of such a class: what its constructor takes
    options      further options of the command, such as ("--faults", "delay=0.1")
    trace        world sim: keep every event, for Result.trace()
    limit_s      seconds after which the run is ended, and TimedOut raised

    Raises an Error with the exit code and the command's sentence. Ctrl-C ends the program.
    """
    if trace and world != "sim":
        raise UsageError(2, f"trace=True needs world='sim', not '{world}'")
    with tempfile.TemporaryDirectory(prefix="terrane-") as folder:
        log = Path(folder) / "events"
        further = tuple(options) + (("--log", str(log)) if trace else ())
        order = Run((program, *map(str, arguments)), nodes, balancer, seed, world, network,
                    processors, further, tuple(sorted((parameters or {}).items())))
        statistics, output = runs.make(order, limit_s=limit_s)
        if isinstance(balancer, type):
            statistics["balancer"] = balancer.__name__
        return result_of(statistics, output, log.read_text() if trace else None)


def sweep(programs: Iterable[str], balancers: Iterable[Any] = ("rand",),
          nodes: Iterable[int] = (1,), seeds: int | Iterable[int] = 1, *, world: str = "sim",
          network: str | None = "sp2", processors: int | None = None,
          options: Sequence[str] = (), jobs: int | None = None, limit_s: float = 120,
          cache: str | Path | None = None,
          runner: Runner | None = None) -> pandas.DataFrame:
    """Runs every program with every balancer on every number of nodes with every seed, and returns
    a row for each: program, balancer, nodes, seed, and the statistics. A run that failed has its
    sentence in the column `failed`.

    programs     "queens 12 4" and the like
    seeds        how many, from 1 on, or which
    options      further options of the command, the same for all
    jobs         runs at a time: unless said one for each processor of this host in the world sim,
                 and one elsewhere, where time is measured
    cache        a folder: a run that lies there is not made again
    runner       instead of jobs, limit_s and cache: one that several sweeps share
    """
    import pandas

    runner = runner or Runner(cache, jobs or runs.usual_jobs(world), limit_s)
    chosen = range(1, seeds + 1) if isinstance(seeds, int) else seeds
    grid = list(itertools.product(programs, balancers, nodes, chosen))
    wanted = [Run(program, count, balancer, seed, world, network, processors, tuple(options))
              for program, balancer, count, seed in grid]
    found = runner.all(wanted)
    rows = []
    for (program, balancer, count, seed), each in zip(grid, wanted):
        name = balancer.__name__ if isinstance(balancer, type) else balancer
        numbers = {key: value for key, value in found[each].items() if key != "per_processor"}
        rows.append({**numbers, "program": program, "balancer": name, "nodes": count, "seed": seed})
    frame = pandas.DataFrame(rows)
    first = ["program", "balancer", "nodes", "seed"]
    return frame[first + [name for name in frame.columns if name not in first]]
