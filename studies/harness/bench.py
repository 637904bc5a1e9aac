# SPDX-License-Identifier: Apache-2.0
"""Runs a benchmark of bench/ for a study that measures this machine."""

import csv
import pathlib
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent.parent / "bench"


def rows_of(name, *words):
    """The rows of the table that bench/NAME/run prints, as dictionaries; why not, if not."""
    script = BENCH / name / "run"
    if not script.exists():
        return f"bench/{name} is not there"
    done = subprocess.run([sys.executable, str(script), *words], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return done.stderr.strip()[-200:] or f"exit {done.returncode}"
    return list(csv.DictReader(line for line in done.stdout.splitlines() if line.count(",") == 3))
