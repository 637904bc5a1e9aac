// SPDX-License-Identifier: Apache-2.0
// ends.pml: two ends of a channel that move among three nodes while items are handed over
// (terrane/thread/channel_protocol.md). Run by models/run.
//
// Checked     Each item comes once and in order; a msg finds its receiver; both threads end (no
//             invalid end state).
// Bounds      ITEMS items; the ends move SENDER_MOVES and RECEIVER_MOVES times, at any time; the receiver
//             enters CHOICES choices that it may leave without a receive. Messages between two nodes
//             keep their order; those of different pairs do not.
// Planted     BUG_STALE    who waits does not answer news of an item that is over
//             BUG_BACK     news of an earlier item replaces that of a later one
//             BUG_OVERTAKE a local item does not wait for the msg that is under way
//             BUG_LEFT     the state of an end stays behind when it moves
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef SENDER_MOVES
#define SENDER_MOVES 1
#endif
#ifndef RECEIVER_MOVES
#define RECEIVER_MOVES 1
#endif
#ifndef CHOICES
#define CHOICES 1
#endif

#define NODES 3
#define HOME 0
#define S 0
#define R 1
#define ADVERT 0
#define FOCUS 1
#define RTR 2
#define CLOSED 3
#define MSG 4
#define BYE 5

// what, item, stay of the sender (node, move), stay that it was aimed at (node, move), to which end
chan net[9] = [8] of { byte, byte, byte, byte, byte, byte, byte };

// of each end: its half, and the table's entry
byte at[2], move[2], partner_at[2], partner_move[2], count[2], offered[2], told[2], ends_at[2];
bool used[2], announced[2], waits[2], gone[2];
// of each end: what the home knows, and the news that it holds
byte last_at[2], last_move[2];
bool held[2];
byte h_what[2], h_count[2], h_from[2], h_from_move[2], h_aimed_move[2];

#ifdef BUG_STALE
#define is_answered (current || what == ADVERT)
#else
#define is_answered true
#endif
#define live(e, n) (!gone[e] && used[e] && at[e] == n)
#define at_end(e) (ends_at[e] != 0 && (e == S || ends_at[e] == count[e] + 1))

inline post(me, to_node, what, c, f, fm, a, am, to) { net[me * NODES + to_node]!what, c, f, fm, a, am, to }

inline tell(me, what, e) {
  announced[e] = true;
  told[e] = partner_move[e];
  if
  :: partner_move[e] != 0 -> post(me, partner_at[e], what, count[e], at[e], move[e], partner_at[e], partner_move[e], 1 - e)
  :: else -> post(me, HOME, what, count[e], at[e], move[e], 0, 0, 1 - e)
  fi
}

inline learn(e, n, m) {
  if
  :: m > partner_move[e] -> partner_at[e] = n; partner_move[e] = m
  :: else
  fi
}

// The end is used on this node: the first use of a stay.
inline use(e) {
  if
  :: !used[e] ->
     used[e] = true; move[e]++; announced[e] = false;
#ifdef BUG_LEFT
     count[e] = 0;
#endif
  :: else
  fi
}

inline absorb(n) {
  learn(to, f, fm);
  if
  :: what == CLOSED ->
     ends_at[to] = c + 1;
     if
     :: waits[to] && at_end(to) -> waits[to] = false
     :: else
     fi
  :: else ->
#ifdef BUG_BACK
     current = c >= count[to];
#else
     current = c >= count[to] && c + 1 >= offered[to];
#endif
     if
     :: current && what != ADVERT -> offered[to] = c + 1
     :: else
     fi;
     if
     :: !waits[to]
     :: waits[to] && to == S && offered[S] == count[S] + 1 ->
        post(n, partner_at[S], MSG, count[S], 0, 0, 0, 0, R);
        count[S]++; waits[S] = false
     :: waits[to] && !(to == S && offered[S] == count[S] + 1) && told[to] != partner_move[to] &&
        is_answered ->
        if
        :: to == S -> tell(n, FOCUS, S)
        :: else -> tell(n, RTR, R)
        fi
     :: else
     fi
  fi
}

inline route() {
  s = 1 - to;
  if
  :: fm > last_move[s] -> last_at[s] = f; last_move[s] = fm
  :: else
  fi;
  due = held[s] && last_move[s] > h_aimed_move[s] && !gone[s];
  if
  :: gone[to]
  :: !gone[to] && last_move[to] > am -> post(HOME, last_at[to], what, c, f, fm, last_at[to], last_move[to], to)
  :: else ->
     if
     :: !held[to] || what == CLOSED ||
        (h_what[to] != CLOSED && (fm > h_from_move[to] || (fm == h_from_move[to] &&
        (c > h_count[to] || (c == h_count[to] && what >= h_what[to]))))) ->
        h_what[to] = what; h_count[to] = c; h_from[to] = f; h_from_move[to] = fm; h_aimed_move[to] = am
     :: else
     fi;
     held[to] = true
  fi;
  if
  :: due ->
     held[s] = false;
     post(HOME, last_at[s], h_what[s], h_count[s], h_from[s], h_from_move[s], last_at[s], last_move[s], s)
  :: else
  fi
}

inline take(n, i) {
  net[i * NODES + n]?what, c, f, fm, a, am, to;
  if
  :: what == MSG ->
     assert(live(R, n) && waits[R] && count[R] == c);
     count[R]++; waits[R] = false
  :: what == BYE ->  // at home: the sender has closed, and knew that stay of the receiver
     what = CLOSED;
     if
     :: am > last_move[R] -> last_at[R] = a; last_move[R] = am
     :: else
     fi;
     am = 0;
     if
     :: live(R, n) -> absorb(n)
     :: else -> route()
     fi
  :: what < MSG && live(to, n) -> absorb(n)
  :: what < MSG && !live(to, n) && n != HOME -> post(n, HOME, what, c, f, fm, a, am, to)
  :: what < MSG && !live(to, n) && n == HOME -> route()
  fi;
  what = 0; c = 0; f = 0; fm = 0; a = 0; am = 0; to = 0; s = 0; due = false; current = false
}

proctype node(byte n) {
  byte what, c, f, fm, a, am, to, s;
  bool due, current;
end:
  do
  :: atomic { nempty(net[0 * NODES + n]) -> take(n, 0) }
  :: atomic { nempty(net[1 * NODES + n]) -> take(n, 1) }
  :: atomic { nempty(net[2 * NODES + n]) -> take(n, 2) }
  od
}

// Leaves for any other node; nobody knows for which.
inline leave(e) {
  used[e] = false;
  if
  :: at[e] = (at[e] + 1) % NODES
  :: at[e] = (at[e] + 2) % NODES
  fi;
  moves++
}

proctype sender() {
  byte moves = 0;
  do
  :: atomic { count[S] < ITEMS ->
       use(S);
       if
#ifdef BUG_OVERTAKE
       :: live(R, at[S]) && waits[R] -> assert(count[R] == count[S]);
#else
       :: live(R, at[S]) && waits[R] && count[R] == count[S] ->
#endif
          count[S]++; count[R]++; waits[R] = false
#ifdef BUG_OVERTAKE
       :: live(R, at[S]) && !waits[R] ->
#else
       :: live(R, at[S]) && !(waits[R] && count[R] == count[S]) ->
#endif
          waits[S] = true; told[S] = 0; learn(R, at[S], move[S]); offered[R] = count[S] + 1
       :: !live(R, at[S]) && offered[S] == count[S] + 1 ->
          post(at[S], partner_at[S], MSG, count[S], 0, 0, 0, 0, R);
          count[S]++
       :: !live(R, at[S]) && offered[S] != count[S] + 1 ->
          waits[S] = true; tell(at[S], FOCUS, S)
       fi };
     !waits[S]
  :: atomic { moves < SENDER_MOVES -> leave(S) }
  :: atomic { count[S] == ITEMS ->
       use(S);
       if
       :: live(R, at[S]) ->
          learn(R, at[S], move[S]);
          ends_at[R] = count[S] + 1;
          if
          :: waits[R] && at_end(R) -> waits[R] = false
          :: else
          fi
       :: else -> post(at[S], HOME, BYE, count[S], at[S], move[S], partner_at[S], partner_move[S], R)
       fi;
       gone[S] = true };
     break
  od
}

#define ready (at_end(R) || offered[R] == count[R] + 1 || \
               (live(S, at[R]) && waits[S] && count[S] == count[R]))

proctype receiver() {
  byte moves = 0, choices = 0;
  do
  :: atomic { true ->
       use(R);
       if
       :: live(S, at[R]) && waits[S] && count[S] == count[R] ->
          count[S]++; count[R]++; waits[S] = false
       :: !(live(S, at[R]) && waits[S] && count[S] == count[R]) && at_end(R) -> break
       :: !(live(S, at[R]) && waits[S] && count[S] == count[R]) && !at_end(R) ->
          waits[R] = true; told[R] = 0;
          if
          :: offered[R] != count[R] + 1 && live(S, at[R]) ->
             learn(S, at[R], move[R]); offered[S] = count[R] + 1
          :: else -> tell(at[R], RTR, R)
          fi
       fi };
     !waits[R]
  :: atomic { choices < CHOICES ->
       choices++;
       use(R);
       if
       :: live(S, at[R]) -> learn(S, at[R], move[R])
       :: !live(S, at[R]) && !announced[R] -> tell(at[R], ADVERT, R)
       :: else
       fi };
     if
     :: true -> ready  // without a time it waits for ever
     :: skip   // its time is up
     fi
  :: atomic { moves < RECEIVER_MOVES -> leave(R) }
  od;
  assert(count[R] == ITEMS);
  gone[R] = true
}

init {
  atomic {
    at[S] = SENDER_AT; at[R] = RECEIVER_AT;
    run node(0); run node(1); run node(2); run sender(); run receiver()
  }
}
