# SPDX-License-Identifier: Apache-2.0
"""What a study says: a table of ours beside the paper's, CSV, figures, and verdicts."""

import dataclasses
import math
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first)
import pandas  # noqa: E402

PAPER = pathlib.Path(__file__).resolve().parent.parent / "paper"


def paper_table(name, index="benchmark"):
    """The numbers printed in the paper; `name` as the files of studies/paper are called."""
    return pandas.read_csv(PAPER / f"{name}.csv").set_index(index)


@dataclasses.dataclass
class Verdict:
    claim: str
    holds: bool | None  # None: not measurable
    numbers: str

    def __str__(self):
        word = {True: "holds", False: "DOES NOT HOLD", None: "not measurable"}[self.holds]
        return f"{word:<15}{self.claim}: {self.numbers}"


class Report:
    """Collects what a study found; `folder` gets NAME.csv, NAME.svg, NAME.png, NAME.txt."""

    def __init__(self, name, question, folder, label):
        self.name, self.label = name, label
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lines, self.verdicts = [f"{name}: {question}", label, ""], []

    def say(self, text=""):
        self.lines.append(text)

    def table(self, ours, paper=None, digits=4):
        """ours, and below each number the paper's. NaN: missing; a word stands for itself."""
        self.say(beside(ours, paper, digits).to_string())
        self.say("(each cell: ours / the paper's; - : none)" if paper is not None else "")

    def csv(self, frame, part=""):
        frame.to_csv(self.folder / f"{self.name}{part}.csv")

    def verdict(self, claim, holds, numbers):
        self.verdicts.append(Verdict(claim, None if holds is None else bool(holds), numbers))

    def figure(self, part=""):
        """A context: with report.figure() as axes."""
        return Figure(self, part)

    def finish(self):
        self.say()
        self.lines += [str(each) for each in self.verdicts]
        text = "\n".join(self.lines) + "\n"
        (self.folder / f"{self.name}.txt").write_text(text)
        return text


class Figure:
    def __init__(self, report, part, size=(9, 4.5)):
        self.report, self.part, self.size = report, part, size

    def __enter__(self):
        self.figure, axes = plt.subplots(figsize=self.size)
        return axes

    def __exit__(self, *failed):
        if failed[0] is None:
            self.figure.text(0.99, 0.005, self.report.label, ha="right", fontsize=6)
            self.figure.tight_layout()
            for kind in ("svg", "png"):
                self.figure.savefig(self.report.folder / f"{self.report.name}{self.part}.{kind}")
        plt.close(self.figure)


def spoken(value, digits=4):
    if isinstance(value, str):
        return value
    if value is None or math.isnan(value):
        return "-"
    return f"{value:.{digits}g}"


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


def numbers(frame):
    """Words become NaN."""
    return frame.apply(pandas.to_numeric, errors="coerce")


def bars(axes, frame, title, unit, log=True, error=None):
    """A group of bars for each row."""
    numbers(frame).plot.bar(ax=axes, logy=log, width=0.8, yerr=error, rot=25)
    axes.set_title(title, fontsize=9)
    axes.set_ylabel(unit)
    axes.legend(fontsize=6, ncol=3)


def spearman(one, other):
    """Rank correlation over what both have; NaN of fewer than three."""
    both = pandas.concat([pandas.to_numeric(one, errors="coerce"),
                          pandas.to_numeric(other, errors="coerce")], axis=1).dropna()
    if len(both) < 3:
        return math.nan
    return both.rank().corr().iloc[0, 1]
