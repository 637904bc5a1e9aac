# SPDX-License-Identifier: Apache-2.0
"""Terrane in Python: run programs on real and simulated machines, sweep over machines and
balancers, and write balancers as classes.

    import terrane
    result = terrane.run("queens", 12, 4, nodes=32, world="sim", network="sp2", balancer="his")
    print(result.answer, result.virtual_seconds)
"""

from .api import run, sweep
from .balancer import ENOUGH_ALL, Balancer, Hint, Node, Note
from .errors import (Deadlock, Error, NodeLost, ProgramFailed, RunTimeError, TimedOut, UsageError)
from .result import Processor, Result
from .runs import Run, Runner, find_command

__version__ = "0.2.0"
__all__ = ["ENOUGH_ALL", "Balancer", "Deadlock", "Error", "Hint", "Node", "NodeLost", "Note",
           "Processor", "ProgramFailed", "Result", "Run", "RunTimeError", "Runner", "TimedOut",
           "UsageError", "find_command", "run", "sweep"]
