// SPDX-License-Identifier: Apache-2.0
// gathering_programs.hpp: programs that use reductions and barriers from every processor and know
// the right answer. Each root gets the place for its answer, a long.
#pragma once

#include "terrane/terrane.hpp"

namespace terrane::object_programs {

// --- rounds of a reduction and a barrier ---

inline constexpr int barrier_rounds = 10;

/// Adds its share, waits for all and for the root, and checks that nobody is a round ahead.
struct member : threaded<member> {
  barrier all;
  reduction<long> sum;
  global<long> summed;  // of the root: rounds
  slot_ref done_at;
  int round = 0;
  long seen = 0;
  slot go = on<&member::look>(1);
  slot known = on<&member::compare>(1);

  step start(barrier the_barrier, reduction<long> the_sum, global<long> rounds_summed,
             slot_ref done_here) {
    all = the_barrier;
    sum = the_sum;
    summed = rounds_summed;
    done_at = done_here;
    return again();
  }
  step again() {
    sum.put(this_processor() + 1);
    all.wait(ref(go));
    return wait;
  }
  step look() {
    get(summed, seen, ref(known));
    return wait;
  }
  step compare() {
    if (seen != ++round) terrane_fail(299, "%ld rounds were summed in round %d", seen, round);
    if (round < barrier_rounds) return again();
    signal(done_at);
    return done;
  }
};

struct rounds_of_all : threaded<rounds_of_all> {
  long* answer;  // rounds whose sum was right
  long right = 0, total = 0, rounds = 0;
  barrier all = barrier::make(static_cast<int>(processors()) + 1);
  slot summed = on<&rounds_of_all::take>(1);
  slot over = on<&rounds_of_all::finish>(static_cast<int>(processors()));
  reduction<long> sum = reduction<long>::make(TERRANE_SUM, static_cast<int>(processors()),
                                              to_global(total), ref(summed));

  step start(long* to) {
    answer = to;
    for (std::uint32_t i = 0; i < processors(); ++i)
      invoke<member>(i, all, sum, to_global(rounds), ref(over));
    return wait;
  }
  step take() {
    const long n = processors();
    right += total == n * (n + 1) / 2;
    ++rounds;
    all.wait({});  // the last to come
    return wait;
  }
  step finish() {
    all.free();
    sum.free();
    *answer = right;
    return done;
  }
};

// --- a barrier whose members come from another processor each round ---

/// One member in one round: announces that it will arrive, arrives, and then checks that all
/// members had announced.
struct wanderer : threaded<wanderer> {
  barrier all;
  global<std::int64_t> calls;
  int round;
  std::uint32_t number;
  slot_ref over;
  std::int64_t seen = 0;
  slot said = on<&wanderer::come>(1);
  slot go = on<&wanderer::look>(1);
  slot known = on<&wanderer::move_on>(1);

  step start(barrier the_barrier, global<std::int64_t> the_calls, int this_round,
             std::uint32_t my_number, slot_ref over_here) {
    all = the_barrier;
    calls = the_calls;
    round = this_round;
    number = my_number;
    over = over_here;
    atomic_add(1, calls, ref(said));
    return wait;
  }
  step come() {
    all.wait(ref(go));
    return wait;
  }
  step look() {
    get(calls, seen, ref(known));
    return wait;
  }
  step move_on() {
    const std::int64_t members = 2 * processors() + 1;
    if (seen < members * (round + 1) || seen > members * (round + 2))
      terrane_fail(299, "%ld calls were made when round %d was over", static_cast<long>(seen),
                   round);
    if (round + 1 == barrier_rounds) {
      signal(over);
      return done;
    }
    // Elsewhere; in every third round all crowd at one place, in others they keep theirs.
    const std::uint32_t next = round % 3 == 0   ? static_cast<std::uint32_t>(round)
                               : round % 3 == 1 ? number * 5 + static_cast<std::uint32_t>(round)
                                                : this_processor();
    invoke<wanderer>(next % processors(), all, calls, round + 1, number, over);
    return done;
  }
};

struct wanderers : threaded<wanderers> {
  long* answer;  // calls in all
  std::int64_t calls = 0;
  int members = 2 * static_cast<int>(processors()) + 1;
  barrier all = barrier::make(members);
  slot over = on<&wanderers::finish>(members);

  step start(long* to) {
    answer = to;
    for (int i = 0; i < members; ++i)
      invoke<wanderer>(static_cast<std::uint32_t>(i) % processors(), all, to_global(calls), 0,
                       static_cast<std::uint32_t>(i), ref(over));
    return wait;
  }
  step finish() {
    all.free();
    *answer = calls;
    return done;
  }
};

/// One member in one round that loses no time: where it goes, the end of the last round may come
/// after it.
struct darter : threaded<darter> {
  barrier all;
  int round;
  std::uint32_t number;
  slot_ref over;
  slot go = on<&darter::move_on>(1);

  step start(barrier the_barrier, int this_round, std::uint32_t my_number, slot_ref over_here) {
    all = the_barrier;
    round = this_round;
    number = my_number;
    over = over_here;
    all.wait(ref(go));
    return wait;
  }
  step move_on() {
    if (round + 1 == barrier_rounds) {
      signal(over);
      return done;
    }
    // The lower half of the members, or the upper one, crowd on one of the last processors.
    const bool crowd = (number < processors() / 2) == (round % 2 == 0);
    const std::uint32_t next =
        crowd ? processors() - 1 - static_cast<std::uint32_t>(round) % 3 : number;
    invoke<darter>(next % processors(), all, round + 1, number, over);
    return done;
  }
};

struct darters : threaded<darters> {
  long* answer;
  barrier all = barrier::make(static_cast<int>(processors()));
  slot over = on<&darters::finish>(static_cast<int>(processors()));

  step start(long* to) {
    answer = to;
    for (std::uint32_t i = 0; i < processors(); ++i) invoke<darter>(i, all, 0, i, ref(over));
    return wait;
  }
  step finish() {
    all.free();
    *answer = 1;
    return done;
  }
};

// --- a reduction that nobody waits for: contributions meet the ends of rounds anywhere ---

inline constexpr int values_each = 60;

struct streamer : threaded<streamer> {
  step start(reduction<long> ones, reduction<long> all) {
    for (int i = 0; i < values_each; ++i) {
      ones.put(1);
      all.put(this_processor() * values_each + i);
    }
    return done;
  }
};

struct streams : threaded<streams> {
  long* answer;  // the sum of all
  static constexpr int a_round = 20;
  int values = values_each * static_cast<int>(processors());
  long count = 0, sum = 0;
  slot over = on<&streams::finish>(values / a_round + 1);
  reduction<long> ones = reduction<long>::make(TERRANE_SUM, a_round, to_global(count), ref(over));
  reduction<long> all = reduction<long>::make(TERRANE_SUM, values, to_global(sum), ref(over));

  step start(long* to) {
    answer = to;
    for (std::uint32_t i = 0; i < processors(); ++i) invoke<streamer>(i, ones, all);
    return wait;
  }
  step finish() {
    ones.free();
    all.free();
    *answer = count == a_round ? sum : -1;
    return done;
  }
};

}  // namespace terrane::object_programs
