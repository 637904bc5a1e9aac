# SPDX-License-Identifier: Apache-2.0
"""Generated programs (generated/): compiled, run on machines of many kinds, and compared with their
sequential reading."""

import random
import sys
import tempfile
from pathlib import Path

from threaded_c import FOLDER, balancers, compile_program, run, statistics

sys.path.insert(0, str(FOLDER / "generated"))

from batch import Batch  # noqa: E402


def machines(chance: random.Random, thorough: bool) -> list[tuple[int, tuple[str, ...]]]:
    """How many nodes, and the options of `terrane run`. Node variables are counted up by every
    activation: a node has one processor."""
    found = []
    for nodes in (1, 2, 4, 7) if thorough else (1, 4):
        found.append((nodes, ("--nodes", str(nodes), "--processors", "1")))
    for nodes in (1, 2, 3, 8, 32) if thorough else (2, 9):
        found.append((nodes, ("--world", "sim", "--nodes", str(nodes), "--seed",
                              str(chance.randrange(1000)))))
    found.append((2, ("--world", "shm", "--nodes", "2", "--processors", "1")))
    return [(nodes, (*options, "--balancer", chance.choice(balancers())))
            for nodes, options in found]


def check_batches(test, first_seed: int, batches: int, each: int, thorough: bool = False) -> None:
    for number in range(batches):
        seed = first_seed + number * each
        batch = Batch(seed, each)
        with tempfile.TemporaryDirectory() as folder, test.subTest(seed=seed):
            source, program = Path(folder) / "batch.tc", Path(folder) / "batch"
            source.write_text(batch.text())
            level = random.Random(seed).choice(["-O0", "-O1", "-O2"]) if thorough else "-O0"
            compile_program(program, str(source), options=(level, "-w"))
            for nodes, options in machines(random.Random(seed), thorough):
                with test.subTest(seed=seed, machine=" ".join(options)):
                    code, said, heard = run(program, options=("--stats", "json", *options))
                    test.assertEqual(code, 0, heard)
                    output, tokens, fibers = batch.read(nodes)
                    counted = statistics(heard)
                    test.assertEqual(said, output)
                    test.assertEqual((counted["tokens_generated"], counted["fibers_executed"]),
                                     (tokens, fibers))
