// SPDX-License-Identifier: Apache-2.0
// run_machine.hpp: runs a root activation on a machine of its own inside a test.
//
//   const auto outcome = run_machine<my_root>({.nodes = 4, .processors = 2}, 12, 4);
//
// The root is a threaded<my_root>; the values are the parameters of its start, which may be
// pointers to the test's own variables (the root always runs on processor 0 of this process).
#pragma once

#include <gtest/gtest.h>

#include "terrane/machine/worlds.hpp"
#include "terrane/terrane.hpp"
#include "tests/support/run_on_processes.hpp"
#include "tests/support/run_on_ranks.hpp"

namespace terrane {

template <class Root, class... A>
run_outcome run_machine(run_options options, A... values) {
  using root = activation<Root, true>;
  if (options.processors == 0) options.processors = 1;
  typename root::packed args;
  root::convert(
      &Root::start, [&](auto... converted) { args = root::pack(converted...); }, values...);
  const auto world = find_world(options.world);
  if (world && world.value()->make_job)
    return run_on_processes(*world.value(), options, root::function, &args);
  if (world && world.value()->is_started)
    return run_test_on_ranks(*world.value(), options, root::function, &args);
  auto made = machine::make(options, {.one_core_each = options.nodes * options.processors <= 2});
  if (!made) {
    ADD_FAILURE() << made.problem();
    return {};
  }
  return made.value()->run(root::function, &args);
}

}  // namespace terrane
