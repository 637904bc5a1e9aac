// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace terrane {

namespace {

/// A latency of 1000 ns, at least 100 ns between messages, and 1 ns per byte.
network_costs plain() {
  network_costs costs;
  costs.latency_ns = 1000;
  costs.gap_ns = 100;
  costs.bytes_per_ms = 1'000'000;
  return costs;
}

std::string line_refusal(const std::string& text) {
  auto read = read_network(text, "my.net");
  return read ? "" : read.problem();
}

}  // namespace

TEST(network, a_message_takes_its_latency_and_the_time_of_its_bytes) {
  network net(plain(), 2, 1);
  EXPECT_EQ(net.arrival(0, 1, 64, 5000), 5000u + 64 + 1000);
}

TEST(network, without_costs_everything_arrives_at_once) {
  network net(network_costs{}, 2, 1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(net.arrival(0, 1, 1'000'000, 7), 7u);
  EXPECT_EQ(net.overflows(), 0u);
}

TEST(network, a_burst_of_short_messages_leaves_a_gap_apart) {
  network net(plain(), 2, 1);
  for (std::uint64_t i = 0; i < 5; ++i)
    EXPECT_EQ(net.arrival(0, 1, 10, 0), i * 100 + 10 + 1000) << i;
}

TEST(network, blocks_leave_as_fast_as_their_bytes_do) {
  network net(plain(), 3, 1);
  EXPECT_EQ(net.arrival(0, 1, 4096, 0), 4096u + 1000);
  EXPECT_EQ(net.arrival(0, 2, 10, 0), 4096u + 10 + 1000);
  EXPECT_EQ(net.arrival(1, 2, 10, 20'000), 20'000u + 10 + 1000) << "another link is free";
}

TEST(network, what_follows_a_block_comes_a_gap_behind_it) {
  network net(plain(), 2, 1);
  EXPECT_EQ(net.arrival(0, 1, 4096, 0), 4096u + 1000);
  EXPECT_EQ(net.arrival(0, 1, 10, 0), 4096u + 1000 + 100);
}

TEST(network, two_senders_to_one_receiver_come_in_one_after_the_other) {
  network net(plain(), 3, 1);
  EXPECT_EQ(net.arrival(0, 2, 500, 0), 1500u);
  EXPECT_EQ(net.arrival(1, 2, 500, 0), 1500u + 500);
  EXPECT_EQ(net.arrival(0, 2, 10, 0), 1500u + 500 + 100) << "a gap behind those";
}

TEST(network, crossbar_links_do_not_touch_and_a_shared_medium_is_one) {
  network_costs costs = plain();
  network crossbar(costs, 4, 1);
  EXPECT_EQ(crossbar.arrival(0, 1, 500, 0), 1500u);
  EXPECT_EQ(crossbar.arrival(2, 3, 500, 0), 1500u);
  costs.topology = topology_kind::shared;
  network shared(costs, 4, 1);
  EXPECT_EQ(shared.arrival(0, 1, 500, 0), 1500u);
  EXPECT_EQ(shared.arrival(2, 3, 500, 0), 2000u);
}

TEST(network, in_a_tree_a_message_pays_for_each_bus_and_finds_them_taken) {
  network_costs costs;
  costs.topology = topology_kind::tree;
  costs.latency_ns = 1000;
  costs.bus_nodes = 2;
  costs.bus_bytes_per_ms = 1'000'000;
  network net(costs, 7, 1);  // 4 buses, above them 2, above them 1
  EXPECT_EQ(net.arrival(0, 1, 100, 0), 1100u) << "one bus";
  EXPECT_EQ(net.arrival(2, 0, 100, 10'000), 10'000u + 3 * 1100) << "up one, down one";
  EXPECT_EQ(net.arrival(6, 0, 100, 20'000), 20'000u + 5 * 1100) << "up two, down two";
  EXPECT_EQ(net.arrival(4, 5, 100, 30'000), 31'100u);
  EXPECT_EQ(net.arrival(5, 4, 100, 30'000), 31'200u) << "the bus of both was taken";
  EXPECT_EQ(net.arrival(2, 3, 100, 30'000), 31'100u) << "and another one was not";
  network small(costs, 1, 1);
}

TEST(network, a_full_buffer_delays_and_is_counted) {
  network_costs costs = plain();
  costs.gap_ns = 0;
  costs.bytes_per_ms = 0;
  costs.buffer_messages = 2;
  network net(costs, 3, 1);
  EXPECT_EQ(net.arrival(0, 1, 8, 0), 1000u);
  EXPECT_EQ(net.arrival(0, 2, 8, 10), 1010u);
  EXPECT_EQ(net.overflows(), 0u);
  EXPECT_EQ(net.arrival(0, 1, 8, 20), 1000u + 1000) << "leaves when the first has arrived";
  EXPECT_EQ(net.overflows(), 1u);
  EXPECT_EQ(net.arrival(1, 2, 8, 20), 1020u) << "another node has a buffer of its own";
  EXPECT_EQ(net.arrival(0, 1, 8, 5000), 6000u) << "empty again";
  EXPECT_EQ(net.overflows(), 1u);
}

TEST(network, a_flight_of_its_own_takes_its_time_and_only_its_pair_waits_for_it) {
  network net(plain(), 3, 1);
  const flight slow{9000, 50}, fast{10, 0}, loose{10, 0, false};
  EXPECT_EQ(net.arrival(0, 2, 64, 0, &slow), 9050u) << "not the network's 1064";
  EXPECT_EQ(net.arrival(1, 2, 64, 100, &fast), 110u) << "another pair's is not held up";
  EXPECT_EQ(net.arrival(0, 2, 64, 100, &loose), 110u) << "what needs no order overtakes";
  EXPECT_EQ(net.arrival(0, 2, 64, 100, &fast), 9050u) << "behind the first of its pair";
  EXPECT_EQ(net.arrival(0, 2, 64, 200), 9050u) << "so does a plain message";
}

TEST(network, a_service_costs_by_bytes_and_by_pages) {
  service_costs one;
  one.work_ns = 100;
  one.work_byte_ps = 2000;
  one.page_ns = 7;
  one.taken_ns = 5;
  one.taken_byte_ps = 500;
  EXPECT_EQ(one.work(0, 1024), 100u);
  EXPECT_EQ(one.work(511, 1024), 100u + 1022);
  EXPECT_EQ(one.work(512, 1024), 100u + 1024 + 7) << "a page of the target";
  EXPECT_EQ(one.work(1024, 1024), 100u + 2048 + 2 * 7) << "and one of the source";
  EXPECT_EQ(one.work(1024, 0), 100u + 2048) << "no pages";
  EXPECT_EQ(one.taken(10), 5u + 5);
}

TEST(network, a_file_prices_services_by_their_names) {
  const auto read = read_network("service.rtr.taken_ns = 4\nservice.msg.work_byte_ps = 5\n", "my");
  ASSERT_TRUE(read);
  const auto& known = read.value().priced_services;
  EXPECT_EQ(known[static_cast<std::size_t>(service::rtr)].taken_ns, 4u);
  EXPECT_EQ(known[static_cast<std::size_t>(service::msg)].work_byte_ps, 5u);
  EXPECT_TRUE(known[static_cast<std::size_t>(service::msg)].priced);
  EXPECT_FALSE(known[static_cast<std::size_t>(service::focus)].priced);
  for (const char* wrong :
       {"service.none.taken_ns = 1", "service.rtr.sent_ns = 1", "service.rtr = 1"})
    EXPECT_NE(line_refusal(wrong).find("my.net:1: there is no"), std::string::npos) << wrong;
  EXPECT_NE(line_refusal("service.rtr.taken_ns = x").find("is no value"), std::string::npos);
}

TEST(network, jitter_stays_within_its_bounds_and_follows_the_seed) {
  network_costs costs;
  costs.latency_ns = 1000;
  costs.jitter_ns = 200;
  network net(costs, 2, 7), same(costs, 2, 7), other(costs, 2, 8);
  std::uint64_t least = 5000, most = 0, equal = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t sent = i * 10'000, took = net.arrival(0, 1, 8, sent) - sent;
    EXPECT_EQ(same.arrival(0, 1, 8, sent) - sent, took);
    equal += other.arrival(0, 1, 8, sent) - sent == took ? 1u : 0u;
    least = std::min(least, took);
    most = std::max(most, took);
  }
  EXPECT_GE(least, 1000u);
  EXPECT_LT(least, 1010u);
  EXPECT_LE(most, 1200u);
  EXPECT_GT(most, 1190u);
  EXPECT_LT(equal, 50u);
}

TEST(network, messages_of_a_pair_stay_in_order_whatever_the_jitter) {
  network_costs costs;
  costs.latency_ns = 10;
  costs.jitter_ns = 100'000;
  network net(costs, 4, 3);
  std::uint64_t last[4] = {};
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const node_id from = static_cast<node_id>(i % 3);
    const std::uint64_t there = net.arrival(from, 3, i % 100, i * 5);
    EXPECT_GE(there, last[from]);
    last[from] = there;
  }
}

TEST(network_file, names_numbers_comments_and_blank_lines) {
  const auto costs = read_network(
      "summary = mine = yours\n"
      "\n"
      "# nothing\n"
      "  topology=shared  # a bus\r\n"
      "latency_ns\t=\t1000000000000\n"
      "price_ps.queens_node = 12",
      "my.net");
  ASSERT_TRUE(costs) << costs.problem();
  EXPECT_EQ(costs.value().name, "my.net");
  EXPECT_EQ(costs.value().summary, "mine = yours");
  EXPECT_EQ(costs.value().topology, topology_kind::shared);
  EXPECT_EQ(costs.value().latency_ns, 1000000000000u);
  EXPECT_EQ(costs.value().gap_ns, 0u);
  EXPECT_EQ(costs.value().price_ps.at("queens_node"), 12u);
}

TEST(network_file, errors_name_the_line) {
  EXPECT_EQ(line_refusal("gap_ns = 1\n\nlatency = 5\n"), "my.net:3: there is no 'latency'");
  EXPECT_EQ(line_refusal("gap_ns 1"), "my.net:1: expected `name = value`, not 'gap_ns 1'");
  EXPECT_EQ(line_refusal("# x\ngap_ns = -1"),
            "my.net:2: '-1' is no value for gap_ns (a whole number up to 1000000000000)");
  EXPECT_EQ(line_refusal("gap_ns ="),
            "my.net:1: '' is no value for gap_ns (a whole number up to 1000000000000)");
  EXPECT_EQ(line_refusal("gap_ns = 1.5"),
            "my.net:1: '1.5' is no value for gap_ns (a whole number up to 1000000000000)");
  EXPECT_EQ(line_refusal("gap_ns = 18446744073709551616"),
            "my.net:1: '18446744073709551616' is no value for gap_ns (a whole number up to "
            "1000000000000)");
  EXPECT_EQ(line_refusal("topology = torus"), "my.net:1: 'torus' is no value for topology");
  EXPECT_EQ(line_refusal("price_ps.x = much"),
            "my.net:1: 'much' is no value for price_ps.x (a whole number up to 1000000000000)");
  EXPECT_EQ(line_refusal("topology = tree\nbus_nodes = 1"),
            "my.net: a tree needs bus_nodes, 2 or more");
  EXPECT_EQ(line_refusal("= 1"), "my.net:1: there is no ''");
}

TEST(network_file, every_preset_can_be_chosen_and_says_what_it_is) {
  const auto presets = network_presets();
  EXPECT_GE(presets.size(), 6u);
  for (const network_costs& each : presets) {
    EXPECT_FALSE(each.summary.empty()) << each.name;
    const auto chosen = choose_network(each.name);
    ASSERT_TRUE(chosen) << each.name;
    EXPECT_EQ(chosen.value().latency_ns, each.latency_ns);
    EXPECT_NE(preset_file(each.name).find("summary = " + each.summary), std::string_view::npos);
  }
  EXPECT_TRUE(preset_file("nothing").empty());
}

TEST(network_file, an_unknown_name_is_refused_with_those_there_are) {
  const auto chosen = choose_network("no/such.net");
  ASSERT_FALSE(chosen);
  for (const char* part : {"'no/such.net'", "modern", "zero", "or a file"})
    EXPECT_NE(chosen.problem().find(part), std::string::npos) << chosen.problem();
}

}  // namespace terrane
