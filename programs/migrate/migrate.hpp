// SPDX-License-Identifier: Apache-2.0
// migrate.hpp: the program migrate: a thread that moves on after each message that it receives.
#pragma once

#include <cinttypes>
#include <cstdio>

#include "programs/arguments.hpp"
#include "programs/placement.hpp"
#include "programs/testbed_work.hpp"
#include "terrane/thread/channel_end.hpp"
#include "terrane/thread/migration.hpp"
#include "terrane/thread/par.hpp"

namespace terrane::programs {

struct migrate_outcome {
  std::int64_t bytes = 0, moves = 0, ns = 0;
};

}  // namespace terrane::programs

template <>
inline constexpr bool terrane::position_independent<terrane::programs::migrate_outcome> = true;

namespace terrane::programs {

inline migrate_outcome run_migrate(int loops) {
  const auto [out, in] = channel_ends<unsigned char>::make();
  const auto [tell, heard] = channel_ends<migrate_outcome>::make();
  migrate_outcome outcome;
  const auto sender = [&, out, heard] {
    long_message message{};
    for (int i = 0; i < loops; ++i) {
      out.send_all(message);
      compute(100);
      this_thread::yield();
    }
    out.close();
    outcome = *heard.receive();
  };
  par(sender, on(0, [in, tell] {
        long_message message{};
        migrate_outcome mine;
        node_id at = 0;
        while (const auto size = in.receive_all(message)) {
          mine.bytes += static_cast<std::int64_t>(*size);
          charge(testbed_ms, 0);
          const std::uint64_t begin = terrane_now();
          const node_id next = (at + 1) % terrane_nodes();
          if (this_thread::push_self(next) == migration::moved) {
            charge(testbed_ms, 0);
            at = next;
            ++mine.moves;
            mine.ns += static_cast<std::int64_t>(terrane_now() - begin);
          }
        }
        tell.send(mine);
      }));
  charge(testbed_ms, 0);
  return outcome;
}

inline int migrate_main(int argc, char** argv) {
  program_arguments given(argc, argv);
  const int loops = given.number("LOOPS", {.otherwise = 20, .least = 0, .most = 1'000'000});
  if (!given.complete()) return 2;
  take_slices();
  const migrate_outcome all = run_migrate(loops);
  if (all.moves != 0)
    std::printf("ns a move %.0f\n", static_cast<double>(all.ns) / static_cast<double>(all.moves));
  std::printf("migrate(%d) = %" PRId64 " bytes, %" PRId64 " moves\n", loops, all.bytes, all.moves);
  return 0;
}

}  // namespace terrane::programs
