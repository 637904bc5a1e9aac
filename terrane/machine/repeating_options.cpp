// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>

#include "terrane/core/balancer.hpp"
#include "terrane/machine/options.hpp"

namespace terrane {

std::vector<std::string> repeating_options(const run_options& options) {
  std::vector<std::string> words{"--world", options.world, "--seed", std::to_string(options.seed)};
  const auto add = [&](const char* name, std::string value) {
    words.emplace_back(name);
    words.push_back(std::move(value));
  };
  add("--nodes", std::to_string(options.nodes));
  add("--processors", std::to_string(std::max(1, options.processors)));
  add("--network", options.network);
  add("--balancer", options.balancer);
  add("--faults", to_text(options.faults));
  if (options.enough == node_view::enough_all)
    add("--enough", "all");
  else if (options.enough >= 0)
    add("--enough", std::to_string(options.enough));
  if (options.rope_balancer != run_options().rope_balancer)
    add("--rope-balancer", options.rope_balancer);
  if (options.letters.eager_bytes_max != letter_options().eager_bytes_max)
    add("--eager", std::to_string(options.letters.eager_bytes_max));
  if (options.letters.wait != receive_wait::scheduler)
    add("--recv-wait", options.letters.wait == receive_wait::spin ? "spin" : "thread");
  if (options.frame_memory_mib != run_options().frame_memory_mib)
    add("--frame-memory", std::to_string(options.frame_memory_mib));
  if (options.ranks != 0) add("--ranks", std::to_string(options.ranks));
  if (options.stack_kib != run_options().stack_kib)
    add("--stack", std::to_string(options.stack_kib));
  return words;
}

}  // namespace terrane
