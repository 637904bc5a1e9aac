// SPDX-License-Identifier: Apache-2.0
// create_on.hpp: threads that begin on another node.
//
//   thread far = thread::create_on(2, {.name = "far"}, [](long n) { work(n); }, 5L);
//   far.join();
//
// Invariants  What the thread calls is copied as bytes. The thread is migratable.
// Source      [CHANT §2.1] (remote thread operations).
#pragma once

#include <cstdio>

#include "terrane/cpp/arguments.hpp"
#include "terrane/thread/handlers.hpp"
#include "terrane/thread/thread.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane {

/// R-210 unless there is such a node. Otherwise one of its processors, in turn.
processor_id landing_on(node_id node);

template <class Call>
struct remote_start {
  Call call;
  std::uint64_t stack_bytes;
  std::int64_t about;
  std::int32_t priority;
  stack_from size_from;
  char name[35];
  reply<terrane_slot_ref> made;

  static remote_start of(const thread_options& how, const Call& call, reply<terrane_slot_ref> to) {
    remote_start asked{call, how.stack_bytes, how.about, how.priority, how.size_from, {}, to};
    std::snprintf(asked.name, sizeof asked.name, "%s", how.name);
    return asked;
  }
  thread_options options() const {
    return {.name = thread_seat::here().kept_name(name),
            .stack_bytes = stack_bytes,
            .priority = priority,
            .about = about,
            .size_from = size_from};
  }
  static void begin(remote_start asked) {
    asked.made.send(begin_journey(asked.options(), asked.call, true).name());
  }
};
template <class Call>
inline constexpr bool position_independent<remote_start<Call>> = true;

template <class F, class... A>
thread thread::create_on(node_id node, const thread_options& how, const F& call,
                         const A&... values) {
  (require_wire_value<std::decay_t<A>>(), ...);
  thread_block& me = thread_block::current("create_on");
  const auto whole = [call, kept = as_arguments(values...)] { call_with(kept, call); };
  using start = remote_start<std::remove_const_t<decltype(whole)>>;
  static_assert(std::is_trivially_copy_constructible_v<F> && std::is_trivially_destructible_v<F>,
                "what a thread calls on another node is copied as bytes: let it capture values");
  terrane_slot_ref name = 0;
  post<&start::begin>(landing_on(node), start::of(how, whole, {{me.expect(), &name}}));
  me.block("a thread that is made on another node");
  here().pay_nothing();
  return thread(name);
}

}  // namespace terrane
