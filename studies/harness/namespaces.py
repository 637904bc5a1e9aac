# SPDX-License-Identifier: Apache-2.0
"""Hosts for measured runs of world tcp: network namespaces of this machine, with links shaped to
Fast Ethernet. It takes root, and the sources: tests/cluster/rig.py makes them."""

import json
import os
import pathlib
import sys

from . import runs

CLUSTER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "cluster"
RATE = "100mbit"
SECONDS_MAX = 300


def cores():
    return len(os.sched_getaffinity(0))


def rig_module():
    """tests/cluster/rig.py; a sentence where it is not, or can make no hosts."""
    if not (CLUSTER / "rig.py").is_file():
        return "hosts for measured runs are made by tests/cluster, which is not installed"
    sys.path.insert(0, str(CLUSTER))
    import rig
    return rig.why_not() or rig


def seconds(program, nodes, variants, rounds):
    """{"NODES VARIANT": [seconds, one a round]} of a program, verified against its answer on one
    node. variants: {name: (progress, processors)}. A sentence if it cannot be measured."""
    rig = rig_module()
    if isinstance(rig, str):
        return rig
    names = [f"n{i}" for i in range(max(nodes))]
    path = found(program[0])
    answers, times = set(), {}
    with rig.Rig(names, rate=RATE, daemons=False) as hosts:
        for _ in range(rounds):
            for many in nodes:
                for name, (progress, processors) in variants.items():
                    done = hosts.execute(
                        runs.TERRANE, "run", "--quiet", "--world", "tcp", "--hosts",
                        ",".join(names[:many]), "--launcher", hosts.shell_launcher(), "--progress",
                        progress, "--processors", processors, "--balancer", "rand", "--enough",
                        "all", "--stats", "json", path, *program[1:], timeout=SECONDS_MAX)
                    if done.code != 0:
                        last = (done.err.strip().splitlines() or ["it says nothing"])[-1]
                        return f"{' '.join(program)} on {many} hosts, {name}: {last[:200]}"
                    answers.add(done.out)
                    told = json.loads(done.err.splitlines()[-1])
                    times.setdefault(f"{many} {name}", []).append(told["elapsed_seconds"])
    if len(answers) != 1:
        return f"{' '.join(program)} gave {len(answers)} answers"
    return times


def found(name):
    beside = runs.TERRANE.parent
    return next((each for each in (beside / name, beside / "threaded_c" / name) if each.is_file()),
                name)
