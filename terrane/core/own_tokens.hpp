// SPDX-License-Identifier: Apache-2.0
// own_tokens.hpp: a processor's own tokens: its private stack, the marks in it that spawns compare
// with, what a spawn does if a mark stops it, and which tokens go to the node's pool.
//
// Marks       `stocked`: at or above it a child runs at once. `push_limit`: a push there has
//             something to do first. `spawn_limit`: the same for kept tokens. Any thread may raise
//             or clear the first and the last, so that the next spawn takes the slow path.
//             set_marks() stores them and then reads whether another thread has asked meanwhile, so
//             that the owner's store overwrites no such request (processor.hpp, Protocol).
// Invariants  Only the owner calls these functions, except raise_marks().
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
  /// memory: as for token_stack. shared: the node's pool.
  own_tokens(processor& owner, void* memory, std::size_t tokens_max, const token_pool& shared);

  // --- a spawn that a mark has stopped ---

  /// True if the child of this spawn runs at once.
  bool may_run_child();
  /// Makes room for the token that is pushed next.
  void before_push(const terrane_function& function);
  /// Call after a kept token has been pushed.
  void after_kept_push();
  /// Call after a kept token that was not the newest has been asked for. in_vain: it lay in the
  /// pool, and nobody had taken it.
  void after_settling(bool in_vain);

  // --- in and out ---

  /// Queues a token whose work may be long: in the pool, if there are other processors to see it.
  /// Returns its place in the pool; 0 if there are none.
  std::uint32_t share(const terrane_token& token);
  /// Call only where the owner may spawn. All but the newest `keep` tokens may go to the node's
  /// pool, the oldest first, if the pool wants any.
  void stock_pool(std::ptrdiff_t keep);
  /// Call only where the owner may spawn. Takes the newest token, if it may leave the node.
  bool take_newest_to_leave(terrane_token& token);
  /// Takes the kept token whose answer `waits` waits for, if it still lies in this node's pool.
  bool take_back(const object& waits, terrane_token& token);
  /// The token that the loop runs next. This is the newest, in its place in the stack. But if the
  /// newest is a kept token, which may be asked for in its place, it is the oldest, in `room`.
  /// Null: there is none.
  const terrane_token* next(terrane_token& room);

  // --- marks ---

  /// Call between fibers, after messages were taken. Tells the policy of a surplus and stocks the
  /// pool.
  void look_over();
  /// May be called by any thread: the next spawn of either sort takes the slow path.
  void raise_marks();

 private:
  bool is_recorded() const;
  bool has_enough() const;
  void after_push();
  void set_limit(terrane_token* limit);
  void set_marks();
  void set_push_limit();
  void note_surplus();
  void make_room();

  processor& owner_;
  const token_pool& shared_;
  // While tokens are recorded, every spawn and push takes the slow path. These are the marks that
  // would stop it otherwise. Any thread may raise or clear the first and the last.
  terrane_token* stocked_mark_ = nullptr;
  terrane_token* push_mark_ = nullptr;
  terrane_token* spawn_mark_ = nullptr;
  terrane_token* rearm_ = nullptr;  // surplus is reported again once top has fallen to here
  bool surplus_seen_ = false;
  // How many kept tokens are held back from a hungry pool. It grows while tokens that went there
  // are taken back, so that the leaves of a tree do not go to the pool and back; it is 0 again when
  // other processors take them.
  int kept_ = 0;
};

}  // namespace terrane
