// SPDX-License-Identifier: Apache-2.0
// run_on_ranks.hpp: runs a root activation on the ranks of an MPI job, each of which runs the same
// test.
//
// Pitfall     What the root writes to the test's own variables is written on rank 0 alone: what the
//             other ranks find there means nothing (tests/mpi/scenarios.py ignores it).
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "terrane/machine/worlds.hpp"

namespace terrane {

inline run_outcome run_test_on_ranks(const world_row& world, run_options options,
                                     const terrane_function& root, const void* args) {
  const char* const wire = std::getenv("TERRANE_TEST_WIRE");
  if (wire && std::string_view(wire) == "ucx") options.wire = wire_choice::ucx;
  options.nodes_given = true;
  if (auto fits = world.complete(options); !fits) {
    ADD_FAILURE() << fits.problem();
    std::abort();  // the other ranks would wait
  }
  placement placed;
  placed.one_core_each = options.nodes * options.processors <= 2;
  // A world only hands the arguments on to the root, whose they are.
  auto ran =
      world.start({options, root, *static_cast<const terrane_root_args*>(args), nullptr}, placed);
  if (ran) return ran.value();
  ADD_FAILURE() << ran.problem();
  std::abort();
}

}  // namespace terrane
