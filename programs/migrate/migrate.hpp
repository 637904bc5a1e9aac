// SPDX-License-Identifier: Apache-2.0
// migrate.hpp: the program migrate: a thread that moves on after each message that it receives.
#pragma once

#include <array>
#include <cinttypes>
#include <cstdio>

#include "programs/arguments.hpp"
#include "programs/placement.hpp"
#include "programs/testbed_work.hpp"
#include "terrane/thread/channel_end.hpp"
#include "terrane/thread/lent.hpp"
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

/// Lends five pages of 1,024 bytes on the last node, and changes them whenever it is asked to.
struct page_owner {
  channel_in<int> asked;
  channel_out<lent<unsigned char>> answer;

  void operator()() const {
    std::array<unsigned char, 5120> pages{};
    const auto shared = lend(pages);
    while (const auto round = asked.receive()) {
      pages[0] = static_cast<unsigned char>(*round);
      charge(testbed_ms, 0);
      if (*round != 0) shared.renew();
      answer.send(shared);
    }
    charge(testbed_ms, 0);
  }
};

/// A traveller's part that asks for the pages anew, and reads one byte of each.
struct page_reader {
  channel_out<int> ask;
  channel_in<lent<unsigned char>> answer;
  int round = 0;

  void read_all() {
    ask.send(round++);
    const auto shared = *answer.receive();
    for (std::size_t at = 0; at < shared.size(); at += 1024) (void)shared[at];
  }
};

/// pages: whether it reads pages of another node after each move.
inline migrate_outcome run_migrate(int loops, bool pages = false) {
  const auto [out, in] = channel_ends<unsigned char>::make();
  const auto [tell, heard] = channel_ends<migrate_outcome>::make();
  const auto [ask, asked] = channel_ends<int>::make();
  const auto [answer, answers] = channel_ends<lent<unsigned char>>::make();
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
  const page_owner owner{asked, answer};
  const page_reader reader{ask, answers};
  const auto mover = [in, tell, reader, pages] {
    page_reader reads = reader;
    long_message message{};
    migrate_outcome mine;
    node_id at = 0;
    while (const auto size = in.receive_all(message)) {
      mine.bytes += static_cast<std::int64_t>(*size);
      charge(testbed_ms, 0);
      const std::uint64_t begin = terrane_now();
      const node_id home = terrane_nodes() > 2 ? 1 : 0;  // the sender has node 0 to itself
      const node_id next = at + 1 < terrane_nodes() ? at + 1 : home;
      if (this_thread::push_self(next) == migration::moved) {
        charge(testbed_ms, 0);
        at = next;
        ++mine.moves;
        mine.ns += static_cast<std::int64_t>(terrane_now() - begin);
      }
      if (pages) reads.read_all();
    }
    if (pages) reads.ask.close();
    tell.send(mine);
  };
  par_branches all(pages ? 3 : 2);
  all.add(sender);
  all.add(on(0, mover));
  if (pages) all.add(on(terrane_nodes() - 1, owner));
  all.join();
  charge(testbed_ms, 0);
  return outcome;
}

inline int migrate_main(int argc, char** argv) {
  program_arguments given(argc, argv);
  const int loops = given.number("LOOPS", {.otherwise = 20, .least = 0, .most = 1'000'000});
  const int pages = given.number("PAGES", {.otherwise = 0, .least = 0, .most = 1});
  if (!given.complete()) return 2;
  take_slices();
  const migrate_outcome all = run_migrate(loops, pages != 0);
  if (all.moves != 0)
    std::printf("ns a move %.0f\n", static_cast<double>(all.ns) / static_cast<double>(all.moves));
  std::printf("migrate(%d) = %" PRId64 " bytes, %" PRId64 " moves\n", loops, all.bytes, all.moves);
  return 0;
}

}  // namespace terrane::programs
