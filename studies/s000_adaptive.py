# SPDX-License-Identifier: Apache-2.0
"""Is a balancer that changes policy as good as the best fixed one for each program?"""

import math

import suite
from harness.matrix import seconds


def adaptive(report, runner, options):
    """adaptive against every fixed balancer, on 32 and 256 nodes."""
    fixed = {**suite.DYNAMIC, "Rand resting": "rand:rest=1"}
    for slow in ("Dual", "Shis", "Catapult"):  # never the best
        del fixed[slow]
    programs = [suite.FIB28 if each is suite.FIB else each for each in suite.SUITE]
    for nodes in ((32,) if options.quick else (32, 256)):
        ours = seconds(runner, options, programs, {**fixed, "Adaptive": "adaptive"}, nodes)
        report.needs(ours)
        report.csv(ours, f"_{nodes}")
        report.say(f"{nodes} nodes, seconds")
        report.table(ours.mean())
        whole = ours.mean()
        behind = whole["Adaptive"] / whole[list(fixed)].min(axis=1) - 1
        report.say("behind the best: " + ", ".join(f"{title} {share:+.1%}"
                                                   for title, share in behind.items()))
        frames = ours.frames()
        report.measured(f"adaptive.{nodes}.behind", [
            (frame["Adaptive"] / frame[list(fixed)].min(axis=1)).max() for frame in frames])
        means = [frame.apply(lambda column: math.exp(column.map(math.log).mean()))
                 for frame in frames]
        report.measured(f"adaptive.{nodes}.geometric", [
            each["Adaptive"] / each[list(fixed)].min() for each in means])
