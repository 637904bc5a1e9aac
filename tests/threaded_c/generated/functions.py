# SPDX-License-Identifier: Apache-2.0
"""Threaded functions and fibers of generated programs: how they are written, and how an
activation of one begins."""

from expressions import Number
from reading import Slot
from statements import indented, run_all


class Fiber:
    """count: of plain signals, None: INIT_SYNC says it. parameters: of a fiber with arguments."""

    def __init__(self, name, count, reset=None, parameters=(), head="", priority=None):
        self.name, self.count, self.parameters, self.head = name, count, list(parameters), head
        self.reset = count if reset is None else reset
        self.written_reset, self.priority = reset, priority
        self.body = []

    def lines(self):
        text = f"{self.head}FIBER {self.name}"
        if self.parameters:
            text += "( " + ", ".join(f"unsigned long {each}" for each in self.parameters) + " )"
        if self.count is not None:
            reset = "" if self.written_reset is None else f", {self.written_reset}"
            text += f" <* {self.count}{reset} *>"
        if self.priority is not None:
            text += f" PRIORITY {self.priority}"
        return [text + " {", *indented(self.body), "}"]

    def run(self, at):
        run_all(self.body, at)


class SignalGate:
    """The plain signals that a fiber with arguments wants besides: one more queue of it."""

    def __init__(self, fiber):
        self.fiber = fiber

    def run(self, at):
        at.machine.send(at.frame, self.fiber, len(self.fiber.parameters), None)


class Function:
    """parameters: (declaration, name) pairs."""

    def __init__(self, name, parameters):
        self.name, self.parameters = name, parameters
        self.variables = []  # (name, how many or None, initial value)
        self.others = []     # declarations of what the reading makes when it is used
        self.init, self.fibers = [], []

    def parameter_names(self):
        return [name for _, name in self.parameters]

    def head(self):
        listed = ", ".join(f"{kind} {name}" for kind, name in self.parameters)
        return f"THREADED {self.name}( {listed} )"

    def lines(self):
        declared = []
        for name, size, value in self.variables:
            declared.append(f"unsigned long {name} = {value.text()};" if size is None else
                            f"unsigned long {name}[{size}] = {{ {value.text()} }};")
        parts = [*declared, *self.others]
        text = [self.head(), "{", *("    " + each for each in parts), *indented(self.init)]
        for fiber in self.fibers:
            text += ["", *("    " + each for each in fiber.lines())]
        return [*text, "}", ""]

    def begin(self, at):
        """The slots, then the initial fiber."""
        for fiber in self.fibers:
            plain = fiber
            if fiber.parameters:
                queues = len(fiber.parameters) + (fiber.count is not None)
                at.frame.queues[fiber.name] = [FifoQueue() for _ in range(queues)]
                plain = SignalGate(fiber)
            at.frame.slots[fiber.name] = Slot(plain, fiber.count or 0, fiber.reset or 0)
        for name, size, value in self.variables:
            first = value.value(at)
            at.frame.variables[name] = first if size is None else [first] + [0] * (size - 1)
        run_all(self.init, at)


class FifoQueue(list):
    def popleft(self):
        return self.pop(0)


ZERO = Number(0)
