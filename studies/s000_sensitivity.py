# SPDX-License-Identifier: Apache-2.0
"""Which results depend on the numbers of the network that are estimated; fit and prediction apart.

A Latin hypercube over the estimated numbers of sp2. Calibration takes the point of it that is best
on Queens, TSP and SPMD alone; the other programs are predicted with that.
"""

import math
import pathlib
import random

import pandas

import suite
from harness.matrix import run_of, seconds_of
from harness.networks import changed
from harness.report import plt
from harness.spread import BANDS, mean, spearman, within
from s000 import NODES, errors_of, null_model, of_the_paper, ratios_to

POINTS, QUICK_POINTS = 64, 6
# The estimated numbers: from a half to twice, but where a decade is as likely.
RANGES = {"latency_ns": (9500, 38000), "overhead_ns": (1500, 6000), "gap_ns": (1000, 6000),
          "balance_ns": (250, 4000), "poll_ns": (500, 4500), "ask_ns_max": (50000, 800000)}
CALIBRATED = (suite.QUEENS, suite.TSP, suite.SPMD1, suite.SPMD4)
PREDICTED = (suite.KNARY, suite.TOMCATV, suite.MATRIX)


def hypercube(points, ranges=None, seed=1):
    """A Latin hypercube, even in the logarithm: each number once in each of `points` strata."""
    draw = random.Random(seed)
    columns = {}
    for name, (low, high) in (ranges or RANGES).items():
        strata = [(at + draw.random()) / points for at in range(points)]
        draw.shuffle(strata)
        columns[name] = [round(low * (high / low) ** each) for each in strata]
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def numbers_of(point):
    """As a network's file names them."""
    rest = {name: value for name, value in point.items() if name != "overhead_ns"}
    return {**rest, "send_overhead_ns": point["overhead_ns"],
            "receive_overhead_ns": point["overhead_ns"]}


def found_at(report, runner, options, points, programs):
    """A frame of seconds for each point; the first is sp2 itself."""
    folder = pathlib.Path(report.folder) / "networks"
    networks = [options.network] + [changed(folder, f"hypercube {at}", numbers_of(point))
                                    for at, point in enumerate(points)]
    runs = {(at, program.title, column): run_of(options, program, NODES, name, network=network)
            for at, network in enumerate(networks) for program in programs
            for column, name in suite.DYNAMIC.items()}
    found = runner.all(runs.values())
    return [pandas.DataFrame({column: {program.title: seconds_of(found[runs[at, program.title,
                                                                            column]])
                                       for program in programs} for column in suite.DYNAMIC})
            for at in range(len(networks))]


def over(errors, titles):
    """The mean factor over programs, each as much as another."""
    return math.exp(mean([math.log(errors[title]) for title in titles]))


def sentences(frame):
    """What the paper says of the balancers, as numbers to be followed over the points."""
    tree = [title for title in frame.index if title in suite.of_group("D&C")]
    others = frame.drop(columns="Rand").min(axis=1)
    return {"Rand over the best other (trees)": (frame["Rand"] / others)[tree].max(),
            "Snd over the best other (SPMD)": (frame["Snd"] / frame.drop(columns="Snd").min(
                axis=1))[["SPMD(1,1,0)", "SPMD(4,4,0)"]].max(),
            "Shis over the best, least": (frame["Shis"] / frame.min(axis=1)).min(),
            "Dual over Spn": (frame["Dual"] / frame["Spn"]).mean(),
            "Catapult over Range": (frame["Catapult"] / frame["Range"]).mean()}


LIMITS = {"Rand over the best other (trees)": lambda x: x <= 1.03,
          "Snd over the best other (SPMD)": lambda x: x <= 1,
          "Shis over the best, least": lambda x: x >= 8,
          "Dual over Spn": lambda x: x >= 1, "Catapult over Range": lambda x: x >= 2}


def sensitivity(report, runner, options):
    """One seed: what varies is the machine."""
    points = hypercube(QUICK_POINTS if options.quick else POINTS)
    programs = (*CALIBRATED, *PREDICTED)
    titles = [each.title for each in programs]
    frames = found_at(report, runner, options, points, programs)
    if any(frame.isna().any().any() for frame in frames):
        return report.not_measured("a run did not end")
    printed = of_the_paper("000_table2_seconds_32_nodes").loc[titles]
    errors = [errors_of(frame, printed) for frame in frames]
    null = errors_of(null_model(runner, options, programs, printed.columns), printed)
    depend(report, points, frames[1:], errors[1:])
    predict(report, frames, errors, null, printed)
    return None


def depend(report, points, frames, errors):
    """Rank correlations of each number of the network with each sentence and each error."""
    rows = {name: [sentences(frame)[name] for frame in frames] for name in LIMITS}
    rows |= {f"factor missed: {title}": [each[title] for each in errors] for title in errors[0]}
    table = pandas.DataFrame({name: {number: spearman([point[number] for point in points], values)
                                     for number in RANGES} for name, values in rows.items()}).T
    table["holds at"] = [f"{sum(LIMITS[name](x) for x in values)} of {len(values)}"
                         if name in LIMITS else
                         f"{min(values):.2f} to {max(values):.2f}" for name, values in rows.items()]
    report.csv(table)
    report.csv(pandas.DataFrame([{**point, **{name: values[at] for name, values in rows.items()}}
                                 for at, point in enumerate(points)]), "_points")
    report.say(f"{len(points)} machines: rank correlation of each number with each result")
    report.say(table.to_string(float_format=lambda x: f"{x:.2f}"))
    draw(report, table)


def draw(report, table):
    shown = table[list(RANGES)].astype(float)
    with report.figure(size=(9, 5.5)) as axes:
        picture = axes.imshow(shown, cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
        for row in range(len(shown.index)):
            for column in range(len(shown.columns)):
                value = shown.iloc[row, column]
                axes.text(column, row, f"{value:+.1f}", ha="center", va="center", fontsize=8,
                          color="white" if abs(value) > 0.6 else "black")
        axes.set_xticks(range(len(shown.columns)), shown.columns, rotation=20, ha="right")
        axes.set_yticks(range(len(shown.index)), [f"{name}  [{table.loc[name, 'holds at']}]"
                                                  for name in shown.index])
        axes.set_title("what depends on the estimated numbers (rank correlation over the machines)")
        plt.colorbar(picture, ax=axes, fraction=0.03)


def predict(report, frames, errors, null, printed):
    """Calibrated on a part, judged on the rest; then each program left out in turn."""
    rest, base = [each.title for each in PREDICTED], [each.title for each in CALIBRATED]
    best = min(range(len(errors)), key=lambda at: over(errors[at], base))
    rows = {"as the page has it": (over(errors[0], base), over(errors[0], rest)),
            "calibrated": (over(errors[best], base), over(errors[best], rest)),
            "a 32nd of one node": (over(null, base), over(null, rest))}
    report.say()
    report.say(pandas.DataFrame(rows, index=["Queens, TSP, SPMD: fitted",
                                             "the rest: predicted"]).T.to_string(
        float_format=lambda x: f"{x:.3f}"))
    ratios = ratios_to(frames[best].loc[rest], printed.loc[rest])
    report.say("predicted cells within " + ", ".join(
        f"{band:.0%}: {within(ratios, band)}" for band in BANDS) + f" of {len(ratios)}")
    report.measured("000_sensitivity.predicts", rows["calibrated"][1])
    report.measured("000_sensitivity.beats_null", rows["calibrated"][1]
                    / rows["a 32nd of one node"][1])
    left = {}
    for title in (*base, *rest):
        others = [each for each in (*base, *rest) if each != title]
        at = min(range(len(errors)), key=lambda one: over(errors[one], others))
        left[title] = {"fitted, the others": over(errors[at], others),
                       "predicted, left out": errors[at][title],
                       "as the page has it": errors[0][title], "a 32nd of one node": null[title]}
    table = pandas.DataFrame(left).T
    report.csv(table, "_left_out")
    report.say()
    report.say("each program left out in turn: factors by which its cells miss")
    report.say(table.to_string(float_format=lambda x: f"{x:.2f}"))
    for title in left:
        report.measured(f"000_sensitivity.left_out[{title}]", left[title]["predicted, left out"])
