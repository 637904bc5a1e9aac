# SPDX-License-Identifier: Apache-2.0
"""long_shm_lost.py: hundreds of runs of world shm that lose a process at a random moment.

Purpose     Whatever is lost, and whenever: the run ends soon, says which node it was, prints no
            wrong answer, and leaves nothing behind.
Method      A generator with a fixed seed draws the program, the nodes, the moment and the victim.
            Every run is judged; a test fails with a sentence about each run that went wrong.
Pitfall     A signal may meet a process that has ended already: then the run must end well.
"""

import contextlib
import dataclasses
import os
import pathlib
import random
import re
import signal
import subprocess
import time
import unittest

from command import FIB, surroundings

COMPANY = pathlib.Path(os.environ["TERRANE_COMPANY"]).resolve()
QUEENS = FIB.with_name("queens")
SEED = 20260
EXIT_NODE_LOST = 123
END_SECONDS_MAX = 10  # after the signal
GIVE_UP_SECONDS = 60  # tells a slow end from none
GAP_SECONDS_MAX = 0.5  # between two looks; what is more, the whole machine stood still
MOMENT_SECONDS_MAX = 0.4
AT_ONCE = 0.2  # of the victims are struck as soon as they are there
LAST_EVENTS = r"(terrane: the last \d+ events \(.*\):\n(  .*\n)*)?"  # of nodes that were forked
OWN_LAYOUT = 0.3  # of the runs start the program anew in each node
FETCHED_BYTES = 36_000_000

# program, its words for so many nodes, all that it prints; each takes some tenths of a second
PROGRAMS = [
    (FIB, lambda nodes: "36", "fib(36) = 24157817\n"),
    (QUEENS, lambda nodes: "13 13", "queens(13) = 73712\n"),
    (COMPANY, lambda nodes: f"send {FETCHED_BYTES // nodes**2}", "sent {fetched}\n"),
]


@dataclasses.dataclass
class Run:
    """A run in a session of its own, so that its processes are found again."""
    nodes: int
    command: list
    answer: str
    moment: float  # seconds from its start to the signal
    launcher: subprocess.Popen = None

    def start(self):
        self.launcher = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=surroundings(), start_new_session=True)

    def first_line(self):
        """Read byte by byte: communicate() would not find what a buffer had taken beyond it."""
        line = b""
        while not line.endswith(b"\n") and (byte := os.read(self.launcher.stdout.fileno(), 1)):
            line += byte
        return line.decode()

    def members(self):
        """Its processes that live, stopped ones among them."""
        states = {each: state_and_session(each) for each in listed_processes()}
        return [each for each, (state, session) in states.items()
                if session == self.launcher.pid and state not in "ZX"]

    def node_processes(self):
        """node -> process, of those that are there by now."""
        found = {}
        for each in self.members():
            told = re.fullmatch(rb"terrane node (\d+)\n", read_of(each, "comm"))
            if told and each != self.launcher.pid:
                found[int(told[1])] = each
        return found

    def process_of(self, node):
        """As soon as it is there. None: it is no more, or the run is over."""
        while self.launcher.poll() is None:
            there = self.node_processes()
            if node in there:
                return there[node]
            if there and max(there) > node:  # nodes are started in order
                return None
        return None

    def seconds_to_end(self):
        """Of the time in which somebody looked."""
        seconds, last = 0, time.monotonic()
        while self.launcher.poll() is None and seconds < GIVE_UP_SECONDS:
            time.sleep(0.02)
            now = time.monotonic()
            seconds += min(now - last, GAP_SECONDS_MAX)
            last = now
        return seconds

    def end_by_force(self):
        for each in self.members():
            send(each, signal.SIGKILL)


def draw_run(dice, world):
    program, words, answer = dice.choice(PROGRAMS)
    nodes = dice.randint(2, 6)
    if world == "shm":
        how = ("--layout", "own" if dice.random() < OWN_LAYOUT else "same")
    else:
        how = ("--progress", dice.choice(("poll", "watchdog", "modules")), "--connect",
               dice.choice(("eager", "lazy")))
    return Run(nodes,
               [str(program), "--world", world, *how, "--nodes", str(nodes),
                "--processors", "1", *words(nodes).split()],
               answer.format(fetched=FETCHED_BYTES // nodes**2 * nodes),
               0 if dice.random() < AT_ONCE else dice.uniform(0, MOMENT_SECONDS_MAX))


def send(process, which):
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, which)


def listed_processes():
    return [int(each) for each in os.listdir("/proc") if each.isdigit()]


def read_of(process, name):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{process}/{name}").read_bytes()
    return b""


def state_and_session(process):
    fields = read_of(process, "stat").decode(errors="replace").rpartition(")")[2].split()
    return (fields[0], int(fields[3])) if fields else ("X", 0)


def shared_memory_of(process):
    """Device and inode of the memory that a run shares, as the kernel's tables write them."""
    told = re.search(rb"(\S+:\S+ \d+) +/memfd:terrane", read_of(process, "maps"))
    return told[1] if told else None


class Lost(unittest.TestCase):
    maxDiff = None
    WORLD = "shm"
    HOST = ""  # what a sentence says of a node's host

    def draw(self, dice):
        return draw_run(dice, self.WORLD)

    def endure(self, runs, strike, losses=0.5):
        """strike: sends a signal to somebody of a run, and returns what the run must then say.
        losses: the least share of runs that must end badly, or all end too early to tell."""
        dice = random.Random(f"{SEED} {self.id()}")
        names = set(os.listdir("/dev/shm"))
        faults, lost = [], 0
        for number in range(1, runs + 1):
            run = self.draw(dice)
            run.start()
            time.sleep(run.moment)
            memory = shared_memory_of(run.launcher.pid)
            said = strike(run, dice)
            faults += [f"run {number}, `{' '.join(run.command[1:])}`, {run.moment:.3f} s: {fault}"
                       for fault in self.faults_of(run, memory, said)]
            lost += run.launcher.returncode != 0
        self.assertEqual("\n".join(faults), "", f"{len(faults)} faults")
        self.assertEqual({each for each in os.listdir("/dev/shm") if "terrane" in each} - names,
                         set())
        if losses != 0:
            self.assertGreater(lost, runs * losses, "most runs were over before they were struck")

    def faults_of(self, run, memory, said):
        """From the signal to the end of the run: one sentence for each thing that went wrong."""
        faults = []
        seconds = run.seconds_to_end()
        if seconds > END_SECONDS_MAX:
            faults.append(f"went on for {seconds:.1f} s")
            run.end_by_force()
        out, err = run.launcher.communicate()
        until = time.monotonic() + END_SECONDS_MAX
        while run.members() and time.monotonic() < until:
            time.sleep(0.01)
        if left := run.members():
            faults.append(f"left processes {left}")
            run.end_by_force()
        if memory:
            faults += [f"process {each} still has its memory" for each in listed_processes()
                       if memory in read_of(each, "maps")]
        code = run.launcher.returncode
        if not (code, out, err) == (0, run.answer, "") and not (
                code != 0 and out in ("", run.answer) and re.fullmatch(said, f"{code} {err}")):
            faults.append(f"ended with {code}, {out!r}, {err!r} instead of {said!r}")
        return faults

    def strike_node(self, which, how):
        def strike(run, dice):
            node = dice.randrange(run.nodes)
            process = run.process_of(node)
            if process:
                send(process, which)
            return (rf"{EXIT_NODE_LOST} terrane: node {node} "
                    rf"\(process {process}, (starting|running|ending)\){self.HOST} {how} .*\n"
                    + LAST_EVENTS)
        return strike

    def test_a_node_that_is_killed_200_times(self):
        self.endure(200, self.strike_node(signal.SIGKILL, r"was killed by signal 9"))

    def test_a_node_that_is_stopped_50_times(self):
        self.endure(50, self.strike_node(signal.SIGSTOP, r"is stopped"))

    def test_a_launcher_that_is_killed_50_times(self):
        def strike(run, _):
            send(run.launcher.pid, signal.SIGKILL)
            return f"{-signal.SIGKILL} "
        self.endure(50, strike)


if __name__ == "__main__":
    unittest.main()
