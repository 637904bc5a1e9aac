// SPDX-License-Identifier: Apache-2.0
// own_tokens.hpp: a processor's own tokens: its private stack, the marks in it that spawns compare
// with, what a spawn does that is stopped by one, and what leaves for the node's pool.
//
// Marks       `stocked`: at or above it a child runs at once. `push_limit`: a push there has
//             something to do first. `spawn_limit`: the same for kept tokens. The first and the
//             last may be raised, or cleared, by any thread, so that the next spawn looks up;
//             set_marks() stores them and then reads back whether somebody asked meanwhile, so that
//             no such request is lost under the owner's store (processor.hpp, Protocol).
// Invariants  The owner only, but for raise_marks().
#pragma once

#include <cstddef>
#include <cstdint>

#include "terrane/core/token_pool.hpp"
#include "terrane/core/token_stack.hpp"

namespace terrane {

class object;
class processor;

class own_tokens : public token_stack {
 public:
  /// memory: token_stack's. shared: the node's.
  own_tokens(processor& owner, void* memory, std::size_t tokens_max, const token_pool& shared);

  // --- a spawn that a mark has stopped ---

  /// Whether its child runs at once.
  bool may_run_child();
  /// Room for the token that is pushed next.
  void before_push();
  /// A kept token has been pushed, or one to be shared.
  void after_push();
  /// A kept one was asked for that was not the newest. in_vain: it lay in the pool, and nobody took
  /// it.
  void after_settling(bool in_vain);

  // --- in and out ---

  /// Queues a token whose work may be long: where its node's others see it, if there are any. Says
  /// where in the pool that is; without others, 0.
  std::uint32_t share(const terrane_token& token);
  /// Where the owner may spawn: the oldest but for `keep` go to the node's pool if that wants any.
  void stock_pool(std::ptrdiff_t keep);
  /// Where the owner may spawn: the newest, if it may leave the node.
  bool take_newest_to_leave(terrane_token& token);
  /// The kept token that answers to `waits`, if it still lies in this node's pool.
  bool take_back(const object& waits, terrane_token& token);
  /// What the loop runs next: the newest, where it lies, or the oldest, in `room`, where the newest
  /// is a kept one that may be asked for in its place. Null: there is none.
  const terrane_token* next(terrane_token& room);

  // --- marks ---

  /// Between fibers, after messages were taken: the policy hears of a surplus, the pool is stocked.
  void look_over();
  /// Any thread: the next spawn of either sort looks up.
  void raise_marks();

 private:
  void set_marks();
  void set_push_limit();
  void note_surplus();
  void make_room();

  processor& owner_;
  const token_pool& shared_;
  terrane_token* rearm_ = nullptr;  // surplus is reported again once top has fallen to here
  bool surplus_seen_ = false;
  // Kept tokens held back from a hungry pool: more while those that go there are taken back, so
  // that the leaves of a tree do not go to and fro; none again when others take.
  int kept_ = 0;
};

}  // namespace terrane
