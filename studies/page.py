#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page.py [--anew]: makes the tables of docs/studies.md from the results in studies/kept, or from
new runs; writes the page. page_test.py compares."""

import pathlib
import re
import sys
import tempfile

from catalogue import STUDIES
from harness import archive, claims, runs

HERE = pathlib.Path(__file__).resolve().parent
PAGE, KEPT = HERE.parent / "docs" / "studies.md", HERE / "kept"
TABLES = {"000_table2": 0, "000_table3": 0, "000_table4": 1, "000_table5": 0, "000_literal": 0,
          "000_missing": 0, "003_table3": 0, "004_table9": 0,
          "004_table9_all": 1}  # which table of each study the page shows


def markdown(frame):
    rows = [["", *map(str, frame.columns)], ["---"] * (len(frame.columns) + 1),
            *[[str(name), *map(str, row)] for name, row in zip(frame.index, frame.values)]]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def numbers_of(verdict):
    """What a page says of a claim: its mean, and in how many seeds it holds."""
    text = "" if verdict.value != verdict.value else f"{verdict.value:.3g}"
    if verdict.wanted > 1 and verdict.word != "not measured":
        text += f" ({verdict.holds} of {verdict.there})"
    return text


def which(name):
    """The row or balancer that a claim's name has in brackets."""
    return name.split("[")[1].rstrip("]") + ": " if "[" in name else ""


def part(study, runner, seeds, known):
    """The page's text on one study."""
    from harness.matrix import Options
    from harness.report import Report
    with tempfile.TemporaryDirectory() as folder:
        report = Report(study, STUDIES[study].question, folder, known, runner)
        STUDIES[study].function()(report, runner, Options(
            network=STUDIES[study].network, seeds=seeds))
        _, verdicts = report.finish()
        label = report.label()
    lines = [f"{label}.", ""]
    if study in TABLES and len(report.tables) > TABLES[study]:
        lines += [markdown(report.tables[TABLES[study]]), ""]
    sentences = [each for each in verdicts if not each.claim.cell]
    rows = [f"| {which(each.claim.name)}{each.claim.measure} {each.claim.test} | "
            f"{each.claim.role} | {numbers_of(each)} | {each.word} |" for each in sentences]
    if rows:
        lines += ["| claim | | mean (seeds in which it holds) | |", "|---|---|---|---|", *rows]
    cells = [each for each in verdicts if each.claim.cell]
    for role in ("predicted", "fitted", "ours"):
        of_role = [each for each in cells if each.claim.role == role]
        if of_role:
            said = [f"{count} {word}" for word in claims.WORDS
                    if (count := sum(each.word == word for each in of_role))]
            lines += ["", f"{len(of_role)} printed numbers, {role}: {', '.join(said)}."]
    return "\n".join(lines).strip()


def made(text, runner):
    """The page with its parts made anew: what stands between <!-- STUDY --> and <!-- end -->."""
    known, _ = claims.load()

    def one(found):
        seeds = archive.seeds_of(KEPT, found.group(1), 1)
        return f"<!-- {found.group(1)} -->\n\n{part(found.group(1), runner, seeds, known)}" \
               "\n\n<!-- end -->"

    return re.sub(r"<!-- (\w+) -->\n.*?<!-- end -->", one, text, flags=re.DOTALL)


if __name__ == "__main__":
    new = "--anew" in sys.argv[1:]
    maker = runs.Runner(pathlib.Path("study-results/runs")) if new else archive.Kept(KEPT)
    PAGE.write_text(made(PAGE.read_text(), maker))
