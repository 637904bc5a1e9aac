// SPDX-License-Identifier: Apache-2.0
// every_machine.hpp: the machines that scenarios run on: world x nodes x processors x balancer x
// enough. A new world is one more word in `worlds`.
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

namespace terrane {

inline constexpr const char* worlds[] = {"local", "shm", "sim"};

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
       << name.substr(0, name.find('.'));
  if (shape.enough == node_view::enough_all)
    *out << "_enough_all";
  else if (shape.enough >= 0)
    *out << "_enough_" << shape.enough;
}

/// The name of an instance: local_4x2_rand_enough_all.
inline std::string machine_name(const testing::TestParamInfo<machine_shape>& instance) {
  return testing::PrintToString(instance.param);
}

inline auto every_machine() {
  std::vector<machine_shape> all;
  for (const int nodes : {1, 2, 4, 7})
    for (const int processors : {1, 2})
      for (const char* balancer : {"nop", "minima", "spn", "rand"})
        for (const int enough : {-1, 0, node_view::enough_all})
          all.push_back({"local", nodes, processors, balancer, enough});
  for (const int nodes : {1, 2, 3, 4, 7})
    for (const char* balancer : {"nop", "minima", "spn", "rand"})
      for (const int enough : {-1, 0, node_view::enough_all})
        all.push_back({"shm", nodes, nodes == 3 ? 2 : 1, balancer, enough});
  // Under sim the balancer's choice is enough_all; 32 nodes cost what 7 do.
  for (const int nodes : {1, 2, 4, 7, 32})
    for (const int processors : {1, 2})
      for (const char* balancer : {"nop", "minima", "spn", "rand"})
        for (const int enough : {-1, 2})
          if (nodes != 32 || (processors == 1 && enough < 0))
            all.push_back({"sim", nodes, processors, balancer, enough});
  return testing::ValuesIn(all);
}

/// Four machines of each world, for what takes long.
inline auto few_machines() {
  std::vector<machine_shape> few;
  for (const char* world : worlds) {
    few.push_back({world, 1, 1, "nop", -1});
    few.push_back({world, 2, 2, "rand", -1});
    few.push_back({world, 4, 1, "spn", 0});
    few.push_back({world, 7, 2, "minima", node_view::enough_all});
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
