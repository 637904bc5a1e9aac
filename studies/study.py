#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""terrane study: makes a table or figure of a paper anew, beside the paper's, with verdicts.

A study is a function (report, runner, options) with its question as its docstring, and a line in
STUDIES. What all of them share lies in harness/: see docs/studies.md.
"""

import argparse
import pathlib
import subprocess
import sys

try:
    import s000
    import s000_adaptive
    import s000_figures
    import s003
    import s003_moves
    import s003_programs
except ImportError as missing:
    sys.exit(f"terrane: the studies need {missing.name}: "
             "apt-get install python3-matplotlib python3-pandas")
from harness import runs
from harness.matrix import Options
from harness.report import Report
from harness.runs import Runner

STUDIES = {
    "000_table1": s000.table1, "000_table2": s000.table2, "000_table3": s000.table3,
    "000_table4": s000.table4, "000_table5": s000.table5, "000_fig5": s000_figures.fig5,
    "000_fig6": s000_figures.fig6, "000_fig7": s000_figures.fig7,
    "003_table2": s003.table2, "003_table3": s003_moves.table3, "003_fig4": s003_moves.fig4,
    "003_fig7": s003_programs.fig7, "003_fig8": s003_programs.fig8,
    "003_fig9": s003_programs.fig9, "003_fig10": s003_programs.fig10,
    "003_fig11": s003_programs.fig11, "003_fig12": s003_programs.fig12,
    "adaptive": s000_adaptive.adaptive,
}
NETWORKS = {"003": "myrinet"}  # the machine of each paper; sp2 of the others


def chosen(name):
    """The studies that a name stands for: one, those of a paper by its number, or all."""
    return [each for each in STUDIES if name in ("all", each, each.split("_")[0])]


class OneSentence(argparse.ArgumentParser):
    """Refuses as the command does."""

    def error(self, message):
        self.exit(2, f"terrane: study: {message} (see terrane study --help)\n")


def refused_balancer(name):
    """Why the command does not take that balancer; nothing if it does."""
    done = subprocess.run([runs.TERRANE, "run", "--balancer", name, "fib", "--help"],
                          capture_output=True, text=True, errors="replace", check=False)
    return done.stderr if done.returncode == 2 else ""


def arguments(words):
    parser = OneSentence(
        prog="terrane study", description="Makes a table or figure of a paper anew. "
        "`terrane study list` lists them; 000 makes those of paper 000, all makes every one.")
    parser.add_argument("name", nargs="?", default="list", metavar="NAME")
    parser.add_argument("--world", choices=("sim", "local"), default="sim")
    parser.add_argument("--network", metavar="NAME", help="of world sim (the paper's)")
    parser.add_argument("--seeds", type=int, default=1, metavar="K", help="means over 1 to K")
    parser.add_argument("--quick", action="store_true", help="smaller programs")
    parser.add_argument("--balancer", action="append", default=[], metavar="NAME",
                        help="one more column in 000_table2, such as ./mine.so")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("study-results"),
                        metavar="FOLDER", help="for tables, figures and kept runs "
                        "(study-results)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at a time")
    parser.add_argument("--limit", type=float, default=None, metavar="SECONDS",
                        help="a run that takes longer has no result (120; with --quick 20)")
    given = parser.parse_args(words)
    if given.name != "list" and not chosen(given.name):
        parser.exit(2, f"terrane: there is no study '{given.name}': terrane study list\n")
    if refused := next(filter(None, map(refused_balancer, given.balancer)), ""):
        parser.exit(2, refused)
    if given.seeds < 1 or given.jobs < 1:
        parser.exit(2, "terrane: --seeds and --jobs need a whole number from 1 up\n")
    return given


def main(words):
    given = arguments(words)
    if given.name == "list":
        for name, study in STUDIES.items():
            print(f"{name:<14}{study.__doc__.splitlines()[0]}")
        return 0
    runner = Runner(given.out / "runs", given.jobs, given.limit or (20 if given.quick else 120))
    for name in chosen(given.name):
        network = given.network or NETWORKS.get(name.split("_")[0], "sp2")
        options = Options(given.world, network, given.seeds, given.quick, tuple(given.balancer))
        report = Report(name, STUDIES[name].__doc__.splitlines()[0], given.out, options.label())
        STUDIES[name](report, runner, options)
        print(report.finish())
        print(f"{name}: {given.out}/{name}*.csv, .svg, .png, .txt\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("terrane: interrupted; the same command goes on where it was")
