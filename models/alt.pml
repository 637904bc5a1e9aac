// SPDX-License-Identifier: Apache-2.0
// alt.pml: a choice among ends whose guards are withdrawn and set again between waits, and whose
// times run out (terrane/thread/alt.cpp, channel_desk.cpp). Run by models/run.
//
// Checked     What is chosen is enabled and does not wait; every item comes (no invalid end state).
// Bounds      GUARDS senders on other nodes, ITEMS items each; CHANGES changes of a condition; a
//             wait may run out once.
// Planted     BUG_WITHDRAWN  a guard that is withdrawn stays among those that are ready
//             BUG_UNSEEN     a guard that is set again does not look at what was offered meanwhile
#define GUARDS 3
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef CHANGES
#define CHANGES 3
#endif

chan news[GUARDS] = [1] of { bit };  // focus: a sender waits
bool released[GUARDS];               // its item has been received

bool is_on[GUARDS], registered[GUARDS], listed[GUARDS], offered[GUARDS];
byte received[GUARDS];
bool waits, all_registered;
byte changes = CHANGES, times = 1, total;

inline set_ready(g) {
  listed[g] = true;
  waits = false
}

proctype sender(byte g) {
  byte sent = 0;
  do
  :: sent < ITEMS -> news[g]!0; released[g]; atomic { released[g] = false; sent++ }
  :: sent == ITEMS -> break
  od
}

/// The desk of the receiver's processor.
proctype desk() {
  byte g;
end:
  do
  :: atomic {
       if
       :: nempty(news[0]) -> g = 0
       :: nempty(news[1]) -> g = 1
       :: nempty(news[2]) -> g = 2
       fi;
       news[g]?_; offered[g] = true;
       if
       :: registered[g] -> set_ready(g)
       :: else
       fi;
       g = 0 }
  od
}

inline enable(g, condition) {
  is_on[g] = condition;
  if
  :: is_on[g] -> all_registered = false
  :: else ->
     registered[g] = false;
#ifndef BUG_WITHDRAWN
     listed[g] = false
#endif
  fi
}

inline register_all() {
  all_registered = true;
  for (g : 0 .. GUARDS - 1) {
    if
    :: is_on[g] && !registered[g] ->
       registered[g] = true;
#ifndef BUG_UNSEEN
       if
       :: offered[g] -> listed[g] = true
       :: else
       fi
#endif
    :: else
    fi
  }
}

/// Any guard that is ready: fairness and priority choose among these.
inline choose() {
  if
  :: listed[0] -> chosen = 0
  :: listed[1] -> chosen = 1
  :: listed[2] -> chosen = 2
  fi;
  assert(is_on[chosen] && offered[chosen]);
  offered[chosen] = false; listed[chosen] = false;
  released[chosen] = true;
  received[chosen]++; total++;
  assert(received[chosen] <= ITEMS);
  chosen = 0
}

#define some_listed (listed[0] || listed[1] || listed[2])

proctype receiver() {
  byte g, chosen;
  do
  :: total == GUARDS * ITEMS -> break
  :: atomic { changes > 1 && total < GUARDS * ITEMS ->
       select (g : 0 .. GUARDS - 1);
       enable(g, !is_on[g]); changes--; g = 0 }
  :: atomic { changes <= 1 && changes > 0 ->  // in the end all may be chosen
       for (g : 0 .. GUARDS - 1) {
         if
         :: !is_on[g] -> enable(g, true)
         :: else
         fi
       };
       changes = 0; g = 0 }
  :: atomic { changes == 0 && total < GUARDS * ITEMS ->
       if
       :: !all_registered -> register_all()
       :: else
       fi;
       if
       :: some_listed
       :: !some_listed -> waits = true
       fi;
       g = 0 };
     if
     :: atomic { !waits -> choose() }
     :: atomic { waits && times > 0 -> times--; waits = false; if :: some_listed -> choose() :: !some_listed fi }
     fi
  :: atomic { changes > 0 && total < GUARDS * ITEMS ->  // a choice with what is enabled now, and a time
       if
       :: !all_registered -> register_all()
       :: else
       fi;
       if
       :: some_listed -> choose()
       :: !some_listed -> waits = true
       fi;
       g = 0 };
     if
     :: atomic { waits -> waits = false }  // its time is up
     :: atomic { !waits && some_listed -> choose() }
     :: atomic { !waits && !some_listed }
     fi
  od
}

init {
  atomic {
    byte i;
    for (i : 0 .. GUARDS - 1) { is_on[i] = true; run sender(i) };
    run desk(); run receiver()
  }
}
