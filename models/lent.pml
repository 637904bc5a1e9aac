// SPDX-License-Identifier: Apache-2.0
// lent.pml: data that a thread lends, and renews, while two nodes read copies of a block
// (terrane/thread/lent_desk.hpp). Run by models/run.
//
// Checked     Whoever reads gets nothing older than the last renewal that has returned; nobody waits
//             for ever (no invalid end state); no copy is left when the loan has ended.
// Bounds      READERS nodes of two processors: a notice and a block come over different ones, so
//             they keep no common order. Each node reads READS times; the owner renews RENEWALS times.
// Planted     BUG_LATE   a block that was under way when its copy was dropped is kept
//             BUG_HASTY  renew() does not wait for the nodes' answers
#ifndef READERS
#define READERS 2
#endif
#ifndef READS
#define READS 3
#endif
#ifndef RENEWALS
#define RENEWALS 2
#endif

chan ask = [4] of { byte };                       // node
chan block[READERS] = [2] of { byte, byte };      // version, value
chan notice[READERS] = [4] of { byte, bool };     // version, whether the loan has ended

byte value = 1, version = 1, renewed = 1, answers, reading = READERS;
bool asked[READERS], known[READERS], has[READERS], waits[READERS];  // known: to the home
byte copy[READERS], copy_version[READERS];
bool over[READERS];

inline learn(n, v) {
  if
  :: v > copy_version[n] -> copy_version[n] = v; has[n] = false; copy[n] = 0
  :: else
  fi
}

proctype reader(byte n) {
  byte left = READS;
  do
  :: atomic { left > 0 && has[n] -> assert(copy[n] >= renewed); left-- }
  :: atomic { left > 0 && !has[n] -> waits[n] = true; ask!n };
     !waits[n]
  :: left == 0 -> break
  od;
  reading--
}

/// The processors of a node: what arrives.
proctype desk(byte n) {
  byte v, x;
  bool over_now;
end:
  do
  :: atomic { block[n]?v, x ->
#ifdef BUG_LATE
       has[n] = true; copy[n] = x;
#else
       learn(n, v);
       if
       :: v == copy_version[n] -> has[n] = true; copy[n] = x
       :: else  // who waits asks again
       fi;
#endif
       waits[n] = false; v = 0; x = 0 }
  :: atomic { notice[n]?v, over_now ->
       learn(n, v);
       if
       :: over_now -> over[n] = true; has[n] = false; copy[n] = 0
       :: else
       fi;
       answers--; v = 0; over_now = false }
  od
}

proctype home() {
  byte n;
end:
  do
  :: atomic { ask?n -> known[n] = true; block[n]!version, value; n = 0 }
  od
}

inline tell_readers(last) {
  i = 0;
  do
  :: i < READERS && known[i] -> answers++; notice[i]!version, last; i++
  :: i < READERS && !known[i] -> i++
  :: i == READERS -> i = 0; break
  od
}

proctype owner() {
  byte left = RENEWALS, i;
  do
  :: left > 0 ->
     value++;
     atomic { version++; tell_readers(false) };
#ifndef BUG_HASTY
     answers == 0;
#endif
     atomic { renewed = value; left-- }
  :: left == 0 -> break
  od;
  reading == 0;  // the par has ended
  atomic { tell_readers(true) };
  answers == 0;
  for (i : 0 .. READERS - 1) { assert(!has[i] && (over[i] || !known[i])) }
}

init {
  atomic {
    byte i;
    for (i : 0 .. READERS - 1) { run reader(i); run desk(i) }
    run home(); run owner()
  }
}
