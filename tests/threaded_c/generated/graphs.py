# SPDX-License-Identifier: Apache-2.0
"""Random graphs of activations in Threaded-C whose frames are full of names of slots.

A file has functions with frames of random sizes; which start which, and who signals whom, the
program decides by an argument, its seed. An activation hands out the names of its fibers' slots,
once for each signal that it waits for; whoever holds a name signals it, keeps it for later or hands
it to a child. All that a frame keeps is compared with what was written whenever a fiber runs.

    python3 graphs.py SEED      prints the file of that seed
"""

import random
import sys

WORD = (1 << 64) - 1
CHILDREN, SIGNALS, ROOM = 3, 3, 6

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { SPTR of[6]; int count; } bag;

static unsigned long roll( unsigned long *dice )
{
    *dice = *dice * 6364136223846793005ul + 1442695040888963407ul;
    return *dice >> 33;
}
static unsigned long added_up( const SPTR *kept, int count )
{
    unsigned long all = 1, word;
    for (int i = 0; i < count; ++i) {
        memcpy( &word, &kept[i], sizeof word );
        all = (all ^ word) * 11400714819323198485ul + i;
    }
    return all;
}
static void expect( unsigned long sum, const SPTR *kept, int count )
{
    if (sum == added_up( kept, count )) return;
    printf( "names that a frame keeps were overwritten\\n" );
    exit( 1 );
}
"""

ECHO = """
THREADED echo{number}( SPTR to, SPTR other )
{{
    SPTR kept[{size}];
    unsigned long sum;
    for (int i = 0; i < {size}; ++i) kept[i] = i % 2 ? to : other;
    sum = added_up( kept, {size} );
    SYNC( to );
    expect( sum, kept, {size} );
    TERMINATE;
}}
"""

VERTEX_HEAD = "THREADED vertex{number}( unsigned long seed, int depth, bag given, " \
              "unsigned long *GLOBAL out, SPTR done )"

VERTEX = """
{head}
{{
    SPTR kept[{size}];
    unsigned long answers[3], dice, sum, work, seeds[3];
    int parts = 2, plain, echoes, children = 0, which[3], invoked[3], later[{size}], laters = 0;
    SPTR owed[9];
    bag bags[3];
    int count = 0;

    dice = seed;
    plain = 1 + roll( &dice ) % 3;
    echoes = 1 + roll( &dice ) % 2;
    if (depth > 0) children = 1 + roll( &dice ) % 3;
    work = 1 + plain + echoes;
    for (int i = 0; i < children; ++i) {{
        seeds[i] = roll( &dice );
        which[i] = roll( &dice ) % {vertices};
        invoked[i] = roll( &dice ) % 2;
        bags[i].count = 0;
    }}
    INIT_SYNC( PLAIN, plain, 0 );
    INIT_SYNC( ECHOED, echoes, 0 );
    if (children > 0) {{ INIT_SYNC( ANSWERED, children, 0 ); ++parts; }}

    for (int i = 0; i < given.count; ++i) owed[count++] = given.of[i];
    for (int i = 0; i < plain; ++i) owed[count++] = TO_SPTR( PLAIN );
    for (int i = 0; i < {size}; ++i) kept[i] = owed[i % count];
    sum = added_up( kept, {size} );
    for (int i = 0; i < count; ++i) {{
        int way = roll( &dice ) % 4, to = children > 0 ? roll( &dice ) % children : 0;
        if (way == 1 && i < {size}) later[laters++] = i;
        else if (way > 1 && children > 0 && bags[to].count < 6)
            bags[to].of[bags[to].count++] = owed[i];
        else SYNC( owed[i] );
    }}
    for (int i = 0; i < echoes; ++i) {{
        int node = roll( &dice ) % NUM_NODES;
        switch (roll( &dice ) % {echoes}) {{
{start_echo}
        }}
    }}
    for (int i = 0; i < children; ++i) {{
        int node = roll( &dice ) % NUM_NODES;
        switch (2 * which[i] + invoked[i]) {{
{start_vertex}
        }}
    }}

    FIBER PLAIN {{ SYNC( PART ); }}
    FIBER ECHOED {{
        expect( sum, kept, {size} );
        for (int i = 0; i < laters; ++i) SYNC( kept[later[i]] );
        SYNC( PART );
    }}
    FIBER ANSWERED {{
        for (int i = 0; i < children; ++i) work += answers[i];
        SYNC( PART );
    }}
    FIBER PART <* 1, 1 *> {{
        expect( sum, kept, {size} );
        if (--parts == 0) {{
            PUT_SYNC( work, out, done );
            TERMINATE;
        }}
    }}
}}
"""

MAIN = """
THREADED MAIN( int argc, char **argv )
{
    unsigned long work;
    bag none;
    none.count = 0;
    TOKEN( vertex0, strtoul( argv[1], 0, 10 ), atoi( argv[2] ), none, TO_GLOBAL(&work),
           TO_SPTR(DONE) );
    FIBER DONE <* 1 *> { printf( "%lu\\n", work ); TERMINATE; }
}
"""


class GraphFile:
    """Functions whose frames have sizes of that seed."""

    def __init__(self, seed):
        chance = random.Random(seed)
        sizes = [1, 2, 5, 8, 13, 21, 40, 90, 200]
        self.echoes = chance.sample(sizes, 4)
        self.vertices = chance.sample(sizes, 5)

    def text(self):
        to_echo = [f"        case {n}: INVOKE( node, echo{n}, TO_SPTR(ECHOED), owed[0] ); break;"
                   for n in range(len(self.echoes))]
        values = "seeds[i], depth - 1, bags[i], TO_GLOBAL(&answers[i]), TO_SPTR(ANSWERED)"
        to_vertex = [f"        case {2 * n}: TOKEN( vertex{n}, {values} ); break;\n"
                     f"        case {2 * n + 1}: INVOKE( node, vertex{n}, {values} ); break;"
                     for n in range(len(self.vertices))]
        heads = [VERTEX_HEAD.format(number=n) for n in range(len(self.vertices))]
        parts = [HEAD, *(head + ";\n" for head in heads)]
        parts += [ECHO.format(number=n, size=size) for n, size in enumerate(self.echoes)]
        parts += [VERTEX.format(head=heads[n], size=size, echoes=len(self.echoes),
                                vertices=len(self.vertices), start_echo="\n".join(to_echo),
                                start_vertex="\n".join(to_vertex))
                  for n, size in enumerate(self.vertices)]
        return "".join([*parts, MAIN])

    def work(self, seed, depth):
        """What the program says: activations and signals of the whole graph."""
        dice = seed

        def roll():
            nonlocal dice
            dice = (dice * 6364136223846793005 + 1442695040888963407) & WORD
            return dice >> 33

        plain, echoes = 1 + roll() % SIGNALS, 1 + roll() % 2
        children = 1 + roll() % CHILDREN if depth > 0 else 0
        work = 1 + plain + echoes
        for _ in range(children):
            child = roll()
            roll(), roll()
            work += self.work(child, depth - 1)
        return work


if __name__ == "__main__":
    print(GraphFile(int(sys.argv[1])).text())
