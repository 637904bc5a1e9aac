#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_tree.py DIRECTORY [SEED]: 50 directories with 400 files of log-normal sizes, the same for
the same seed; prints how many of their lines contain `mutex`.

Source: [ACTIVE §8.1] (footnote 7).
"""

import pathlib
import random
import sys

WORDS = "the lock is held while a thread waits for its turn in a queue of others".split()


def make_tree(root: pathlib.Path, seed: int = 1, directories: int = 50, files: int = 400) -> int:
    draw, places, matching = random.Random(seed), [root], 0
    root.mkdir(parents=True)
    for number in range(1, directories):
        place = draw.choice(places) / f"part{number:02}"
        place.mkdir()
        places.append(place)
    for number in range(files):
        lines = []
        for _ in range(max(1, int(draw.lognormvariate(6, 1)))):
            words = draw.choices(WORDS, k=draw.randint(0, 12))
            if draw.random() < 0.01:
                words.insert(draw.randint(0, len(words)), "mutex")
                matching += 1
            lines.append(" ".join(words))
        (draw.choice(places) / f"file{number:03}.c").write_text("\n".join(lines) + "\n")
    return matching


if __name__ == "__main__":
    print(make_tree(pathlib.Path(sys.argv[1]), int((sys.argv + ["1"])[2])))
