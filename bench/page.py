# SPDX-License-Identifier: Apache-2.0
"""page.py: one page of plots of a run: build/bench/report.html. It needs nothing but a browser."""

import html

import ahead
from matrix import PROBLEMS

BAR, LABEL, ROW = 420, 190, 20  # pixels
OURS, PEER, TWIN = "#1f77b4", "#9a9a9a", "#d8d8d8"
STYLE = """body { font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 1400px; padding: 0 1em }
table { border-collapse: collapse; margin: 1em 0 } td, th { padding: .2em .7em; text-align: right }
tr:nth-child(even) { background: #f4f4f4 } td:first-child, th:first-child { text-align: left }
.less { color: #b30000; font-weight: bold } .plots { display: flex; flex-wrap: wrap; gap: 2em }
svg text { font: 12px sans-serif } h2 { margin-top: 2em }"""


def write(path, title, cells, lines, note):
    best = ahead.best_of(cells, lines)
    parts = [f"<h1>{html.escape(title)}</h1><p>{html.escape(note)}</p>"]
    for compiler in dict.fromkeys(cell.compiler for cell in cells):
        rows = ahead.rows_of(best, compiler)
        if rows:
            parts += [f"<h2>Who is ahead where: {html.escape(compiler)}</h2>",
                      "<p>A library's time by Terrane's, minima over the rounds: above 1 Terrane "
                      "is ahead. In brackets: problems in the mean.</p>", table(rows)]
    for problem in dict.fromkeys(cell.problem for cell in cells):
        task = PROBLEMS[problem]["task"]
        parts.append(f"<h2>{problem}: ns for each {task}</h2><div class=plots>")
        parts += [plot(best, problem, workers) for workers in (1, 2)]
        parts.append("</div>")
    path.write_text(f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}</title>"
                    f"<style>{STYLE}</style>\n" + "\n".join(parts) + "\n")


def table(rows):
    head, *body = rows
    shown = ["<tr>" + "".join(f"<th>{html.escape(text)}</th>" for text in head) + "</tr>"]
    for row in body:
        shown.append("<tr>" + "".join(cell(text) for text in row) + "</tr>")
    return "<table>\n" + "\n".join(shown) + "\n</table>"


def cell(text):
    number = text.split(" ")[0]
    behind = "." in number and float(number) < 1
    return f"<td class=less>{text}</td>" if behind else f"<td>{html.escape(text)}</td>"


def plot(best, problem, workers):
    """Bars, the shortest first; the longest is as long as the plot is wide."""
    bars = sorted((ns, library, compiler) for (name, count, library, compiler), ns in best.items()
                  if (name, count) == (problem, workers))
    if not bars:
        return ""
    scale = BAR / bars[-1][0]
    drawn = [f"<text x=0 y=14 font-weight=bold>{workers} worker{'s' * (workers > 1)}</text>"]
    for i, (ns, library, compiler) in enumerate(bars):
        y = (i + 1) * ROW
        colour = TWIN if library == "sequential" else OURS if library in ahead.OWN else PEER
        drawn.append(
            f"<text x=0 y={y + 14}>{html.escape(library)} <tspan fill='#777'>"
            f"{html.escape(compiler)}</tspan></text>"
            f"<rect x={LABEL} y={y + 3} width={max(1, ns * scale):.1f} height={ROW - 6} "
            f"fill='{colour}'/><text x={LABEL + ns * scale + 4:.1f} y={y + 14}>{ns:.3g}</text>")
    return (f"<svg width={LABEL + BAR + 60} height={(len(bars) + 1) * ROW + 6} role=img>"
            + "".join(drawn) + "</svg>")
