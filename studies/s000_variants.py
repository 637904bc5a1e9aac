# SPDX-License-Identifier: Apache-2.0
"""[EARTH-LB Table 2] under other readings: balancers as the paper words them, and rules of its
runtime that might explain what does not come out."""

import dataclasses
import pathlib

import pandas

import suite
from harness.matrix import seconds
from harness.networks import changed
from harness.spread import geometric_error, spearman
from s000 import NODES, errors_of, of_the_paper, ratios_to, show

# Ours, the paper's words, and what they differ in.
READINGS = {
    "Dual": ("dual:literal=1", "requests carry no number and circulate"),
    "Snd": ("snd:literal=1", "one token at a time"),
    "Catapult": ("catapult:literal=1", "the requester's token goes to the near end, too"),
    "Rand": ("rand:literal=1", "gives to the least loaded, not to the empty only"),
}


def literal(report, runner, options):
    """Both readings of four balancers, side by side, beside the paper's seconds."""
    names = {}
    for name, (worded, _) in READINGS.items():
        names |= {name: name.lower(), f"{name}, literal": worded}
    ours = seconds(runner, options, suite.SUITE, names, NODES)
    printed = of_the_paper("000_table2_seconds_32_nodes")
    whole = pandas.DataFrame({column: printed[column.split(",")[0]] for column in names})
    for worded, what in READINGS.values():
        report.say(f"{worded}: {what}")
    show(report, ours, options.beside(whole), "ours and the paper's words, 32 nodes", "seconds")
    frames = ours.frames()
    for name in READINGS:
        report.measured(f"000_literal.nearer[{name}]", [
            error_of(frame, printed, name, f"{name}, literal")
            / error_of(frame, printed, name, name) for frame in frames])


def error_of(frame, printed, column, ours):
    """By what factor the column `ours` misses the paper's column."""
    return geometric_error(ratios_to(frame[[ours]].rename(columns={ours: column}),
                                     printed[[column]]))


def network(report, name, change):
    """A file: the network of the study with other numbers."""
    return changed(pathlib.Path(report.folder) / "networks", name, change)


# What the paper's runtime may have done: a name, numbers of the network, balancers for columns, and
# programs for rows.
HYPOTHESES = {
    "as it is": ({}, {}, {}),
    "Shis: a failed request dies, asked again": ({}, {"Shis": "shis:fails=1"}, {}),
    "Shis: a failed request dies for good": ({}, {"Shis": "shis:fails=2"}, {}),
    "Shis: a failed request loses its number": ({}, {"Shis": "shis:fails=3"}, {}),
    "polling only between threads": ({"attentive": 0}, {}, {}),
    "a poll before each fiber": ({"poll_each": 1}, {}, {}),
    "a decision takes 10 us": ({"balance_ns": 10000}, {}, {}),
    "messages cost five times as much": ({"send_overhead_ns": 15000, "receive_overhead_ns": 15000},
                                         {}, {}),
    "an adapter that holds 256 messages": ({"interface_messages": 256}, {}, {}),
    "block moves at a tenth of the rate": ({"bytes_per_ms": 15000}, {}, {}),
    "a node copies what it sends, 20 MB/s": ({"bulk_bytes": 1024, "copy_bytes_per_ms": 20000}, {},
                                             {}),
    "Matrix in blocks of 8 rows": ({}, {}, {"Matrix": ("matmul 1024 8", "matmul 256 2")}),
    "Matrix in blocks of 32 rows": ({}, {}, {"Matrix": ("matmul 1024 32", "matmul 256 8")}),
    "Catapult: the near end gets all": ({}, {"Catapult": "catapult:literal=1"}, {}),
}
ROWS = (suite.FIB, suite.QUEENS, suite.TSP, suite.MATRIX, suite.SPMD1, suite.SPMD4)


def missing(report, runner, options):
    """Each hypothesis by itself: what it does to Shis, Matrix, Catapult and Fibonacci, and to the
    rest."""
    printed = of_the_paper("000_table2_seconds_32_nodes")
    seeds = range(1, min(options.seeds, 3) + 1)
    found, frames = {}, {}
    for name, (numbers, balancers, programs) in HYPOTHESES.items():
        columns = {title: balancers.get(title, suite.DYNAMIC[title]) for title in suite.DYNAMIC}
        rows = [dataclasses.replace(row, run=programs[row.title][0], quick=programs[row.title][1])
                if row.title in programs else row for row in ROWS]
        where = network(report, name, numbers) if numbers and options.world == "sim" else None
        frame = seconds(runner, options, rows, columns, NODES, seeds, where).mean()
        frames[name] = frame
        found[name] = {
            "Shis": geometric_error(ratios_to(frame[["Shis"]], printed[["Shis"]])),
            "Catapult": geometric_error(ratios_to(frame[["Catapult"]], printed[["Catapult"]])),
            "Matrix": errors_of(frame, printed)["Matrix"],
            "Matrix ranks": spearman(list(frame.loc["Matrix"]), list(printed.loc["Matrix"])),
            "Fibonacci ranks": spearman(list(frame.loc["Fibonacci(33)"]),
                                        list(printed.loc["Fibonacci(33)"])),
            "the rest": geometric_error(ratios_to(frame.drop(columns=["Shis", "Catapult"]).drop(
                index=["Matrix"]), printed))}
    table = pandas.DataFrame(found).T
    report.csv(table)
    report.csv(pandas.concat(frames), "_seconds")
    report.say("factors by which cells miss the printed, and correlations of the order (Spearman)")
    report.table(table, digits=3)
    base = table.loc["as it is"]
    rest = table["the rest"] <= 1.05 * base["the rest"]
    if not rest.any():
        return report.not_measured("a run did not end")
    for name, better in (("Shis", table["Shis"]), ("Catapult", table["Catapult"]),
                         ("Matrix", table["Matrix"])):
        report.measured(f"000_missing[{name}]", None if options.quick else better[rest].min(),
                        f"as it is {base[name]:.2f}; best {better[rest].idxmin()}")
    report.measured("000_missing[Fibonacci ranks]",
                    None if options.quick else table["Fibonacci ranks"][rest].max(),
                    f"as it is {base['Fibonacci ranks']:.2f}; best "
                    f"{table['Fibonacci ranks'][rest].idxmax()}")
    return None
