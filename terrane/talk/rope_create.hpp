// SPDX-License-Identifier: Apache-2.0
// rope_create.hpp: how the members of a rope begin: the part of rope.hpp with the starts of
// threads.
#pragma once

#include <utility>
#include <vector>

#include "terrane/talk/rope.hpp"
#include "terrane/thread/create_on.hpp"

namespace terrane {

/// A rope and its threads, to be joined by the thread that made it. The destructor joins; then
/// exceptions are lost.
class started_rope : public rope {
 public:
  started_rope(rope made, std::vector<thread> threads) : rope(made), threads_(std::move(threads)) {}
  started_rope(started_rope&&) = default;
  /// Returns when all have ended; throws what left the one of lowest rank that threw.
  void join();

 private:
  std::vector<thread> threads_;
};

/// The first code of a member: registers it, then returns.
void begin_member(terrane_slot_ref rope);
/// For the start of members: the processor where a rank begins; R-301 if its node does not exist.
processor_id landing_of(const rope_mapping& mapping, std::uint32_t rank, std::uint32_t members);
void require_members(std::uint32_t n);

template <class Call>
struct member_start {
  static void begin(terrane_slot_ref rope, remote_start<Call> asked) {
    rope_desk::here().expect(rope);
    const auto whole = [rope, call = asked.call] {
      begin_member(rope);
      call();
    };
    asked.made.send(begin_journey(asked.options(), whole, true).name());
  }
};

template <class F, class... A>
started_rope rope::create(std::uint32_t n, const rope_mapping& mapping, const thread_options& how,
                          const F& call, const A&... values) {
  (require_wire_value<std::decay_t<A>>(), ...);
  require_members(n);
  thread_block& me = thread_block::current("rope::create");
  const auto whole = [call, kept = as_arguments(values...)] { call_with(kept, call); };
  using kept_call = std::remove_const_t<decltype(whole)>;
  const rope made(desk().new_name());
  std::vector<terrane_slot_ref> names(n);
  for (std::uint32_t rank = 0; rank < n; ++rank)
    post<&member_start<kept_call>::begin>(
        landing_of(mapping, rank, n), made.name(),
        remote_start<kept_call>::of(how, whole, {{me.expect(), &names[rank]}}));
  here().pay_nothing();
  me.block("the members of a rope");
  here().pay_nothing();
  std::vector<thread> threads;
  for (const terrane_slot_ref each : names) threads.push_back(thread::take({each}));
  desk().found(made.name(), std::move(names));
  return {made, std::move(threads)};
}
template <class F, class... A>
started_rope rope::create(std::uint32_t n, const rope_mapping& mapping, const F& call,
                          const A&... values) {
  return create(n, mapping, thread_options{.name = "member"}, call, values...);
}

}  // namespace terrane
