# SPDX-License-Identifier: Apache-2.0
"""The sequential reading of a program: its activations, slots and queues, one fiber after the
other, in one order of the many that the language allows."""

from collections import deque

BITS = (1 << 64) - 1


class EndOfFiber(Exception):
    """END_FIBER."""


class EndOfActivation(Exception):
    """TERMINATE."""


class Slot:
    def __init__(self, fiber, count, reset):
        self.fiber, self.count, self.reset = fiber, count, reset


class Frame:
    """An activation. Its variables, slots, mailboxes and queues of arguments, by name."""

    def __init__(self, function, node, arguments):
        self.function, self.node = function, node
        self.variables = dict(arguments)
        self.slots, self.mailboxes, self.queues = {}, {}, {}


class Place:
    """Where a datum lies: a variable or an element of an array, of a frame or of the machine."""

    def __init__(self, store, name, index=None):
        self.store, self.name, self.index = store, name, index

    def read(self):
        found = self.store[self.name]
        return found if self.index is None else found[self.index]

    def write(self, value):
        if self.index is None:
            self.store[self.name] = value
        else:
            self.store[self.name][self.index] = value


class Fiber:
    """What runs: a fiber's body with the names of its own."""

    def __init__(self, machine, frame):
        self.machine, self.frame, self.own = machine, frame, {}

    def value(self, name):
        for names in (self.own, self.frame.variables, self.machine.of_node(self.frame.node)):
            if name in names:
                return names[name]
        raise KeyError(name)

    def assign(self, name, value):
        for names in (self.own, self.frame.variables, self.machine.of_node(self.frame.node)):
            if name in names:
                names[name] = value
                return
        raise KeyError(name)


class Machine:
    def __init__(self, nodes, node_variables, machine_variables):
        self.nodes = nodes
        self.node_variables = [dict.fromkeys(node_variables, 0) for _ in range(nodes)]
        self.variables = dict.fromkeys(machine_variables, 0)
        self.ready = deque()
        self.tokens = self.fibers = 0

    def of_node(self, node):
        return self.node_variables[node]

    def start(self, function, node, arguments):
        self.ready.append((Frame(function, node, arguments), None, {}))

    def signal(self, place):
        frame, name = place
        slot = frame.slots[name]
        assert slot.count > 0, f"a signal too many for {name}"
        slot.count -= 1
        if slot.count == 0:
            slot.count = slot.reset
            self.ready.append((frame, slot.fiber, {}))

    def send(self, frame, fiber, which, value):
        """An argument of a fiber, or (the last queue) as many plain signals as it wants."""
        queues = frame.queues[fiber.name]
        queues[which].append(value)
        if all(queues):
            values = [queue.popleft() for queue in queues]
            self.ready.append((frame, fiber, dict(zip(fiber.parameters, values))))

    def run(self):
        """Until nothing is left to do."""
        while self.ready:
            frame, fiber, own = self.ready.popleft()
            running = Fiber(self, frame)
            running.own.update(own)
            self.fibers += 1
            try:
                if fiber is None:
                    frame.function.begin(running)
                else:
                    fiber.run(running)
            except EndOfFiber:
                pass
            except EndOfActivation:
                assert all(each[0] is not frame for each in self.ready), "a fiber was left ready"
                frame.slots = None
