# SPDX-License-Identifier: Apache-2.0
"""Graphs of activations (generated/graphs.py): compiled, and run on machines of many kinds."""

import random
import sys
import tempfile
from pathlib import Path

from threaded_c import FOLDER, balancers, compile_program, run

sys.path.insert(0, str(FOLDER / "generated"))

from graphs import GraphFile  # noqa: E402


def machine(chance: random.Random) -> tuple[str, ...]:
    world = chance.choice(["local", "sim", "shm"])
    nodes = chance.randint(1, 24 if world == "sim" else 5)
    return ("--world", world, "--nodes", str(nodes), "--processors", str(chance.randint(1, 2)),
            "--balancer", chance.choice(balancers()), "--seed", str(chance.randrange(1000)))


def check_graphs(test, first_seed: int, files: int, each: int) -> None:
    """`each` graphs from each of so many files."""
    for number in range(files):
        chance = random.Random(first_seed + number)
        made = GraphFile(first_seed + number)
        with tempfile.TemporaryDirectory() as folder:
            source, program = Path(folder) / "graphs.tc", Path(folder) / "graphs"
            source.write_text(made.text())
            compile_program(program, str(source), options=(chance.choice(["-O0", "-O1", "-O2"]),))
            for _ in range(each):
                seed, depth, where = chance.getrandbits(48), chance.randint(2, 5), machine(chance)
                with test.subTest(file=first_seed + number, seed=seed, depth=depth,
                                  machine=" ".join(where)):
                    code, said, heard = run(program, str(seed), str(depth),
                                            options=("--stats", "none", *where))
                    test.assertEqual((code, said, heard), (0, f"{made.work(seed, depth)}\n", ""))
