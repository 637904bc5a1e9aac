# SPDX-License-Identifier: Apache-2.0
"""What a run gives back."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from .errors import UsageError

if TYPE_CHECKING:
    import pandas


@dataclasses.dataclass(frozen=True)
class Processor:
    """What one processor did (docs/statistics.md)."""

    processor: int
    node: int
    tokens_generated: int = 0
    tokens_inlined: int = 0
    tokens_from_pool: int = 0
    fibers_executed: int = 0
    messages_sent: int = 0
    bytes_sent: int = 0
    run_seconds: float = 0.0
    balance_seconds: float = 0.0
    poll_seconds: float = 0.0
    idle_seconds: float = 0.0
    switch_seconds: float = 0.0


@dataclasses.dataclass(frozen=True)
class Result:
    """What a run printed and did. Attributes are as in docs/statistics.md; what world `sim` alone
    knows is None elsewhere. `statistics` has all numbers, those without an attribute too."""

    answer: str
    world: str
    nodes: int
    balancer: str
    seed: int
    elapsed_seconds: float
    tokens_generated: int
    fibers_executed: int
    tokens_moved: int
    messages_sent: int
    notes_sent: int
    per_processor: tuple[Processor, ...] = dataclasses.field(repr=False)
    virtual_seconds: float | None = None
    events: int | None = None
    event_log_hash: str | None = None
    repeatable: bool | None = None
    statistics: dict[str, Any] = dataclasses.field(default_factory=dict, repr=False, compare=False)
    log: str | None = dataclasses.field(default=None, repr=False, compare=False)

    def frame(self) -> pandas.DataFrame:
        """A row for each processor."""
        import pandas

        return pandas.DataFrame(self.statistics["per_processor"]).set_index("processor")

    def traffic(self) -> pandas.DataFrame:
        """Of world `sim`: a row for each pair of nodes, with messages and bytes between them."""
        import pandas

        return pandas.DataFrame(self.statistics.get("pairs", []),
                                columns=["from", "to", "messages", "bytes"])

    def trace(self) -> pandas.DataFrame:
        """Every event of a run in world `sim` that was made with trace=True: its time in
        nanoseconds, kind, place, and two numbers (terrane/transport/event_log.hpp)."""
        import io

        import pandas

        if self.log is None:
            raise UsageError(2, "no trace was asked for: run(..., world='sim', trace=True)")
        return pandas.read_csv(io.StringIO(self.log), sep=" ", header=None,
                               names=["time_ns", "kind", "place", "first", "second"])


def result_of(statistics: dict[str, Any], output: str, log: str | None = None) -> Result:
    def known(of, given):
        names = {each.name for each in dataclasses.fields(of)}
        return {name: value for name, value in given.items() if name in names}

    processors = tuple(Processor(**known(Processor, each))
                       for each in statistics["per_processor"])
    given = known(Result, statistics) | {"per_processor": processors}
    return Result(answer=output.strip(), statistics=statistics, log=log, **given)
