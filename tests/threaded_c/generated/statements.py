# SPDX-License-Identifier: Apache-2.0
"""Statements of generated programs. Each says itself in Threaded-C (`lines`) and can be read
sequentially (`run`)."""

from expressions import said
from reading import BITS, EndOfActivation, EndOfFiber, Place, Slot


class Statement:
    """One line of C, `pattern` filled with the texts of what it is made with."""

    def lines(self):
        return [self.line()]


class Assign(Statement):
    RULES = {"=": lambda _, new: new, "+=": lambda old, new: old + new,
             "^=": lambda old, new: old ^ new}

    def __init__(self, name, sign, to):
        self.name, self.sign, self.to = name, sign, to

    def line(self):
        return f"{self.name} {self.sign} {self.to.text()};"

    def run(self, at):
        old = at.value(self.name)
        at.assign(self.name, self.RULES[self.sign](old, self.to.value(at)) & BITS)


class Local(Statement):
    def __init__(self, name, to):
        self.name, self.to = name, to

    def line(self):
        return f"unsigned long {self.name} = {self.to.text()};"

    def run(self, at):
        at.own[self.name] = self.to.value(at)


class If:
    def __init__(self, which, then, other):
        self.which, self.then, self.other = which, then, other

    def lines(self):
        text = [f"if ({self.which.text()} & 1) {{", *indented(self.then), "}"]
        if self.other:
            text[-1:] = ["} else {", *indented(self.other), "}"]
        return text

    def run(self, at):
        run_all(self.then if self.which.value(at) & 1 else self.other, at)


class Repeat:
    """times: a number, or what a variable holds."""

    def __init__(self, counter, times, body):
        self.counter, self.times, self.body = counter, times, body

    def lines(self):
        i = self.counter
        return [f"for (int {i} = 0; {i} < (int)({self.times.text()}); {i}++) {{",
                *indented(self.body), "}"]

    def run(self, at):
        for i in range(self.times.value(at)):
            at.own[self.counter] = i
            run_all(self.body, at)


class Switch:
    def __init__(self, which, cases):
        self.which, self.cases = which, cases

    def lines(self):
        text = [f"switch (({self.which.text()}) % {len(self.cases)}) {{"]
        for number, body in enumerate(self.cases):
            text += [f"case {number}: {{", *indented(body), "    break;", "}"]
        return [*text, "}"]

    def run(self, at):
        run_all(self.cases[self.which.value(at) % len(self.cases)], at)


class Sync(Statement):
    def __init__(self, slot):
        self.slot = slot

    def line(self):
        return f"SYNC( {self.slot.text()} );"

    def run(self, at):
        at.machine.signal(self.slot.value(at))


class Put(Statement):
    def __init__(self, what, to, slot):
        self.what, self.to, self.slot = what, to, slot

    def line(self):
        return f"PUT_SYNC( {self.what.text()}, {self.to.text()}, {self.slot.text()} );"

    def run(self, at):
        self.to.value(at).write(self.what.value(at))
        at.machine.signal(self.slot.value(at))


class Get(Statement):
    """to: a name, written as a plain variable or as a handle."""

    def __init__(self, what, to, slot, plainly):
        self.what, self.to, self.slot, self.plainly = what, to, slot, plainly

    def line(self):
        to = self.to.lvalue() if self.plainly else self.to.text()
        return f"GET_SYNC( {self.what.text()}, {to}, {self.slot.text()} );"

    def run(self, at):
        self.to.value(at).write(self.what.value(at).read())
        at.machine.signal(self.slot.value(at))


class BlockMove(Statement):
    def __init__(self, array, to, slot):
        self.array, self.to, self.slot = array, to, slot

    def line(self):
        return (f"BLKMOV_SYNC( TO_GLOBAL({self.array}), TO_GLOBAL({self.to}), "
                f"sizeof {self.array}, {self.slot.text()} );")

    def run(self, at):
        at.frame.variables[self.to] = list(at.frame.variables[self.array])
        at.machine.signal(self.slot.value(at))


class Strided(Statement):
    """Every second element of an array into the other's, from behind."""

    def __init__(self, word, array, to, size, slot):
        self.word, self.array, self.to, self.size, self.slot = word, array, to, size, slot

    def line(self):
        source = self.array if self.word == "PUT_SYNC_V" else f"TO_GLOBAL({self.array})"
        step = "(long)sizeof(unsigned long)"
        return (f"{self.word}( {source}, 2*{step}, TO_GLOBAL(&{self.to}[{self.size - 1}]), "
                f"-{step}, {(self.size + 1) // 2}, sizeof(unsigned long), {self.slot.text()} );")

    def run(self, at):
        source, target = at.frame.variables[self.array], at.frame.variables[self.to]
        for i in range((self.size + 1) // 2):
            target[self.size - 1 - i] = source[2 * i]
        at.machine.signal(self.slot.value(at))


class AtomicAdd(Statement):
    def __init__(self, what, to, slot):
        self.what, self.to, self.slot = what, to, slot

    def line(self):
        return (f"ATOMIC_ADD_SYNC( {self.what.text()}, {self.to.text()}, GLOBAL_NULL, "
                f"{self.slot.text()} );")

    def run(self, at):
        place = self.to.value(at)
        place.write((place.read() + self.what.value(at)) & BITS)
        at.machine.signal(self.slot.value(at))


class Allocate(Statement):
    def __init__(self, node, handle, slot):
        self.node, self.handle, self.slot = node, handle, slot

    def line(self):
        return (f"MALLOC_SYNC( (int)(({self.node.text()}) % NUM_NODES), sizeof(unsigned long), "
                f"TO_GLOBAL(&{self.handle}), {self.slot.text()} );")

    def run(self, at):
        at.frame.variables[self.handle] = Place({"block": 0}, "block")
        at.machine.signal(self.slot.value(at))


class Start(Statement):
    """TOKEN or INVOKE. functions: one, or two of which a TFUNC is chosen."""

    def __init__(self, functions, which, node, arguments):
        self.functions, self.which, self.node, self.arguments = functions, which, node, arguments

    def start_of(self, callee):
        words = ", ".join([callee, *map(said, self.arguments)])
        if self.node is None:
            return f"TOKEN( {words} );"
        return f"INVOKE( (int)(({self.node.text()}) % NUM_NODES), {words} );"

    def line(self):
        one, *others = (each.name for each in self.functions)
        if not others:
            return self.start_of(one)
        return (f"{{ TFUNC chosen = {self.which.text()} & 1 ? {one} : &{others[0]}; "
                f"{self.start_of('chosen')} }}")

    def run(self, at):
        function = self.functions[0]
        if len(self.functions) > 1 and not self.which.value(at) & 1:
            function = self.functions[1]
        values = [each.value(at) for each in self.arguments]
        node = at.frame.node
        if self.node is None:
            at.machine.tokens += 1
        else:
            node = self.node.value(at) % at.machine.nodes
        at.machine.start(function, node, zip(function.parameter_names(), values))


class Drop(Statement):
    def __init__(self, what, box):
        self.what, self.box = what, box

    def line(self):
        return (f"{{ unsigned long item = {self.what.text()}; "
                f"DROP_IN( {self.box.text()}, &item, sizeof item ); }}")

    def run(self, at):
        frame, name = self.box.value(at)
        items, slot = frame.mailboxes[name]
        items.append(self.what.value(at))
        at.machine.signal((frame, slot))


class Retrieve(Statement):
    def __init__(self, box, name):
        self.box, self.name = box, name

    def line(self):
        return f"unsigned long {self.name} = 0; RETRIEVE_ITEM( {self.box}, &{self.name} );"

    def run(self, at):
        at.own[self.name] = at.frame.mailboxes[self.box][0].pop(0)


class OpenMailbox(Statement):
    def __init__(self, box, slot):
        self.box, self.slot = box, slot

    def line(self):
        return f"INIT_MAILBOX( &{self.box}, {self.slot} );"

    def run(self, at):
        at.frame.mailboxes[self.box] = ([], self.slot)


class Send(Statement):
    def __init__(self, what, to):
        self.what, self.to = what, to

    def line(self):
        return f"SEND( {self.what.text()}, {said(self.to)} );"

    def run(self, at):
        frame, fiber, which = self.to.value(at)
        at.machine.send(frame, fiber, which, self.what.value(at))


class InitSync(Statement):
    def __init__(self, slot, count, reset):
        self.slot, self.count, self.reset = slot, count, reset

    def line(self):
        return f"INIT_SYNC( {self.slot}, (int)({self.count.text()}), {self.reset} );"

    def run(self, at):
        slot = at.frame.slots[self.slot]
        slot.count, slot.reset = self.count.value(at), self.reset


class IncrSync(Statement):
    def __init__(self, slot, more):
        self.slot, self.more = slot, more

    def line(self):
        return f"INCR_SYNC( {self.slot}, (int)({self.more.text()}) );"

    def run(self, at):
        at.frame.slots[self.slot].count += self.more.value(at)


class BindSlot(Statement):
    def __init__(self, slot, fiber, count):
        self.slot, self.fiber, self.count = slot, fiber, count

    def line(self):
        return f"BIND_SLOT( {self.slot}, {self.fiber.name}, {self.count}, {self.count} );"

    def run(self, at):
        at.frame.slots[self.slot] = Slot(self.fiber, self.count, self.count)


class Plain(Statement):
    """C that the sequential reading has no use for."""

    def __init__(self, text):
        self.text = text

    def line(self):
        return self.text

    def run(self, at):
        pass


class End(Statement):
    def __init__(self, word):
        self.word = word

    def line(self):
        return f"{self.word};"

    def run(self, at):
        raise EndOfActivation if self.word == "TERMINATE" else EndOfFiber


def indented(statements):
    return ["    " + line for each in statements for line in each.lines()]


def run_all(statements, at):
    for each in statements:
        each.run(at)
