# SPDX-License-Identifier: Apache-2.0
"""The log of the balancer central [TESTBED Fig. 41]: summaries of the load, and what was moved."""

import dataclasses
import re

REQUEST = re.compile(r"move work from (\d+) to (\d+) to (quieten link|shorten queue) (\S+) "
                     r"\(mig #(\d+)\)")
ARRIVAL = re.compile(r"mig #(\d+): (\S+) arrives at (\d+), time (\d+)")
NOTHING = re.compile(r"mig #(\d+): nothing moves from (\d+), time (\d+)")


@dataclasses.dataclass(frozen=True)
class Sample:
    seconds: float
    links: tuple   # messages of each, 1-2 first
    queues: tuple  # ready threads of each processor, rounded

    def off(self):
        """How far the queue that is farthest from the mean is from it."""
        mean = sum(self.queues) / len(self.queues)
        return max(abs(each - mean) for each in self.queues)


@dataclasses.dataclass(frozen=True)
class Move:
    seconds: float  # when it was asked for; when it came, if it is an arrival
    source: int
    target: int
    link: bool = False  # for an overloaded link, else for a queue


class BalanceLog:
    """samples, requests, arrivals, and times of requests that found no thread; until a time."""

    def __init__(self, text, until=float("inf")):
        self.samples, self.requests, self.arrivals, self.nothing = [], [], [], []
        now, links, asked = 0.0, (), {}
        for line in text.splitlines():
            word, _, rest = line.partition(": ")
            numbers = rest.partition(" (av")[0].split()
            if word == "TIM":
                now = int(rest) / 1000
            elif now > until:
                continue
            elif word == "LNK":
                links = tuple(map(int, numbers))
            elif word == "RQL":
                self.samples.append(Sample(now, links, tuple(map(int, numbers))))
            elif found := REQUEST.match(line):
                source, target, why, _, number = found.groups()
                asked[number] = Move(now, int(source), int(target), why == "quieten link")
                self.requests.append(asked[number])
            elif found := ARRIVAL.match(line):
                number, _, _, ms = found.groups()
                self.arrivals.append(dataclasses.replace(asked[number], seconds=int(ms) / 1000))
            elif found := NOTHING.match(line):
                self.nothing.append(int(found.group(3)) / 1000)

    def equal_since(self, within):
        """Since when no queue is farther from the mean than that; None: it is at the end."""
        since = None
        for sample in self.samples:
            if sample.off() > within:
                since = None
            elif since is None:
                since = sample.seconds
        return since

    def means_of_links(self, begin, end=float("inf")):
        """Messages a sample of each link in a time."""
        rows = [sample.links for sample in self.samples if begin < sample.seconds <= end]
        return [sum(column) / len(rows) for column in zip(*rows)]


def links_of(processors):
    """Their names, in the log's order."""
    return [f"{a}-{b}" for a in range(1, processors + 1) for b in range(a + 1, processors + 1)]
