# SPDX-License-Identifier: Apache-2.0
"""[EARTH-LB Fig. 5] to Fig. 7: speed-up against processors, and where the time goes."""

import pandas

import suite
from harness.matrix import run_of, seconds
from harness.report import numbers

PARTS = {"run_seconds": "thread execution", "balance_seconds": "load balancing",
         "poll_seconds": "polling", "switch_seconds": "context switching", "idle_seconds": "idle"}


def fig5(report, runner, options):
    """How does speed grow with the processors, under each balancer, Minima and Nop?"""
    names = {**suite.DYNAMIC, "Minima": "minima", "Nop": "nop"}
    if options.quick:
        names = {name: names[name] for name in ("His", "Range", "Rand", "Minima", "Nop")}
    at_most = {}
    for program in (suite.PARAFFINS, suite.QUEENS):
        curves = pandas.DataFrame(index=[1, 2, 4, 8, 16, 32], columns=list(names), dtype=float)
        curves.index.name = "processors"
        for nodes in curves.index:
            found, _ = seconds(runner, options, [program], names, nodes)
            curves.loc[nodes] = numbers(found).loc[program.title]
        curves = curves.rdiv(curves["Nop"], axis=0)
        part = f"_{program.run.split()[0]}"
        report.csv(curves, part)
        report.say(f"{program.title}: speed-up over Nop")
        report.table(curves, digits=4)
        with report.figure(part) as axes:
            curves.plot(ax=axes, marker="o", markersize=3)
            axes.set_title(f"{program.title}: speed-up over no balancer", fontsize=9)
            axes.legend(fontsize=6)
        last = at_most[program.title] = curves.loc[32]
        report.verdict(f"{program.title}: Minima gains over Nop", last["Minima"] > 1,
                       f"{last['Minima']:.3g}")
        report.verdict(f"{program.title}: Rand is far ahead of Minima",
                       last["Rand"] > 2 * last["Minima"],
                       f"{last['Rand']:.3g} against {last['Minima']:.3g}")


def split(report, runner, options, names, part=""):
    """The time of each of 8 nodes, in its parts, as stacked bars. {name: {node: parts}}"""
    runs = {name: run_of(options, suite.QUEENS, 8, name.lower()) for name in names}
    found = runner.all(runs.values())
    frames = {}
    for name, run in runs.items():
        nodes = pandas.DataFrame(found[run]["per_processor"]).set_index("node")
        frames[name] = nodes[list(PARTS)].rename(columns=PARTS)
        report.csv(frames[name], f"_{name.lower()}")
        report.say(f"{name}: seconds of each node")
        report.table(frames[name])
        with report.figure(f"_{name.lower()}") as axes:
            frames[name].plot.bar(stacked=True, ax=axes)
            axes.set_title(f"Queens(12) on 8 nodes under {name}", fontsize=9)
            axes.set_ylabel("seconds")
            axes.legend(fontsize=6)
    return frames


def mostly_execution(report, frames):
    for name, frame in frames.items():
        shares = frame.sum() / frame.sum().sum()
        report.verdict(f"{name}: the largest part is thread execution",
                       shares.idxmax() == "thread execution",
                       ", ".join(f"{part} {share:.1%}" for part, share in shares.items()))


def fig6(report, runner, options):
    """Where does the time go under a receiver- and a sender-initiated balancer?"""
    frames = split(report, runner, options, ("Spn", "Snd"))
    mostly_execution(report, frames)
    spent = {name: frame["load balancing"].sum() + frame["polling"].sum()
             for name, frame in frames.items()}
    report.verdict("Snd spends more on balancing and messages than Spn, as all nodes are rich",
                   spent["Snd"] > spent["Spn"],
                   f"{spent['Snd']:.4g} s against {spent['Spn']:.4g} s over 8 nodes")


def fig7(report, runner, options):
    """Where does the time go under His and Rand, and how evenly?"""
    frames = split(report, runner, options, ("His", "Rand"))
    mostly_execution(report, frames)
    uneven = {name: frame["thread execution"].std() / frame["thread execution"].mean()
              for name, frame in frames.items()}
    report.verdict("Rand distributes the work more evenly than His", uneven["Rand"] <=
                   uneven["His"], ", ".join(f"{name} {value:.2%}" for name, value in
                                            uneven.items()))
