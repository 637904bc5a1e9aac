# SPDX-License-Identifier: Apache-2.0
"""Random valid programs of Threaded-C.

A program is a few worker functions that start one another to a bounded depth. A function is a row
of phases, each a fiber that follows once all is there that the phase before has started; what is
started writes variables that nobody reads before. So the result depends on no schedule, whatever
is chosen; what arrives in any order is added up.
"""

import random

from expressions import (ArgumentOf, Binary, Choice, Element, Held, MachinePlace, MailboxOf, Mixed,
                         Name, Number, PlaceOf, SlotOf)
from functions import ZERO, Fiber, Function
from statements import (Allocate, Assign, AtomicAdd, BindSlot, BlockMove, Drop, End, Get, If,
                        IncrSync, InitSync, Local, OpenMailbox, Plain, Put, Repeat, Retrieve, Send,
                        Start, Strided, Switch, Sync)

WORKER = [("int", "depth"), ("unsigned long", "a"), ("unsigned long", "b"),
          ("unsigned long *GLOBAL", "out"), ("SPTR", "done")]
ARRAY = 5


class Program:
    """prefix: of all its names, so that several share a file. Its root is `root`."""

    def __init__(self, prefix, seed):
        self.prefix = prefix
        self.chance = random.Random(seed)
        self.hits, self.total = prefix + "hits", prefix + "total"
        self.dropper = self.make_dropper()
        self.sender = self.make_sender()
        self.workers = [Function(f"{prefix}work{i}", WORKER)
                        for i in range(self.chance.randint(2, 3))]
        for each in self.workers:
            Body(self, each).fill()
        self.collector = self.make_collector()
        self.root = self.make_root()

    def lines(self):
        functions = [self.dropper, self.sender, *self.workers, self.collector, self.root]
        self_declared = [each.head() + ";" for each in functions]
        text = [f"static unsigned long {self.hits};",
                f"GLOBAL_VAR unsigned long {self.total};", *self_declared, ""]
        for each in functions:
            text += each.lines()
        return text

    def make_dropper(self):
        made = Function(self.prefix + "drop", [("MAILBOX *GLOBAL", "box"),
                                               ("unsigned long", "n"), ("unsigned long", "a")])
        made.init = [Repeat("i", Name("n"), [Drop(Mixed(Binary("+", Name("a"), Name("i", True))),
                                                  Held("box"))]), End("TERMINATE")]
        return made

    def make_sender(self):
        made = Function(self.prefix + "send",
                        [("unsigned long", "n"), ("unsigned long", "a"),
                         ("APTR(unsigned long)", "one"), ("APTR(unsigned long)", "other")])
        value = Mixed(Binary("^", Name("a"), Name("i", True)))
        made.init = [Repeat("i", Name("n"), [Send(value, Held("one")),
                                             Send(Binary("*", value, Number(3)), Held("other"))]),
                     End("TERMINATE")]
        return made

    def make_collector(self):
        """Adds what its node has counted to the machine's total."""
        made = Function(self.prefix + "collect", [("SPTR", "done")])
        made.init = [AtomicAdd(Name(self.hits), MachinePlace(self.total), SlotOf("ADDED"))]
        added = Fiber("ADDED", 1)
        added.body = [Sync(Held("done")), End("TERMINATE")]
        made.fibers = [added]
        return made

    def make_root(self):
        made = Function(self.prefix + "root", [("unsigned long *GLOBAL", "out"), ("SPTR", "done")])
        made.variables = [("x", None, ZERO), ("y", None, ZERO)]
        seed = [Number(self.chance.getrandbits(60)) for _ in range(2)]
        made.init = [Start([self.chance.choice(self.workers)], None, None,
                           [Number(self.chance.randint(2, 3)), *seed, PlaceOf("x"),
                            SlotOf("WORKED")])]
        worked, summed, told = Fiber("WORKED", 1), Fiber("SUMMED", None), Fiber("TOLD", 1)
        worked.body = [CountNodes("SUMMED"),
                       StartEverywhere(self.collector, [SlotOf("SUMMED")])]
        summed.body = [Get(MachinePlace(self.total), PlaceOf("y"), SlotOf("TOLD"), True)]
        told.body = [Put(Binary("^", Name("x"), Mixed(Name("y"))), Held("out"), Held("done")),
                     End("TERMINATE")]
        made.fibers = [worked, summed, told]
        return made


class CountNodes(InitSync):
    """A slot that waits for every node."""

    def __init__(self, slot):
        super().__init__(slot, NumberOfNodes(), 0)


class NumberOfNodes:
    def text(self):
        return "NUM_SMP"

    def value(self, at):
        return at.machine.nodes


class StartEverywhere(Repeat):
    def __init__(self, function, arguments):
        super().__init__("i", NumberOfNodes(), [
            Start([function], None, Name("i", True), arguments)])


class Body:
    """Fills one worker function."""

    def __init__(self, program, function):
        self.program, self.function, self.chance = program, function, program.chance
        self.known = [Name("a"), Name("b")]  # what may be read by now
        self.arrays = []                     # likewise
        self.made = 0                        # names, so that none comes twice
        self.starts_left = 3
        self.at_end = []                     # before TERMINATE
        self.helpers = []                    # fibers besides the phases

    def fill(self):
        phases = self.chance.randint(1, 3)
        fibers = [Fiber(f"P{i}", None, priority=self.priority()) for i in range(phases)]
        leaf = Put(Mixed(Binary("-", Name("a"), Name("b"))), Held("out"), Held("done"))
        self.function.init.append(If(Binary("<", Name("depth", True), Number(1)),
                                     [leaf, End("TERMINATE")], []))
        blocks = [self.function.init, *(each.body for each in fibers)]
        for number, fiber in enumerate(fibers):
            self.phase(blocks[number], fiber)
        last = blocks[-1]
        last += self.at_end
        last.append(Put(self.expression(3), Held("out"), Held("done")))
        last.append(End("TERMINATE"))
        self.function.fibers = fibers + self.helpers
        if self.chance.random() < 0.5:
            self.chance.shuffle(self.function.fibers)

    # --- pieces ---

    def name(self, begin):
        self.made += 1
        return f"{begin}{self.made}"

    def priority(self):
        return self.chance.choice([None, None, None, 0, 2, 5, 7])

    def variable(self):
        name = self.name("v")
        value = self.chance.choice([ZERO, Number(self.chance.getrandbits(8)), Name("a")])
        self.function.variables.append((name, None, value))
        return name

    def array(self):
        name = self.name("r")
        self.function.variables.append((name, ARRAY, ZERO))
        return name

    def expression(self, depth):
        pick = self.chance.random()
        if depth == 0 or pick < 0.15:
            if self.arrays and pick < 0.08:
                return Element(self.chance.choice(self.arrays), self.chance.choice(self.known),
                               ARRAY)
            return self.chance.choice([*self.known, Number(self.chance.getrandbits(12))])
        parts = [self.expression(depth - 1) for _ in range(3)]
        if pick < 0.25:
            return Mixed(parts[0])
        if pick < 0.35:
            return Choice(*parts)
        return Binary(self.chance.choice(["+", "-", "*", "^", "|", "&", ">>"]), *parts[:2])

    # --- a phase: what is started, and the slot that hears of it ---

    def phase(self, block, next_fiber):
        self.block, self.slot = block, SlotOf(next_fiber.name)
        self.signals, self.later, self.later_arrays = 0, [], []
        self.unarmed = self.chance.random() < 0.3
        kinds = [self.start, self.start, self.start_many, self.put, self.get, self.move,
                 self.stride, self.add_atomically, self.allocate, self.relay, self.plain_slot,
                 self.mailbox, self.argument_fiber, self.compute, self.branch]
        begin = len(block)
        for _ in range(self.chance.randint(1, 4)):
            self.chance.choice(kinds)()
        if self.signals == 0:
            self.signal_plainly()
        if self.unarmed:
            block.insert(begin, InitSync(next_fiber.name, Number(self.signals), 0))
        else:
            next_fiber.count = self.signals
            next_fiber.written_reset = self.chance.choice([None, 0, 3])
            next_fiber.reset = self.signals
        if self.chance.random() < 0.2:
            block.append(End("END_FIBER"))
        self.known += self.later
        self.arrays += self.later_arrays

    def signal_plainly(self):
        self.block.append(Sync(self.slot))
        self.signals += 1

    def arguments(self, place):
        return [NextDepth(), self.expression(1), self.expression(1), place, self.slot]

    def start(self):
        if self.starts_left == 0:
            return self.put()
        self.starts_left -= 1
        name = self.variable()
        functions = self.chance.sample(self.program.workers, self.chance.choice([1, 1, 2]))
        node = self.expression(1) if self.chance.random() < 0.4 else None
        self.block.append(Start(functions, self.expression(1), node,
                                self.arguments(PlaceOf(name))))
        self.signals += 1
        return self.later.append(Name(name))

    def start_many(self):
        """Into an array, by a loop whose length may be known when it runs only."""
        if self.starts_left < 2:
            return self.move()
        self.starts_left -= 2
        name, i = self.array(), self.name("i")
        function = self.chance.choice(self.program.workers)
        times = Number(2)
        if self.chance.random() < 0.5:  # one to three: counted in when it is known
            times = Binary("+", Binary("&", self.chance.choice(self.known), Number(1)), Number(1))
            self.block.append(IncrSync(self.slot.name, times))
        else:
            self.signals += 2
        place = PlaceOf(name, Name(i))
        arguments = [NextDepth(), Binary("+", self.expression(1), Name(i, True)),
                     self.expression(0), place, self.slot]
        self.block.append(Repeat(i, times, [Start([function], None, None, arguments)]))
        if isinstance(times, Binary):
            self.signal_plainly()  # the count was above 0 when it was raised
        return self.later_arrays.append(name)

    def put(self):
        name = self.variable()
        self.block.append(Put(self.expression(2), PlaceOf(name), self.slot))
        self.signals += 1
        self.later.append(Name(name))

    def get(self):
        name = self.variable()
        source = [each for each in self.known if each.name[0] == "v"]
        if not source:
            return self.put()
        what = PlaceOf(self.chance.choice(source).name)
        self.block.append(Get(what, PlaceOf(name), self.slot, self.chance.random() < 0.5))
        self.signals += 1
        return self.later.append(Name(name))

    def move(self):
        if not self.arrays:
            name = self.array()
            for i in range(2):
                self.block.append(Put(self.expression(1), PlaceOf(name, Number(i)), self.slot))
                self.signals += 1
            return self.later_arrays.append(name)
        name = self.array()
        self.block.append(BlockMove(self.chance.choice(self.arrays), name, self.slot))
        self.signals += 1
        return self.later_arrays.append(name)

    def stride(self):
        if not self.arrays:
            return self.move()
        name = self.array()
        self.block.append(Strided(self.chance.choice(["PUT_SYNC_V", "GET_SYNC_V"]),
                                  self.chance.choice(self.arrays), name, ARRAY, self.slot))
        self.signals += 1
        return self.later_arrays.append(name)

    def add_atomically(self):
        if self.chance.random() < 0.5:
            to = MachinePlace(self.program.total)
        else:
            name = self.variable()
            to = PlaceOf(name)
            self.later.append(Name(name))
        for _ in range(2):
            self.block.append(AtomicAdd(self.expression(1), to, self.slot))
            self.signals += 1

    def allocate(self):
        """Memory somewhere; it is filled, read and freed in fibers of its own."""
        handle, name = self.name("h"), self.variable()
        self.function.others.append(f"unsigned long *GLOBAL {handle};")
        made, filled, read = (Fiber(self.name("M"), 1) for _ in range(3))
        made.body = [Put(self.expression(1), Held(handle), SlotOf(filled.name))]
        filled.body = [Get(Held(handle), PlaceOf(name), SlotOf(read.name), True)]
        read.body = [Plain(f"FREE( {handle} );"), Sync(self.slot)]
        self.helpers += [made, filled, read]
        self.block.append(Allocate(self.expression(1), handle, SlotOf(made.name)))
        self.signals += 1
        self.later.append(Name(name))

    def relay(self):
        """A fiber that fires first after some signals, then after others."""
        first, then = self.chance.randint(1, 3), self.chance.randint(1, 2)
        times, name, i = self.chance.randint(1, 3), self.variable(), self.name("i")
        fiber = Fiber(self.name("R"), first, then, head=self.chance.choice(["", "EXCLUSIVE "]),
                      priority=self.priority())
        fiber.body = [Assign(name, "+=", Mixed(Name("b"))), self.count_hit(), Sync(self.slot)]
        self.helpers.append(fiber)
        self.block.append(Repeat(i, Number(first + then * (times - 1)),
                                 [Sync(SlotOf(fiber.name))]))
        self.signals += times
        self.later.append(Name(name))

    def plain_slot(self):
        """A slot of one's own that enables a fiber beside that fiber's."""
        slot, name = self.name("s"), self.variable()
        self.function.others.append(f"SLOT {slot};")
        fiber = Fiber(self.name("B"), 1)
        fiber.body = [Assign(name, "^=", self.expression(1)), Sync(self.slot)]
        self.helpers.append(fiber)
        count = self.chance.randint(1, 2)
        self.block += [BindSlot(slot, fiber, count), *([Sync(SlotOf(slot))] * count),
                       Sync(SlotOf(fiber.name))]
        self.signals += 2
        self.later.append(Name(name))

    def mailbox(self):
        box, name = self.name("m"), self.variable()
        self.function.others.append(f"MAILBOX {box};")
        fiber = Fiber(self.name("IN"), 1, head="EXCLUSIVE ", priority=self.priority())
        fiber.body = [Retrieve(box, "item"), Assign(name, "+=", Mixed(Name("item"))),
                      Sync(self.slot)]
        self.helpers.append(fiber)
        self.block.append(OpenMailbox(box, fiber.name))
        for _ in range(self.chance.randint(1, 2)):
            items = self.chance.randint(1, 3)
            node = self.expression(0) if self.chance.random() < 0.5 else None
            self.block.append(Start([self.program.dropper], None, node,
                                    [MailboxOf(box), Number(items), self.expression(1)]))
            self.signals += items
        self.at_end.append(Plain(f"FREE_MAILBOX( {box} );"))
        self.later.append(Name(name))

    def argument_fiber(self):
        """Sums over pairs as they meet: linear, so that it is one whoever meets whom."""
        name, plain = self.variable(), self.chance.choice([None, None, 1, 2])
        fiber = Fiber(self.name("A"), plain, parameters=["p", "q"])
        fiber.body = [Local("weighed", Binary("*", Name("q"), Number(7))),
                      Assign(name, "+=", Binary("+", Name("p"), Name("weighed"))), Sync(self.slot)]
        self.helpers.append(fiber)
        sets = 0
        for _ in range(self.chance.randint(1, 2)):
            items = self.chance.randint(1, 3)
            node = self.expression(0) if self.chance.random() < 0.5 else None
            self.block.append(Start([self.program.sender], None, node,
                                    [Number(items), self.expression(1), ArgumentOf(fiber, 0),
                                     ArgumentOf(fiber, 1)]))
            sets += items
        if plain:
            self.block.append(Repeat(self.name("i"), Number(sets * plain),
                                     [Sync(SlotOf(fiber.name))]))
        self.signals += sets
        self.later.append(Name(name))

    def compute(self):
        name = self.variable()
        self.block.append(Assign(name, "=", self.expression(3)))
        self.known.append(Name(name))
        self.block.append(self.count_hit())

    def count_hit(self):
        return Assign(self.program.hits, "+=", Mixed(Name("a")))

    def branch(self):
        """The same signals, whichever way."""
        name, other = self.variable(), self.name("t")
        ways = [[Put(self.expression(1), PlaceOf(name), self.slot)],
                [Local(other, self.expression(1)), Assign(name, "+=", Name(other)),
                 Sync(self.slot)],
                [Assign(name, "^=", self.expression(2)), Sync(self.slot)]]
        if self.chance.random() < 0.5:
            self.block.append(Switch(self.expression(1), ways))
        else:
            self.block.append(If(self.expression(1), ways[0], ways[1]))
        self.signals += 1
        self.later.append(Name(name))


class NextDepth:
    """One level less for whoever is started."""

    def text(self):
        return "depth - 1"

    def value(self, at):
        return at.value("depth") - 1
