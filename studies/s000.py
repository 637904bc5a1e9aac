# SPDX-License-Identifier: Apache-2.0
"""[EARTH-LB Table 1] to Table 5: the balancers on the suite, at 32 nodes."""

import math

import pandas

import suite
from harness.matrix import Cells, of_runs, run_of, seconds
from harness.report import bars, paper_table
from harness.spread import BANDS, geometric_error, mean, spearman, within

NODES = 32


def columns(options, names):
    """The paper's balancers and the user's own."""
    return {**names, **{each.rsplit("/", 1)[-1]: each for each in options.balancers}}


def of_the_paper(name):
    return paper_table(name).apply(pandas.to_numeric, errors="coerce")


def table1(report, runner, options):
    """Tokens and threads, on one node and on many."""
    places = [(1, "nop"), (NODES, "rand")]
    if not options.quick:
        places = [(1, "nop"), (4, "his"), *((NODES, name) for name in suite.DYNAMIC.values())]
    programs = [each for each in suite.SUITE if each is not suite.SPMD1]
    printed = paper_table("000_table1_counts").rename(index={"Queen(12)": "Queens(12)"})
    runs = {(each, place): run_of(options, each, *place) for each in programs for place in places}
    found = runner.all(runs.values())
    one_node, alike = {}, []
    for each in programs:
        for place in places:
            stats = found[runs[each, place]]
            if "failed" in stats:
                alike.append(None)
                report.say(f"{each.title} on {place[0]} nodes, {place[1]}: {stats['failed']}")
                continue
            counts = (stats["tokens_generated"], stats["fibers_executed"])
            first = one_node.setdefault(each.title, counts)
            if each is suite.TOMCATV and not options.quick:  # it makes its tokens by the node
                first = (100 * place[0] + 1, 200 * place[0] + 104)
            if each is not suite.TOMCATV or not options.quick:
                alike.append(counts == first)
                if counts != first:
                    report.say(f"{each.title} on {place[0]} nodes, {place[1]}: {counts}")
    frame = pandas.DataFrame(one_node, index=["tokens_generated", "threads_executed"]).T
    report.csv(frame)
    report.say("on one node: ours / the paper's")
    report.table(frame.astype(float), printed, digits=9)
    report.measured("000_table1.everywhere", alike)
    for title in printed.index:
        row = {"Queens(12)": "Queen(12)"}.get(title, title)
        for column in ("tokens_generated", "threads_executed"):
            if not math.isnan(printed.loc[title, column]):
                report.measured(f"000_table1[{row}, {column}]",
                                one_node.get(title, (None, None))[column == "threads_executed"])


def null_model(runner, options, programs, names):
    """A 32nd of the time on one node for each balancer: a model that simulates nothing."""
    one = seconds(runner, options, programs, {"one": "nop"}, 1, seeds=(1,)).mean()["one"] / NODES
    return pandas.DataFrame({name: one for name in names})


def bands(report, title, rows):
    """How many cells come how near the printed: a row for each {name: ratios}."""
    report.say(title)
    report.say(pandas.DataFrame({name: {f"within {band:.0%}": within(ratios, band)
                                        for band in BANDS}
                                 | {"of": len(ratios), "mean factor":
                                    f"{geometric_error(ratios):.2f}"}
                                 for name, ratios in rows.items()}).T.to_string())
    report.say()


def ratios_to(frame, printed):
    """Of the cells that both have; one that overflows is infinite."""
    return [frame.loc[row, column] / printed.loc[row, column] for row in printed.index
            for column in printed.columns if row in frame.index and column in frame.columns
            and printed.loc[row, column] > 0]


def errors_of(frame, printed):
    """{program: by what factor its cells miss the printed}."""
    return {row: geometric_error(ratios_to(frame.loc[[row]], printed.loc[[row]]))
            for row in frame.index}


def show(report, cells, paper, title, unit, digits=4):
    """All programs under all balancers: CSV, table and bars."""
    report.csv(cells)
    report.table(cells.mean(), paper, digits)
    with report.figure(size=(11, 5)) as axes:
        bars(axes, cells, title, unit, paper=paper)


def table2(report, runner, options):
    """Seconds of every program under every balancer."""
    ours = seconds(runner, options, suite.SUITE, columns(options, {
        **suite.DYNAMIC, "Central": "central"}), NODES)  # of [TESTBED]
    printed = of_the_paper("000_table2_seconds_32_nodes")
    show(report, ours, options.beside(printed),
         "elapsed time on 32 nodes, mean and 95 % interval", "seconds")
    if options.quick:
        return
    report.needs(ours)
    report.measured_cells("000_table2", ours)
    ratios = ratios_to(ours.mean(), printed)
    bands(report, "cells of Table 2 near the printed", {
        "ours": ratios, "a 32nd of one node": ratios_to(
            null_model(runner, options, suite.SUITE, printed.columns), printed)})
    frames = ours.only(list(suite.DYNAMIC)).frames()
    for title in printed.index:
        for column in printed.columns:
            if math.isnan(printed.loc[title, column]):
                report.measured(f"000_table2.fails[{title}, {column}]",
                                [math.isinf(value) for value in ours.values[title, column]])
    for title in suite.of_group("D&C") + suite.of_group("irregular"):
        report.measured(f"000_table2.rand_best[{title}]",
                        [frame.loc[title, "Rand"] / frame.loc[title].drop("Rand").min()
                         for frame in frames])
    report.measured("000_table2.shis_worst", [(frame["Shis"] / frame.min(axis=1)).min()
                                              for frame in frames])
    report.measured("000_table2.snd_spmd", [
        max(frame.loc[title, "Snd"] / frame.loc[title].drop("Snd").min()
            for title in ("SPMD(1,1,0)", "SPMD(4,4,0)")) for frame in frames])
    tree = suite.of_group("D&C")
    report.measured("000_table2.three_alike", [
        (frame.loc[tree, ["His", "Range", "Rand"]].max(axis=1)
         / frame.loc[tree, ["His", "Range", "Rand"]].min(axis=1)).max() for frame in frames])
    report.measured("000_table2.range_as_spn", [
        (frame.loc[tree, "Range"] / frame.loc[tree, "Spn"]).map(lambda x: max(x, 1 / x)).max()
        for frame in frames])
    report.measured("000_table2.dual_behind_spn", [
        int((frame["Dual"] >= 0.99 * frame["Spn"]).sum()) for frame in frames])
    report.measured("000_table2.catapult_misguided", [
        (frame["Catapult"] / frame["Range"]).loc[["SPMD(1,1,0)", "SPMD(4,4,0)", "Matrix"]].min()
        for frame in frames])
    orders = [{title: spearman(list(frame.loc[title]), list(printed.loc[title]))
               for title in printed.index} for frame in frames]
    report.measured("000_table2.ranks", [sum(rank >= 0.6 for rank in each.values())
                                         for each in orders],
                    ", ".join(f"{title} {mean([each[title] for each in orders]):.2f}"
                              for title in printed.index))
    report.measured("000_table2.geometric_error",
                    [geometric_error(ratios_to(frame, printed)) for frame in frames])


def normalised(frame):
    """Table 3 of a Table 2: as the paper, one that fails has the longest time of those that do
    not."""
    ratios = frame.div(frame.min(axis=1), axis=0).replace(math.inf, math.nan)
    full = ratios.apply(lambda row: row.fillna(row.max()), axis=1)
    for name, group in (("D&C Average", "D&C"), ("Reg. Average", "regular")):
        ratios.loc[name] = full.loc[suite.of_group(group)].mean()
    return ratios


def table3(report, runner, options):
    """The slow-down of each balancer against the fastest."""
    times = seconds(runner, options, suite.SUITE, suite.DYNAMIC, NODES)
    ours = times.derived(normalised)
    printed = of_the_paper("000_table3_normalised")
    show(report, ours, options.beside(printed),
         "slow-down against the fastest balancer, 32 nodes", "times", digits=3)
    if options.quick:
        return
    report.needs(times)
    report.measured_cells("000_table3", ours)
    frames = ours.frames()
    report.measured("000_table3.rand_average", [
        frame.loc["D&C Average", "Rand"] / frame.loc["D&C Average"].drop("Rand").min()
        for frame in frames])
    report.measured("000_table3.his_range_regular", [
        sorted(frame.loc["Reg. Average"].nsmallest(2).index) == ["His", "Range"]
        for frame in frames])


def table4(report, runner, options):
    """Speed-up over Minima."""
    programs = [each for each in suite.SUITE
                if each not in (suite.MATRIX, suite.TOMCATV, suite.SPMD1)]
    names = {name: name.lower() for name in ("Spn", "Snd", "His", "Rand", "Minima")}
    times = seconds(runner, options, programs, names, NODES)
    ours = times.derived(lambda frame: frame.rdiv(frame["Minima"], axis=0))
    report.csv(times, "_seconds")
    report.csv(ours)
    whole = paper_table("000_table4_vs_minima_32_nodes")
    printed = {part: whole[whole.attribute == part].drop(columns="attribute").apply(
        pandas.to_numeric, errors="coerce") for part in set(whole.attribute)}
    report.say("seconds")
    report.table(times.mean(), options.beside(printed["elapsed_s"]))
    report.say("speed-up over Minima")
    report.table(ours.mean(), options.beside(printed["speedup"]), digits=3)
    with report.figure() as axes:
        bars(axes, ours, "speed-up over Minima on 32 nodes", "times", log=False,
             paper=options.beside(printed["speedup"]))
    if options.quick:
        return
    report.needs(times)
    less = ours.derived(lambda frame: 100 * (1 - 1 / frame))
    for part, cells in (("elapsed_s", times), ("speedup", ours), ("reduction_percent", less)):
        report.measured_cells("000_table4", Cells(
            [f"{row} {part}" for row in cells.rows], cells.columns,
            {(f"{row} {part}", column): values for (row, column), values in
             cells.values.items()}))
    dynamic = ["Spn", "Snd", "His", "Rand"]
    null = null_model(runner, options, programs, dynamic)
    null = null.rdiv(times.mean()["Minima"], axis=0)
    frames = ours.frames()
    bands(report, "speed-ups near the printed", {
        "ours": ratios_to(ours.mean()[dynamic], printed["speedup"][dynamic]),
        "a 32nd of one node": ratios_to(null, printed["speedup"][dynamic])})
    report.measured("000_table4.beats_null", [
        within(ratios_to(frame[dynamic], printed["speedup"][dynamic]), 0.15)
        - within(ratios_to(null, printed["speedup"][dynamic]), 0.15)
        for frame in frames])
    best = [frame[dynamic].max(axis=1) for frame in frames]
    report.measured("000_table4.above_18", [int((each > 18).sum()) for each in best])
    report.measured("000_table4.queens_least", [
        frame[dynamic].min(axis=1).idxmin() == "Queens(12)" for frame in frames])


def table5(report, runner, options):
    """Absolute and relative speed-up, and USE: one node runs under the balancer, too."""
    programs = [suite.FIB28, suite.QUEENS, suite.TSP, suite.MATRIX, suite.TOMCATV, suite.PARAFFINS]
    titles = {"Matrix": "Matrix(1024x1024)"}
    runs = {}
    for program in programs:
        row = titles.get(program.title, program.title)
        for name in ("His", "Rand"):
            balancer = name.lower()
            for column, nodes, what in (("many", NODES, program), ("one", 1, program),
                                        ("plain", 1, suite.sequential(program))):
                runs[f"{row} {name}", column] = [
                    run_of(options, what, nodes, balancer if column != "plain" else "nop",
                           seed if column != "plain" else 1) for seed in options.every_seed()]
    times = of_runs(runner, runs)
    ours = times.derived(lambda frame: pandas.DataFrame({
        "absolute_speedup": frame.plain / frame.many, "relative_speedup": frame.one / frame.many,
        "use_percent": 100 * frame.plain / frame.one}))
    printed = paper_table("000_table5_speedup_use_32_nodes", ["benchmark", "balancer"])
    printed.index = [" ".join(each) for each in printed.index]
    report.csv(times, "_seconds")
    report.csv(ours)
    report.table(ours.mean(), options.beside(printed))
    with report.figure() as axes:
        bars(axes, ours.only(["relative_speedup"]), "relative speed-up on 32 nodes", "times",
             log=False, paper=options.beside(printed))
    if options.quick:
        return
    report.needs(times)
    report.measured_cells("000_table5", ours)
    use = [frame["use_percent"] for frame in ours.frames()]
    pairs = [each.split(" ")[0] for each in ours.rows if each.endswith("His")]
    report.measured("000_table5.low_overhead", [
        int(sum(each[f"{pair} Rand"] > 60 for pair in pairs)) for each in use])
    report.measured("000_table5.rand_use_better", [
        sum(each[f"{pair} Rand"] > each[f"{pair} His"] for pair in pairs) for each in use])
    speed = [frame["absolute_speedup"] for frame in ours.frames()]
    report.measured("000_table5.rand_queens", [
        each["Queens(12) Rand"] / each["Queens(12) His"] for each in speed])
    report.measured("000_table5.rand_tomcatv", [
        each["Tomcatv(257) Rand"] / each["Tomcatv(257) His"] for each in speed])
