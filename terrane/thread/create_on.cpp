// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/create_on.hpp"

#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"

namespace terrane {

processor_id landing_on(node_id node) {
  if (node >= terrane_nodes())
    fail(run_time_error::no_such_processor,
         "a thread was to begin on node %u of a machine of %u: nodes count from 0", node,
         terrane_nodes());
  const std::uint32_t each = here().processors_per_node();
  return node * each + thread_seat::here().landings++ % each;
}

}  // namespace terrane
