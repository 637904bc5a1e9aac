// SPDX-License-Identifier: Apache-2.0
// options_test.cpp: tests which words are options, and the errors for wrong ones.
#include "terrane/machine/options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "terrane/core/balancer.hpp"
#include "terrane/machine/worlds.hpp"

namespace terrane {
namespace {

using words = std::vector<std::string>;

result<parsed_options> parse(const words& all) { return parse_options(all, {}, "usage\n"); }

TEST(options, every_one_is_read) {
  const auto parsed = parse({"--nodes",
                             "4",
                             "--processors=2",
                             "--world",
                             "local",
                             "--balancer",
                             "rand:probes=3",
                             "--seed",
                             "18446744073709551615",
                             "--stats",
                             "json=a b",
                             "--enough",
                             "7",
                             "--pinning",
                             "off",
                             "--frame-memory",
                             "64",
                             "--layout",
                             "own",
                             "--quiet",
                             "prog",
                             "--nodes",
                             "9"});
  ASSERT_TRUE(parsed);
  const run_options& read = parsed.value().options;
  EXPECT_EQ(read.nodes, 4);
  EXPECT_EQ(read.processors, 2);
  EXPECT_EQ(read.world, "local");
  EXPECT_EQ(read.balancer, "rand:probes=3");
  EXPECT_EQ(read.seed, 18446744073709551615u);
  EXPECT_EQ(read.statistics, statistics_form::json);
  EXPECT_EQ(read.statistics_file, "a b");
  EXPECT_EQ(read.enough, 7);
  EXPECT_EQ(read.pinning, pinning_option::off);
  EXPECT_EQ(read.frame_memory_mib, 64u);
  EXPECT_EQ(read.layout, node_layout::own);
  EXPECT_TRUE(read.quiet);
  EXPECT_EQ(parsed.value().own.size(), 20u);
  EXPECT_EQ(parsed.value().rest, (words{"prog", "--nodes", "9"}));
}

/// The problem of an option in that world; empty: it fits.
std::string misfit(const std::string& world, const words& all) {
  const auto parsed = parse(all);
  const auto fits = fits_world(parsed.value().options, *find_world(world).value());
  return fits ? "" : fits.problem();
}

TEST(options, of_other_worlds_are_refused_with_the_worlds_they_are_for) {
  EXPECT_EQ(misfit("local", {"--max-memory", "100"}),
            "--max-memory is for world shm, tcp or mpi, and this is world local: leave it out, or "
            "choose with --world");
  EXPECT_EQ(misfit("tcp", {"--max-memory", "100"}), "");
  EXPECT_NE(misfit("sim", {"--layout", "same"}), "") << "also if it says the default";
  EXPECT_NE(misfit("sim", {"--longest-sleep", "5"}), "");
  EXPECT_NE(misfit("shm", {"--faults", "late=0.5"}), "");
  for (const option_row& each : option_rows()) {
    if (each.worlds.empty()) continue;
    run_options given;
    given.for_some.emplace_back(each.name);
    int refused = 0;
    for (const world_row* world : worlds()) refused += fits_world(given, *world) ? 0 : 1;
    EXPECT_GT(refused, 0) << each.name;
    EXPECT_LT(refused, static_cast<int>(worlds().size())) << each.name;
  }
}

TEST(options, end_at_the_first_other_word_or_at_two_dashes) {
  EXPECT_EQ(parse({"-5", "--nodes", "2"}).value().rest, (words{"-5", "--nodes", "2"}));
  EXPECT_EQ(parse({"--quiet", "--", "--nodes"}).value().rest, words{"--nodes"});
  EXPECT_EQ(parse({"--quiet", "--", "--nodes"}).value().own, words{"--quiet"});
  EXPECT_EQ(parse({"--", "--"}).value().rest, words{"--"});
  EXPECT_EQ(parse({""}).value().rest, words{""});
}

TEST(options, the_last_of_two_counts) {
  EXPECT_EQ(parse({"--nodes", "2", "--nodes=3"}).value().options.nodes, 3);
  const auto parsed = parse({"--stats=json=file", "--stats", "text"});
  EXPECT_EQ(parsed.value().options.statistics, statistics_form::text);
  EXPECT_EQ(parsed.value().options.statistics_file, "");
}

TEST(options, all_tokens_may_be_queued) {
  EXPECT_EQ(parse({"--enough", "all"}).value().options.enough, node_view::enough_all);
}

TEST(options, the_help_names_every_option) {
  const std::string help = parse({"--nodes", "2", "--help", "--nonsense"}).value().help;
  EXPECT_TRUE(help.starts_with("usage\n"));
  for (const char* name :
       {"--nodes N", "--processors P", "--world", "--balancer", "--seed", "--stats", "--enough",
        "--pinning", "--frame-memory", "--layout", "--quiet", "--help", "TERRANE_OPTIONS"})
    EXPECT_NE(help.find(name), help.npos) << name;
}

TEST(options, a_wrong_one_is_a_sentence) {
  struct refusal {
    words given;
    const char* sentence;
  };
  const refusal all[] = {
      {{"--nodes", "0"}, "--nodes needs a whole number from 1 to 16384, not '0'"},
      {{"--nodes", "-3"}, "--nodes needs a whole number from 1 to 16384, not '-3'"},
      {{"--nodes=", "3"}, "--nodes needs a whole number from 1 to 16384, not ''"},
      {{"--nodes", "+3"}, "--nodes needs a whole number from 1 to 16384, not '+3'"},
      {{"--nodes"}, "--nodes needs a value: --nodes N (see --help)"},
      {{"--nodes", "4294967297"}, "--nodes needs a whole number from 1 to 16384, not '4294967297'"},
      {{"--node", "3"}, "there is no option --node: did you mean --nodes? (see --help)"},
      {{"--xyz=3"}, "there is no option --xyz (see --help; the program's own go after --)"},
      {{"--quiet=no"}, "--quiet takes no value: write --quiet alone"},
      {{"--world", "moon"}, "--world takes local, shm, tcp, mpi or sim, not 'moon'"},
      {{"--stats", ""}, "--stats takes text, json, json=FILE or none, not ''"},
      {{"--stats", "json="}, "--stats takes text, json, json=FILE or none, not 'json='"},
      {{"--layout", "other"}, "--layout takes same or own, not 'other'"},
      {{"--progress", "none"}, "--progress takes poll, watchdog or modules, not 'none'"},
      {{"--connect", "never"}, "--connect takes eager or lazy, not 'never'"},
      {{"--heartbeat", "0"}, "--heartbeat needs a number of seconds from 0.1 to 3600, not '0'"},
      {{"--heartbeat", "nan"}, "--heartbeat needs a number of seconds from 0.1 to 3600, not 'nan'"},
      {{"--pinning", "maybe"}, "--pinning takes auto, on or off, not 'maybe'"},
      {{"--enough", "-1"}, "--enough needs a whole number from 0 to 1000000, or all, not '-1'"},
  };
  for (const refusal& each : all) {
    const auto parsed = parse(each.given);
    ASSERT_FALSE(parsed) << each.sentence;
    EXPECT_EQ(parsed.problem(), each.sentence);
  }
  EXPECT_FALSE(parse({"--balancer", "nobody"}));
  EXPECT_FALSE(parse({"--balancer", ""}));
}

class environment : public testing::Test {
 protected:
  void TearDown() override { unsetenv(options_variable); }
};

TEST_F(environment, may_hold_options) {
  setenv(options_variable, "--nodes 3 --stats 'json=a b'", 1);
  const auto read = environment_options({});
  ASSERT_TRUE(read);
  EXPECT_EQ(read.value().options.nodes, 3);
  EXPECT_EQ(read.value().options.statistics_file, "a b");
  EXPECT_EQ(read.value().own, (words{"--nodes", "3", "--stats", "json=a b"}));
}

TEST_F(environment, is_named_where_it_is_wrong) {
  for (const char* wrong : {"--nodes 0", "prog", "'", "--help", "--nodes"}) {
    setenv(options_variable, wrong, 1);
    const auto read = environment_options({});
    ASSERT_FALSE(read) << wrong;
    EXPECT_NE(read.problem().find("TERRANE_OPTIONS: "), std::string::npos) << wrong;
  }
}

}  // namespace
}  // namespace terrane
