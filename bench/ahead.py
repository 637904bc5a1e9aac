# SPDX-License-Identifier: Apache-2.0
"""ahead.py: who is ahead where, made from the lines of a run.

Purpose     For each problem, number of workers and compiler: each library's time by Terrane's, of
            the minima over the rounds; above 1 Terrane is ahead. Below, geometric means over the
            problems that a library has programs for.
Invariants  For Terrane stands one form in each problem, which PROBLEMS names before anything is
            measured: futures, or tokens ("terrane"). rayon and Go have one compiler, and are
            compared with both of Terrane's.
"""

import math

from matrix import PROBLEMS

OWN = ("terrane", "terrane_futures", "terrane_c", "sequential")


def best_of(cells, lines):
    """{(problem, workers, library, compiler): the least ns per task over the rounds}."""
    best = {}
    for cell in cells:
        for workers in (1, 2):
            some = lines.get((cell.name(), workers))
            if some:
                key = cell.problem, workers, cell.library.name, cell.compiler
                best[key] = min(float(line["ns_per_task"]) for line in some)
    return best


def stands_for_terrane(problem):
    return PROBLEMS[problem].get("terrane", "terrane_futures")


def peers_of(best):
    names = dict.fromkeys(library for _, _, library, _ in best)
    return [name for name in names if name not in OWN]


def ratios(best, compiler):
    """{(problem, workers): {peer: its ns by Terrane's}}, where Terrane was measured."""
    table = {}
    for problem, workers, library, built_with in best:
        ours = best.get((problem, workers, stands_for_terrane(problem), compiler))
        if ours and library not in OWN and built_with in (compiler, "rustc", "go"):
            theirs = best[problem, workers, library, built_with]
            table.setdefault((problem, workers), {})[library] = theirs / ours
    return table


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def means(table, peers):
    """For 1 and 2 workers, and both: {peer: (mean, problems)}."""
    rows = {}
    for name, counts in (("1 worker", (1,)), ("2 workers", (2,)), ("both", (1, 2))):
        row = {}
        for peer in peers:
            some = [each[peer] for (_, workers), each in table.items()
                    if workers in counts and peer in each]
            if some:
                row[peer] = geometric_mean(some), len(some)
        rows[name] = row
    return rows


def leader(row):
    """Who is ahead: Terrane unless a peer took less time."""
    peer = min(row, key=row.get)
    return peer if row[peer] < 1 else "Terrane"


def rows_of(best, compiler):
    """The table as texts: its head, then a row for each problem and number of workers, then the
    means. Empty if Terrane or all peers are missing."""
    peers, table = peers_of(best), ratios(best, compiler)
    if not table:
        return []
    rows = [("problem", "Terrane", "workers", *peers, "ahead")]
    for (problem, workers), row in sorted(table.items(), key=order):
        form = "tokens" if stands_for_terrane(problem) == "terrane" else "futures"
        rows.append((problem, form, str(workers),
                     *(f"{row[peer]:.2f}" if peer in row else "" for peer in peers), leader(row)))
    for name, row in means(table, peers).items():
        if row:
            shown = (f"{row[peer][0]:.2f} ({row[peer][1]})" if peer in row else ""
                     for peer in peers)
            rows.append(("geometric mean", "", name, *shown,
                         leader({peer: value for peer, (value, _) in row.items()})))
    return rows


def order(entry):
    (problem, workers), _ = entry
    return list(PROBLEMS).index(problem), workers
