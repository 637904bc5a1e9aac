# SPDX-License-Identifier: Apache-2.0
"""[TESTBED §3.3.6, §3.3.7, §4.1.3]: multi_phase as the monitor sees it, the cost of four load
metrics, and the rate at which events are lost."""

import functools
import re
import statistics

from harness.lines import packed, unpacked
from harness.report import COLOURS, DASHES, paper_table
from harness.runs import Run
from harness.traces import NoTrace, Trace

NODES, TURNS, QUICK_TURNS, BYTES = 5, 18, 6, 1000
CLASSES = "thread,move,ready,fiber,message,channel,token,user"
BEGINS, ENDS, SENT = "0", "1", "2"  # codes of multi_phase's own events
LOCAL_SERVICES = {"local_wait": -1, "local_copy": 1}
WINDOWS = (1, 10, 100)
COMPUTING, COMMUNICATING, LOCAL = (0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5)


def seen(turns, network):
    """What the studies below need of a run, packed; why not, if there is none."""
    try:
        with Trace(f"multi_phase {turns} 0 {BYTES}", network, NODES, CLASSES) as trace:
            events = trace.events()
            user = [row for row in events if row[2] == "user_event"]
            found = {
                "marks": packed([row[0], row[3], row[4]] for row in user if row[3] != SENT),
                "sends": packed([row[0], row[4]] for row in user if row[3] == SENT),
                "services": packed([row[0], LOCAL_SERVICES[row[3]] * int(row[4]), int(row[5])]
                                   for row in events
                                   if row[2] == "served" and row[3] in LOCAL_SERVICES),
                "runs": packed([[sum(row[2] in ("thread_runs", "thread_blocks", "thread_yields",
                                                "thread_ended") for row in events)]]),
                "threads": level(trace, "n-threads"), "ready": level(trace, "rq-length"),
                "links": links(trace)}
            for window in WINDOWS:
                found[f"cpu {window}"] = cpu(trace, window)
            return found
    except NoTrace as why:
        return str(why)


def level(trace, metric):
    """When, which node, the number: a row for each change."""
    return packed([int(row["ns"]), int(row["node"]), round(float(row["value"]))]
                  for row in trace.metrics(metric))


def cpu(trace, window):
    """Per cent, by period of 20 ms."""
    return packed([int(row["ns"]) // 1_000_000, int(row["node"]), round(100 * float(row["value"]))]
                  for row in trace.metrics(f"cpu-time:window={window}"))


def links(trace):
    return packed([int(row["ns"]), int(row["node"]), int(row["other"]), round(float(row["value"]))]
                  for row in trace.metrics("rem-comm:period=1s"))


class Phases:
    """multi_phase's eight phases: when each begins and ends, and numbers over time."""

    def __init__(self, found):
        self.found = {name: unpacked(text) for name, text in found.items()}
        marks = self.found["marks"]
        self.begun = [ns for ns, code, _ in marks if code == 0]
        self.ended = [ns for ns, code, _ in marks if code == 1]
        self.times = [self.active(phase) for phase in range(len(self.ended))]

    def window(self, phase):
        """From the end of the phase before to its own: the first threads begin before the last have
        passed the barrier, which is when the mark is made."""
        return (self.ended[phase - 1] if phase else 0), self.ended[phase]

    def active(self, phase):
        """From the first twentieth of its sends to the last."""
        begin, end = self.window(phase)
        ends = sorted(ns for ns, _ in self.found["sends"] if begin <= ns < end) or [begin, end]
        return ends[len(ends) // 20], ends[-1 - len(ends) // 20]

    def seconds(self):
        return self.ended[-1] / 1e9

    def mean(self, name, begin, end, nodes=range(NODES)):
        """Of a number that is kept as changes, over a time, of all these nodes."""
        total = 0
        for node in nodes:
            now, at = 0, begin
            for ns, where, value in self.found[name]:
                if where != node:
                    continue
                if ns >= end:
                    break
                if ns > at:
                    total += now * (ns - at)
                    at = ns
                now = value
            total += now * (end - at)
        return total / (end - begin) / len(list(nodes))

    def of_phases(self, name, phases):
        return statistics.mean(self.mean(name, *self.times[phase]) for phase in phases)

    def sends(self, phase):
        """How long the sends of a phase took, in ms."""
        begin, end = self.window(phase)
        return [took / 1e6 for ns, took in self.found["sends"] if begin <= ns < end]

    def local_services(self, phase):
        """[(weight, ms)] of what it took to serve local sends: those that came first waited, with a
        negative size; for each receiver that did, whose buffer is larger, a sender copied."""
        begin, end = self.window(phase)
        rows = [(size, took / 1e6) for ns, size, took in self.found["services"]
                if begin <= ns < end]
        waits = [took for size, took in rows if size == -BYTES]
        copies = [took for size, took in rows if size == BYTES]
        share = sum(size < -BYTES for size, _ in rows) / max(len(copies), 1)
        return [(1, took) for took in waits] + [(share, took) for took in copies]

    def rate(self, phase):
        """Sends a second, while it is active."""
        begin, end = self.times[phase]
        return 0.9 * len(self.sends(phase)) / (end - begin) * 1e9

    def between(self):
        """The middle of the second for which thread 1 computes, after each phase but the last."""
        return [(end + 200_000_000, end + 800_000_000) for end in self.ended[:-1]]


def of_phases(function):
    """A study of a run of multi_phase: function(report, Phases)."""
    @functools.wraps(function)
    def study(report, runner, options):
        turns = QUICK_TURNS if options.quick else TURNS
        report.source = (f"SIMULATED, network {options.network}, {NODES} nodes; 1 seed; from the "
                         "events of its run") + report.small()
        if options.world != "sim":
            return report.not_measured("of the simulated machine only")
        found = runner.measure(f"multi_phase {turns} 0 {BYTES}, {options.network}",
                               functools.partial(seen, turns, options.network))
        if isinstance(found, str):
            return report.not_measured(found)
        phases = Phases(found)
        if len(phases.begun) != 8 or len(phases.ended) != 8:
            return report.not_measured("the run's events do not show eight phases")
        report.say("phases begin at " + ", ".join(f"{begin / 1e9:.1f}" for begin in phases.begun)
                   + f" s; the last ends at {phases.seconds():.1f} s")
        return function(report, phases)
    return study


def draw(report, part, title, unit, series):
    """series: {name: [(s, number)]}, each a line of its own kind."""
    with report.figure(part, size=(10, 4)) as axes:
        for at, (name, points) in enumerate(series.items()):
            axes.plot(*zip(*(points or [(0, 0)])), label=name, color=COLOURS[at % len(COLOURS)],
                      linestyle=DASHES[at // 5 % len(DASHES)], linewidth=0.8)
        axes.set_title(title)
        axes.set_xlabel("seconds")
        axes.set_ylabel(unit)
        axes.legend(ncol=5, frameon=False)
    report.csv_rows(part, ("what", "seconds", unit), [
        (name, x, y) for name, points in series.items() for x, y in points])


def by_node(rows, scale=1e9):
    return {f"node {node}": [(when / scale, value) for when, where, value in rows if where == node]
            for node in range(NODES)}


def sampled(phases, name, step=100_000_000):
    """Means of so many nanoseconds, by node."""
    end = phases.ended[-1]
    return {f"node {node}": [(at / 1e9, phases.mean(name, at, at + step, [node]))
                             for at in range(0, end - step, step)] for node in range(NODES)}


def queues(report, phases, claim):
    report.measured(claim, phases.of_phases("ready", COMPUTING)
                    / phases.of_phases("ready", COMMUNICATING))
    draw(report, "", "ready queue, means of 0.1 s", "threads", sampled(phases, "ready"))


@of_phases
def fig19(report, phases):
    """The ready queues."""
    queues(report, phases, "004_fig19.computing")
    report.measured("004_fig19.between", max(
        phases.mean("ready", begin, end, [node]) for begin, end in phases.between()
        for node in range(1, NODES)))


@of_phases
def fig20(report, phases):
    """Sends by time."""
    rates = [phases.rate(phase) for phase in range(8)]
    report.say("sends a second, by phase: " + ", ".join(f"{rate:.1f}" for rate in rates))
    report.measured("004_fig20.local_most", min(rates[4:6]) / max(rates[:4] + rates[6:]))
    report.measured("004_fig20.computing_least", max(rates[:4]) / min(rates[4:]))
    step = 50_000_000
    counts = [0] * (phases.ended[-1] // step + 1)
    for ns, _ in phases.found["sends"]:
        counts[min(ns // step, len(counts) - 1)] += 1
    draw(report, "", "sends that ended, by 50 ms", "sends",
         {"all nodes": [(at * 0.05, count) for at, count in enumerate(counts)]})


@of_phases
def fig21_22(report, phases):
    """Latencies of sends."""
    local, remote = phases.local_services(5), phases.sends(7)
    for phase in range(8):
        took = sorted(phases.sends(phase))
        report.say(f"phase {phase + 1}: {len(took)} sends, ms: least {took[0]:.2f}, median "
                   f"{statistics.median(took):.2f}, 95 % below {took[int(0.95 * len(took))]:.2f}")
    all_local = sum(weight for weight, _ in local)
    below = sum(weight for weight, each in local if each <= 3) / all_local
    report.measured("004_fig21_22.local", sum(weight for weight, each in local if 1 <= each <= 3)
                    / all_local, f"{below:.0%} below 3 ms")
    report.measured("004_fig21_22.remote", sum(10 <= each <= 130 for each in remote)
                    / len(remote))
    report.measured("004_fig21_22.longer", statistics.median(remote)
                    / statistics.median(phases.sends(5)))
    draw(report, "_fig21", "how long a send took", "ms",
         {"all nodes": [(ns / 1e9, took / 1e6) for ns, took in phases.found["sends"]]})
    with report.figure("_fig22") as axes:
        weights, values = zip(*local)
        axes.hist(values, weights=weights, bins=6, histtype="step", linestyle="--",
                  label="phase 6, local: service", color=COLOURS[0])
        axes.hist(remote, bins=60, histtype="step", label="phase 8, remote: whole",
                  color=COLOURS[1])
        axes.set_title("distribution of latencies")
        axes.set_xlabel("ms")
        axes.set_ylabel("sends")
        axes.legend(frameon=False)


@of_phases
def fig33(report, phases):
    """N-THREADS."""
    begin, end = phases.begun[0], phases.begun[-1]
    report.measured("004_fig33.blind", sum(begin <= ns < end
                                           for ns, _, _ in phases.found["threads"]))
    draw(report, "", "N-THREADS", "threads", by_node(phases.found["threads"]))


@of_phases
def fig34(report, phases):
    """RQ-LENGTH."""
    queues(report, phases, "004_fig34.computing")


@of_phases
def fig35_37(report, phases):
    """CPU-TIME, by the window."""
    curves = {window: by_node(phases.found[f"cpu {window}"], 1e3) for window in WINDOWS}
    for window in WINDOWS:
        draw(report, f"_{window}", f"CPU-TIME, window of {window} periods", "per cent",
             curves[window])
    behind = [lag for phase in COMPUTING if (lag := lag_of(phases, phase)) is not None]
    report.measured("004_fig35_37.lag", statistics.mean(behind) if behind else None,
                    ", ".join(f"{each:.2f}" for each in behind))
    rough = {window: roughness(curves[window]) for window in WINDOWS}
    report.measured("004_fig35_37.smoother", max(rough[10] / rough[1], rough[100] / rough[10]))


def lag_of(phases, phase):
    """From the first period of a phase in which the nodes compute most to the time at which the
    mean of 100 periods is highest."""
    begin, end = (ns / 1e6 for ns in phases.times[phase])

    def peak(window, of_nodes):
        by_time = {}
        for when, node, value in phases.found[f"cpu {window}"]:
            if begin <= when < end + 2000 and node in of_nodes:
                by_time.setdefault(when, []).append(value)
        means = {when: statistics.mean(values) for when, values in by_time.items()}
        most = max(means.values(), default=0)
        return min((when for when, value in means.items() if value >= 0.99 * most), default=None)

    first, last = (peak(window, range(1, NODES)) for window in (1, 100))
    return None if first is None or last is None else (last - first) / 1000


def roughness(curves):
    """Mean change from a period to the next."""
    steps = [abs(b[1] - a[1]) for points in curves.values() for a, b in zip(points, points[1:])]
    return statistics.mean(steps) if steps else 1


@of_phases
def fig38(report, phases):
    """REM-COMM."""
    rows = phases.found["links"]
    most = {phase: busiest(phases, rows, phase) for phase in range(8)}
    report.say("messages a second over the busiest link, by phase: "
               + ", ".join(f"{most[phase]:.0f}" for phase in range(8)))
    report.measured("004_fig38.remote_most", min(most[6], most[7]) / max(most[2], most[3]))
    others = {phase: busiest(phases, rows, phase, barrier=False) for phase in range(8)}
    report.measured("004_fig38.local_none", max(others[phase] for phase in LOCAL)
                    / min(others[2], others[3]))
    draw(report, "", "REM-COMM, periods of 1 s", "messages", {
        f"{one}-{other}": [(ns / 1e9, value) for ns, a, b, value in rows if (a, b) == (one, other)]
        for one in range(NODES) for other in range(one + 1, NODES)})


def busiest(phases, rows, phase, barrier=True):
    """The most messages over a link in a second that is in part of a phase; without the barrier,
    whose thread is on node 0, if so asked."""
    begin, end = phases.times[phase]
    return max((value for ns, one, other, value in rows
                if begin < ns < end + 1e9 and (barrier or one != 0)), default=0)


@of_phases
def table8(report, phases):
    """What the metrics cost in events."""
    seconds = phases.seconds()
    ours = {"N-THREADS": len(phases.found["threads"]) / seconds,
            "RQ-LENGTH": len(phases.found["ready"]) / seconds,
            "CPU-TIME": phases.found["runs"][0][0] / seconds,
            "REM-COMM": NODES * (NODES - 1)}  # a pair of each link and period, as the paper counts
    printed = paper_table("004_table8_metrics", "metric")["events_per_second"]
    names = list(ours)
    agree = sum((ours[a] - ours[b]) * (printed[a] - printed[b]) > 0
                for at, a in enumerate(names) for b in names[at + 1:])
    report.measured("004_table8.order", agree)
    for name, value in ours.items():
        report.measured(f"004_table8.rate[{name}]", value)
        report.say(f"{name}: {value:.1f} events a second; the paper {printed[name]}")
    report.csv_rows("", ("metric", "events_per_second", "paper"),
                    [(name, value, printed[name]) for name, value in ours.items()])
    with report.figure() as axes:
        axes.bar(names, ours.values(), color=COLOURS[0], label="ours")
        axes.plot(names, [printed[name] for name in names], "_", color="black", markersize=40,
                  label="the paper's")
        axes.set_yscale("log")
        axes.set_ylabel("events a second")
        axes.legend(frameon=False)


def event_rate(report, runner, options):
    """From which rate on the monitor loses events."""
    runs = {rate: Run(f"overflow {round(1e6 / rate)}", 1, "nop", 1, options.world, options.network)
            for rate in (1129, 1146)}
    found = runner.all(runs.values())
    seen_of = {}
    for rate, run in runs.items():
        text = re.search(r"= (\d+) pairs in (\d+) ms, (full|not full)",
                         found[run].get("output", ""))
        if not text:
            return report.not_measured(found[run].get("failed", "overflow printed no answer"))
        seen_of[rate] = (int(text[1]), int(text[2]) / 1000, text[3] == "full")
        report.say(f"{rate} pairs a second: {text[0][2:]}")
    report.measured("004_event_rate.less", seen_of[1129][2])
    report.measured("004_event_rate.more", seen_of[1146][1] if seen_of[1146][2] else None,
                    "" if seen_of[1146][2] else "it does not overflow")
    report.measured("004_event_rate.pairs", seen_of[1146][0])
    report.csv_rows("", ("pairs a second", "pairs", "seconds", "full"),
                    [(rate, *each) for rate, each in seen_of.items()])
