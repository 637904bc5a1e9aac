# SPDX-License-Identifier: Apache-2.0
"""Two balancers of the papers in Python, as models. They decide as their twins in C++ do: world
`sim` gives the same event log with either."""

from .balancer import Balancer


class Rand(Balancer):
    """Probes a few random nodes; takes from the richest when idle, gives to the poorest when rich.

    Transfer     receiver: the node is idle. Sender: more than `threshold` tokens.
    Selection    the oldest token.
    Location     the best of `probes` random nodes.
    Information  a look where nodes share memory, elsewhere the answer to a probe.
    Source       [EARTH-LB §3.1]; terrane/balance/rand.hpp
    """

    PROBE, ANSWER, REQUEST = range(3)
    PATIENCE = 8  # idle calls before slow answers are given up

    def __init__(self, probes=0, threshold=-1):
        self.probes, self.threshold = probes, threshold
        self.answers = self.waited = 0
        self.richest = self.poorest = 0

    def on_start(self, node):
        if node.nodes == 1:
            return
        if self.probes == 0:
            self.probes = min(16, node.nodes // 10 + 1)
        if self.threshold < 0:
            self.threshold = 2 * self.probes
        node.set_surplus(self.threshold)
        node.set_enough(max(4, self.threshold + 2))

    def on_idle(self, node):
        if node.load > 0:
            return
        if self.answers > 0:
            self.waited += 1
            if self.waited < self.PATIENCE:
                return
        self.begin_round(node)

    def on_surplus(self, node):
        if self.answers == 0 and node.load > self.threshold:
            self.begin_round(node)

    def on_note(self, node, source, note):
        if note.kind == self.PROBE:
            node.tell(source, self.ANSWER)  # every note carries our load
        elif note.kind == self.REQUEST:
            if node.give_oldest(source) > 0:
                node.log("rand answers a request", source, node.load)
        elif self.answers > 0:
            self.consider(node, source)
            self.answers -= 1
            if self.answers == 0:
                self.decide(node)

    def begin_round(self, node):
        self.waited = 0
        self.answers = min(self.probes, node.nodes - 1)
        self.richest = self.poorest = node.me
        for _ in range(self.answers):
            other = node.random_other()
            if node.look(other) is not None:
                self.consider(node, other)
                self.answers -= 1
            else:
                node.tell(other, self.PROBE)
        if self.answers == 0:
            self.decide(node)

    def consider(self, node, other):
        load = node.known_load(other)
        if self.richest == node.me or load > node.known_load(self.richest):
            self.richest = other
        if self.poorest == node.me or load < node.known_load(self.poorest):
            self.poorest = other

    def decide(self, node):
        mine, most = node.load, node.known_load(self.richest)
        least = node.known_load(self.poorest)
        if mine == 0 and most > 0:
            node.log("rand takes from the richest it found, or asks it", self.richest, mine, most)
            if node.take_oldest(self.richest) == 0:
                node.tell(self.richest, self.REQUEST)
        elif mine > self.threshold and least == 0 and node.give_oldest(self.poorest) > 0:
            node.log("rand gives to a poor node", self.poorest, mine, least)


class His(Balancer):
    """Every node keeps a list of nodes that are likely to be rich or poor.

    Transfer     hybrid: an idle node asks; a node with more than `threshold` tokens gives.
    Selection    the oldest token.
    Location     asking: the richest in the list, else round the ring. Giving: each poor node.
    Information  what notes and tokens say of their senders.
    Source       [EARTH-LB §3] (His); terrane/balance/his.hpp
    """

    REQUEST = 1
    UNKNOWN = -1

    def __init__(self, rich=0, threshold=1):
        self.rich, self.threshold = rich, threshold
        self.asking = False
        self.likely = []

    def on_start(self, node):
        self.likely = [self.UNKNOWN] * node.nodes
        if node.nodes == 1:
            return
        node.set_surplus(self.threshold)
        node.set_enough(self.threshold + 2)

    def on_idle(self, node):
        if self.asking or node.load > 0:
            return
        self.asking = True
        node.tell(self.first_asked(node), self.REQUEST, node.me)

    def on_note(self, node, source, note):
        self.likely[source] = node.known_load(source)
        if note.about == node.me:
            self.asking = False  # nobody had anything; on_idle comes again
            return
        self.likely[note.about] = 0
        if not self.answer(node, note.about):
            node.tell(node.left, note.kind, note.about, note.value)

    def on_token(self, node, source, hint):
        self.asking = False
        self.likely[source] = hint.load

    def on_surplus(self, node):
        for i in range(1, node.nodes):
            if node.load <= self.threshold:
                return
            other = (node.me + i) % node.nodes
            if self.likely[other] == 0 and self.answer(node, other):
                node.log("his gives to a poor node", other, node.load, self.threshold)

    def first_asked(self, node):
        most = max(self.likely)
        if most <= 0:
            return node.left
        richest = self.likely.index(most)
        node.log("his asks the richest it knows", richest, 0, most)
        self.likely[richest] = self.UNKNOWN
        return richest

    def answer(self, node, asker):
        if node.load <= self.rich or node.give_oldest(asker) == 0:
            return False
        self.likely[asker] = self.UNKNOWN
        return True
