// SPDX-License-Identifier: Apache-2.0
// barrier.pml: the tree of a barrier's stations, where nobody knows who calls from which node
// (terrane/talk/barrier.md, barrier.cpp). Run by models/run.
//
// Checked     Nobody goes on to a round before all have called in the last; no round hangs (no
//             invalid end state).
// Bounds      Three nodes in a line (the root, its child, the child's child), CALLERS callers that
//             call from any node in each of ROUNDS rounds.
// Planted     BUG_PATIENT   a surplus makes nobody hasty
//             BUG_GENEROUS  a station releases all that it has, not those that are named
#define N 3
#ifndef CALLERS
#define CALLERS 3
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif
#define LOCAL 7

chan calls[N] = [CALLERS] of { byte };             // caller
chan up[N] = [6] of { byte, bool };                // to the parent: arrived, more than expected
chan down[N] = [8] of { byte };                    // from the parent: released; 9: be hasty
chan arrivals[N] = [CALLERS] of { byte };          // each a caller, or LOCAL + 1: one of the child's
bool go[CALLERS];
byte called[CALLERS];                              // rounds in which it has called
byte unsent[N], sent[N], expected[N], here[N], here_expected[N];
bool knows_child[N], hasty[N], children_hasty[N], surplus_below[N], surplus_reported[N];

inline hurry_children(s) {
  if
#ifndef BUG_PATIENT
  :: !children_hasty[s] ->
     children_hasty[s] = true;
     if
     :: knows_child[s] -> down[s + 1]!9
     :: else
     fi
#endif
  :: else
  fi
}

inline release_first(s, count) {
  hasty[s] = false; children_hasty[s] = false; surplus_reported[s] = false; surplus_below[s] = false;
  here_expected[s] = 0; below = 0; left = count;
#ifdef BUG_GENEROUS
  left = len(arrivals[s]);
#endif
  if
  :: s == 0 -> unsent[s] = unsent[s] - left
  :: else -> sent[s] = (sent[s] > left -> sent[s] - left : 0); expected[s] = count
  fi;
  do
  :: left > 0 ->
     arrivals[s]?who; left--;
     if
     :: who < LOCAL -> here_expected[s]++; go[who] = true
     :: else -> below++
     fi
  :: left == 0 -> break
  od;
  here[s] = here[s] - here_expected[s];
  if
  :: knows_child[s] -> down[s + 1]!below
  :: else
  fi;
  below = 0; who = 0
}

inline go_on(s) {
  do
  :: s == 0 && unsent[0] >= expected[0] -> release_first(0, expected[0])
  :: !(s == 0 && unsent[0] >= expected[0]) -> break
  od;
  if
  :: surplus_below[s] || here[s] > here_expected[s] -> hurry_children(s)
  :: else
  fi;
  if
  :: s != 0 ->
     surplus = sent[s] + unsent[s] > expected[s] && !surplus_reported[s];
     if
     :: surplus || (unsent[s] != 0 && (hasty[s] || sent[s] + unsent[s] >= expected[s])) ->
        surplus_reported[s] = surplus_reported[s] || surplus;
        up[s]!unsent[s], surplus;
        sent[s] = sent[s] + unsent[s]; unsent[s] = 0
     :: else
     fi;
     surplus = false
  :: else
  fi
}

proctype station(byte s) {
  byte who, k, below, left;
  bool surplus;
end:
  do
  :: atomic { calls[s]?who -> here[s]++; arrivals[s]!who; unsent[s]++; who = 0; go_on(s) }
  :: atomic { s + 1 < N && nempty(up[s + 1]) ->
       up[s + 1]?k, surplus; knows_child[s] = true;
       surplus_below[s] = surplus_below[s] || surplus; surplus = false;
       do
       :: k > 0 -> arrivals[s]!LOCAL + 1; unsent[s]++; k--
       :: k == 0 -> break
       od;
       go_on(s) }
  :: atomic { down[s]?k ->
       if
       :: k == 9 -> hasty[s] = true; hurry_children(s)
       :: else -> release_first(s, k)
       fi;
       k = 0; go_on(s) }
  od
}

proctype caller(byte c) {
  byte round, at, i;
  for (round : 1 .. ROUNDS) {
    atomic { select (at : 0 .. N - 1); called[c] = round; calls[at]!c; at = 0 };
    atomic {
      go[c] -> go[c] = false;
      for (i : 0 .. CALLERS - 1) { assert(called[i] >= round) };
      i = 0 }
  }
}

init {
  atomic {
    byte i;
    expected[0] = CALLERS;
    for (i : 0 .. N - 1) { run station(i) };
    for (i : 0 .. CALLERS - 1) { run caller(i) }
  }
}
