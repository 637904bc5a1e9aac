#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""replay_errors.py: how well `terrane replay` predicts runs on other simulated machines.

Each program is recorded once, on 8 nodes of sp2 with the balancer his. Its replay is compared with
real runs: on the recorded machine, on 32 nodes, and on 8 nodes with each of the ten balancers of
the papers. Times are medians of the same seeds. Prints the table of docs/replay.md.

    python3 bench/replay_errors.py build/bin/terrane
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import tempfile

BALANCERS = ["nop", "minima", "dual", "spn", "shis", "snd", "his", "range", "catapult", "rand"]
PROGRAMS = [["fib", "20"], ["queens", "10", "4"], ["knary", "6", "5", "2"], ["tomcatv", "65", "20"],
            ["tsp", "9"], ["spmd", "4", "4", "0"], ["matmul", "128", "2"], ["paraffins", "20"]]


def machine(nodes, balancer):
    return ["--network", "sp2", "--nodes", str(nodes), "--balancer", balancer]


def real(terrane, program, nodes, balancer, seed, *more):
    done = subprocess.run([terrane, "run", "--world", "sim", *machine(nodes, balancer), "--seed",
                           str(seed), "--stats", "json", *more, *program], capture_output=True,
                          text=True, check=True)
    return json.loads(done.stderr.splitlines()[-1])["elapsed_seconds"]


def replayed(terrane, trace, nodes, balancer, seeds):
    done = subprocess.run([terrane, "replay", trace, *machine(nodes, balancer), "--seed", "1",
                           "--seeds", str(seeds)], capture_output=True, text=True, check=True)
    own = float(re.search(r"replayed there .*, ([+-][0-9.]+) % off", done.stdout)[1])
    return float(re.search(r"  time +([0-9.]+) s", done.stdout)[1]), own


def ranks(values):
    return [sum(other < value for other in values) + (values.count(value) - 1) / 2
            for value in values]


def rank_correlation(first, second):
    return statistics.correlation(ranks(first), ranks(second))


def main():
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("terrane")
    given.add_argument("--seeds", type=int, default=5)
    asked = given.parse_args()
    print("| program | recorded machine | 32 nodes | other balancers: median, most | ranks |")
    print("|---|---|---|---|---|")
    all_32, all_others, all_ranks = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for program in PROGRAMS:
            trace = str(pathlib.Path(folder) / "run.trace")
            real(asked.terrane, program, 8, "his", 1, "--trace", trace, "--events", "graph")

            def both(nodes, balancer):
                truth = statistics.median(real(asked.terrane, program, nodes, balancer, seed)
                                          for seed in range(1, asked.seeds + 1))
                told, own = replayed(asked.terrane, trace, nodes, balancer, asked.seeds)
                return truth, told, own

            truth, told, own = both(32, "his")
            error_32 = 100 * (told / truth - 1)
            seen = {name: both(8, name) for name in BALANCERS}
            errors = [100 * abs(told / truth - 1) for name, (truth, told, _) in seen.items()
                      if name != "his"]
            order = rank_correlation([each[0] for each in seen.values()],
                                     [each[1] for each in seen.values()])
            all_32.append(abs(error_32))
            all_others += errors
            all_ranks.append(order)
            print(f"| `{' '.join(program)}` | {own:+.2f} % | {error_32:+.1f} % | "
                  f"{statistics.median(errors):.1f} %, {max(errors):.1f} % | {order:.2f} |",
                  flush=True)
    print(f"\nmedian error: 32 nodes {statistics.median(all_32):.1f} %, "
          f"other balancers {statistics.median(all_others):.1f} %; "
          f"least rank correlation {min(all_ranks):.2f}")


if __name__ == "__main__":
    main()
