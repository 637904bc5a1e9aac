// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/remote_call.hpp"

#include "terrane/core/failure.hpp"
#include "terrane/talk/post_office.hpp"

namespace terrane {

int new_call_tag() {
  letter_box& mine = post_office::here().own_box();
  return static_cast<int>(mine.calls++ & 0x7fffffff);
}

processor_id server_of(node_id node) {
  if (node >= terrane_nodes())
    fail(run_time_error::no_such_processor,
         "a function was called on node %u of a machine of %u: nodes count from 0", node,
         terrane_nodes());
  return node * here().processors_per_node();
}

processor_id server_of(thread_id who) {
  return where(who) / here().processors_per_node() * here().processors_per_node();
}

}  // namespace terrane
