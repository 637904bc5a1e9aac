// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/sim_statistics.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace terrane {
namespace {

TEST(sim_statistics, the_text_names_the_three_busiest_pairs_of_nodes) {
  sim_statistics run;
  run.pairs = {{0, 1, 5, 100}, {0, 2, 7, 1}, {1, 0, 5, 200}, {2, 0, 9, 90}, {2, 1, 1, 999}};
  EXPECT_NE(run.to_text().find("terrane: 5 pairs of nodes, the busiest 2 to 0: 9 (90 bytes); 0 to "
                               "2: 7 (1 byte); 0 to 1: 5 (100 bytes)\n"),
            std::string::npos)
      << run.to_text();
  run.pairs.resize(1);
  EXPECT_NE(run.to_text().find("terrane: 1 pair of nodes, the busiest 0 to 1: 5 (100 bytes)\n"),
            std::string::npos);
}

TEST(sim_statistics, the_text_says_when_a_run_cannot_be_repeated) {
  sim_statistics run;
  run.events = 1;
  EXPECT_NE(run.to_text().find("simulated: 1 event, 0 messages between nodes"), std::string::npos);
  EXPECT_NE(run.to_text().find("not repeatable"), std::string::npos);
  run.repeatable = true;
  EXPECT_EQ(run.to_text().find("not repeatable"), std::string::npos);
}

TEST(sim_statistics, the_json_object_lists_pairs_and_the_virtual_time) {
  sim_statistics run;
  run.pairs = {{0, 1, 5, 100}, {2, 0, 9, 90}};
  const auto object = nlohmann::json::parse(run.to_json(1.5));
  EXPECT_EQ(object.at("virtual_seconds"), 1.5);
  EXPECT_EQ(
      object.at("pairs").dump(),
      R"([{"bytes":100,"from":0,"messages":5,"to":1},{"bytes":90,"from":2,"messages":9,"to":0}])");
}

}  // namespace
}  // namespace terrane
