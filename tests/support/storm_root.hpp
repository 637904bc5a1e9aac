// SPDX-License-Identifier: Apache-2.0
// storm_root.hpp: a storm (storm_of_ends.hpp) as a program, and a machine for it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "terrane/machine/options.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/thread.hpp"
#include "tests/support/storm_of_ends.hpp"

namespace terrane::storms {

/// The root: runs the network of a seed in a thread, and writes what it came to.
struct storm_root : threaded<storm_root> {
  thread running;
  join over = on<&storm_root::finish>();
  step start(int* sum, std::uint64_t seed, bool lends) {
    charge(step_work, 0);
    running = thread::create({.name = "storm"}, [=] { *sum = network(seed).run(lends); });
    running.signal_at_end(over.one());
    return await(over);
  }
  step finish() {
    charge(step_work, 0);
    running.join();
    return done;
  }
};

/// Everything but the world is drawn from the seed.
inline run_options machine_of(const std::string& world, std::uint64_t seed, int nodes_max) {
  random_stream dice(seed, 7);
  run_options options;
  options.world = world;
  options.nodes = 1 + static_cast<int>(dice.below(static_cast<std::uint32_t>(nodes_max)));
  options.processors = 1 + static_cast<int>(dice.below(2));
  options.seed = seed;
  constexpr std::array balancers{"rand", "spn", "dual", "his", "nop", "adaptive"};
  options.balancer = balancers[dice.below(balancers.size())];
  if (world == "sim") {
    const auto rate = [&](double most) { return dice.below(3) == 0 ? most : 0; };
    options.faults.delay = rate(0.3);
    options.faults.heavy = rate(0.05);
    options.faults.reorder = rate(0.5);
    options.faults.slow = rate(0.3);
    options.faults.pause = rate(0.01);
    options.faults.late = rate(0.3);
  }
  return options;
}

}  // namespace terrane::storms
