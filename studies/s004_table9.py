# SPDX-License-Identifier: Apache-2.0
"""[TESTBED Table 9]: programs on one node, at random and balanced; the same under all balancers;
and how many nodes the central one can serve."""

import functools
import math

import pandas

from harness import runs
from harness.matrix import Cells, of_runs
from harness.networks import changed
from harness.report import COLOURS, MARKERS, bars, paper_table
from harness.runs import Run
from harness.spread import mean, ranks, spearman, within
from s004_balancer import APART, BUSY, CENTRAL, EARTH, NODES, PAIRS, SLOW

SEQUENTIAL, RANDOM, BALANCED = "sequential", "random", "balancing"
# Fixed work. What is in braces is START. Milliseconds, messages and operands are fitted to the
# sequential column; an animal's price to WaTor's 900 s.
ROWS = {"20 compute-bound threads": "synthetic 0 20 0 0 0 2626 {}",
        "20 communication-bound threads": "synthetic 20 0 0 0 305 0 {}",
        "adder simulation": "adder {} {} {{}}".format(*PAIRS),
        "wator simulation": "wator 1 100 16 100 {}"}
WATOR = "wator simulation"
ANIMAL = {"price_ps.wator_animal": 4_500_000_000}
DRAW = 6      # START of the next draw of what is random
AT_RANDOM = 5
CALIBRATED = [(row, SEQUENTIAL) for row in ROWS if row != WATOR] + [(WATOR, RANDOM)]


def elapsed(result):
    """Seconds; a full interface makes senders wait here, and loses nothing."""
    return result.get("elapsed_seconds", math.nan) if "failed" not in result else math.nan


def network_of(report, options):
    return changed(report.folder / "networks", f"{options.network} 4500 us an animal", ANIMAL,
                   of=options.network)


def run_of(options, network, row, start, balancer, seed, nodes=NODES):
    return Run(ROWS[row].format(start), nodes, balancer, seed, "sim", network)


def runs_of_table(options, network):
    """{(row, column): [Run]}: a seed each; of what begins at random, a draw each."""
    made = {}
    for row in ROWS:
        seeds = options.every_seed()
        central = SLOW if row == WATOR else CENTRAL
        if row != WATOR:
            made[row, SEQUENTIAL] = [run_of(options, network, row, EARTH, "nop", each)
                                     for each in seeds]
        made[row, RANDOM] = [run_of(options, network, row, APART if row == WATOR else
                                    AT_RANDOM + DRAW * (each - 1), "nop", each)
                             for each in seeds]
        made[row, BALANCED] = [run_of(options, network, row, APART if row == WATOR else EARTH,
                                      central, each) for each in seeds]
    return made


def table9(report, runner, options):
    """Our seconds beside the paper's."""
    if options.world != "sim":
        return report.not_measured("of the simulated machine only")
    printed = paper_table("004_table9_seconds", "application")
    made = runs_of_table(options, network_of(report, options))
    found = runner.all([run for each in made.values() for run in each])
    ours = Cells(ROWS, (SEQUENTIAL, RANDOM, BALANCED), {
        place: [elapsed(found[run]) for run in made.get(place, ())]
        for place in ((row, column) for row in ROWS
                      for column in (SEQUENTIAL, RANDOM, BALANCED))})
    report.csv(ours)
    table = ours.mean()
    report.table(table, printed)
    spans(report, ours)
    for (row, column), values in ours.values.items():
        if values:
            report.keep(f"004_table9[{row}, {column}]", [mean(values)])
    judge_orders(report, table)
    cells = [(row, column) for row, column in made if (row, column) not in CALIBRATED]
    ratios = [table.loc[row, column] / printed.loc[row, column] for row, column in cells]
    report.say("predicted over printed: " + ", ".join(
        f"{row.split()[0] if row.startswith(('a', 'w')) else row} {column} {ratio:.2f}"
        for (row, column), ratio in zip(cells, ratios)))
    complete = all(ratio == ratio for ratio in ratios)
    report.measured("004_table9.near", within(ratios, 0.35) if complete else None,
                    f"of {len(ratios)} that were not calibrated")
    report.measured("004_table9.ranks", spearman([table.loc[place] for place in cells],
                                                 [printed.loc[place] for place in cells])
                    if complete else None)
    with report.figure(size=(9, 5)) as axes:
        bars(axes, ours, "seconds, mean and 95 % interval", "seconds", paper=printed)
    return None


def spans(report, ours):
    for row in ROWS:
        for column in (RANDOM, BALANCED):
            values = ours.values[row, column]
            if len(values) > 1:
                report.say(f"{row}, {column}: {min(values):.1f} to {max(values):.1f} s")


def judge_orders(report, table):
    """1: the paper's order. Of the means: the paper has one run of each."""
    compute, talk, adder, wator = (table.loc[row] for row in ROWS)
    report.measured("004_table9.order[compute]", ordered(
        compute[RANDOM], compute[BALANCED], compute[SEQUENTIAL]))
    report.measured("004_table9.order[pairs]", ordered(
        talk[BALANCED], talk[RANDOM], talk[SEQUENTIAL]))
    report.measured("004_table9.order[adder]", ordered(
        adder[SEQUENTIAL], adder[BALANCED], adder[RANDOM]))
    report.measured("004_table9.order[wator]", ordered(wator[BALANCED], wator[RANDOM]))


def ordered(*values):
    if any(value != value for value in values):
        return None
    return int(all(a < b for a, b in zip(values, values[1:])))


# --- the same under all balancers ---

BALANCERS = ("nop", "minima", "dual", "spn", "shis", "snd", "his", "range", "catapult", "rand",
             "adaptive", "central")
MOST_SEEDS = 5
TOGETHER, IN_TURN = 1, 0  # START, with no master apart: the others would give it work


def slow_if(row):
    """The central balancer, all of whose nodes run threads."""
    return (SLOW if row == WATOR else CENTRAL).replace("apart=1,", "")


def table9_all(report, runner, options):
    """Ranks of the balancers, and seconds."""
    if options.world != "sim":
        return report.not_measured("of the simulated machine only")
    network = network_of(report, options)
    cells = of_runs(runner, {
        (row, name): [run_of(options, network, row, IN_TURN if row == WATOR else TOGETHER,
                             slow_if(row) if name == "central" else name, seed, NODES - 1)
                      for seed in list(options.every_seed())[:MOST_SEEDS]]
        for row in ROWS for name in BALANCERS}, number=elapsed)
    report.csv(cells)
    report.say("seconds on five nodes; all threads begin on node 0, those of wator by region")
    report.table(cells.mean())
    seconds = cells.mean()
    if seconds.isna().any().any():
        return report.not_measured("a run did not end")
    table = pandas.DataFrame({row: ranks(list(seconds.loc[row])) for row in ROWS},
                             index=list(BALANCERS)).T
    report.say()
    report.say("ranks, 1: fastest")
    report.table(table)
    report.measured("004_table9_all.better", sum(
        seconds.loc[row, "central"] < seconds.loc[row, "nop"] for row in ROWS
        if row != "adder simulation"))
    report.measured("004_table9_all.adder", int(
        seconds.loc["adder simulation", "nop"] < seconds.loc["adder simulation", "central"]))
    with report.figure(size=(11, 5)) as axes:
        shown = [name for name in BALANCERS if name not in ("nop", "minima")]  # ten colours
        bars(axes, cells.derived(lambda frame: frame.div(frame["nop"], axis=0)).only(shown),
             "time over that of nop; minima is left out", "times", log=False)
    return None


# --- how many nodes ---

SIZES = (5, 32, 256)
THREADS = 4  # a node
MS = 20_000  # of each thread


def limits(sizes, network):
    """[(nodes, threads, s, s of an even share, the master's busy share)]; why not, if one fails."""
    rows = []
    for nodes in sizes:
        threads = min(THREADS * nodes, 1000)
        run = Run(f"synthetic 0 {threads} 0 0 0 {MS} {EARTH}", nodes + 1,
                  CENTRAL.removesuffix(BUSY), 1, "sim", network)
        try:
            stats, _ = runs.terrane.runs.make(run, runs.TERRANE)
        except runs.terrane.Error as wrong:
            return str(wrong)
        seconds, idle = stats["elapsed_seconds"], stats["per_processor"][0].get("idle_seconds")
        if idle is None:
            return "the run says no times of its processors"
        rows.append([nodes, threads, seconds, threads * MS / 1000 / nodes, 1 - idle / seconds])
    return rows


def limit(report, runner, options):
    """Threads that compute, four a node, all begun on node 1: how long, and what the master does.
    One seed."""
    report.source = f"SIMULATED, network {options.network}; 1 seed" + report.small()
    if options.world != "sim":
        return report.not_measured("of the simulated machine only")
    sizes = SIZES[:2] if options.quick else SIZES
    rows = runner.measure(f"limit of central, {len(sizes)} sizes, {options.network}",
                          functools.partial(limits, sizes, options.network))
    if isinstance(rows, str):
        return report.not_measured(rows)
    frame = pandas.DataFrame(rows, columns=("nodes", "threads", "seconds", "evenly", "master"))
    report.csv(frame.set_index("nodes"))
    report.say("seconds, those of an even share, and the share of its time that the master works")
    report.say(frame.to_string(index=False, float_format=lambda x: f"{x:.3g}"))
    for nodes, _, seconds, evenly, busy in rows:
        report.measured(f"004_limit.slowed[{nodes} nodes]", seconds / evenly)
        report.measured(f"004_limit.master[{nodes} nodes]", busy)
    with report.figure(size=(7, 4)) as axes:
        for at, (name, column) in enumerate((("seconds", 2), ("seconds of an even share", 3))):
            axes.plot([row[0] for row in rows], [row[column] for row in rows],
                      marker=MARKERS[at], color=COLOURS[at], label=name)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks(sizes, [str(each) for each in sizes])
        axes.set_xlabel("nodes, beside the master")
        axes.set_ylabel("seconds")
        axes.set_title(f"{THREADS} threads a node that compute {MS // 1000} s each")
        axes.legend(frameon=False)
    return None
