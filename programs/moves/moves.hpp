// SPDX-License-Identifier: Apache-2.0
// moves.hpp: the program moves: threads that go back and forth, or one after another.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "programs/arguments.hpp"
#include "terrane/core/node.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/migration.hpp"

namespace terrane::programs {

/// The program's own work costs nothing: in world `sim` all time is that of the moves.
constexpr operation moves_step{"moves_step", 0.0};
inline void moves_declared() { charge(moves_step, 0); }

inline double microseconds() { return 1e-3 * static_cast<double>(here().world().now()); }

inline void must_move(migration how) {
  moves_declared();
  if (how == migration::moved) return;
  std::fprintf(stderr, "moves: the thread %s\n", explain(how));
  std::exit(1);
}

inline void join_all(std::vector<thread>& all) {
  for (thread& each : all) {
    each.join();
    moves_declared();
  }
}

[[gnu::noinline]] inline void there_and_back(long times, stack_form form) {
  for (long i = 0; i < times; ++i) {
    must_move(this_thread::push_self(1, form));
    must_move(this_thread::push_self(0, form));
  }
}

/// With so many bytes in use below it, which are there still afterwards.
[[gnu::noinline]] inline void there_and_back_with(std::size_t bytes, long times, stack_form form) {
  auto* const used = static_cast<volatile char*>(__builtin_alloca(bytes + 1));
  for (std::size_t at = 0; at < bytes; at += 64) used[at] = static_cast<char>(at);
  there_and_back(times, form);
  for (std::size_t at = 0; at < bytes; at += 64)
    if (used[at] != static_cast<char>(at)) std::abort();
}

/// Microseconds, one way.
inline double push_latency(std::size_t bytes, long times, stack_form form = stack_form::best) {
  double us = 0;
  double* const answer = &us;
  moves_declared();
  thread::create_migratable({.stack_bytes = std::size_t{4} << 20}, [=] {
    moves_declared();
    there_and_back_with(bytes, times / 10 + 1, form);  // touches the pages first
    const double start = microseconds();
    there_and_back_with(bytes, times, form);
    const double took = microseconds() - start;
    if (here().number != 0) std::abort();
    *answer = took / static_cast<double>(2 * times);
  }).join();
  moves_declared();
  return us;
}

/// The arguments of a thread, which lie on its stack before it begins.
template <std::size_t Bytes>
struct baggage {
  char bytes[Bytes] = {};
};
template <>
struct baggage<0> {};

inline constexpr thread_options with_baggage{.stack_bytes = std::size_t{128} << 10};

/// A thread that moves as so many bytes of arguments, and does nothing.
template <std::size_t Bytes>
thread carrier() {
  return thread::create_migratable(with_baggage, [kept = baggage<Bytes>()] {
    (void)kept;
    moves_declared();
  });
}

/// The time to read the clock once.
inline double reading_the_clock() {
  constexpr int times = 1000;
  const double start = microseconds();
  for (int i = 1; i < times; ++i) static_cast<void>(microseconds());
  return (microseconds() - start) / times;
}

/// Microseconds that a push takes its source, which does not wait for it.
template <std::size_t Bytes>
double push_overhead(long times, stack_form form = stack_form::best) {
  std::vector<thread> all;
  for (long i = 0; i < times; ++i) all.push_back(carrier<Bytes>());
  double spent = 0;
  for (thread& each : all) {
    const double start = microseconds();
    must_move(push_async(each, 1, {}, form));
    spent += microseconds() - start;
  }
  moves_declared();
  join_all(all);
  return std::max(0.0, spent / static_cast<double>(times) - reading_the_clock());
}

/// Makes threads and pushes each at once; returns when all have run there.
template <std::size_t Bytes>
void produce(node_id to, long times) {
  std::vector<thread> all;
  for (long i = 0; i < times; ++i) {
    all.push_back(carrier<Bytes>());
    must_move(push_async(all.back(), to));
  }
  join_all(all);
}

/// Threads a second that reach a node from one source, or from two.
template <std::size_t Bytes>
double push_rate(long times) {
  const double start = microseconds();
  produce<Bytes>(1, times);
  return 1e6 * static_cast<double>(times) / (microseconds() - start);
}
template <std::size_t Bytes>
double push_rate_of_two(long times) {
  thread other = thread::create_migratable(with_baggage, [times] {
    moves_declared();
    produce<Bytes>(2, times);
  });
  const double start = microseconds();
  must_move(push_async(other, 1));
  produce<Bytes>(2, times);
  other.join();
  moves_declared();
  return 2e6 * static_cast<double>(times) / (microseconds() - start);
}

/// Microseconds from asking for a thread to having it. Meanwhile node 0 makes threads, and runs
/// those that nobody takes.
template <std::size_t Bytes>
double steal_latency(long times) {
  volatile double us = 0;
  const auto answer = to_global(const_cast<double&>(us));
  thread thief = thread::create_migratable(with_baggage, [=] {
    moves_declared();
    const double start = microseconds();
    for (long taken = 0; taken < times; moves_declared())
      taken += steal_from(0) == migration::moved;
    put((microseconds() - start) / static_cast<double>(times), answer, {});
  });
  must_move(push_async(thief, 1));
  while (us == 0) {
    carrier<Bytes>().detach();
    this_thread::yield();
    moves_declared();
  }
  thief.join();
  moves_declared();
  return us;
}

template <std::size_t Bytes>
void measure_moves(long times) {
  const auto say = [](const char* what, double value) { std::printf("%s,%.3f\n", what, value); };
  say("push,latency_us", push_latency(Bytes, times));
  say("push,overhead_us", push_overhead<Bytes>(times));
  say("push,per_second", push_rate<Bytes>(times));
  if (terrane_nodes() > 2) say("two sources,per_second", push_rate_of_two<Bytes>(times));
  say("steal,latency_us", steal_latency<Bytes>(times));
}

inline int moves_main(int argc, char** argv) {
  program_arguments given(argc, argv);
  const int kib = given.number("KIB", {.otherwise = 0, .least = 0, .most = 32});
  const int times = given.number("TIMES", {.otherwise = 200, .least = 1, .most = 10'000});
  if (!given.complete()) return 2;
  if (terrane_nodes() < 2) {
    std::fputs("moves: there must be two nodes to move between: --nodes 2\n", stderr);
    return 2;
  }
  constexpr std::size_t unit = 1024;
  switch (kib) {
    case 0: measure_moves<0>(times); break;
    case 1: measure_moves<unit>(times); break;
    case 2: measure_moves<2 * unit>(times); break;
    case 4: measure_moves<4 * unit>(times); break;
    case 8: measure_moves<8 * unit>(times); break;
    case 16: measure_moves<16 * unit>(times); break;
    case 32: measure_moves<32 * unit>(times); break;
    default:
      std::fprintf(stderr, "moves: KIB must be 0, 1, 2, 4, 8, 16 or 32, not %d\n", kib);
      return 2;
  }
  return 0;
}

}  // namespace terrane::programs
