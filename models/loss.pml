// SPDX-License-Identifier: Apache-2.0
// loss.pml: a thread that was sent to a node whose process ends (docs/decisions/0010,
// terrane/thread/traveller.cpp). Run by models/run.
//
// Checked     The thread is live on one node at a time; it is gone only if the node on which it was has
//             ended; else it goes on and reaches its end.
// Bounds      Three nodes that share the stack; node 0 made the thread. It moves MOVES times; nodes 1
//             and 2 may end at any time. What a lost node was sent is never read.
// Planted     BUG_ONCE   the home looks once for threads that were under way to a lost node
//             BUG_LATE   a node that the thread has reached says so only when the thread leaves
#ifndef MOVES
#define MOVES 3
#endif
#define NOWHERE 7
#ifdef BUG_ONCE
#define LOOKS !looked
#else
#define LOOKS true
#endif

chan wire[3] = [8] of { bit };       // news of the thread
byte under_way = NOWHERE, live, moves = MOVES, at_node, heard;
bool lost[3], has[3], ended, gone, looked;

inline send_off(n, to) {
  under_way = to; wire[to]!0
}

proctype node(byte n) {
  byte to;
  do
  :: ended || gone || lost[n] -> break
  // its process ends, with what is there
  :: atomic { n != 0 && !lost[n] && !ended ->
       lost[n] = true;
       if
       :: has[n] -> gone = true; live--; has[n] = false
       :: else
       fi } ; break
  // the thread comes
  :: atomic { !lost[n] && nempty(wire[n]) ->
       wire[n]?_; has[n] = true; live++; at_node = n;
       assert(live == 1);
#ifndef BUG_LATE
       under_way = NOWHERE
#endif
     }
  // it goes: two steps, between which a loss may become known
  :: atomic { has[n] && moves > 0 && !lost[n] ->
       if
       :: to = (n + 1) % 3
       :: to = (n + 2) % 3
       fi;
       has[n] = false; live--; moves--; send_off(n, to); to = 0 }
  :: atomic { has[n] && !lost[n] -> has[n] = false; live--; ended = true }
  od
}

/// The processor that made the thread, at each heartbeat while a node is lost.
proctype home() {
  do
  :: ended || gone -> break
  :: atomic { (lost[1] || lost[2]) && !ended && LOOKS ->
       looked = true;
       if
       :: under_way < 3 && lost[under_way] -> assert(!gone); send_off(0, 0)
       :: else
       fi }
  od
}

init {
  atomic {
    has[0] = true; live = 1;
    run node(0); run node(1); run node(2); run home()
  }
}
