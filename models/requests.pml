// SPDX-License-Identifier: Apache-2.0
// requests.pml: idle nodes that ask others for tokens: round the ring, or by requests that roam and
// are parked (terrane/balance/ring_request.hpp, roaming_request.hpp). Run by models/run.
//
// Checked     No token is lost or doubled; each node has at most one request under way, parked or
//             answered; a node that asks has one (else it would ask never again); all work is done
//             (no invalid end state).
// Bounds      NODES nodes; node 0 begins with TOKENS tokens, each makes at most one more, MADE in all.
//             ROAMS: requests roam. Else they go round the ring.
// Planted     BUG_DROP    a node without tokens forgets the request
//             BUG_DOUBLE  a node that answers also passes the request on
//             BUG_PARK    (ROAMS) a request that was parked is sent on, and stays parked
#define NODES 3
#ifndef TOKENS
#define TOKENS 2
#endif
#ifndef MADE
#define MADE 2
#endif

chan requests[NODES] = [8] of { byte };   // who asks
chan tokens[NODES] = [4] of { byte };     // 1 + for whom
byte load[NODES], under_way[NODES];       // under_way: requests, parked ones, and tokens on their way
bool asking[NODES], busy[NODES], parked[NODES * NODES];
byte made = MADE, to_do = TOKENS;

#ifdef ROAMS
#define NEXT(n) any
#else
#define NEXT(n) ((n + NODES - 1) % NODES)
#endif

inline other(n) {
  if
  :: any = (n + 1) % NODES
  :: any = (n + NODES - 1) % NODES
  fi
}

inline give(n, to) {
  load[n]--; tokens[to]!to
}

proctype node(byte n) {
  byte who, any, i;
  do
  :: to_do == 0 -> break
  // the program
  :: atomic { !busy[n] && load[n] > 0 -> load[n]--; busy[n] = true }
  :: atomic { busy[n] && made > 0 -> made--; to_do++; load[n]++ }
  :: atomic { busy[n] -> busy[n] = false; to_do-- }
  // it is idle
  :: atomic { !busy[n] && load[n] == 0 && !asking[n] && to_do > 0 ->
       asking[n] = true; under_way[n]++; assert(under_way[n] == 1);
       other(n); requests[NEXT(n)]!n; any = 0 }
  // what comes
  :: atomic { requests[n]?who ->
       assert(under_way[who] == 1);
       if
       :: who == n -> asking[n] = false; under_way[n]--
       :: who != n && load[n] > 0 ->
          give(n, who);
#ifdef BUG_DOUBLE
          under_way[who]++; other(n); requests[NEXT(n)]!who
#endif
       :: who != n && load[n] == 0 ->
#ifdef BUG_DROP
          under_way[who]--
#else
#ifdef ROAMS
          parked[n * NODES + who] = true
#else
          requests[NEXT(n)]!who
#endif
#endif
       fi;
       who = 0; any = 0 }
  :: atomic { tokens[n]?_ -> load[n]++; asking[n] = false; under_way[n]-- }
#ifdef ROAMS
  :: atomic { if
       :: parked[n * NODES + 0] -> i = 0
       :: parked[n * NODES + 1] -> i = 1
       :: parked[n * NODES + 2] -> i = 2
       fi;
#ifdef BUG_PARK
       under_way[i]++;
#else
       parked[n * NODES + i] = false;
#endif
       other(n); requests[any]!i; any = 0; i = 0 }
#endif
  :: atomic { to_do > 0 ->  // at any time
       for (i : 0 .. NODES - 1) { assert(!asking[i] || under_way[i] == 1) };
       assert(busy[0] + busy[1] + busy[2] + load[0] + load[1] + load[2] + len(tokens[0]) +
              len(tokens[1]) + len(tokens[2]) == to_do);
       i = 0 }
  od
}

init {
  atomic {
    byte i;
    load[0] = TOKENS;
    for (i : 0 .. NODES - 1) { run node(i) }
  }
}
