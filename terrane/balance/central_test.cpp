// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/central.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

using balance::central;
using balance::central_log;
using balance::load_summary;

load_summary summary_of(const std::vector<std::uint64_t>& links, const std::vector<int>& queues) {
  load_summary made(1, queues.size());
  made.links = links;
  for (std::size_t i = 0; i < queues.size(); ++i) made.queues[i] = 1000 * queues[i];
  return made;
}

// --- what the paper prints ---

const load_summary first_printed =
    summary_of({127, 106, 106, 36, 74, 74, 0, 0, 144, 144}, {4, 5, 1, 1, 1});
const load_summary second_printed =
    summary_of({22, 69, 81, 41, 14, 72, 58, 0, 117, 119}, {4, 3, 1, 1, 2});
const load_summary third_printed =
    summary_of({12, 58, 24, 61, 0, 48, 54, 0, 81, 119}, {2, 2, 1, 1, 3});

balance::reconfiguration decision_on(const load_summary& seen) {
  const auto found =
      balance::find_overload(seen, {.rq = 200, .link = 70}, [](node_id) { return true; });
  EXPECT_TRUE(found.has_value());
  return found.value_or(balance::reconfiguration{});
}

TEST(central, writes_the_log_of_figure_41) {
  central_log log;
  constexpr terrane_slot_ref made_by_1 = 0x1000001, generation = TERRANE_GENERATION_STEP;
  static_cast<void>(log.arrives(1, made_by_1 + 3 * generation, 2, 0));  // the first of its table
  std::string text;
  const auto line = [&](const std::string& one) { text += one + "\n"; };
  const auto summary = [&](std::uint64_t at_ms, const load_summary& seen) {
    line(central_log::time(at_ms * 1'000'000 + 999'999));
    line(central_log::links(seen));
    line(central_log::queues(seen));
  };
  const auto request = [&](const load_summary& seen, std::uint32_t number) {
    const auto [from, to, link] = decision_on(seen);
    line(central_log::quieten(seen, from, to, link.value(), number));
  };
  summary(60258, first_printed);
  request(first_printed, 6);
  line(log.arrives(6, made_by_1 + 3 * generation, 5, 60'880'000'000));
  for (terrane_slot_ref other = 1; other < 15; ++other)
    static_cast<void>(log.arrives(1, made_by_1 + (other << 26), 2, 0));
  summary(70240, second_printed);
  request(second_printed, 7);
  line(log.arrives(7, made_by_1 + (15 << 26) + 4 * generation, 5, 70'581'000'000));
  summary(80241, third_printed);
  EXPECT_EQ(text,
            "TIM: 60258\n"
            "LNK: 127 106 106 36 74 74 0 0 144 144 (av 81)\n"
            "RQL: 4 5 1 1 1 (av 2)\n"
            "move work from 3 to 5 to quieten link 9/3-5 (mig #6)\n"
            "mig #6: 1-00-003 arrives at 5, time 60880\n"
            "TIM: 70240\n"
            "LNK: 22 69 81 41 14 72 58 0 117 119 (av 59)\n"
            "RQL: 4 3 1 1 2 (av 2)\n"
            "move work from 4 to 5 to quieten link 10/4-5 (mig #7)\n"
            "mig #7: 1-15-004 arrives at 5, time 70581\n"
            "TIM: 80241\n"
            "LNK: 12 58 24 61 0 48 54 0 81 119 (av 46)\n"
            "RQL: 2 2 1 1 3 (av 2)\n");
}

// --- the candidate selector ---

ready_thread thread_of(terrane_slot_ref name, std::optional<node_id> peer, bool may_move = true) {
  return {name, name, may_move, peer, {}};
}
terrane_slot_ref chosen_of(const std::vector<ready_thread>& all, std::optional<node_id> link) {
  const ready_thread* const found = balance::select_candidate(all, link);
  return found ? found->here : 0;
}

TEST(candidate_selector, takes_the_first_for_a_processor) {
  EXPECT_EQ(chosen_of({thread_of(1, 3, false), thread_of(2, {}), thread_of(3, 4)}, {}), 2u);
  EXPECT_EQ(chosen_of({thread_of(1, 3, false)}, {}), 0u);
  EXPECT_EQ(chosen_of({}, {}), 0u);
}

TEST(candidate_selector, takes_who_used_the_link_then_who_was_not_local_then_the_last) {
  EXPECT_EQ(chosen_of({thread_of(1, {}), thread_of(2, 3), thread_of(3, 4), thread_of(4, 4)}, 4),
            3u);
  EXPECT_EQ(chosen_of({thread_of(1, {}), thread_of(2, 3), thread_of(3, 2), thread_of(4, {})}, 4),
            2u);
  EXPECT_EQ(chosen_of({thread_of(1, {}), thread_of(2, {}), thread_of(3, {})}, 4), 3u);
  EXPECT_EQ(chosen_of({thread_of(1, 4, false), thread_of(2, {})}, 4), 2u);
}

// --- summaries and decisions ---

TEST(load_summary, numbers_links_as_the_paper_does) {
  const load_summary seen(1, 5);
  std::size_t next = 0;
  for (node_id low = 1; low < 5; ++low)
    for (node_id high = low + 1; high <= 5; ++high, ++next) {
      EXPECT_EQ(seen.link_between(low, high), next);
      EXPECT_EQ(seen.link_between(high, low), next);
      EXPECT_EQ(seen.ends_of(next).low, low);
      EXPECT_EQ(seen.ends_of(next).high, high);
    }
  EXPECT_EQ(next, seen.links.size());
}

TEST(decision_maker, finds_a_long_queue_if_no_link_is_busy_and_nothing_if_all_are_equal) {
  const auto everybody = [](node_id) { return true; };
  const auto found = balance::find_overload(
      summary_of(std::vector<std::uint64_t>(10), {2, 6, 2, 1, 1}), {}, everybody);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->from, 2u);
  EXPECT_EQ(found->to, 4u);
  EXPECT_FALSE(found->link.has_value());
  EXPECT_FALSE(balance::find_overload(
      summary_of(std::vector<std::uint64_t>(10, 50), {4, 4, 4, 4, 4}), {}, everybody));
}

TEST(decision_maker, leaves_a_link_alone_whose_busier_end_is_overloaded_or_that_has_no_threads) {
  const load_summary to_3 = summary_of({0, 90, 10}, {0, 0, 9});
  const auto found = balance::find_overload(to_3, {}, [](node_id) { return true; });
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->link.has_value());
  EXPECT_EQ(found->from, 3u);
  const load_summary calm = summary_of({0, 90, 10}, {0, 0, 0});
  EXPECT_TRUE(balance::find_overload(calm, {}, [](node_id which) { return which == 1; }));
  EXPECT_FALSE(balance::find_overload(calm, {}, [](node_id which) { return which != 1; }));
}

// --- the nodes together ---

/// Nodes whose notes arrive at once.
struct small_machine {
  explicit small_machine(std::uint32_t nodes, const balance::central_options& options = {}) {
    for (node_id i = 0; i < nodes; ++i) {
      views.push_back(std::make_unique<fake_node_view>(i, nodes));
      policies.push_back(std::make_unique<central>(options));
      policies[i]->on_start(*views[i]);
      views[i]->loads = {{metric::rq_length, 0.0}, {metric::n_threads, 0.0}};
    }
  }
  void deliver() {
    for (bool some = true; some;) {
      some = false;
      for (node_id from = 0; from < views.size(); ++from)
        for (const auto& [to, what] : std::exchange(views[from]->notes, {})) {
          policies[to]->on_note(*views[to], from, what);
          some = true;
        }
    }
  }
  void tick(std::uint64_t at_ms) {
    for (node_id i = 0; i < views.size(); ++i) {
      views[i]->time = at_ms * 1'000'000;
      policies[i]->on_tick(*views[i]);
    }
    deliver();
  }
  std::vector<std::unique_ptr<fake_node_view>> views;
  std::vector<std::unique_ptr<central>> policies;
};

TEST(central, asks_one_node_for_a_thread_and_waits_until_it_has_come) {
  small_machine all(3);
  all.views[1]->loads = {{metric::rq_length, 6.0}, {metric::n_threads, 7.0}};
  all.tick(1000);
  EXPECT_TRUE(all.views[1]->asks_for_threads);
  const std::vector<ready_thread> ready{thread_of(8, {}), thread_of(9, {})};
  all.policies[1]->on_threads(*all.views[1], ready);
  ASSERT_EQ(all.views[1]->moves.size(), 1u);
  EXPECT_EQ(all.views[1]->moves[0].thread, 8u);
  EXPECT_EQ(all.views[1]->moves[0].to, 0u);
  all.views[1]->asks_for_threads = false;
  all.tick(2000);
  EXPECT_FALSE(all.views[1]->asks_for_threads) << "the first is still on its way";
  all.policies[0]->on_thread(*all.views[0], 1, 8);
  all.deliver();
  all.tick(3000);
  EXPECT_TRUE(all.views[1]->asks_for_threads);
  const auto& lines = all.views[0]->lines;
  EXPECT_EQ(lines.at(2), "RQL: 0 6 0 (av 2)");
  EXPECT_EQ(lines.at(3), "move work from 1 to 0 to shorten queue 1 (mig #1)");
  EXPECT_EQ(all.views[0]->logs.at(0).first, 6000);
  EXPECT_EQ(all.views[0]->logs.at(0).second, 6000);
}

TEST(central, drops_a_request_that_finds_no_thread_in_time_and_asks_again_later) {
  small_machine all(2, {.pending = 3, .over = {}});
  all.views[1]->loads = {{metric::rq_length, 6.0}, {metric::n_threads, 7.0}};
  all.tick(1000);
  EXPECT_TRUE(all.views[1]->asks_for_threads);
  all.tick(1059);
  EXPECT_TRUE(all.views[1]->asks_for_threads);
  all.tick(1060);
  EXPECT_FALSE(all.views[1]->asks_for_threads);
  EXPECT_EQ(all.views[0]->lines.back(), "mig #1: nothing moves from 1, time 1060 (1 such)");
  all.policies[1]->on_threads(*all.views[1], std::vector<ready_thread>{thread_of(8, {})});
  EXPECT_TRUE(all.views[1]->moves.empty()) << "too late";
  all.tick(2000);
  EXPECT_TRUE(all.views[1]->asks_for_threads);
}

TEST(central, gives_tokens_for_a_long_queue_but_never_the_only_one) {
  small_machine all(2);
  all.views[1]->tokens = 21;
  all.tick(1000);
  ASSERT_EQ(all.views[1]->gifts.size(), 1u);
  EXPECT_EQ(all.views[1]->gifts[0].how_many, 10);
  EXPECT_EQ(all.views[0]->lines.back(), "mig #1: 10 tokens go to 0, time 1000");
  all.views[1]->tokens = 1;
  all.tick(2000);
  EXPECT_EQ(all.views[1]->gifts.size(), 1u);
}

TEST(central, counts_messages_of_both_directions_by_link_and_leaves_the_master_apart) {
  small_machine all(4, {.over = {.rq = 100}, .apart = true});
  for (node_id i = 1; i < 4; ++i) all.views[i]->loads[metric::n_threads] = 2;
  all.views[1]->sent = {{2, 40}, {3, 1}, {0, 999}};
  all.views[2]->sent = {{1, 50}};
  all.tick(1000);
  EXPECT_EQ(all.views[0]->lines.at(1), "LNK: 90 1 0 (av 30)");
  EXPECT_EQ(all.views[0]->lines.at(2), "RQL: 0 0 0 (av 0)");
  EXPECT_EQ(all.views[0]->lines.at(3), "move work from 2 to 1 to quieten link 1/1-2 (mig #1)");
  EXPECT_TRUE(all.views[2]->asks_for_threads);
  all.policies[2]->on_threads(
      *all.views[2], std::vector<ready_thread>{thread_of(5, 3), thread_of(6, 1), thread_of(7, 1)});
  EXPECT_EQ(all.views[2]->moves.at(0).thread, 6u);
}

TEST(central, hears_what_overtook) {
  small_machine all(3);
  all.views[1]->sent = {{0, 7}, {2, 9}};
  for (node_id i = 0; i < 3; ++i) all.views[i]->time = 1'000'000'000;
  for (node_id i = 0; i < 3; ++i) all.policies[i]->on_tick(*all.views[i]);
  for (node_id from : {1u, 2u}) {
    auto notes = std::exchange(all.views[from]->notes, {});
    for (auto last = notes.rbegin(); last != notes.rend(); ++last)
      all.policies[0]->on_note(*all.views[0], from, last->what);
  }
  EXPECT_EQ(all.views[0]->lines.at(1), "LNK: 7 0 9 (av 5)");
}

}  // namespace
}  // namespace terrane
