# SPDX-License-Identifier: Apache-2.0
"""Expressions and places of generated programs. Each says itself in Threaded-C (`text`) and can be
read sequentially (`value`, in a fiber that runs). All values are unsigned longs."""

from reading import BITS, Place


class Number:
    def __init__(self, number):
        self.number = number

    def text(self):
        return f"{self.number}ul"

    def value(self, _):
        return self.number


class Name:
    def __init__(self, name, is_int=False):
        self.name, self.is_int = name, is_int

    def text(self):
        return f"(unsigned long){self.name}" if self.is_int else self.name

    def value(self, at):
        return at.value(self.name) & BITS


class Element:
    def __init__(self, array, index, size):
        self.array, self.index, self.size = array, index, size

    def text(self):
        return f"{self.array}[({self.index.text()}) % {self.size}]"

    def value(self, at):
        return at.value(self.array)[self.index.value(at) % self.size]


class Binary:
    RULES = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
             "^": lambda a, b: a ^ b, "|": lambda a, b: a | b, "&": lambda a, b: a & b,
             ">>": lambda a, b: a >> (b % 64), "<": lambda a, b: int(a < b)}

    def __init__(self, sign, left, right):
        self.sign, self.left, self.right = sign, left, right

    def text(self):
        right = self.right.text()
        if self.sign == ">>":
            right = f"({right} % 64)"
        return f"({self.left.text()} {self.sign} {right})"

    def value(self, at):
        return self.RULES[self.sign](self.left.value(at), self.right.value(at)) & BITS


class Choice:
    def __init__(self, which, one, other):
        self.which, self.one, self.other = which, one, other

    def text(self):
        return f"({self.which.text()} & 1 ? {self.one.text()} : {self.other.text()})"

    def value(self, at):
        return (self.one if self.which.value(at) & 1 else self.other).value(at)


class Mixed:
    """A call of the C function that every program has."""
    TEXT = ("static unsigned long mix( unsigned long x )\n"
            "{ return (x ^ x >> 29) * 6364136223846793005ul + 1442695040888963407ul; }\n")

    def __init__(self, of):
        self.of = of

    def text(self):
        return f"mix({self.of.text()})"

    def value(self, at):
        x = self.of.value(at)
        return ((x ^ x >> 29) * 6364136223846793005 + 1442695040888963407) & BITS


# ---- places: what TO_GLOBAL and TO_SPTR are of ----

class PlaceOf:
    """A variable of the frame, or an element of an array of it."""

    def __init__(self, name, index=None):
        self.name, self.index = name, index

    def lvalue(self):
        return self.name if self.index is None else f"{self.name}[{self.index.text()}]"

    def text(self):
        return f"TO_GLOBAL(&{self.lvalue()})"

    def value(self, at):
        return Place(at.frame.variables, self.name,
                     None if self.index is None else self.index.value(at))


class MachinePlace:
    """A GLOBAL_VAR."""

    def __init__(self, name):
        self.name = name

    def text(self):
        return f"&{self.name}"

    def value(self, at):
        return Place(at.machine.variables, self.name)


class Held:
    """A handle, SPTR or APTR that a variable or parameter holds."""

    def __init__(self, name):
        self.name = name

    def text(self):
        return self.name

    def value(self, at):
        return at.value(self.name)


class SlotOf:
    """A slot of this frame; as an argument it is an SPTR."""

    def __init__(self, name):
        self.name = name

    def text(self):
        return self.name

    def argument(self):
        return f"TO_SPTR({self.name})"

    def value(self, at):
        return (at.frame, self.name)


class ArgumentOf:
    """An argument of a fiber of this frame."""

    def __init__(self, fiber, which):
        self.fiber, self.which = fiber, which

    def text(self):
        return f"TO_APTR({self.fiber.name}.{self.fiber.parameters[self.which]})"

    def value(self, at):
        return (at.frame, self.fiber, self.which)


class MailboxOf:
    def __init__(self, name):
        self.name = name

    def text(self):
        return f"TO_GLOBAL(&{self.name})"

    def value(self, at):
        return (at.frame, self.name)


def said(argument):
    return argument.argument() if isinstance(argument, SlotOf) else argument.text()
