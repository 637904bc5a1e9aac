#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""terrane study: makes a table or figure of a paper anew, beside the paper's, with verdicts.

A study is a function (report, runner, options) with a line in catalogue.py. It reports what it
measured; claims.toml says what is to be measured and when a claim holds. See docs/studies.md.
"""

import argparse
import os
import pathlib
import subprocess
import sys

import catalogue
import listing
from catalogue import STUDIES, chosen
from harness import claims, programs, runs

DEBIAN = "/usr/bin/python3"


def need_packages():
    """The user's own Python if it has what is needed; else Debian's, which may have it."""
    try:
        import matplotlib  # noqa: F401
        import pandas  # noqa: F401
    except ImportError as missing:
        if pathlib.Path(DEBIAN).exists() and "TERRANE_STUDY_PYTHON" not in os.environ:
            os.environ["TERRANE_STUDY_PYTHON"] = sys.executable
            os.execv(DEBIAN, [DEBIAN, *sys.argv])
        sys.exit(f"terrane: the studies need {missing.name}, which {sys.executable} does not have: "
                 "apt-get install python3-matplotlib python3-pandas, or pip install them")


class OneSentence(argparse.ArgumentParser):
    """Refuses as the command does."""

    def error(self, message):
        self.exit(2, f"terrane: study: {message} (see terrane study --help)\n")


def refused_balancer(name):
    """Why the command does not take that balancer; nothing if it does."""
    done = subprocess.run([runs.TERRANE, "run", "--balancer", name, "fib", "--help"],
                          capture_output=True, text=True, errors="replace", check=False)
    return done.stderr if done.returncode == 2 else ""


def parser():
    made = OneSentence(
        prog="terrane study", description="Makes a table or figure of a paper anew. "
        "`terrane study list` lists them; 000 makes those of paper 000, all makes every one. "
        "`terrane study claims [NAME]` prints what is claimed, and the verdicts so far.")
    made.add_argument("name", nargs="?", default="list", metavar="NAME")
    made.add_argument("of", nargs="?", default="all", metavar="NAME", help="of claims: which study")
    made.add_argument("--world", choices=("sim", "local", "tcp"), default="sim",
                      help="tcp: on hosts that are network namespaces of this machine (001 alone)")
    made.add_argument("--network", metavar="NAME", help="of world sim (the paper's)")
    made.add_argument("--seeds", type=int, default=None, metavar="K",
                      help="runs with the seeds 1 to K (20; with --quick 3)")
    made.add_argument("--quick", action="store_true", help="smaller programs, fewer seeds")
    made.add_argument("--balancer", action="append", default=[], metavar="NAME",
                      help="one more column in 000_table2, such as ./mine.so")
    made.add_argument("--out", type=pathlib.Path, default=pathlib.Path("study-results"),
                      metavar="FOLDER", help="for tables, figures and kept runs (study-results)")
    made.add_argument("--archive", type=pathlib.Path, metavar="FOLDER",
                      help="writes there all that the report can be made again from")
    made.add_argument("--from", dest="kept", type=pathlib.Path, metavar="FOLDER",
                      help="makes the report from an archive, without a run")
    made.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N",
                      help="runs at a time (default: the processors of this host)")
    made.add_argument("--limit", type=float, default=None, metavar="SECONDS",
                      help="a run that takes longer has no result (120; with --quick 20)")
    return made


def arguments(words):
    reader = parser()
    given = reader.parse_args(words)
    if given.name not in ("list", "claims") and given.of != "all":
        reader.error(f"unrecognized arguments: {given.of}")
    wanted = given.of if given.name == "claims" else given.name
    if wanted != "list" and not chosen(wanted):
        reader.exit(2, f"terrane: there is no study '{wanted}': terrane study list\n")
    if given.world == "tcp" and any(not each.startswith("001") for each in chosen(wanted)):
        reader.exit(2, "terrane: --world tcp is for the studies of paper 001: terrane study 001\n")
    if (given.seeds is not None and given.seeds < 1) or given.jobs < 1:
        reader.exit(2, "terrane: --seeds and --jobs need a whole number from 1 up\n")
    if given.kept and not (given.kept / "runs.json").is_file():
        reader.exit(2, f"terrane: {given.kept} is no archive of a study: it has no runs.json\n")
    if refused := next(filter(None, map(refused_balancer, given.balancer)), ""):
        reader.exit(2, refused)
    return given


def make(name, given, runner, known, options):
    """One study. False: something was not measured."""
    from harness.report import Report
    study = STUDIES[name]
    report = Report(name, study.question, given.out, known, runner, given.quick,
                    given.world == "sim")
    lacking, why = ([], "") if given.kept else programs.provide(
        study.programs, lambda text: print(text, file=sys.stderr))
    if lacking:
        report.not_measured(f"{', '.join(lacking)} {why}")
    else:
        study.function()(report, runner, options)
    text, verdicts = report.finish()
    print(text)
    print(f"{name}: {given.out}/{name}*.csv, .svg, .png, .txt\n")
    return not any(each.word == "not measured" for each in verdicts)


def main(words):
    given = arguments(words)
    if given.name == "list":
        listing.studies()
        return 0
    known, inputs = claims.load()
    if given.name == "claims":
        listing.claims(known, inputs, given.out, chosen(given.of))
        return 0
    need_packages()
    from harness import archive
    from harness.matrix import QUICK_SEEDS, SEEDS, Options
    limit = given.limit or (20 if given.quick else 120)
    runner = (archive.Kept(given.kept) if given.kept
              else runs.Runner(given.out / "runs", given.jobs, limit))
    whole, seeds_of = True, {}
    for name in chosen(given.name):
        seeds = given.seeds or (QUICK_SEEDS if given.quick else SEEDS)
        if given.kept and not given.seeds:
            seeds = archive.seeds_of(given.kept, name, seeds)
        seeds_of[name] = seeds
        options = Options(given.world, given.network or STUDIES[name].network, seeds,
                          given.quick, tuple(given.balancer))
        whole &= make(name, given, runner, known, options)
    if given.archive:
        beside = [word for word in words if word != given.name]
        archive.write(given.archive, runner, seeds_of, beside, given.out)
    return 0 if whole else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("terrane: interrupted; the same command goes on where it was")
