// SPDX-License-Identifier: Apache-2.0
// quiescence.pml: when the machine is quiet, where tokens in pools are on a wire
// (terrane/core/quiescence.md). Run by models/run.
//
// Checked     Quiet is announced only if nobody is busy, and nothing is in a message or a pool; it
//             is announced at last (no invalid end state).
// Bounds      Three processors, one a node, with a pool each; WORK messages and tokens in all.
//             Balancers move tokens from pool to pool uncounted, also when no processor runs.
// Planted     BUG_WHITE  a receipt does not blacken the processor
//             BUG_FREE   a token that is put into a pool does not count as sent
#define P 3
#ifndef WORK
#define WORK 4
#endif

byte wire[P];       // messages under way to it
byte pool[P];       // tokens in the pool of its node
bool busy[P], black[P];
short balance[P];
byte left = WORK;
bool quiet;

byte probe_at;      // who holds it
bool probe_black, begun;
short probe_balance;

inline received(n) {
  balance[n]--;
#ifndef BUG_WHITE
  black[n] = true;
#endif
  busy[n] = true
}

/// Passive, and about to sleep.
inline passive(n) {
  if
  :: n == 0 && begun && !black[0] && !probe_black && probe_balance + balance[0] == 0 ->
     quiet = true;
     assert(!busy[0] && !busy[1] && !busy[2] && wire[0] + wire[1] + wire[2] == 0 &&
            pool[0] + pool[1] + pool[2] == 0)
  :: n == 0 && !(begun && !black[0] && !probe_black && probe_balance + balance[0] == 0) ->
     black[0] = false; begun = true; probe_balance = 0; probe_black = false; probe_at = 1
  :: n != 0 ->
     probe_balance = probe_balance + balance[n];
     probe_black = probe_black || black[n];
     black[n] = false; probe_at = (n + 1) % P
  fi
}

proctype processor(byte n) {
  byte to;
  do
  :: atomic { busy[n] && left > 0 -> left--; balance[n]++; select (to : 0 .. P - 1); wire[to]++; to = 0 }
#ifdef BUG_FREE
  :: atomic { busy[n] && left > 0 -> left--; pool[n]++ }
#else
  :: atomic { busy[n] && left > 0 -> left--; balance[n]++; pool[n]++ }
#endif
  :: atomic { busy[n] -> busy[n] = false }
  :: atomic { wire[n] > 0 -> wire[n]--; received(n) }
  :: atomic { pool[n] > 0 -> pool[n]--; received(n) }
  :: atomic { !busy[n] && probe_at == n && wire[n] == 0 && pool[n] == 0 && !quiet -> passive(n) }
  :: quiet -> break
  od
}

/// Moves tokens of any pool to any other, as third parties do.
proctype balancer() {
  byte from, to;
  do
  :: atomic { if
       :: pool[0] > 0 -> from = 0
       :: pool[1] > 0 -> from = 1
       :: pool[2] > 0 -> from = 2
       fi;
       if
       :: to = (from + 1) % P
       :: to = (from + 2) % P
       fi;
       pool[from]--; pool[to]++; from = 0; to = 0 }
  :: quiet -> break
  od
}

init {
  atomic { busy[0] = true; run processor(0); run processor(1); run processor(2); run balancer() }
}
