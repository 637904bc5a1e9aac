#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that runs of world sim have the event logs that were recorded, whatever build they are of.

  tests/event_log_hashes.py COMMAND            compares; COMMAND is a build's `terrane`
  tests/event_log_hashes.py --record COMMAND   writes event_log_hashes.txt anew

Record only after a change that is meant to change schedules: what differs for no reason is a bug.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

TABLE = pathlib.Path(__file__).with_name("event_log_hashes.txt")
HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# The event log's hash of a run of world sim, and the run: `terrane run --world sim ...`. Every
# build must come to it. Made by tests/event_log_hashes.py --record.
"""
FAULTS = "delay=0.1,heavy=0.01,reorder=0.05,slow=0.1,pause=0.001,late=0.2"
MACHINES = (
    "--nodes 1 --network sp2 --balancer nop --seed 1",
    "--nodes 4 --network modern --balancer rand --seed 2",
    "--nodes 7 --processors 2 --network beowulf --balancer spn --seed 3",
    "--nodes 32 --network testbed --balancer minima --seed 4",
    "--nodes 32 --network zero --balancer rand --seed 5",
    "--nodes 100 --network myrinet --balancer rand --seed 6",
    "--nodes 16 --network modern --balancer rand --seed 7 --enough 2",
    f"--nodes 16 --network modern --balancer rand --seed 8 --faults {FAULTS}",
    f"--nodes 3 --processors 2 --network sp2 --balancer minima --seed 9 --faults {FAULTS}",
    "--nodes 32 --network sp2 --balancer his --seed 10",
    "--nodes 9 --network sp2 --balancer dual --seed 11",
    "--nodes 32 --network sp2 --balancer adaptive --seed 12",
)
PROGRAMS = ("fib 12", "queens 7 4", "knary 4 3 1", "matmul 24 4", "reduce", "remote_sum",
            "barrier 5")


def hash_of(command: pathlib.Path, run: str) -> str:
    """Of the log of `terrane run --world sim RUN`; ends the script where that fails."""
    words = [command, "run", "--world", "sim", "--stats", "json", *run.split()]
    clean = {name: value for name, value in os.environ.items() if name != "TERRANE_OPTIONS"}
    done = subprocess.run(words, capture_output=True, text=True, timeout=100, env=clean)
    if done.returncode != 0:
        sys.exit(f"terrane run --world sim {run}: exit code {done.returncode}: {done.stderr}")
    statistics = json.loads(done.stderr.splitlines()[-1])
    if not statistics["repeatable"]:
        sys.exit(f"terrane run --world sim {run}: not repeatable, some work was not declared")
    return statistics["event_log_hash"]


def record(command: pathlib.Path) -> None:
    runs = [f"{machine} {program}" for machine in MACHINES for program in PROGRAMS]
    lines = [f"{hash_of(command, run)} {run}\n" for run in runs]
    TABLE.write_text(HEAD + "".join(lines))
    print(f"{TABLE.name}: {len(lines)} runs recorded")


def check(command: pathlib.Path) -> None:
    lines = [line for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    recorded = [line.split(" ", 1) for line in lines]
    wrong = 0
    for known, run in recorded:
        found = hash_of(command, run)
        if found != known:
            wrong += 1
            print(f"terrane run --world sim {run}: its event log's hash is {found}, "
                  f"recorded is {known}")
    if wrong or not recorded:
        sys.exit(f"{wrong} of {len(recorded)} runs differ from {TABLE.name}; if schedules were "
                 "meant to change: python3 tests/event_log_hashes.py --record build/bin/terrane")
    print(f"{len(recorded)} runs as recorded")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", action="store_true", help="write the table anew")
    parser.add_argument("command", type=pathlib.Path, help="a build's `terrane`")
    given = parser.parse_args()
    command = given.command.resolve()
    if not command.is_file():
        parser.error(f"there is no {given.command}: name a build's command, as build/bin/terrane")
    (record if given.record else check)(command)


if __name__ == "__main__":
    main()
