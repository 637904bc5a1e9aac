# SPDX-License-Identifier: Apache-2.0
"""What a study says: a table of ours beside the paper's, CSV, figures, and what it measured.

What holds is not said here: claims.py judges what was measured by the list of claims.
"""

import json
import math
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first)
import pandas  # noqa: E402

from . import claims  # noqa: E402
from .runs import label_of  # noqa: E402

PAPER = pathlib.Path(__file__).resolve().parent.parent / "paper"
# Distinct in grey by their markers and dashes; colours are those of Okabe and Ito.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7f7f7f",
           "#8c564b", "#bcbd22")
MARKERS, DASHES, HATCHES = "osD^vPX*<>", ("-", "--", "-.", ":"), ("", "//", "..", "xx", "\\\\")

plt.rcParams.update({"font.size": 9, "axes.titlesize": 10, "legend.fontsize": 8,
                     "svg.hashsalt": "terrane", "axes.spines.top": False,
                     "axes.spines.right": False})


def paper_table(name, index="benchmark"):
    """The numbers printed in the paper; `name` as the files of studies/paper are called."""
    return pandas.read_csv(PAPER / f"{name}.csv").set_index(index)


class Report:
    """Collects what a study found; `folder` gets NAME.csv, NAME.svg, NAME.png, NAME.txt and
    NAME.verdicts.json."""

    def __init__(self, name, question, folder, known, runner=None, quick=False, asked=True):
        self.name, self.folder, self.runner = name, pathlib.Path(folder), runner
        self.folder.mkdir(parents=True, exist_ok=True)
        self.known = {each.name: each for each in known.values() if each.study == name}
        self.quick, self.asked, self.question = quick, asked, question
        self.lines, self.samples, self.source, self.tables = [], {}, None, []
        self.holes = set()
        if runner:
            runner.asked = {}

    def say(self, text=""):
        self.lines.append(text)

    def table(self, ours, paper=None, digits=4):
        """ours, and the paper's beside each number. NaN: missing; a word stands for itself."""
        self.tables.append(beside(ours, paper, digits))
        self.say(self.tables[-1].to_string())
        self.say("(each cell: ours / the paper's; - : none)" if paper is not None else "")

    def csv(self, what, part=""):
        if hasattr(what, "long"):
            what.long().to_csv(self.folder / f"{self.name}{part}.csv", index=False)
        else:
            what.to_csv(self.folder / f"{self.name}{part}.csv")

    def csv_rows(self, part, head, rows):
        """A table of plain rows."""
        pandas.DataFrame(rows, columns=head).to_csv(self.folder / f"{self.name}{part}.csv",
                                                    index=False)

    def measured(self, claim, samples, said=""):
        """What a claim asks for: a number, or one for each seed; None or NaN: not measured."""
        if claim not in self.known:
            raise KeyError(f"{self.name} measures '{claim}', which is not in claims.toml")
        if not isinstance(samples, (list, tuple)):
            samples = [samples]
        self.keep(claim, [None if at in self.holes else each for at, each in enumerate(samples)],
                  said)

    def needs(self, cells):
        """What is measured from now on needs each of these cells: a seed that lacks one says
        nothing, since a least or a mean of the others would pass for the whole."""
        self.holes = {seed for seed, frame in enumerate(cells.frames())
                      if frame.isna().any().any()}

    def keep(self, claim, samples, said=""):
        self.samples[claim] = ([None if each is None or each != each else float(each)
                                for each in samples], said)

    def measured_cells(self, table, cells):
        """For each claim of that table: the numbers of its cell."""
        for (row, column), values in cells.values.items():
            if (name := claims.cell_name(table, row, column)) in self.known:
                self.keep(name, values)

    def not_measured(self, why):
        """Of all claims that nothing has been said about yet."""
        for name in self.known:
            self.samples.setdefault(name, ([], why))

    def label(self):
        if self.source:
            return self.source
        return label_of(self.runner.asked if self.runner else {}) + self.small()

    def small(self):
        return "; --quick: smaller programs than the paper's" if self.quick else ""

    def figure(self, part="", runs=None, size=(9, 4.5)):
        """A context: with report.figure() as axes. runs: whose data it shows, if not all."""
        return Figure(self, part, runs, size)

    def verdicts(self):
        found = []
        for claim in self.known.values():
            samples, said = self.samples.get(claim.name, ([], "the study did not come to it"))
            if not self.asked and claim.role != "ours":
                found.append(claims.Verdict(claim, "not asked", said="of the simulated machine "
                                            "only"))
            elif self.quick and not claim.quick:
                found.append(claims.Verdict(claim, "not asked", said="of the paper's sizes only"))
            else:
                found.append(claims.judge(claim, samples, said))
        return found

    def finish(self):
        """The text, and the verdicts."""
        verdicts = self.verdicts()
        shown = [each for each in verdicts if not each.claim.cell]
        cells = [each for each in verdicts if each.claim.cell]
        self.say()
        self.lines += [str(each) for each in shown]
        if cells:
            counts = {word: sum(each.word == word for each in cells) for word in claims.WORDS}
            self.say(f"{len(cells)} printed numbers, each a claim (terrane study claims "
                     f"{self.name}): " + ", ".join(f"{count} {word}" for word, count in
                                                   counts.items() if count))
            self.lines += [str(each) for each in cells if each.word == "not measured"]
        text = "\n".join([f"{self.name}: {self.question}", self.label(), "", *self.lines]) + "\n"
        (self.folder / f"{self.name}.txt").write_text(text)
        (self.folder / f"{self.name}.verdicts.json").write_text(json.dumps({
            "label": self.label(), "samples": {name: each[0] for name, each in
                                               self.samples.items()},
            "verdicts": {each.claim.name: [each.word, each.numbers()] for each in verdicts}},
            indent=1))
        return text, verdicts


class Figure:
    def __init__(self, report, part, runs, size):
        self.report, self.part, self.runs, self.size = report, part, runs, size

    def __enter__(self):
        self.figure, axes = plt.subplots(figsize=self.size)
        return axes

    def __exit__(self, *failed):
        if failed[0] is None:
            label = self.report.label()
            if self.runs is not None:
                made = self.report.runner.made
                label = label_of({run: made[run] for run in self.runs if run in made}) \
                    + self.report.small()
            self.figure.tight_layout(rect=(0, 0.03, 1, 1))
            self.figure.text(0.99, 0.008, label, ha="right", fontsize=7)
            for kind in ("svg", "png"):
                meta = {"Date": None} if kind == "svg" else {"Title": label}
                if kind == "svg":
                    meta["Title"] = label
                self.figure.savefig(self.report.folder / f"{self.report.name}{self.part}.{kind}",
                                    metadata=meta)
        plt.close(self.figure)


def spoken(value, digits=4):
    if isinstance(value, str):
        return value
    if value is None or math.isnan(value):
        return "-"
    return "OF" if math.isinf(value) else f"{value:.{digits}g}"


def beside(ours, paper, digits):
    """A frame of text: `ours / paper's`."""
    text = ours.map(spoken, digits=digits) if hasattr(ours, "map") else ours.applymap(
        lambda value: spoken(value, digits))
    if paper is None:
        return text
    for row in text.index:
        for column in text.columns:
            known = row in paper.index and column in paper.columns
            printed = spoken(paper.loc[row, column], digits) if known else "-"
            text.loc[row, column] += f" / {printed}"
    return text


def bars(axes, cells, title, unit, log=True, paper=None):
    """A group of bars for each row, the interval of each mean, and the paper's value as a dash."""
    mean, low, high = cells.mean(), cells.low(), cells.high()
    width = 0.8 / len(cells.columns)
    for at, column in enumerate(cells.columns):
        places = [row + (at + 0.5) * width - 0.4 for row in range(len(cells.rows))]
        heights = [value if math.isfinite(value) else 0 for value in mean[column]]
        errors = [[max(0.0, m - b) if b == b else 0 for m, b in zip(heights, low[column])],
                  [max(0.0, b - m) if b == b else 0 for m, b in zip(heights, high[column])]]
        axes.bar(places, heights, width, label=column, color=COLOURS[at % len(COLOURS)],
                 hatch=HATCHES[at // 2 % len(HATCHES)], edgecolor="white", linewidth=0.3,
                 yerr=errors, error_kw={"linewidth": 0.8, "capsize": 1.5})
        if paper is not None and column in paper.columns:
            there = [(place, paper.loc[row, column]) for place, row in zip(places, cells.rows)
                     if row in paper.index]
            axes.plot([x for x, _ in there], [y for _, y in there], linestyle="none", marker="_",
                      color="black", markersize=60 * width, markeredgewidth=1.6,
                      label="the paper's" if at == len(cells.columns) - 1 else None)
    axes.set_xticks(range(len(cells.rows)), cells.rows, rotation=20, ha="right")
    if log:
        axes.set_yscale("log")
    axes.set_title(title)
    axes.set_ylabel(unit)
    axes.legend(ncol=5, loc="upper center", bbox_to_anchor=(0.5, -0.28), frameon=False)


def curves(axes, cells, title, across, unit, ideal=None, log=False):
    """A curve for each column, named at its end, with the interval of each mean."""
    mean, low, high = cells.mean(), cells.low(), cells.high()
    numeric = all(isinstance(row, (int, float)) for row in cells.rows)
    x = cells.rows if numeric else list(range(len(cells.rows)))
    ends = []
    for at, column in enumerate(cells.columns):
        style = {"color": COLOURS[at % len(COLOURS)], "marker": MARKERS[at % len(MARKERS)],
                 "linestyle": DASHES[at // 3 % len(DASHES)], "markersize": 4, "linewidth": 1.2}
        axes.plot(x, mean[column], label=column, **style)
        axes.fill_between(x, low[column], high[column], color=style["color"], alpha=0.2)
        last = mean[column].iloc[-1]
        if math.isfinite(last):
            ends.append((last, column, style["color"]))
    if ideal is not None:
        axes.plot(x, ideal, color="#999999", linewidth=0.8, linestyle=":")
        axes.annotate("ideal", (x[-1], ideal[-1]), fontsize=8, color="#777777")
    axes.set_xlabel(across)
    axes.set_ylabel(unit)
    axes.set_title(title)
    if log:
        axes.set_yscale("log")
    if not numeric:
        axes.set_xticks(x, cells.rows)
    name_ends(axes, x[-1], ends)


def name_ends(axes, x, ends):
    """Names curves at their right ends, moved apart where they would cover each other."""
    axes.figure.canvas.draw()
    least, taken = 11, []
    for value, name, colour in sorted(ends):
        _, y = axes.transData.transform((x, value))
        y = max(y, taken[-1] + least) if taken else y
        taken.append(y)
        _, shown = axes.transAxes.inverted().transform((0, y))
        axes.annotate(name, (1.01, shown), xycoords="axes fraction", color=colour, fontsize=8,
                      va="center", annotation_clip=False)
