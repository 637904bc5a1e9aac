// SPDX-License-Identifier: Apache-2.0
// terrane.cpp: items over channels between two processes of a host, beside messages as large, and
// moves of a thread that has open channels. Prints a line `operation,ns_min,ns_median` for each, of
// ROUNDS rounds. Each round measures all rows in turn.
//
//   terrane_ends --world shm --nodes 2 --processors 1 --balancer nop [ROUNDS]
//
// One way is half the time there and back. A rendezvous is an item of 8 bytes from one process to
// the other: the thread that has received it answers over another channel.
// Source  [TESTBED §3.3.2, §3.3.5].
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "bench/report.h"
#include "programs/moves/moves.hpp"
#include "terrane/thread/channel_end.hpp"
#include "terrane/thread/par.hpp"

using namespace terrane;
using namespace terrane::programs;

namespace {

/// A message of 8 bytes that goes to and fro.
struct flight {
  terrane_slot_ref done;
  std::uint64_t left;
};
class bounce final : public object {
 public:
  static constexpr char called[] = "bounce";
  bounce() = default;
  explicit bounce(branch_of) {}
  void operate(const operation_request& asked) override {
    flight next = asked.as<flight>();
    if (next.left-- == 0) return terrane_signal(next.done);
    ask_at<bounce>(1 - here().number, name(), 0, next);
  }
};

double message(bounce& first, long times) {
  double start = 0;
  for (const long count : {times / 10 + 1, times}) {
    start = bench_now();
    this_thread::await([&](slot_ref done) {
      ask_at<bounce>(1, first.name(), 0, flight{done.raw, static_cast<std::uint64_t>(2 * count)});
    });
  }
  return (bench_now() - start) * 1e9 / static_cast<double>(2 * times);
}

double rendezvous(long times) {
  const auto [out, in] = channel_ends<long>::make();
  const auto [back, answers] = channel_ends<long>::make();
  double took = 0;
  par(on(1,
         [in = in, back = back] {
           while (const auto next = in.receive()) back.send(*next);
           back.close();
         }),
      [&, out = out, answers = answers] {
        const auto there_and_back = [&](long count) {
          for (long i = 0; i < count; ++i) {
            out.send(i);
            if (answers.receive() != i) std::abort();
          }
        };
        there_and_back(times / 10 + 1);
        const double start = bench_now();
        there_and_back(times);
        took = bench_now() - start;
        out.close();
        answers.receive();
      });
  return took * 1e9 / static_cast<double>(2 * times);
}

/// What a thread that goes to and fro takes along.
struct baggage {
  std::size_t channels;
  std::array<channel_in<long>, 16> in{};
  channel_out<double> answer{};
  long times;

  void receive_all(long expected) const {
    for (std::size_t i = 0; i < channels; ++i)
      if (in[i].receive() != expected) std::abort();
  }
};

/// ns of one way, as the traveller measures it: goes(baggage), while so many items come over each
/// of its channels, whose partners stay at home.
template <class Goes>
double to_and_fro(std::size_t channels, long times, long items, Goes goes) {
  baggage takes{.channels = channels, .times = times};
  std::vector<channel_out<long>> outs;
  for (std::size_t i = 0; i < channels; ++i) {
    const auto made = channel_ends<long>::make();
    takes.in[i] = made.in;
    outs.push_back(made.out);
  }
  const auto [answer, took] = channel_ends<double>::make();
  takes.answer = answer;
  double seconds = 0;
  par(on(0, [goes, takes] { goes(takes); }), [&, took = took] {
    for (long item = 1; item <= items; ++item)
      for (const auto& each : outs) each.send(item);
    seconds = *took.receive();
  });
  return seconds * 1e9 / static_cast<double>(2 * times);
}

/// It has used each of its channels once.
double move(std::size_t channels, long times) {
  return to_and_fro(channels, times, 2, [](const baggage& mine) {
    const auto both_ways = [](long count) {
      for (long i = 0; i < count; ++i)
        for (const node_id node : {1u, 0u}) this_thread::push_self(node);
    };
    mine.receive_all(1);
    both_ways(mine.times / 10 + 1);
    const double start = bench_now();
    both_ways(mine.times);
    const double took = bench_now() - start;
    mine.receive_all(2);
    mine.answer.send(took);
  });
}

/// One move and then an item over each channel: all of it, one way.
double moved_and_used(std::size_t channels, long times) {
  return to_and_fro(channels, times, 2 * times, [](const baggage& mine) {
    const double start = bench_now();
    for (long item = 1; item <= 2 * mine.times; ++item) {
      this_thread::push_self(item % 2 == 1 ? 1 : 0);
      mine.receive_all(item);
    }
    mine.answer.send(bench_now() - start);
  });
}

int measure(int argc, char** argv) {
  if (nodes() != 2 || processors() != 2) {
    std::fprintf(stderr, "ends: start it with --nodes 2 --processors 1\n");
    return 2;
  }
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 7;
  std::map<std::string, std::vector<double>> found;
  auto& first = make_object<bounce>();
  for (int i = 0; i < rounds; ++i) {
    found["1 message of 8 bytes"].push_back(message(first, 4'000));
    found["2 rendezvous of 8 bytes"].push_back(rendezvous(4'000));
    found["3 move without channels"].push_back(move(0, 4'000));
    found["4 move with 16 idle channels"].push_back(move(16, 4'000));
    found["5 move and an item over each of 16"].push_back(moved_and_used(16, 200));
  }
  for (auto& [row, ns] : found) {
    std::ranges::sort(ns);
    std::printf("%s,%.0f,%.0f\n", row.c_str() + 2, ns.front(),
                ns[static_cast<std::size_t>(rounds / 2)]);
  }
  free_object(first);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run<thread_main<measure>>(argc, argv); }
