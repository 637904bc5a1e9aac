// SPDX-License-Identifier: Apache-2.0
// synthetic.hpp: the program synthetic: threads that compute, pairs of threads that communicate,
// and pairs that do both.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <vector>

#include "programs/arguments.hpp"
#include "programs/placement.hpp"
#include "programs/testbed_work.hpp"
#include "terrane/thread/channel_end.hpp"
#include "terrane/thread/par.hpp"

namespace terrane::programs {

struct synthetic_options {
  int pairs, computing, mixed;
  int seconds;       // 0: fixed work
  int messages, ms;  // of each pair, and of each thread that computes
};

/// How long a thread goes on: for a time, or so many turns.
class turns {
 public:
  turns(int seconds, int count)
      : until_(seconds != 0 ? terrane_now() + static_cast<std::uint64_t>(seconds) * 1'000'000'000
                            : 0),
        left_(count) {}
  bool next() { return until_ != 0 ? terrane_now() < until_ : left_-- > 0; }

 private:
  const std::uint64_t until_;
  int left_;
};

/// One of a pair. Its message is in its own memory, so that it moves along.
struct communicating {
  synthetic_options of;
  channel_out<unsigned char> out;
  channel_in<unsigned char> in;
  bool sends, computes;

  void operator()() const {
    long_message message{};
    int done = 0;
    for (turns left(of.seconds, of.messages); !sends || left.next(); ++done) {
      if (computes) compute(10);
      if (sends ? !out.send_all(message) : !in.receive_all(message)) break;
      charge(testbed_ms, 0);
      this_thread::yield();
    }
    if (sends) out.close();
    charge(testbed_ms, 0);
    this_thread::exit(sends ? done : 0);
  }
};

struct computing {
  synthetic_options of;
  void operator()() const {
    int done = 0;
    for (turns left(of.seconds, of.ms); left.next(); ++done) {
      compute(1);
      if (done % 20 == 19) this_thread::yield();
    }
    charge(testbed_ms, 0);
    this_thread::exit(done);
  }
};

struct synthetic_outcome {
  std::int64_t messages = 0, ms = 0;
};

inline synthetic_outcome run_synthetic(const synthetic_options& of, const placement& start) {
  par_branches all(static_cast<std::size_t>(2 * (of.pairs + of.mixed) + of.computing));
  std::uint32_t k = 0;
  const auto add_pair = [&](bool computes) {
    const auto made = channel_ends<unsigned char>::make();
    for (const bool sends : {true, false})
      all.add(on(start.node_of(k++), communicating{of, made.out, made.in, sends, computes}));
  };
  for (int i = 0; i < of.pairs; ++i) add_pair(false);
  for (int i = 0; i < of.computing; ++i) all.add(on(start.node_of(k++), computing{of}));
  for (int i = 0; i < of.mixed; ++i) add_pair(true);
  const std::vector<int> codes = all.join();
  charge(testbed_ms, 0);
  synthetic_outcome outcome;
  const auto first_computing = static_cast<std::size_t>(2 * of.pairs);
  const auto last_computing = first_computing + static_cast<std::size_t>(of.computing);
  for (std::size_t i = 0; i < codes.size(); ++i)
    (i >= first_computing && i < last_computing ? outcome.ms : outcome.messages) += codes[i];
  return outcome;
}

inline int synthetic_main(int argc, char** argv) {
  program_arguments given(argc, argv);
  synthetic_options of{};
  of.pairs = given.number("PAIRS", {.otherwise = 20, .least = 0, .most = 1000});
  of.computing = given.number("COMPUTE", {.otherwise = 0, .least = 0, .most = 1000});
  of.mixed = given.number("MIXED", {.otherwise = 0, .least = 0, .most = 1000});
  of.seconds = given.number("SECONDS", {.otherwise = 0, .least = 0, .most = 100'000});
  of.messages = given.number("MESSAGES", {.otherwise = 340, .least = 0, .most = 100'000'000});
  of.ms = given.number("MS", {.otherwise = 2700, .least = 0, .most = 100'000'000});
  const placement start = placement::read(given);
  if (!given.complete()) return 2;
  take_slices();
  const synthetic_outcome outcome = run_synthetic(of, start);
  std::printf("synthetic(%d, %d, %d) = %" PRId64 " messages, %" PRId64 " ms computed\n", of.pairs,
              of.computing, of.mixed, outcome.messages, outcome.ms);
  return 0;
}

}  // namespace terrane::programs
