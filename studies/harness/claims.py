# SPDX-License-Identifier: Apache-2.0
"""The list of claims, claims.toml: what each says, where it stands, and when it holds.

Nothing else judges. A study reports what it measured under a claim's name; `judge` compares that
with the claim's test, which was written down before. A [[claim]] is one row; a [[cells]] is a row
for each number of a printed table.
"""

import csv
import dataclasses
import math
import pathlib
import tomllib

HERE = pathlib.Path(__file__).resolve().parent.parent
WORDS = ("holds", "in part", "does not hold", "not measured", "not asked")
ORIGINS = ("printed", "cited", "estimated", "fitted", "chosen", "ours")


@dataclasses.dataclass(frozen=True)
class Claim:
    """One row. `test` is one of: >= X, <= X, > X, < X, == X, within F (of the printed number by a
    factor), points X (of the printed number, either way)."""
    name: str
    study: str
    place: str
    quote: str
    measure: str
    test: str
    why: str
    inputs: tuple = ()
    role: str = "predicted"  # or fitted: the measure was put in; or ours: no paper says it
    quick: bool = False      # can be judged with --quick, too
    printed: float | None = None
    cell: bool = False       # a number of a table


@dataclasses.dataclass(frozen=True)
class Verdict:
    claim: Claim
    word: str
    holds: int = 0      # so many samples pass the test
    there: int = 0      # so many samples there are
    wanted: int = 0     # so many there should be
    value: float = math.nan  # their mean
    said: str = ""

    def numbers(self):
        if self.word in ("not measured", "not asked"):
            return self.said or f"{self.there} of {self.wanted}"
        value = "" if math.isnan(self.value) else f"{self.value:.4g}"
        many = f"holds in {self.holds} of {self.there}" if self.wanted > 1 else ""
        return "; ".join(part for part in (value, many, self.said) if part)

    def __str__(self):
        role = "" if self.claim.role == "predicted" else f" ({self.claim.role})"
        return f"{self.word:<14}{self.claim.name}{role}: {self.claim.measure} " \
               f"{self.claim.test}: {self.numbers()}"


def load(folder=HERE):
    """{name: Claim}, and {name: input}."""
    with open(folder / "claims.toml", "rb") as file:
        text = tomllib.load(file)
    inputs = text.get("inputs", {})
    found = [Claim(**{**row, "inputs": tuple(row.get("inputs", ()))})
             for row in text.get("claim", ())]
    for table in text.get("cells", ()):
        found += of_cells(table, folder)
    names = {}
    for each in found:
        check(each, inputs)
        if each.name in names:
            raise ValueError(f"claims.toml: {each.name} stands twice")
        names[each.name] = each
    return names, inputs


def check(claim, inputs):
    passes(claim, 1.0)
    if claim.role not in ("predicted", "fitted", "ours"):
        raise ValueError(f"claims.toml: {claim.name}: no role '{claim.role}'")
    for each in claim.inputs:
        if each not in inputs:
            raise ValueError(f"claims.toml: {claim.name}: there is no input '{each}'")
        if inputs[each]["origin"] not in ORIGINS:
            raise ValueError(f"claims.toml: input {each}: no origin '{inputs[each]['origin']}'")
    if not (claim.quote and claim.why and claim.place):
        raise ValueError(f"claims.toml: {claim.name} lacks a quotation, a place or a reason")


def cell_name(table, row, column):
    return f"{table}[{row}, {column}]"


def of_cells(table, folder):
    """A claim for each number in studies/paper/TABLE.csv. `also` names a second column that is part
    of a row's name; `columns` those that are numbers."""
    with open(folder / "paper" / f"{table['table']}.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    keys = table.get("keys") or [next(iter(rows[0]))]
    only, found = table.get("only", {}), []
    for row in rows:
        if any(row[key] not in wanted for key, wanted in only.items()):
            continue
        title = " ".join(row[key] for key in keys)
        for column in table.get("columns") or [c for c in row if c not in keys]:
            try:
                printed = float(row[column])
            except ValueError:
                continue  # a dash, or OF: [[claim]] has a row for those
            fitted = any(one in table.get("fitted", ()) for one in
                         (f"{title}, {column}", title, column))
            of_row = table.get("inputs_of", {})
            found.append(Claim(
                cell_name(table["name"], title, column), table["study"], table["place"],
                f"{title}, {column}: {row[column]}", table["measure"], table["test"],
                table["why"], (*table.get("inputs", ()), *of_row.get(title, ()),
                               *of_row.get(column, ())),
                "fitted" if fitted else table.get("role", "predicted"),
                table.get("quick", False), printed, True))
    return found


def passes(claim, value):
    word, _, number = claim.test.partition(" ")
    limit = float(number)
    if word == "within":
        return value > 0 and 1 / limit <= value / (claim.printed or 1) <= limit
    if word == "points":
        return abs(value - (claim.printed or 0)) <= limit
    return {">=": value >= limit, "<=": value <= limit, ">": value > limit, "<": value < limit,
            "==": value == limit}[word]


def judge(claim, samples, said=""):
    """samples: a number for each seed, None where there is none. Nothing is judged by a part: a
    missing one makes the claim `not measured`."""
    values = [float(each) for each in samples if each is not None and not math.isnan(each)]
    if not samples or len(values) < len(samples):
        return Verdict(claim, "not measured", 0, len(values), max(len(samples), 1), math.nan,
                       f"{len(values)} of {max(len(samples), 1)} measured"
                       + (f"; {said}" if said else ""))
    holds = sum(passes(claim, each) for each in values)
    share = holds / len(values)
    word = "holds" if share >= 0.95 else "does not hold" if share <= 0.05 else "in part"
    return Verdict(claim, word, holds, len(values), len(values), sum(values) / len(values), said)
