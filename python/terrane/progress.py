# SPDX-License-Identifier: Apache-2.0
"""How far several runs are: a bar in a notebook or a terminal."""

from __future__ import annotations

import sys
import time


class progress_of:
    """A context that gives step(n), for so many steps: a bar in a notebook (tqdm) or a terminal,
    and nothing elsewhere. show: a stream, or None for nothing."""

    def __init__(self, whole, show):
        self.whole, self.done, self.show, self.bar = whole, 0, show, None
        self.started = time.monotonic()
        if show is None:
            return
        if in_notebook():
            try:
                from tqdm.auto import tqdm
                self.bar = tqdm(total=whole, unit="run")
            except ImportError:
                pass

    def __enter__(self):
        return self.step

    def step(self, count):
        self.done += count
        if self.bar is not None:
            self.bar.update(count)
        elif self.show is not None and self.show.isatty():
            bar = "#" * (40 * self.done // max(1, self.whole))
            self.show.write(f"\r[{bar:<40}] {self.done}/{self.whole} runs, "
                            f"{time.monotonic() - self.started:.0f} s ")
            self.show.flush()

    def __exit__(self, *_):
        if self.bar is not None:
            self.bar.close()
        elif self.show is not None and self.show.isatty():
            self.show.write("\n")


def in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"
