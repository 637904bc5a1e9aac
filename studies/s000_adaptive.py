# SPDX-License-Identifier: Apache-2.0
"""Is a balancer that changes policy as good as the best fixed one for each program?"""

import math

import suite
from harness.matrix import seconds
from harness.report import numbers


def adaptive(report, runner, options):
    """adaptive against every fixed balancer, on 32 and 256 nodes."""
    fixed = {**suite.DYNAMIC, "Rand resting": "rand:rest=1"}
    for slow in ("Dual", "Shis", "Catapult"):  # never the best
        del fixed[slow]
    programs = [suite.FIB28 if each is suite.FIB else each for each in suite.SUITE]
    for nodes in ((32,) if options.quick else (32, 256)):
        ours, _ = seconds(runner, options, programs, {**fixed, "Adaptive": "adaptive"}, nodes)
        values = numbers(ours)
        report.csv(ours, f"_{nodes}")
        report.say(f"{nodes} nodes, seconds")
        report.table(ours)
        best = values[list(fixed)].min(axis=1)
        behind = (values["Adaptive"] / best - 1).sort_values(ascending=False)
        report.verdict(f"{nodes} nodes: adaptive is never more than 5 % behind the best",
                       behind.max() <= 0.05, ", ".join(
                           f"{title} {share:+.1%}" for title, share in behind.items()))
        means = values.apply(lambda column: math.exp(column.map(math.log).mean()))
        report.verdict(f"{nodes} nodes: adaptive has the best geometric mean",
                       means["Adaptive"] <= means[list(fixed)].min(), ", ".join(
                           f"{name} {value:.4g}" for name, value in means.items()))
