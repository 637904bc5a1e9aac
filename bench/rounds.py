# SPDX-License-Identifier: Apache-2.0
"""rounds.py: what every measurement shares: starting programs, the hop, and the tables.

Invariants  A program that fails ends the whole measurement, with its own words.
"""

import resource
import statistics
import subprocess
import sys

LIMIT_SECONDS = 600


class Failure(Exception):
    """The run cannot go on; the message is a sentence."""


def listed(text):
    return [name.strip() for name in text.split(",") if name.strip()]


def reasons(cells):
    """One line for each skipped cell; cells with the same reason share theirs."""
    names = {}
    for cell in cells:
        if cell.skipped:
            names.setdefault(cell.skipped, []).append(cell.name())
    return [f"{', '.join(who)}: {why}" for why, who in names.items()]


def answer_of(command, shown):
    """The lines that a program printed. It must end well, and in time."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        raise Failure(f"{shown} did not end within {LIMIT_SECONDS} s") from None
    if done.returncode != 0:
        said = " ".join(done.stderr.split()) or "it says nothing"
        raise Failure(f"{shown} failed with status {done.returncode}: {said}")
    return done.stdout.splitlines()


def hop_ns(hop):
    done = subprocess.run([hop], capture_output=True, text=True, timeout=LIMIT_SECONDS)
    return float(done.stdout) if done.returncode == 0 else float("nan")


def preemptions():
    """How often ended children lost their processor while they had work: others ran meanwhile."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_nivcsw


def spread(values):
    digits = 2 if min(values) < 10 else 1
    return f"{min(values):.{digits}f} / {statistics.median(values):.{digits}f}"


def ratio(above, below):
    rounds = [a / b for a, b in zip(above, below)]
    return f"{min(above) / min(below):.2f} / {statistics.median(rounds):.2f}"


def print_table(head, rows):
    rows = [head, *rows]
    widths = [max(len(each[i]) for each in rows) for i in range(len(head))]
    rows.insert(1, tuple("-" * width for width in widths))
    for each in rows:
        print("| " + " | ".join(text.ljust(width) for text, width in zip(each, widths)) + " |")


def machine():
    model = "processor unknown"
    with open("/proc/cpuinfo") as file:
        models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    if models:
        model = models[0]
    return f"{len(models)} x {model}"


def note(text):
    print(text, file=sys.stderr, flush=True)
