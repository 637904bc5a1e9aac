// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/hosts.hpp"

#include <gtest/gtest.h>

#include <random>

#include "terrane/machine/options.hpp"

namespace terrane {
namespace {

using host_list = std::vector<host>;
using number_list = std::vector<int>;

TEST(hosts, names_and_slots_are_read) {
  EXPECT_EQ(parse_hosts("a").value(), (host_list{{"a", 0, 0}}));
  EXPECT_EQ(parse_hosts("a,b:4,c").value(), (host_list{{"a", 0, 0}, {"b", 4, 0}, {"c", 0, 0}}));
  EXPECT_EQ(parse_hosts(" a , b:2 ").value(), (host_list{{"a", 0, 0}, {"b", 2, 0}}));
  EXPECT_EQ(parse_hosts("10.1.2.3:8").value(), (host_list{{"10.1.2.3", 8, 0}}));
  EXPECT_EQ(parse_hosts("me@big-1.example.org:16").value(),
            (host_list{{"me@big-1.example.org", 16, 0}}));
  EXPECT_EQ(parse_hosts("[::1]:2,[fe80::1],2001:db8::7,me@[::1]:3").value(),
            (host_list{{"::1", 2, 0}, {"fe80::1", 0, 0}, {"2001:db8::7", 0, 0}, {"me@::1", 3, 0}}));
  EXPECT_EQ(parse_hosts("me@b").value()[0].address(), "b");
}

TEST(hosts, a_name_that_stands_again_adds_its_slots) {
  EXPECT_EQ(parse_hosts("a,b,a,a").value(), (host_list{{"a", 3, 0}, {"b", 0, 0}}));
  EXPECT_EQ(parse_hosts("a:4,a:2").value(), (host_list{{"a", 6, 0}}));
}

TEST(hosts, nonsense_is_one_sentence_that_names_it) {
  for (const char* const text : {"",        ",",      "a,",
                                 ",a",      "a,,b",   ":4",
                                 "a:",      "a:0",    "a:-1",
                                 "a:x",     "a:1.5",  "a:99999999999",
                                 "a:16385", "a b",    "-oProxyCommand=x",
                                 "me@-x",   "@a",     "a@",
                                 "a@b@c",   "a;b",    "$(x)",
                                 "a/b",     ".a",     "[::1",
                                 "[::1]x",  "[::1]:", "[]",
                                 "a:4:5",   "a\nb",   "b\\",
                                 "'a'",     ":::x"}) {
    const auto read = parse_hosts(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.problem().find('\n'), std::string::npos) << text;
  }
  EXPECT_FALSE(parse_hosts(std::string(256, 'a')));
  EXPECT_FALSE(parse_hosts(std::string("a\0b", 3)));
  EXPECT_EQ(parse_hosts("a:x").problem(),
            "'a:x' needs a whole number from 1 to 16384 after its colon (write a,b:4,c: names with "
            "commas between them)");
}

TEST(hosts, too_many_are_refused) {
  std::string text = "h0";
  for (int i = 1; i <= processors_max; ++i) text += ",h" + std::to_string(i);
  EXPECT_EQ(parse_hosts(text).problem(), "more than 16384 hosts");
  EXPECT_EQ(parse_hosts("a:16384,a").problem(), "a has more than 16384 slots");
}

TEST(hostfile, both_spellings_are_read) {
  const auto read = parse_hostfile(
      "# our machines\n"
      "a slots=4 max_slots=8   # Open MPI's\n"
      "\n"
      "b:2\r\n"
      "  c\t slots = 3\n"
      "d max-slots=5\n"
      "e\n"
      "a slots=1",
      "F");
  ASSERT_TRUE(read) << read.problem();
  EXPECT_EQ(read.value(),
            (host_list{{"a", 5, 8}, {"b", 2, 0}, {"c", 3, 0}, {"d", 0, 5}, {"e", 0, 0}}));
}

TEST(hostfile, nonsense_is_one_sentence_with_its_line) {
  struct wrong_line {
    const char* line;
    const char* why;
  };
  for (const auto& [line, why] : std::initializer_list<wrong_line>{
           {"a b", "'b' is not known here: slots= and max_slots= are, and name:SLOTS"},
           {"a slot=4", "'slot' is not known here: slots= and max_slots= are, and name:SLOTS"},
           {"a slots", "slots needs a number: slots=4"},
           {"a slots=", "slots needs a whole number from 1 to 16384, not ''"},
           {"a slots=x", "slots needs a whole number from 1 to 16384, not 'x'"},
           {"a slots=0", "slots needs a whole number from 1 to 16384, not '0'"},
           {"a slots=4 slots=5", "a says slots twice"},
           {"a:4 slots=4", "a says slots twice"},
           {"a slots=4 max_slots=2", "a has fewer max_slots (2) than slots (4)"},
           {"a:4 binding=user:0,1",
            "'binding' is not known here: slots= and max_slots= are, and name:SLOTS"},
           {"a:b", "'a:b' needs a whole number from 1 to 16384 after its colon"},
           {"$(reboot)", "'$(reboot)' is no name of a host"},
           {"slots=4", "'slots=4' is no name of a host"},
           {"\x7f"
            "ELF",
            "'\\x7fELF' is no name of a host"},
       }) {
    const auto read = parse_hostfile("good\n" + std::string(line) + "\n", "F");
    ASSERT_FALSE(read) << line;
    EXPECT_EQ(read.problem(), "F:2: " + std::string(why));
  }
  EXPECT_EQ(parse_hostfile("", "F").problem(), "F names no host");
  EXPECT_EQ(parse_hostfile("# a\n\n", "F").problem(), "F names no host");
}

TEST(hostfile, one_that_cannot_be_read_is_named) {
  EXPECT_EQ(read_hostfile("/nowhere/F").problem(),
            "the hostfile /nowhere/F cannot be read: No such file or directory");
  EXPECT_EQ(read_hostfile("/").problem(), "the hostfile / is a directory");
}

TEST(hostfile, any_bytes_are_read_or_refused) {
  std::mt19937 random(7);
  const std::string letters = "ab4:=# \t\n@[]-.,slots=max_";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (unsigned i = random() % 24; i > 0; --i) text += letters[random() % letters.size()];
    if (const auto read = parse_hostfile(text, "F")) {
      for (const host& each : read.value()) {
        EXPECT_FALSE(each.name.empty() || each.name[0] == '-') << text;
        EXPECT_GE(each.slots, 0);
      }
    } else {
      EXPECT_EQ(read.problem().find('\n'), std::string::npos) << text;
    }
    (void)parse_hosts(text);
  }
}

number_list placed(const char* hosts, int nodes) {
  auto all = parse_hosts(hosts);
  EXPECT_TRUE(all) << hosts;
  auto where = place_nodes(all.value(), nodes);
  return where ? where.value() : number_list{-1};
}

TEST(placement_of_nodes, slots_are_filled_in_order) {
  EXPECT_EQ(placed("a:2,b:2", 4), (number_list{0, 0, 1, 1}));
  EXPECT_EQ(placed("a:2,b:2", 3), (number_list{0, 0, 1}));
  EXPECT_EQ(placed("a:2,b:2", 1), (number_list{0}));
  EXPECT_EQ(placed("a,b,c", 3), (number_list{0, 1, 2}));
  EXPECT_EQ(placed("a,b,c", 2), (number_list{0, 1}));
}

TEST(placement_of_nodes, hosts_without_a_number_share_what_is_left_over) {
  EXPECT_EQ(placed("a,b,c", 7), (number_list{0, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(placed("a:2,b", 5), (number_list{0, 0, 1, 1, 1}));
  EXPECT_EQ(placed("a,b:1,c", 6), (number_list{0, 0, 0, 1, 2, 2}));
}

TEST(placement_of_nodes, the_largest_numbers_are_used_last) {
  const host_list all{{"a", 1, 3}, {"b", 2, 0}};
  EXPECT_EQ(place_nodes(all, 3).value(), (number_list{0, 1, 1}));
  EXPECT_EQ(place_nodes(all, 5).value(), (number_list{0, 0, 0, 1, 1}));
  EXPECT_FALSE(place_nodes(all, 6));
}

TEST(placement_of_nodes, too_few_slots_are_an_error_that_says_what_to_write) {
  EXPECT_EQ(place_nodes(parse_hosts("a:2,b:2").value(), 6).problem(),
            "6 nodes need 6 slots, and the hosts have 4: say how many each takes, as in a:4");
  EXPECT_FALSE(place_nodes({}, 1));
}

TEST(placement_of_nodes, every_node_has_a_host_and_neighbours_adjoin) {
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    host_list all(1 + random() % 5);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = {"h" + std::to_string(i), static_cast<int>(random() % 4), 0};
      if (random() % 3 == 0) all[i].slots_max = all[i].slots + static_cast<int>(random() % 4);
    }
    const int nodes = 1 + static_cast<int>(random() % 12);
    const auto where = place_nodes(all, nodes);
    if (!where) continue;
    ASSERT_EQ(where.value().size(), static_cast<std::size_t>(nodes));
    EXPECT_TRUE(std::is_sorted(where.value().begin(), where.value().end()));
  }
}

TEST(placement_of_nodes, there_is_a_node_for_each_slot_unless_told) {
  EXPECT_EQ(default_nodes(parse_hosts("a,b:4,c").value()), 6);
  EXPECT_EQ(default_nodes({}), 0);
}

}  // namespace
}  // namespace terrane
