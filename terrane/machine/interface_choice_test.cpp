// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/interface_choice.hpp"

#include <gtest/gtest.h>

#include <map>

namespace terrane {
namespace {

using address_list = std::vector<std::string>;

const std::vector<network_interface> several{
    {"lo", "127.0.0.1", 8, true, 65536},      {"eth0", "10.1.0.5", 16, false, 1500},
    {"eth1", "10.2.0.5", 24, false, 9000},    {"ib0", "192.168.9.1", 30, false, 2044},
    {"eth0", "2001:db8::5", 64, false, 1500},
};

std::string nowhere(const std::string&) { return ""; }

std::string chosen_for(const address_list& others, const std::string& asked = "") {
  const auto made = choose_interface(several, others, asked, nowhere);
  return made ? made.value().interface.address : made.problem();
}

TEST(interface_choice, loopback_serves_a_run_on_one_host) {
  EXPECT_EQ(chosen_for({}), "127.0.0.1");
  EXPECT_EQ(chosen_for({"127.0.0.1", "127.0.1.1", "::1"}), "127.0.0.1");
  EXPECT_EQ(chosen_for({"10.1.0.5", "127.0.0.1"}), "127.0.0.1") << "our own address";
}

TEST(interface_choice, the_network_of_most_others_is_used) {
  EXPECT_EQ(chosen_for({"10.1.77.1"}), "10.1.0.5");
  EXPECT_EQ(chosen_for({"10.2.0.9"}), "10.2.0.5");
  EXPECT_EQ(chosen_for({"10.2.0.9", "10.1.3.3", "10.1.3.4"}), "10.1.0.5");
  EXPECT_EQ(chosen_for({"10.1.3.3", "10.2.0.9"}), "10.1.0.5") << "the first of two that are equal";
  EXPECT_EQ(chosen_for({"192.168.9.2"}), "192.168.9.1");
  EXPECT_EQ(chosen_for({"2001:db8::77"}), "2001:db8::5");
  EXPECT_EQ(
      choose_interface(several, address_list{"10.2.0.9", "172.16.0.1"}, "", nowhere).value().why,
      "1 of 2 other hosts is in its network");
}

TEST(interface_choice, else_the_way_that_the_kernel_takes) {
  const std::map<std::string, std::string> routes{
      {"8.8.8.8", "10.2.0.5"}, {"9.9.9.9", "10.1.0.5"}, {"9.9.9.8", "10.1.0.5"}};
  const auto towards = [&](const std::string& to) {
    return routes.contains(to) ? routes.at(to) : std::string();
  };
  const auto one = choose_interface(several, address_list{"8.8.8.8"}, "", towards);
  EXPECT_EQ(one.value().interface.name, "eth1");
  EXPECT_EQ(one.value().why, "the way to 1 of 1 other hosts goes through it");
  EXPECT_EQ(choose_interface(several, address_list{"8.8.8.8", "9.9.9.9", "9.9.9.8"}, "", towards)
                .value()
                .interface.name,
            "eth0");
}

TEST(interface_choice, who_asks_is_served) {
  EXPECT_EQ(chosen_for({"10.1.77.1"}, "eth1"), "10.2.0.5");
  EXPECT_EQ(chosen_for({}, "192.168.9.1"), "192.168.9.1");
}

TEST(interface_choice, what_cannot_be_is_one_sentence) {
  EXPECT_EQ(chosen_for({}, "eth7"),
            "this host has no interface eth7 that is up: it has lo (127.0.0.1), eth0 (10.1.0.5), "
            "eth1 (10.2.0.5), ib0 (192.168.9.1), eth0 (2001:db8::5)");
  EXPECT_NE(chosen_for({"172.16.0.1"}).find("no interface of this host leads to 172.16.0.1"),
            std::string::npos);
  EXPECT_EQ(choose_interface({}, {}, "", nowhere).problem(),
            "this host has no loopback interface that is up: ip link set lo up");
  EXPECT_FALSE(choose_interface({}, address_list{"1.2.3.4"}, "", nowhere));
}

TEST(interface_choice, this_host_has_a_loopback_interface) {
  const auto all = interfaces_of_this_host();
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const auto& each) {
    return each.is_loopback && each.address == "127.0.0.1" && each.prefix_bits == 8;
  }));
  EXPECT_EQ(choose_interface(all, {}).value().interface.name, "lo");
  EXPECT_EQ(address_towards("127.0.0.1"), "127.0.0.1");
  EXPECT_EQ(address_towards("no address"), "");
}

}  // namespace
}  // namespace terrane
