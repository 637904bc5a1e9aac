# SPDX-License-Identifier: Apache-2.0
"""Several generated programs as one file, which runs one after the other; and what it prints.

    python3 batch.py SEED COUNT      prints the file
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from expressions import Mixed  # noqa: E402
from generator import Program  # noqa: E402
from reading import Machine  # noqa: E402


class Batch:
    """Programs of the seeds seed, seed + 1, ..."""

    def __init__(self, seed, count):
        self.seed = seed
        self.programs = [Program(f"p{i}_", seed + i) for i in range(count)]

    def text(self):
        lines = ["#include <stdio.h>", "", *Mixed.TEXT.splitlines(), ""]
        for each in self.programs:
            lines += each.lines()
        lines += ["THREADED MAIN()", "{", "    unsigned long r = 0;", "    int k = 0;",
                  "    SYNC( NEXT );", "    FIBER NEXT <* 1 *> {", "        switch (k) {"]
        for i, each in enumerate(self.programs):
            lines += [f"        case {i}: INVOKE( NODE_ID, {each.root.name}, TO_GLOBAL(&r), "
                      "TO_SPTR(DONE) ); break;"]
        printed = 'printf( "%d %lu\\n", k++, r );'
        lines += ["        default: TERMINATE;", "        }", "    }",
                  f"    FIBER DONE <* 1 *> {{ {printed} SYNC( NEXT ); }}", "}", ""]
        return "\n".join(lines)

    def read(self, nodes):
        """What it prints, and how many tokens and fibers run, on a machine of so many nodes."""
        output, tokens, fibers = "", 0, 1 + 2 * len(self.programs) + 1
        for number, program in enumerate(self.programs):
            machine = Machine(nodes, [program.hits], [program.total])
            caller = Caller()
            machine.start(program.root, 0, {"out": caller, "done": (caller, "done")})
            machine.run()
            output += f"{number} {caller.result}\n"
            tokens += machine.tokens
            fibers += machine.fibers
        return output, tokens, fibers


class Caller:
    """MAIN, as far as a program sees it: a place for the result, and a slot."""

    def __init__(self):
        self.result, self.slots = None, {"done": CallersSlot()}

    def write(self, value):
        assert self.result is None, "a second result"
        self.result = value


class CallersSlot:
    count, reset = 2, 1


if __name__ == "__main__":
    print(Batch(int(sys.argv[1]), int(sys.argv[2])).text())
