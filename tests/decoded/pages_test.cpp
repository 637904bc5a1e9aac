// SPDX-License-Identifier: Apache-2.0
// pages_test.cpp: what happens to blocks of lent data in simulated runs is what the table of states
// accepts, and what was changed in a trace is not accepted.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "terrane/machine/trace_start.hpp"
#include "terrane/thread/lent.hpp"
#include "terrane/threads.hpp"
#include "tests/decoded/states_of_pages.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

using namespace decoded;

constexpr std::size_t page_longs = 1024 / sizeof(long);
constexpr std::size_t longs = 20 * page_longs + 5;

/// Reads elements of all pages, one after the other.
bool reads_all(const lent<long>& shared) {
  bool right = true;
  for (std::size_t i = 0; i < longs; i += 100) right = right && shared[i] == long(3 * i);
  return right && shared[longs - 1] == long(3 * (longs - 1));
}

/// On each other node, before and after the data are renewed.
void reads_far_away(faults& wrong) {
  std::vector<long> data(longs);
  for (std::size_t i = 0; i < longs; ++i) data[i] = static_cast<long>(3 * i);
  for (node_id node = 1; node < terrane_nodes(); ++node) {
    const auto shared = lend(data);
    const auto [told, heard] = channel_ends<bool>::make();
    const auto [renewed, again] = channel_ends<bool>::make();
    par(on(node,
           [shared, told, again] {
             told.send(reads_all(shared));
             again.receive();
             told.send(reads_all(shared));
           }),
        [&] {
          wrong.unless(*heard.receive());
          shared.renew();
          renewed.send(true);
          wrong.unless(*heard.receive());
        });
  }
}

std::vector<page_event> pages_of(std::uint64_t seed, int nodes) {
  run_options options;
  options.world = "sim";
  options.network = "testbed";
  options.nodes = nodes;
  options.processors = 1;
  options.seed = seed;
  options.trace_file = testing::TempDir() + "pages_test." + std::to_string(getpid()) + ".trace";
  options.traced = bit_of(event_class::channel) | bit_of(event_class::thread);
  options.when_full = full_trace::wait;
  EXPECT_TRUE(start_trace(options, {"pages_test"}));
  int count = -1;
  run_machine<in_a_thread>(options, &count, static_cast<thread_code>(reads_far_away));
  EXPECT_EQ(count, 0);
  const auto opened = trace_file::open(options.trace_file);
  std::remove(options.trace_file.c_str());
  EXPECT_TRUE(opened) << (opened ? "" : opened.problem());
  if (!opened) return {};
  EXPECT_EQ(opened.value()->dropped(), 0u);
  return read_pages(*opened.value());
}

/// The number of the first event that the table does not accept; as many as there are: none, and
/// no page is left under way.
std::size_t accepted(const std::vector<page_event>& all) {
  page_copy one{.home = 0};
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!take(one, all[i], 1024)) return i;
  return one.at == page_state::none ? all.size() : all.size() - 1;
}

TEST(table_of_pages, accepts_simulated_runs) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const int nodes : {2, 4}) {
      const std::vector<page_event> all = pages_of(seed, nodes);
      // 21 pages, for each node, before and after they were renewed
      EXPECT_EQ(all.size(), static_cast<std::size_t>(7 * 21 * 2 * (nodes - 1))) << nodes;
      const std::size_t good = accepted(all);
      EXPECT_EQ(good, all.size()) << "seed " << seed << ", " << nodes << " nodes, at "
                                  << (good < all.size()
                                          ? page_names[static_cast<std::size_t>(all[good].what)]
                                          : "");
      if (testing::Test::HasFailure()) return;
    }
}

TEST(table_of_pages, refuses_a_run_without_one_event_or_with_two_swapped) {
  const std::vector<page_event> all = pages_of(3, 3);
  ASSERT_EQ(accepted(all), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<page_event> less = all;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(accepted(less), less.size()) << i;
    if (i + 1 == all.size()) break;
    std::vector<page_event> other = all;
    std::swap(other[i], other[i + 1]);
    EXPECT_NE(accepted(other), other.size()) << i;
  }
}

TEST(table_of_pages, refuses_a_page_for_another_thread_node_or_of_another_size) {
  const std::vector<page_event> all = pages_of(4, 3);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<page_event> other = all;
    other[i].node += 7;
    EXPECT_NE(accepted(other), other.size()) << i;
    other = all;
    if (all[i].what == page_did::blocked || all[i].what == page_did::resumed)
      other[i].thread += 64;
    else if (all[i].what == page_did::page_flew || all[i].what == page_did::page_served)
      other[i].bytes += 8;
    else
      continue;
    EXPECT_NE(accepted(other), other.size()) << i;
  }
}

}  // namespace
}  // namespace terrane
