// SPDX-License-Identifier: Apache-2.0
// every_machine.hpp: the machines that scenarios run on: world x nodes x processors x balancer x
// enough. A new world is a row of machine/worlds.cpp.
//
//   class my_scenario : public on_a_machine {};
//   TEST_P(my_scenario, ends) { run_machine<my_root>(machine(seed)); }
//   INSTANTIATE_TEST_SUITE_P(everywhere, my_scenario, every_machine(), machine_name);
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "terrane/core/balancer.hpp"
#include "terrane/machine/options.hpp"
#include "terrane/machine/worlds.hpp"
#include "tests/support/worlds_to_test.hpp"

namespace terrane {

struct machine_shape {
  std::string world;
  int nodes, processors;
  std::string balancer;
  int enough;  // below 0: the balancer's choice
};

inline void PrintTo(const machine_shape& shape, std::ostream* out) {
  // Of a library's path, its name.
  const std::string name = shape.balancer.substr(shape.balancer.rfind('/') + 1);
  *out << shape.world << '_' << shape.nodes << 'x' << shape.processors << '_'
       << name.substr(0, name.find_first_of(".:"));
  if (shape.enough == node_view::enough_all)
    *out << "_enough_all";
  else if (shape.enough >= 0)
    *out << "_enough_" << shape.enough;
}

/// The name of an instance: local_4x2_rand_enough_all.
inline std::string machine_name(const testing::TestParamInfo<machine_shape>& instance) {
  return testing::PrintToString(instance.param);
}

/// Whether that many nodes and processors are tried with that choice of `enough`.
inline bool is_tried(const world_row& world, int nodes, int processors, int enough) {
  if (nodes == 32) return world.simulated && processors == 1 && enough < 0;
  if (world.simulated) return nodes != 3 && (enough < 0 || enough == 2);  // it queues all anyhow
  const bool in_processes = world.make == nullptr;
  return (in_processes ? processors == (nodes == 3 ? 2 : 1) : nodes != 3) && enough != 2;
}

inline auto every_machine() {
  std::vector<machine_shape> all;
  for (const world_row* world : worlds_to_test())
    for (const int nodes : node_counts({1, 2, 3, 4, 7, 32}))
      for (const int processors : {1, 2})
        for (const char* balancer : {"nop", "minima", "spn", "rand"})
          for (const int enough : {-1, 0, 2, node_view::enough_all})
            if (is_tried(*world, nodes, processors, enough))
              all.push_back({std::string(world->name), nodes, processors, balancer, enough});
  return testing::ValuesIn(all);
}

/// Four machines of each world, for what takes long.
inline auto few_machines() {
  std::vector<machine_shape> few;
  for (const world_row* each : worlds_to_test()) {
    const std::string world(each->name);
    few.push_back({world, node_counts({1})[0], 1, "nop", -1});
    few.push_back({world, node_counts({2})[0], 2, "rand", -1});
    few.push_back({world, node_counts({4})[0], 1, "spn", 0});
    few.push_back({world, node_counts({7})[0], 2, "minima", node_view::enough_all});
  }
  return testing::ValuesIn(few);
}

class on_a_machine : public testing::TestWithParam<machine_shape> {
 protected:
  static run_options machine(std::uint64_t seed) {
    const machine_shape& shape = GetParam();
    run_options options;
    options.nodes = shape.nodes;
    options.processors = shape.processors;
    options.world = shape.world;
    options.balancer = shape.balancer;
    options.seed = seed;
    options.enough = shape.enough;
    return options;
  }
  /// Of the whole machine.
  static int processors() { return GetParam().nodes * GetParam().processors; }
};

}  // namespace terrane
