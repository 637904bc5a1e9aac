# SPDX-License-Identifier: Apache-2.0
"""A balancer as a Python class."""

from __future__ import annotations

import io
import marshal
import os
import pickle
import sys
import tempfile
import types
from pathlib import Path
from typing import Protocol

from .errors import UsageError

ENOUGH_ALL = 1 << 30
PLUGIN = Path(__file__).with_name("python_balancer.so")


class Note(Protocol):
    """A message between balancers; its meaning is the policy's."""

    kind: int
    about: int
    value: int


class Hint(Protocol):
    """What travels with a token that changes nodes."""

    load: int  # of the node that sent it
    origin: int  # the node that gave it away first


class Node(Protocol):
    """What a policy sees of its node, and may do. It answers only while a function of the policy
    runs. A node is named by its number, 0 to nodes - 1."""

    me: int
    nodes: int
    left: int
    right: int
    load: int  # tokens queued here now
    now: int  # nanoseconds since the run began, by the world's clock
    waits_for_data: bool  # in on_idle: what the processor began last waits for data

    def random_other(self) -> int:
        """A random other node; this one if there is no other."""

    def known_load(self, other: int) -> int:
        """What the other's last note or token said; 0 before."""

    def look(self, other: int) -> int | None:
        """The other's load now, if nodes share memory."""

    def give_oldest(self, to: int, how_many: int = 1) -> int:
        """Sends up to so many of the oldest tokens; returns how many."""

    def give_newest(self, to: int) -> bool: ...

    def pass_oldest(self, to: int, origin: int) -> bool:
        """Passes the oldest token on, given away first by `origin`."""

    def take_oldest(self, source: int, how_many: int = 1) -> int:
        """Takes tokens that the other offers; 0 if nodes share no memory."""

    def tell(self, to: int, kind: int = 0, about: int = 0, value: int = 0) -> None:
        """Sends a note."""

    def set_surplus(self, tokens: int) -> None:
        """From now on on_surplus is called when more are queued; below 0: never."""

    def set_enough(self, tokens: int) -> None:
        """With so many queued, a processor runs further children at once."""

    def every(self, nanoseconds: int) -> None:
        """From now on on_tick is called about so often; 0: never."""

    def log(self, what: str, about: int = 0, first: int = 0, second: int = 0) -> None:
        """Records a decision, with the numbers that decided it."""


class Balancer:
    """Derive from this, and write what the policy is to hear. Each node has an object of the class.

    Functions are called one at a time for a node and must not block. Dice are `node.random_other`,
    the clock is `node.now`: then world `sim` repeats a run bit by bit. There a call costs what the
    network file says, whatever it costs in Python."""

    def on_start(self, node: Node) -> None:
        """Before the program begins."""

    def on_idle(self, node: Node) -> None:
        """A processor of this node has nothing to run."""

    def on_surplus(self, node: Node) -> None:
        """More tokens are queued than set_surplus said."""

    def on_note(self, node: Node, source: int, note: Note) -> None:
        """Another node told something."""

    def on_token(self, node: Node, source: int, hint: Hint) -> None:
        """A token came from another node."""

    def on_tick(self, node: Node) -> None:
        """The time that `every` asked for has passed."""


def pickled(chosen: type[Balancer]) -> bytes:
    """The class as bytes. Its code keeps its file and lines, which errors name: cloudpickle by
    itself leaves the file out since its version 3.1.3."""
    try:
        import cloudpickle
    except ImportError:
        return pickle.dumps(chosen)

    class Pickler(cloudpickle.Pickler):
        def reducer_override(self, obj):
            if isinstance(obj, types.CodeType):
                return marshal.loads, (marshal.dumps(obj),)
            return super().reducer_override(obj)

    written = io.BytesIO()
    Pickler(written).dump(chosen)
    return written.getvalue()


def order(chosen: type[Balancer], parameters: dict) -> bytes:
    """The class and its parameters for another process."""
    if not PLUGIN.exists():
        raise UsageError(2, f"balancers in Python need {PLUGIN.name}, which `pip install` builds")
    try:
        written = pickled(chosen)
    except (pickle.PicklingError, TypeError, AttributeError) as wrong:
        raise UsageError(2, f"the balancer {chosen.__name__} cannot be sent to the program: "
                            f"{wrong}") from wrong
    return pickle.dumps({"class": written, "parameters": parameters, "path": sys.path})


def environment(written: bytes) -> tuple[dict[str, str], str]:
    """The variables that give the program its balancer, and a file to be removed after the run."""
    handle, file = tempfile.mkstemp(prefix="terrane-balancer-")
    with os.fdopen(handle, "wb") as out:
        out.write(written)
    return {"TERRANE_PYTHON_BALANCER": file, "TERRANE_PYTHON_EXECUTABLE": sys.executable,
            "TERRANE_PYTHON_FOLDER": str(Path(__file__).resolve().parent.parent)}, file
