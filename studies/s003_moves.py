# SPDX-License-Identifier: Apache-2.0
"""[ACTIVE Table 3, Fig. 4]: what it takes to move a thread."""

import statistics

import pandas

from harness.matrix import Program, run_of
from harness.report import paper_table
from harness.runs import Run

KIB = (0, 1, 2, 4, 8, 16, 32)


def moves(runner, options, kib):
    """A row a size, a column for each measure that the program moves prints; medians of the runs.
    {"simulated": frame, "measured": frame}"""
    times = 50 if options.quick else 200
    programs = {size: Program("", f"moves {size} {times}", f"moves {size} {times}", "")
                for size in kib}
    simulated = {size: [run_of(options, each, 3, "nop", processors=1)]
                 for size, each in programs.items()}
    measured = {size: [Run(f"moves {size} {times}", 2, "nop", seed, "shm", processors=1)
                       for seed in range(1, 4 if options.quick else 8)] for size in kib}
    found = runner.all([run for runs in simulated.values() for run in runs])
    found |= runner.all([run for runs in measured.values() for run in runs], jobs=1)
    return {"simulated": frame(simulated, found), "measured": frame(measured, found)}


def frame(runs, found):
    rows = {}
    for size, repeats in runs.items():
        seen = {}
        for run in repeats:
            for line in found[run].get("output", "").splitlines():
                operation, measure, value = line.split(",")
                seen.setdefault(f"{operation} {measure}", []).append(float(value))
        rows[size] = {name: statistics.median(values) for name, values in seen.items()}
    made = pandas.DataFrame(rows).T
    made.index.name = "KiB"
    return made


LABELS = {"simulated": "simulated Myrinet", "measured": "this host, between two processes"}


def table3(report, runner, options):
    """How long does it take to move a thread, and how much of that is the source's?"""
    found = moves(runner, options, KIB[:3])
    printed = paper_table("003_table3_migration_us", "measure")
    printed = printed[printed.system.str.startswith("Active Threads")].drop(columns="system")
    columns = dict(zip(KIB, printed.columns))
    for where, frame_found in found.items():
        ours = frame_found[["push overhead_us", "push latency_us"]].T.rename(columns=columns)
        ours.index = ["overhead", "latency"]
        report.csv(ours, f"_{where}")
        report.say(f"{LABELS[where]}: microseconds; the paper's are of SPARCstations on Myrinet")
        report.table(ours, printed)
        report.verdict(f"{where}: the overhead is at most half of the latency",
                       (ours.loc["overhead"] <= 0.5 * ours.loc["latency"]).all(),
                       ", ".join(f"{size} {value:.0%}" for size, value in
                                 (ours.loc["overhead"] / ours.loc["latency"]).items()))
    latency = found["simulated"]["push latency_us"]
    slope, paper_slope = (latency[2] - latency[0]) / 2, (1100 - 150) / 2
    report.verdict("simulated: a KiB more takes as long as printed, within 35 %",
                   abs(slope / paper_slope - 1) <= 0.35,
                   f"{slope:.0f} us against {paper_slope:.0f}")


def fig4(report, runner, options):
    """How do latency, overhead and throughput of a migration grow with the stack?"""
    found = moves(runner, options, KIB)
    for where, curves in found.items():
        report.csv(curves, f"_{where}")
        report.say(LABELS[where])
        report.table(curves)
        with report.figure(f"_{where}") as axes:
            times = [name for name in curves if name.endswith("us")]
            curves[times].plot(ax=axes, marker="o", markersize=3, logy=where == "measured")
            axes.set_title(f"migration, {LABELS[where]}", fontsize=9)
            axes.set_ylabel("microseconds")
            axes.legend(fontsize=6)
        with report.figure(f"_{where}_rate") as axes:
            rates = [name for name in curves if name.endswith("second")]
            curves[rates].plot(ax=axes, marker="o", markersize=3, logy=True)
            axes.set_title(f"migrations a second, {LABELS[where]}", fontsize=9)
            axes.legend(fontsize=6)
    simulated, measured = found["simulated"], found["measured"]
    latency = simulated["push latency_us"]
    fit = latency.corr(pandas.Series(latency.index, latency.index)) ** 2
    report.verdict("simulated: the latency is linear in the stack", fit > 0.99, f"R2 {fit:.4f}")
    handed = measured["push latency_us"]
    report.verdict("measured: handed over, a stack of any size takes the same, within a half",
                   handed.max() <= 1.5 * handed.min(),
                   ", ".join(f"{size} KiB {value:.2f} us" for size, value in handed.items()))
    for where, curves in found.items():
        behind = curves["steal latency_us"] / curves["push latency_us"]
        report.verdict(f"{where}: a steal takes as long as a push, or longer", (behind >= 1).all(),
                       ", ".join(f"{size} KiB {value:.2f}" for size, value in behind.items()))
    two = simulated["two sources per_second"] / simulated["push per_second"]
    report.verdict("simulated: two sources bring nearly twice as many small threads",
                   two[0] >= 1.7, ", ".join(f"{size} KiB {value:.2f}" for size, value in
                                            two.items()))
