// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/par.hpp"

#include <cstdio>

#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"
#include "terrane/thread/channel_desk.hpp"
#include "terrane/thread/lent.hpp"

namespace terrane {

void this_thread::exit(int code) {
  thread_block::current("exit");
  throw thread_exit(code);
}

void this_thread::stop(std::source_location where) {
  thread_block& me = thread_block::current("stop");
  char text[160];  // stays, as this call does
  std::snprintf(text, sizeof text, "nothing: it stopped at %s:%u", where.file_name(), where.line());
  me.expect();
  me.block(text);
  __builtin_unreachable();
}

void halt(const char* sentence) {
  const thread_block* const me = thread_block::current();
  fail(run_time_error::halted, "thread %s halts the run: %s", me ? me->thread_name() : "-",
       sentence);
}

par_branches::par_branches(std::size_t count)
    : me_(thread_block::current("par")), codes_(count), names_(count) {
  threads_.reserve(count);
  channel_desk::give_up_all(me_);
  journey::has_children(me_, 1);
}

reply<int> par_branches::next_code() { return {{me_.expect(), &codes_[threads_.size()]}}; }

reply<terrane_slot_ref> par_branches::next_name() {
  return {{me_.expect(), &names_[threads_.size()]}};
}

void par_branches::start_on(node_id node, const terrane_function& function, const void* args) {
  const processor& self = here();
  if (node >= terrane_nodes())
    fail(run_time_error::no_such_processor,
         "a branch of a par was to run on node %u of a machine of %u", node, terrane_nodes());
  const std::uint32_t each = self.processors_per_node();
  const bool own = node == self.home().number();
  terrane_invoke(own ? self.number : node * each, &function, args);
}

std::vector<int> par_branches::join() {
  if (threads_.empty()) return end_loans(me_), std::vector<int>{};
  me_.block("the branches of a par");  // codes and names of those that may be elsewhere
  std::exception_ptr first;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    if (names_[i] != 0) threads_[i] = thread::take({names_[i]});
    here().pay_nothing();
    try {
      threads_[i].join();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  here().pay_nothing();
  end_loans(me_);
  if (first) std::rethrow_exception(first);
  return std::move(codes_);
}

}  // namespace terrane
