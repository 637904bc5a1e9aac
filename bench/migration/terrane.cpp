// SPDX-License-Identifier: Apache-2.0
// terrane.cpp: the time to move a thread from one process of a host to another, and to send the
// same bytes as messages. Prints a line `operation,us` for each, the median of ROUNDS rounds. Each
// round measures all rows in turn.
//
//   terrane_migration --world shm --nodes 2 --processors 1 [ROUNDS]
//
// One way is half the time there and back. An active message has as many bytes as the thread has on
// its stack when it is packed, and its handler sends as many back. To move bytes, each side also
// writes them to a place.
// Source  [ACTIVE §7.2, Table 3, Fig. 4].
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "bench/report.h"
#include "programs/moves/moves.hpp"

using namespace terrane;
using namespace terrane::programs;

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;

/// Records the bytes in use on the stack of a thread that moves to and fro without data of its own.
struct weighs final : migration_events {
  std::size_t bytes = 0;
  void outgoing(thread_block& leaves, node_id) override { bytes = leaves.stack_in_use(); }
};
std::size_t null_bytes() {
  weighs scales;
  set_migration_events(&scales);
  push_latency(0, 1);
  set_migration_events(nullptr);
  return scales.bytes;
}

/// The content of an active message that goes to and fro.
struct flight {
  terrane_slot_ref bounces, done;
  std::uint32_t left;
  bool moves;  // each side also writes the bytes to a place
};

class bounce final : public object {
 public:
  static constexpr char called[] = "bounce";
  bounce() : place_(most_bytes) {}
  explicit bounce(branch_of) : bounce() {}
  void operate(const operation_request& asked) override {
    flight next = asked.as<flight>();
    bytes_view body = asked.body;
    if (next.moves) {
      std::memcpy(place_.data(), body.data, body.size);
      body.data = place_.data();
    }
    if (next.left-- == 0) return terrane_signal(next.done);
    ask_at<bounce>(1 - here().number, next.bounces, 0, next, body);
  }

 private:
  std::vector<char> place_;
};

using rows = std::map<std::string, std::vector<double>>;

double sent(bounce& first, std::size_t bytes, long times, bool moves) {
  std::vector<char> what(bytes, 'x');
  double start = 0;
  for (const long count : {times / 10 + 1, times}) {
    start = bench_now();
    this_thread::await([&](slot_ref done) {
      ask_at<bounce>(1, first.name(), 0,
                     flight{first.name(), done.raw, static_cast<std::uint32_t>(2 * count), moves},
                     {what.data(), bytes});
    });
  }
  return (bench_now() - start) * 1e6 / static_cast<double>(2 * times);
}

int measure(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 7;
  rows found;
  auto& first = make_object<bounce>();
  const std::size_t null = null_bytes();
  constexpr std::size_t kib64 = std::size_t{64} << 10;
  for (int i = 0; i < rounds; ++i) {
    found["1 handed over null"].push_back(push_latency(0, 20'000, stack_form::best));
    found["2 handed over 64 KiB"].push_back(push_latency(kib64, 20'000, stack_form::best));
    found["3 handed over 1 MiB"].push_back(push_latency(most_bytes, 20'000, stack_form::best));
    found["4 active message null"].push_back(sent(first, null, 20'000, false));
    found["5 packed null"].push_back(push_latency(0, 20'000, stack_form::packed));
    found["6 moving 64 KiB"].push_back(sent(first, kib64, 1'000, true));
    found["7 packed 64 KiB"].push_back(push_latency(kib64, 1'000, stack_form::packed));
    found["8 push at the source"].push_back(push_overhead<0>(200, stack_form::best));
    found["9 packed push at the source"].push_back(push_overhead<0>(200, stack_form::packed));
  }
  for (auto& [row, us] : found) {
    std::nth_element(us.begin(), us.begin() + rounds / 2, us.end());
    std::printf("%s,%.3f\n", row.c_str() + 2, us[static_cast<std::size_t>(rounds / 2)]);
  }
  free_object(first);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run<thread_main<measure>>(argc, argv); }
