# SPDX-License-Identifier: Apache-2.0
"""[EARTH-SMP Fig. 6]: what PUT_SYNC sends between two nodes, drawn from a real run of world tcp.

Workers of the program counter put a number into a cell of processor 0, and wait for it with a slot
of their own: PUT_SYNC( v+1, cell, STORED ). Messages of a pair of processors keep their order, so
the n-th that was sent is the n-th that was taken.
"""

import csv
import dataclasses
import pathlib
import subprocess
import tempfile

from harness import runs
from harness.report import COLOURS

NODES, PROCESSORS, OWNER = 2, 2, 0
RUN = ("run", "--quiet", "--stats", "none", "--world", "tcp", "--nodes", str(NODES),
       "--processors", str(PROCESSORS), "--events", "message,signal,fiber", "--trace-full", "wait")


@dataclasses.dataclass
class PutSync:
    """Where each step of one stands in its processor's events; None: it is not there."""
    worker: int
    sent: int
    taken: int | None = None
    answered: int | None = None
    told: int | None = None
    fired: int | None = None
    began: int | None = None

    def is_in_order(self):
        """Whether all steps are there, in the order in which each processor made them."""
        steps = (self.taken, self.answered, self.told, self.fired, self.began)
        return (None not in steps and self.taken < self.answered
                and self.sent < self.told < self.fired < self.began)


def events():
    """[[ns, processor, event, field, field]] of a run; why not, if there is none."""
    counter = runs.TERRANE.parent / "threaded_c" / "counter"
    with tempfile.TemporaryDirectory() as folder:
        trace, table = pathlib.Path(folder) / "trace", pathlib.Path(folder) / "csv"
        for words in ((*RUN, "--trace", str(trace), str(counter)),
                      ("trace", "convert", str(trace), "--to", "csv", "-o", str(table))):
            done = subprocess.run([str(runs.TERRANE), *words], capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, check=False)
            if done.returncode != 0 or (words[0] == "trace" and not table.is_file()):
                return done.stderr.strip()[-200:] or f"counter ended with {done.returncode}"
        with open(table, newline="") as file:
            return [[int(row["ns"]), int(row["source"].split()[1]), row["event"], row["field1"],
                     row["field2"]] for row in csv.DictReader(file)
                    if row["source"].startswith("processor ")]


def messages(log, event, kind, other):
    """Places in a processor's events of such messages to or from another."""
    return [at for at, each in enumerate(log)
            if each[2:] == [f"message_{event}", str(other), kind]]


def put_syncs(of_processor, worker):
    """Those of one worker, from the events of each processor."""
    mine, owners = of_processor[worker], of_processor[OWNER]
    sent = messages(mine, "sent", "put", OWNER)
    taken = messages(owners, "taken", "put", worker)
    told = messages(mine, "taken", "signal", OWNER)
    answered = messages(owners, "sent", "signal", worker)
    fired = [at for at, each in enumerate(mine)
             if each[2] == "slot_fired" and each[3].endswith("::STORED")]
    began = [at for at, each in enumerate(mine)
             if each[2] == "fiber_started" and each[3].endswith("::STORED")]
    found = []
    for number, at in enumerate(sent):
        one = PutSync(worker, at, taken[number] if number < len(taken) else None)
        if number < len(fired) and number < len(began):
            one.fired, one.began = fired[number], began[number]
            before = [place for place in told if place < one.fired]
            if before and len(before) <= len(answered):
                one.told, one.answered = before[-1], answered[len(before) - 1]
        found.append(one)
    return found


def measured():
    """How many PUT_SYNCs of remote workers there were, how many in order, the most messages of one,
    and the steps of one of them; why not, if there is no run."""
    log = events()
    if isinstance(log, str):
        return log
    of_processor = {p: [each for each in log if each[1] == p] for p in range(NODES * PROCESSORS)}
    found = [one for worker in range(PROCESSORS, NODES * PROCESSORS)
             for one in put_syncs(of_processor, worker)]
    sound = [each for each in found if each.is_in_order()]
    if not sound:
        return f"none of {len(found)} PUT_SYNCs has all its steps"
    between = [sum(each.sent <= at <= each.told for at in
                   (*messages(of_processor[each.worker], "sent", "put", OWNER),
                    *messages(of_processor[each.worker], "taken", "signal", OWNER)))
               for each in sound]
    # An event's time is that of its processor's last look at the clock, so not all times ascend.
    shown = [each for each in sound if ascends(steps_of(of_processor, each))] or sound
    one = shown[len(shown) // 2]
    return {"all": len(found), "in order": len(sound), "most messages": max(between),
            "worker": one.worker, "steps": steps_of(of_processor, one)}


def fig6(report, runner, options):
    """The sequence of a PUT_SYNC."""
    del options
    found = runner.measure("PUT_SYNCs of counter, world tcp", measured)
    report.source = (f"MEASURED on this machine, world tcp, {NODES} nodes of {PROCESSORS} "
                     "processors; one run, from its events")
    if isinstance(found, str):
        return report.not_measured(found)
    report.measured("001_fig6.order", found["in order"] / found["all"],
                    f"{found['all']} of remote workers")
    report.measured("001_fig6.messages", found["most messages"])
    draw(report, found["steps"], found["worker"])


def ascends(steps):
    times = [ns for _, ns, _, _ in steps]
    return times == sorted(times)


def steps_of(of_processor, one):
    mine, owners = of_processor[one.worker], of_processor[OWNER]
    return [  # where, when, what, and the paper's word for it
        (0, mine[one.sent][0], "put is queued and written", "etc_enqueue_send(), write()"),
        (1, owners[one.taken][0], "put is taken, k is stored", "read(), hdl_data_msg()"),
        (1, owners[one.answered][0], "signal is queued and written", "etc_sync(), write()"),
        (0, mine[one.told][0], "signal is taken", "read(), hdl_sync()"),
        (0, mine[one.fired][0], "slot STORED fires", "the slot is decremented"),
        (0, mine[one.began][0], "fiber STORED begins", "")]


def draw(report, steps, worker):
    names = (f"n1: processor {worker}", f"n2: processor {OWNER}")
    start = steps[0][1]
    for where, ns, what, theirs in steps:
        report.say(f"{(ns - start) / 1000:8.1f} us  {names[where]}: {what}"
                   + (f"  [{theirs}]" if theirs else ""))
    report.say("(an event's time is that of its processor's last look at the clock)")
    with report.figure(size=(8, 5)) as axes:
        for x, name in enumerate(names):
            axes.plot([x, x], [0, len(steps)], color="#555555")
            axes.text(x, -0.25, name, ha="center")
        for number, (where, ns, what, theirs) in enumerate(steps):
            y = number + 0.5
            axes.plot([where], [y], "o", color=COLOURS[where])
            axes.text(where + (-0.04 if where == 0 else 0.04), y,
                      f"{what}\n{theirs}\n{(ns - start) / 1000:.1f} us", va="center",
                      ha="right" if where == 0 else "left", fontsize=8)
        for first, second, what in ((0, 1, "k, dest, lslot"), (2, 3, "sync of lslot")):
            axes.annotate("", (steps[second][0], second + 0.5), (steps[first][0], first + 0.5),
                          arrowprops={"arrowstyle": "->", "color": COLOURS[2]})
            axes.text(0.5, (first + second) / 2 + 0.4, what, ha="center", fontsize=8)
        axes.set_title("PUT_SYNC( k, dest, lslot ), in the order of the events")
        axes.set_xlim(-0.7, 1.7)
        axes.invert_yaxis()
        axes.axis("off")
