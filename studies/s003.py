# SPDX-License-Identifier: Apache-2.0
"""[ACTIVE Table 2]: what threads and their synchronisation cost on one processor."""

import pathlib
import subprocess
import sys

import pandas

from harness.report import bars, paper_table

BENCH = pathlib.Path(__file__).resolve().parent.parent / "bench" / "threads" / "run"
# The paper counts both directions; a row of the bench is one.
BOTH_WAYS = ("mutex ping-pong", "semaphore ping-pong")


def measured(rounds):
    """Microseconds, a row for each operation, a column for each library; why not, if not."""
    if not BENCH.exists():
        return f"{BENCH} is not there"
    done = subprocess.run([sys.executable, str(BENCH), "--rounds", str(rounds)],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return done.stderr.strip()[-200:]
    head, *rows = [line.split(",") for line in done.stdout.splitlines() if line.count(",") == 3]
    frame = pandas.DataFrame(rows, columns=head).astype({"ns_median": float})
    us = frame.pivot(index="operation", columns="library", values="ns_median") / 1000
    return us.mul([2 if row in BOTH_WAYS else 1 for row in us.index], axis=0)


def ratio(frame, operation, to):
    """Of two rows, from the least to the greatest."""
    each = (frame.loc[operation] / frame.loc[to]).dropna()
    return each.min(), each.max()


def table2(report, _runner, options):
    """What do threads and their synchronisation cost, beside the paper's machines and others?"""
    report.lines[1] = "measured on this machine, one processor; not simulated"
    printed = paper_table("003_table2_operation_us", "operation")
    us = measured(2 if options.quick else 7)
    if isinstance(us, str):
        report.verdict("the operations cost less than on the paper's machines", None, us)
        return
    report.csv(us)
    known = [row for row in printed.index if row in us.index]
    whole = us.loc[known].join(printed)
    report.say("microseconds: ours, the other libraries here, the paper's machines")
    report.table(whole, digits=3)
    with report.figure() as axes:
        bars(axes, whole, "threads and synchronisation on one processor", "us")
    ours = us[["terrane"]]
    before = ours.loc[known, "terrane"] / printed.loc[known].min(axis=1)
    report.verdict("the operations cost less than on the paper's machines", before.max() < 1,
                   ", ".join(f"{row} {share:.4f} x" for row, share in before.items()))
    # What does not depend on the year: costs in context switches.
    for row, claim in (("null thread", "a thread is made, run and ended in few switches"),
                       ("mutex ping-pong", "a hand-over by a mutex and back is few switches"),
                       ("uncontested mutex", "a free mutex is a fraction of a switch")):
        here, _ = ratio(ours, row, "context switch")
        least, most = ratio(printed, row, "context switch")
        report.verdict(f"{claim}, as in the paper", here <= most,
                       f"{here:.2f} here, {least:.2f} to {most:.2f} there")
    others = us.drop(columns="terrane")
    compared = others.dropna(how="all").index
    ahead = others.loc[compared].min(axis=1) / ours.loc[compared, "terrane"]
    report.verdict("each is at least twice as fast as in the best of the other libraries",
                   None if others.empty or ahead.empty else ahead.min() >= 2,
                   ", ".join(f"{row} {share:.2f} x" for row, share in ahead.items())
                   or "none is installed")
