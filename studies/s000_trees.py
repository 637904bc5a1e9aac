# SPDX-License-Identifier: Apache-2.0
"""[EARTH-LB Fig. 2] and Fig. 3: the activations of fib(4), drawn from the events of a run.

On one processor the newest token runs next ([EARTH-LB §2.2]), so the log says which token each
activation began with: the one queued last. Who queued it is who ran then.
"""

import csv
import dataclasses
import pathlib
import subprocess
import tempfile

from harness import runs
from harness.report import COLOURS

WANTED = ("token_started", "token_queued", "fiber_started", "slot_fired")


@dataclasses.dataclass
class Activation:
    number: int
    parent: int | None
    function: str
    ns: int
    children: list = dataclasses.field(default_factory=list)
    frame: str = ""
    ended_by: int | None = None  # who sent the last signal to its slot


def events():
    """[[event, function or fiber, frame, ns]] of fib 4 on one simulated node; why not, if not."""
    with tempfile.TemporaryDirectory() as folder:
        trace, table = pathlib.Path(folder) / "trace", pathlib.Path(folder) / "csv"
        for words in (("run", "--quiet", "--stats", "none", "--world", "sim", "--network", "sp2",
                       "--nodes", "1", "--balancer", "nop", "--trace", str(trace), "fib", "4"),
                      ("trace", "convert", str(trace), "--to", "csv", "-o", str(table))):
            done = subprocess.run([str(runs.TERRANE), *words], capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, check=False)
            if done.returncode != 0 or (words[0] == "trace" and not table.is_file()):
                return done.stderr.strip()[-200:] or "the run left no trace"
        with open(table, newline="") as file:
            return [[row["event"], row["field1"], row["field2"], int(row["ns"])]
                    for row in csv.DictReader(file) if row["event"] in WANTED]


def activations(log):
    """The activations of a log, by number, the root first."""
    found, queued, running, of_frame = [], [], None, {}
    for event, name, frame, ns in log:
        if event == "token_queued":
            queued.append(running)
        elif event == "token_started":
            parent = queued.pop() if queued else running
            found.append(Activation(len(found), parent, name.split("::")[-1], ns))
            if parent is not None:
                found[parent].children.append(len(found) - 1)
            running = len(found) - 1
        elif event == "slot_fired":
            owner = found[running].parent
            of_frame[frame] = owner
            found[owner].frame, found[owner].ended_by = frame, running
        else:
            running = of_frame[frame]
    return found


def placed(found):
    """{number: (x, y)}: leaves side by side, parents above their children."""
    places, leaves = {}, iter(range(len(found)))

    def put(at, depth):
        below = [put(child, depth + 1) for child in found[at].children]
        x = sum(below) / len(below) if below else next(leaves)
        places[at] = (x, -depth)
        return x

    put(0, 0)
    return places


def log_of(report, runner):
    log = runner.measure("events of fib 4", events)
    report.source = "SIMULATED, network sp2; one node, one run, from its event log"
    if isinstance(log, str):
        report.not_measured(log)
        return None
    return activations([tuple(each) for each in log])


def name_of(one):
    return f"{one.function}\nno. {one.number}\n{one.ns / 1000:.1f} us"


def fig3(report, runner, options):
    """The tree."""
    del options
    if (found := log_of(report, runner)) is None:
        return
    calls = [each for each in found if each.function == "fib"]
    places = placed(found)
    for each in found:
        report.say(f"{'  ' * int(-places[each.number][1])}{each.function} no. {each.number}, "
                   f"began at {each.ns / 1000:.1f} us")
    with report.figure(size=(9, 6)) as axes:
        for each in found:
            x, y = places[each.number]
            for child in each.children:
                axes.plot([x, places[child][0]], [y, places[child][1]], color="#555555", zorder=1)
            axes.text(x, y, name_of(each), ha="center", va="center", fontsize=9,
                      bbox={"boxstyle": "round", "facecolor": "white",
                            "edgecolor": COLOURS[0 if each.children else 2]})
        axes.set_title("activation tree of fib(4), in the order of the log")
        axes.margins(0.12)
        axes.axis("off")
    report.measured("000_fig3.activations", len(calls))
    report.measured("000_fig3.depth", 1 - min(places[each.number][1] for each in calls) - 1)


def fig2(report, runner, options):
    """The graph: fibers, who spawned whom, and whose signal was the last of a slot."""
    del options
    if (found := log_of(report, runner)) is None:
        return
    places = placed(found)
    with report.figure(size=(9, 6.5)) as axes:
        for each in found:
            x, y = places[each.number]
            y *= 1.6
            axes.text(x, y + 0.28, f"{each.function} {each.number}", ha="center", fontsize=9)
            axes.plot([x - 0.14], [y], "o", color=COLOURS[0], markersize=9)
            if each.ended_by is not None:
                axes.plot([x + 0.14], [y], "s", color=COLOURS[1], markersize=9)
                cx, cy = places[each.ended_by]
                axes.annotate("", (x + 0.14, y - 0.08), (cx + 0.05, 1.6 * cy + 0.12),
                              arrowprops={"arrowstyle": "->", "linestyle": "--",
                                          "color": COLOURS[1]})
            for child in each.children:
                cx, cy = places[child]
                axes.annotate("", (cx - 0.14, 1.6 * cy + 0.12), (x - 0.14, y - 0.08),
                              arrowprops={"arrowstyle": "->", "color": "#555555"})
        for marker, colour, line, text in (
                ("o", COLOURS[0], "none", "first fiber"),
                ("s", COLOURS[1], "none", "fiber that waits for signals"),
                ("", "#555555", "-", "token or invocation"),
                ("", COLOURS[1], "--", "last signal of a slot")):
            axes.plot([], [], marker=marker, color=colour, linestyle=line, label=text)
        axes.legend(loc="upper right", frameon=False)
        axes.set_title("activations, fibers and signals of fib(4)")
        axes.margins(0.1)
        axes.axis("off")
    waits = [each for each in found if each.children]
    report.measured("000_fig2.signals", sum(each.ended_by in each.children for each in waits)
                    / len(waits))
