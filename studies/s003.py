# SPDX-License-Identifier: Apache-2.0
"""[ACTIVE Table 2]: what threads and their synchronisation cost on one processor."""

import pandas

from harness import bench
from harness.matrix import Cells
from harness.report import bars, paper_table

# The paper counts both directions; a row of the bench is one.
BOTH_WAYS = ("mutex ping-pong", "semaphore ping-pong")


def measured(rounds):
    """{library: {operation: us}}; why not, if not."""
    rows = bench.rows_of("threads", "--rounds", str(rounds))
    if isinstance(rows, str):
        return rows
    found = {}
    for each in rows:
        ways = 2 if each["operation"] in BOTH_WAYS else 1
        found.setdefault(each["library"], {})[each["operation"]] = \
            ways * float(each["ns_median"]) / 1000
    return found


def in_switches(frame, operation, column):
    return frame.loc[operation, column] / frame.loc["context switch", column]


def table2(report, runner, options):
    """Measured on this machine, whatever world was asked for."""
    rounds = 2 if options.quick else 7
    report.source = (f"MEASURED on this machine, one processor, median of {rounds} rounds; "
                     "not simulated")
    found = runner.measure("bench/threads", lambda: measured(rounds))
    if isinstance(found, str):
        return report.not_measured(found)
    printed = paper_table("003_table2_operation_us", "operation")
    us = pandas.DataFrame(found)
    report.csv(us)
    known = [row for row in printed.index if row in us.index]
    report.say("microseconds: ours, the other libraries here, the paper's machines")
    whole = us.loc[known].join(printed)
    report.table(whole, digits=3)
    shown = whole.rename(columns={name: f"{name} (the paper)" for name in printed.columns})
    with report.figure(size=(10, 5)) as axes:
        bars(axes, Cells(known, list(shown.columns), {
            (row, column): [shown.loc[row, column]] for row in known
            for column in shown.columns}), "threads and synchronisation on one processor",
            "microseconds")
    for row in printed.index:
        ours = us.loc[row, "terrane"] if row in us.index else None
        for column in printed.columns:
            report.measured(f"003_table2[{row}, {column}]",
                            None if ours is None else printed.loc[row, column] / ours)
    # What does not depend on the year: costs in context switches.
    for row, claim in (("null thread", "null_in_switches"), ("mutex ping-pong", "pong_in_switches"),
                       ("uncontested mutex", "mutex_in_switches")):
        most = max(in_switches(printed, row, column) for column in printed.columns)
        here = in_switches(us, row, "terrane") if row in us.index else None
        report.measured(f"003_table2.{claim}", None if here is None else here / most,
                        "" if here is None else f"{here:.2f} switches here, the paper's machines "
                        f"{min(in_switches(printed, row, one) for one in printed.columns):.2f} to "
                        f"{most:.2f}")
    others = us.drop(columns="terrane").dropna(how="all")
    if others.empty:
        return report.measured("003_table2.ahead", [], "no other library is installed")
    ahead = others.min(axis=1) / us.loc[others.index, "terrane"]
    report.measured("003_table2.ahead", ahead.min(), ", ".join(
        f"{row} {share:.2f} x" for row, share in ahead.items()))
