# SPDX-License-Identifier: Apache-2.0
"""[ACTIVE Table 3, Fig. 4]: what it takes to move a thread."""

import math
import statistics

from harness.matrix import Cells, Program, run_of
from harness.report import curves, paper_table
from harness.runs import Run
from harness.spread import interval, mean

KIB = (0, 1, 2, 4, 8, 16, 32)
NARROW = 0.10     # of the median: so wide may an interval of what is measured be
MOST_REPEATS = 30


def rows_of(result):
    found = {}
    for line in result.get("output", "").splitlines():
        operation, measure, value = line.split(",")
        found[f"{operation} {measure}"] = float(value)
    return found


def cells(runs, found):
    """Cells by size and measure, of {size: [Run, ...]}; and the runs."""
    every = [run for each in runs.values() for run in each]
    rows = {run: rows_of(found[run]) for run in every}
    names = list(dict.fromkeys(name for run in every for name in rows[run]))
    return Cells(list(runs), names, {
        (size, name): [rows[run].get(name, math.nan) for run in each]
        for size, each in runs.items() for name in names}), every


def simulated(runner, options, kib):
    """A run of the simulated machine for each size, which repeats."""
    times = 50 if options.quick else 200
    words = {size: f"moves {size} {times}" for size in kib}
    runs = {size: [run_of(options, Program("", each, each), 3, "nop", processors=1)]
            for size, each in words.items()}
    return cells(runs, runner.all(run for each in runs.values() for run in each))


def measured(runner, options, kib):
    """The same between two processes of this host: each size as often as its push latency needs to
    be known to NARROW, MOST_REPEATS at most."""
    times, least = (50, 3) if options.quick else (200, 7)
    runs, found = {}, {}
    for size in kib:
        latencies = []
        while len(latencies) < (least if options.quick else MOST_REPEATS):
            run = Run(f"moves {size} {times}", 2, "nop", len(latencies) + 1, "shm", processors=1)
            result = found[run] = runner.all([run], jobs=1)[run]
            runs.setdefault(size, []).append(run)
            if (one := rows_of(result).get("push latency_us")) is None:
                break
            latencies.append(one)
            if len(latencies) >= least and width(latencies) <= NARROW:
                break
    return cells(runs, found)


def width(values):
    """Of the interval of the mean, over the median."""
    low, high = interval(values)
    return (high - low) / statistics.median(values)


LABELS = {"simulated": "simulated Myrinet", "measured": "this host, between two processes"}


def value(found, size, name):
    """The median of what was seen; None if there is nothing."""
    seen = [each for each in found.values.get((size, name), ()) if each == each]
    return statistics.median(seen) if seen else None


def over(one, other):
    return None if one is None or not other else one / other


def table3(report, runner, options):
    """Simulated only: the paper's machine."""
    found, _ = simulated(runner, options, KIB[:3])
    printed = paper_table("003_table3_migration_us", "system")
    report.csv(found)
    report.say("simulated Myrinet, microseconds; the paper's: overhead 40, 52, 68; "
               "latency 150, 630, 1100")
    report.table(found.mean())
    titles = dict(zip(KIB, [column for column in printed.columns if column != "measure"]))
    rows = {"overhead": "push overhead_us", "latency": "push latency_us"}
    for row, name in rows.items():
        for size, column in titles.items():
            report.measured(f"003_table3[Active Threads (SPARCstation-10 Myrinet) {row}, "
                            f"{column}]", value(found, size, name))
    share = [over(value(found, size, rows["overhead"]), value(found, size, rows["latency"]))
             for size in KIB[1:3]]
    report.measured("003_table3.overhead_share", share)
    ends = [value(found, size, rows["latency"]) for size in (0, 2)]
    report.measured("003_table3.slope", None if None in ends else
                    (ends[1] - ends[0]) / 2 / ((1100 - 150) / 2))


def fig4(report, runner, options):
    """Simulated, and measured on this host."""
    found = {}
    for where, make in (("simulated", simulated), ("measured", measured)):
        if where == "simulated" and options.world != "sim":
            continue
        one, runs = make(runner, options, KIB)
        found[where] = one
        report.csv(one, f"_{where}")
        report.say(LABELS[where])
        report.table(one.mean())
        draw(report, where, one, runs)
    if "simulated" in found:
        of_simulated(report, found["simulated"])
    of_measured(report, found["measured"])


def draw(report, where, found, runs):
    times = [name for name in found.columns if name.endswith("us")]
    rates = [name for name in found.columns if name.endswith("second")]
    for part, names, unit in (("", times, "microseconds"), ("_rate", rates, "threads a second")):
        if names:
            with report.figure(f"_{where}{part}", runs=runs, size=(8, 4.5)) as axes:
                curves(axes, found.only(names), f"migration, {LABELS[where]}",
                       "KiB in use on the stack", unit, log=where == "measured" or bool(part))


def of_simulated(report, found):
    latency = [value(found, size, "push latency_us") for size in KIB]
    report.measured("003_fig4.linear", None if None in latency else correlation(KIB, latency))
    report.measured("003_fig4.steal_slower", [
        over(value(found, size, "steal latency_us"), value(found, size, "push latency_us"))
        for size in KIB])
    report.measured("003_fig4.two_sources", [
        over(value(found, size, "two sources per_second"), value(found, size, "push per_second"))
        for size in KIB[:2]])
    report.measured("003_fig4.thousands", [value(found, size, "push per_second")
                                           for size in KIB[:2]])
    report.measured("003_fig4.null_us", value(found, 0, "push latency_us"))
    report.measured("003_fig4.overhead_grows", over(value(found, 2, "push overhead_us"),
                                                    value(found, 0, "push overhead_us")))


def of_measured(report, found):
    handed = {size: found.values.get((size, "push latency_us"), ()) for size in KIB}
    middle = [value(found, size, "push latency_us") for size in KIB]
    wide = [width(each) if len(each) > 1 else None for each in handed.values()]
    said = ", ".join(f"{size} KiB {mean(each):.2f} us, {len(each)} runs"
                     for size, each in handed.items() if each)
    if None not in wide and max(wide) > NARROW:
        said += f"; the widest interval is {max(wide):.0%} of its median: NOT NARROW"
    report.measured("003_fig4.narrow", wide)
    report.measured("003_fig4.handed_over", None if None in middle else max(middle) / min(middle),
                    said)


def correlation(x, y):
    """R squared; none of values that are all alike."""
    if len(set(y)) == 1:
        return None
    return statistics.correlation([float(each) for each in x], y) ** 2
