# SPDX-License-Identifier: Apache-2.0
"""[CHANT §3.2], Fig. 7 and Fig. 8: particles in cells, in three versions."""

import math
import re

from harness.matrix import Cells, Program, run_of, seconds_of
from harness.report import curves

VERSIONS = ("original", "functional", "virtual")


def nodes_of(options):
    if options.world != "sim":
        return (1, 2)
    return (1, 2, 4, 8) if options.quick else (1, 2, 4, 8, 12, 16)


def results(runner, options):
    """{(P, version): statistics}."""
    runs = {(nodes, version): run_of(options, Program(
        version, f"pic {version} 1024 32 10", f"pic {version} 256 16 2"), nodes, "nop", 1, 1)
        for nodes in nodes_of(options) for version in VERSIONS}
    found = runner.all(runs.values(), None if options.world == "sim" else 1)
    return {place: found[run] for place, run in runs.items()}


def as_cells(found, number):
    return Cells(dict.fromkeys(row for row, _ in found), VERSIONS,
                 {place: [number(each)] for place, each in found.items()})


def messages(found):
    counts = re.search(r"sends (\d+), receives (\d+)", found.get("output", ""))
    return int(counts[1]) + int(counts[2]) if counts else math.nan


def fig7(report, runner, options):
    """Seconds."""
    times = as_cells(results(runner, options), seconds_of)
    report.needs(times)
    report.csv(times)
    report.say("seconds, 1024 particles, 32 x 32 cells, 10 steps")
    report.table(times.mean())
    with report.figure() as axes:
        curves(axes, times, "PIC, 1024 particles", "processors", "seconds")
    frame = times.at(0)
    many = frame.loc[[row for row in frame.index if row > 1]]
    report.measured("002_fig7.slows_down",
                    (frame["original"] / frame["original"].shift()).iloc[1:].min())
    for version in VERSIONS[1:]:
        report.measured(f"002_fig7.{version}_slower", (many[version] / many["original"]).max())
    report.measured("002_fig7.functional_better", (many["functional"] / many["virtual"]).max())


def fig8(report, runner, options):
    """Messages."""
    whole = as_cells(results(runner, options), messages)
    report.needs(whole)
    each = whole.derived(lambda frame: frame.div(frame.index, axis=0))
    report.csv(whole, "_in_all")
    report.csv(each)
    report.say("sends and receives, in all")
    report.table(whole.mean(), digits=6)
    report.say("per processor")
    report.table(each.mean(), digits=6)
    with report.figure() as axes:
        curves(axes, each, "PIC", "processors", "sends and receives of a processor")
    frame = each.at(0)
    many = frame.loc[[row for row in frame.index if row > 1]]
    rows = many.index.to_series()
    # Of a straight line, as many more for each further processor.
    slopes = many["original"].diff().iloc[1:] / rows.diff().iloc[1:]
    report.measured("002_fig8.linear", slopes.max() / slopes.min() if slopes.size and
                    slopes.min() > 0 else (1 if not slopes.any() else math.inf))
    report.measured("002_fig8.virtual_more", (many["virtual"] / many["original"]).min())
