// SPDX-License-Identifier: Apache-2.0
// latency.hpp: the programs local and remote: how long a thread takes to send messages of growing
// size to one that waits for them, here or on another node.
#pragma once

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <span>
#include <vector>

#include "programs/arguments.hpp"
#include "programs/placement.hpp"
#include "programs/testbed_work.hpp"
#include "terrane/thread/channel_end.hpp"
#include "terrane/thread/par.hpp"

namespace terrane::programs {

struct latency_options {
  int sizes, times;
  bool prints;  // a line of each size
};
struct latency_outcome {
  std::int64_t messages = 0, bytes = 0;
};

/// Sends messages of 1, 1 + 5000/SIZES, ... bytes, each size so many times, 10 ms between.
inline latency_outcome run_latency(const latency_options& of, node_id receiver) {
  const auto [out, in] = channel_ends<unsigned char>::make();
  const auto [tell, heard] = channel_ends<std::int64_t>::make();
  latency_outcome outcome;
  const auto sender = [&, out, heard] {
    long_message message{};
    const int step = std::max(1, static_cast<int>(message.size()) / of.sizes);
    for (int i = 0, size = 1; i < of.sizes; ++i, size += step) {
      std::uint64_t least = ~std::uint64_t{0}, most = 0, sum = 0;
      compute(50);
      for (int time = 0; time < of.times; ++time) {
        compute(10);
        this_thread::yield();
        const std::uint64_t begin = terrane_now();
        out.send_all({message.data(), static_cast<std::size_t>(size)});
        charge(testbed_ms, 0);
        const std::uint64_t took = terrane_now() - begin;
        least = std::min(least, took);
        most = std::max(most, took);
        sum += took;
        ++outcome.messages;
      }
      if (of.prints)
        std::printf("bytes %4d ns %.0f least %" PRIu64 " most %" PRIu64 "\n", size,
                    static_cast<double>(sum) / of.times, least, most);
    }
    out.close();
    outcome.bytes = *heard.receive();
  };
  par(sender, on(receiver, [in, tell] {
        long_message message{};
        std::int64_t bytes = 0;
        while (const auto size = in.receive_all(message)) bytes += static_cast<std::int64_t>(*size);
        charge(testbed_ms, 0);
        tell.send(bytes);
      }));
  charge(testbed_ms, 0);
  return outcome;
}

/// remote: whether the receiver is on the last node.
inline int latency_main(int argc, char** argv, const char* name, bool remote) {
  program_arguments given(argc, argv);
  latency_options of{};
  of.sizes = given.number("SIZES", {.otherwise = 100, .least = 1, .most = 5000});
  of.times = given.number("REPS", {.otherwise = 10, .least = 1, .most = 1'000'000});
  of.prints = true;
  if (!given.complete()) return 2;
  take_slices();
  const latency_outcome all = run_latency(of, remote ? terrane_nodes() - 1 : 0);
  std::printf("%s(%d, %d) = %" PRId64 " messages, %" PRId64 " bytes\n", name, of.sizes, of.times,
              all.messages, all.bytes);
  return 0;
}
inline int local_main(int argc, char** argv) { return latency_main(argc, argv, "local", false); }
inline int remote_main(int argc, char** argv) { return latency_main(argc, argv, "remote", true); }

}  // namespace terrane::programs
