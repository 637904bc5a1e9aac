# SPDX-License-Identifier: Apache-2.0
"""[EARTH-LB Fig. 5] to Fig. 7: speed-up against processors, and where the time goes."""

import pandas

import suite
from harness.matrix import Cells, run_of, seconds
from harness.report import COLOURS, HATCHES, curves
from harness.spread import mean

PARTS = {"run_seconds": "thread execution", "poll_seconds": "polling",
         "balance_seconds": "load balancing", "switch_seconds": "context switching",
         "idle_seconds": "idle"}
WIDTHS = (1, 2, 4, 8, 16, 32)


def fig5(report, runner, options):
    """Speed-up over Nop, by processors."""
    names = {**suite.DYNAMIC, "Minima": "minima", "Nop": "nop"}
    if options.quick:
        names = {name: names[name] for name in ("His", "Range", "Rand", "Minima", "Nop")}
    for program in (suite.PARAFFINS, suite.QUEENS):
        values = {}
        for nodes in WIDTHS:
            times = seconds(runner, options, [program], names, nodes)
            for column in names:
                values[nodes, column] = [
                    nop / each for each, nop in zip(times.values[program.title, column],
                                                    times.values[program.title, "Nop"])]
        found = Cells(WIDTHS, list(names), values)
        part = f"_{program.run.split()[0]}"
        report.csv(found, part)
        report.say(f"{program.title}: speed-up over Nop")
        report.table(found.mean())
        with report.figure(part, size=(8, 5)) as axes:
            curves(axes, found, f"{program.title}: speed-up over no balancer", "processors",
                   "speed-up, times", ideal=list(WIDTHS))
        last = [frame.loc[WIDTHS[-1]] for frame in found.frames()]
        report.measured(f"000_fig5{part}.minima_gains", [each["Minima"] for each in last])
        report.measured(f"000_fig5{part}.dynamic_ahead", [each["Rand"] / each["Minima"]
                                                          for each in last])


def split(report, runner, options, names):
    """{name: {seed: frame, a row a node}}: the time of each of 8 nodes, in its parts."""
    runs = {(name, seed): run_of(options, suite.QUEENS, 8, name.lower(), seed)
            for name in names for seed in options.every_seed()}
    found = runner.all(runs.values())
    frames = {}
    for (name, seed), run in runs.items():
        rows = found[run].get("per_processor")
        frames.setdefault(name, []).append(
            pandas.DataFrame(rows).set_index("node")[list(PARTS)].rename(columns=PARTS)
            if rows else None)
    for name in names:
        if frames[name][0] is not None:
            draw(report, name, frames[name][0], runs[name, 1])
    return frames


def draw(report, name, frame, run):
    report.csv(frame, f"_{name.lower()}")
    report.say(f"{name}: seconds of each node, seed 1")
    report.table(frame)
    with report.figure(f"_{name.lower()}", runs=[run]) as axes:
        floor = 0 * frame.iloc[:, 0]
        for at, part in enumerate(frame.columns):
            axes.bar(frame.index, frame[part], 0.7, floor, label=part, color=COLOURS[at],
                     hatch=HATCHES[at], edgecolor="white")
            floor = floor + frame[part]
        axes.set_title(f"Queens(12) on 8 nodes under {name}")
        axes.set_xlabel("node")
        axes.set_ylabel("seconds")
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)


def shares(frame):
    return frame.sum() / frame.sum().sum()


def largest(report, study, frames):
    """Footnote 2: execution is the largest part, polling the second."""
    for name, of_seeds in frames.items():
        found = [None if frame is None else shares(frame).sort_values(ascending=False)
                 for frame in of_seeds]
        there = [each for each in found if each is not None]
        said = ", ".join(f"{part} {mean([each[part] for each in there]):.2%}"
                         for part in PARTS.values()) if there else ""
        report.measured(f"{study}.execution_first[{name}]", [
            None if each is None else each.index[0] == "thread execution" for each in found], said)
        report.measured(f"{study}.polling_second[{name}]", [
            None if each is None else each.index[1] == "polling" for each in found])


def spent(frame):
    return frame["load balancing"].sum() + frame["polling"].sum()


def ratio(one, other, number):
    return [None if a is None or b is None else number(a) / number(b) for a, b in zip(one, other)]


def fig6(report, runner, options):
    """Spn and Snd."""
    frames = split(report, runner, options, ("Spn", "Snd"))
    largest(report, "000_fig6", frames)
    report.measured("000_fig6.snd_spends_more", ratio(frames["Snd"], frames["Spn"], spent))


def uneven(frame):
    return frame["thread execution"].std() / frame["thread execution"].mean()


def fig7(report, runner, options):
    """His and Rand."""
    frames = split(report, runner, options, ("His", "Rand"))
    largest(report, "000_fig7", frames)
    report.measured("000_fig7.rand_even", ratio(frames["Rand"], frames["His"], uneven))
    report.measured("000_fig7.rand_less_idle", ratio(
        frames["Rand"], frames["His"],
        lambda frame: frame["idle"].sum() + frame["load balancing"].sum()))
