// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace terrane {
namespace {

run_statistics example() {
  run_statistics run;
  run.world = "local";
  run.balancer = "rand:probes=2";
  run.nodes = 2;
  run.processors = 1;
  run.seed = 18'446'744'073'709'551'615u;
  run.elapsed_seconds = 2.5;
  run.exit_code = 121;
  run.tokens_generated = 1'712'376;
  run.fibers_executed = 4'280'941;
  run.tokens_moved = 17;
  run.messages_sent = 1;
  run.notes_sent = 5;
  run.cache_hits = 6;
  run.cache_misses = 7;
  run.names_reused = 3;
  run.late_wake_ups = 2;
  run.messages_forwarded = 8;
  run.members_moved = 9;
  run.messages_unexpected_peak = 10;
  run.frame_bytes = 196'608;
  run.peak_resident_bytes = 5'000'000'000;
  for (std::uint32_t number = 0; number < 2; ++number) {
    processor_statistics one;
    one.processor = number;
    one.node = number;
    one.tokens_generated = 100 + number;
    one.fibers_executed = 200 + number;
    one.tokens_inlined = 90 + number;
    one.tokens_from_pool = 3 + number;
    one.messages_sent = 40 + number;
    one.bytes_sent = 5000 + number;
    one.run_seconds = 1.25;
    one.split = {
        .balance = 250'000'000, .poll = 125'000'000, .idle = 500'000'000, .switching = 375'000'000};
    run.per_processor.push_back(one);
  }
  return run;
}

TEST(statistics, the_json_object_is_one_line_and_holds_every_number) {
  const run_statistics run = example();
  const std::string text = to_json(run);
  EXPECT_EQ(text.find('\n'), text.npos);
  const auto object = nlohmann::json::parse(text);
  EXPECT_EQ(object.at("world"), "local");
  EXPECT_EQ(object.at("balancer"), "rand:probes=2");
  EXPECT_EQ(object.at("nodes"), 2);
  EXPECT_EQ(object.at("processors"), 1);
  EXPECT_EQ(object.at("seed"), run.seed) << "all 64 bits";
  EXPECT_EQ(object.at("exit_code"), 121);
  EXPECT_DOUBLE_EQ(object.at("elapsed_seconds").get<double>(), 2.5);
  EXPECT_EQ(object.at("tokens_generated"), run.tokens_generated);
  EXPECT_EQ(object.at("fibers_executed"), run.fibers_executed);
  EXPECT_EQ(object.at("tokens_moved"), 17);
  EXPECT_EQ(object.at("messages_sent"), 1);
  EXPECT_EQ(object.at("cache_hits"), 6);
  EXPECT_EQ(object.at("cache_misses"), 7);
  EXPECT_EQ(object.at("notes_sent"), 5);
  EXPECT_EQ(object.at("names_reused"), 3);
  EXPECT_EQ(object.at("late_wake_ups"), 2);
  EXPECT_EQ(object.at("messages_forwarded"), 8);
  EXPECT_EQ(object.at("members_moved"), 9);
  EXPECT_EQ(object.at("messages_unexpected_peak"), 10);
  EXPECT_FALSE(object.contains("wait_seconds")) << "nobody asked for it";
  EXPECT_EQ(object.at("frame_bytes"), 196'608);
  EXPECT_EQ(object.at("peak_resident_bytes"), run.peak_resident_bytes);
}

TEST(statistics, the_json_object_has_an_entry_for_each_processor_in_order) {
  const auto object = nlohmann::json::parse(to_json(example()));
  const auto& all = object.at("per_processor");
  ASSERT_EQ(all.size(), 2u);
  for (std::uint32_t number = 0; number < 2; ++number) {
    const auto& one = all.at(number);
    EXPECT_EQ(one.at("processor"), number);
    EXPECT_EQ(one.at("node"), number);
    EXPECT_EQ(one.at("tokens_generated"), 100 + number);
    EXPECT_EQ(one.at("fibers_executed"), 200 + number);
    EXPECT_EQ(one.at("tokens_inlined"), 90 + number);
    EXPECT_EQ(one.at("tokens_from_pool"), 3 + number);
    EXPECT_EQ(one.at("messages_sent"), 40 + number);
    EXPECT_EQ(one.at("bytes_sent"), 5000 + number);
    EXPECT_DOUBLE_EQ(one.at("run_seconds").get<double>(), 1.25);
    EXPECT_DOUBLE_EQ(one.at("balance_seconds").get<double>(), 0.25);
    EXPECT_DOUBLE_EQ(one.at("poll_seconds").get<double>(), 0.125);
    EXPECT_DOUBLE_EQ(one.at("idle_seconds").get<double>(), 0.5);
    EXPECT_DOUBLE_EQ(one.at("switch_seconds").get<double>(), 0.375);
  }
}

TEST(statistics, a_balancers_name_cannot_break_the_json) {
  run_statistics run = example();
  run.balancer = "odd\"name\\\n";
  EXPECT_EQ(nlohmann::json::parse(to_json(run)).at("balancer"), "odd\"name\\\n");
}

TEST(statistics, the_text_says_it_all_in_a_block_of_ended_lines) {
  const std::string text = to_text(example());
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6) << text;
  EXPECT_NE(text.find("2 nodes of 1 processor,"), text.npos) << text;
  EXPECT_NE(text.find("balancer rand:probes=2"), text.npos) << text;
  EXPECT_NE(text.find("2.500000 s elapsed"), text.npos) << text;
  EXPECT_NE(text.find("1712376 tokens, 4280941 fibers, 17 tokens moved, 1 message\n"), text.npos)
      << text;
  for (const char* share : {"50.0%", "10.0%", "5.0%", "20.0%", "15.0%"})
    EXPECT_NE(text.find(share), text.npos) << share << " in\n" << text;
}

TEST(statistics, the_text_speaks_of_i_structures_where_elements_were_read) {
  run_statistics run = example();
  EXPECT_NE(to_text(run).find("I-structures: 13 reads of other nodes' elements, 6 answered here\n"),
            std::string::npos)
      << to_text(run);
  run.cache_hits = run.cache_misses = 0;
  EXPECT_EQ(to_text(run).find("I-structures"), std::string::npos) << to_text(run);
}

struct says_something final : world_report {
  std::string to_text() const override { return "terrane: something\n"; }
  std::string to_json(double elapsed_seconds) const override {
    return "{\"seconds_twice\":" + std::to_string(2 * elapsed_seconds) + "}";
  }
};

TEST(statistics, hold_what_the_world_says_in_its_own_words) {
  run_statistics run = example();
  EXPECT_EQ(to_text(run).find("something"), std::string::npos);
  run.elapsed_seconds = 4;
  run.of_world.report = std::make_shared<says_something>();
  EXPECT_NE(to_text(run).find("\nterrane: something\n"), std::string::npos) << to_text(run);
  const auto object = nlohmann::json::parse(to_json(run));
  EXPECT_EQ(object.at("seconds_twice"), 8);
  EXPECT_EQ(object.at("elapsed_seconds"), 4);
}

TEST(statistics, the_json_object_lists_probes_where_rare_branches_are_common) {
  run_statistics run = example();
  run.of_world.probes = {{"core.first", 3}, {"core.second", 0}};
  const auto object = nlohmann::json::parse(to_json(run));
  const std::string probes = object.contains("probes") ? object.at("probes").dump() : "none";
  EXPECT_EQ(probes, rare_common ? R"({"core.first":3,"core.second":0})" : "none");
}

TEST(statistics, say_who_waited_for_whom_where_that_was_asked) {
  run_statistics run = example();
  wait_table of_node;
  of_node.is_noted = true;
  of_node.add({"a rank 1 <0,1>", "rank 2 <1,1>", "recv, a.cpp:3", 2, 3'000'000'000, 1'000'000'000});
  of_node.add({"a rank 2 <1,1>", "rank 1 <0,1>", "recv, a.cpp:3", 1, 500'000'000, 0});
  run.waits.add(of_node);
  wait_table of_other;
  of_other.is_noted = true;
  of_other.add({"a rank 2 <1,1>", "rank 1 <0,1>", "recv, a.cpp:3", 4, 4'000'000'000, 0});
  run.waits.add(of_other);
  const auto object = nlohmann::json::parse(to_json(run));
  EXPECT_DOUBLE_EQ(object.at("wait_seconds").get<double>(), 7.5);
  EXPECT_DOUBLE_EQ(object.at("hidden_wait_seconds").get<double>(), 1);
  const auto& rows = object.at("waits");
  ASSERT_EQ(rows.size(), 2u) << "those of one thread on two processors are one";
  EXPECT_EQ(rows.at(0).at("who"), "a rank 2 <1,1>");
  EXPECT_EQ(rows.at(0).at("times"), 5);
  EXPECT_DOUBLE_EQ(rows.at(0).at("seconds").get<double>(), 4.5);
  EXPECT_DOUBLE_EQ(rows.at(1).at("hidden_seconds").get<double>(), 1);
  const std::string text = to_text(run.waits);
  EXPECT_NE(text.find("7.500000 s in all; other work hid 13.3%\n"), text.npos) << text;
  EXPECT_NE(text.find("a rank 1 <0,1>  rank 2 <1,1> (recv, a.cpp:3)\n"), text.npos) << text;
}

TEST(statistics, keep_the_longest_of_many_waits) {
  wait_table all;
  for (int i = 0; i < 100; ++i)
    all.add({"t" + std::to_string(i), "u", "recv, a.cpp:3", 1, 1'000u * static_cast<unsigned>(i)});
  all.keep_longest();
  ASSERT_EQ(all.rows.size(), wait_table::rows_max);
  EXPECT_EQ(all.rows.front().who, "t99");
  EXPECT_EQ(all.waited_ns, 4'950'000u) << "in all";
}

TEST(statistics, a_run_that_took_no_time_divides_by_nothing) {
  run_statistics run = example();
  run.elapsed_seconds = 0;
  const std::string text = to_text(run);
  EXPECT_EQ(text.find("nan"), text.npos) << text;
  EXPECT_EQ(text.find("inf"), text.npos) << text;
  EXPECT_TRUE(nlohmann::json::accept(to_json(run)));
}

}  // namespace
}  // namespace terrane
