// SPDX-License-Identifier: Apache-2.0
// ready_queue.hpp: what a processor has ready, in the order in which it runs.
//
//   fibers of the priorities before the default one, by priority, then first come first served
//   fibers of the default priority: the ring that terrane.h sees
//   fibers of the priorities behind it
//   activations that were invoked here
//   tokens: the processor's own, then its node's
//   fibers that yielded: at the ring's end once all that was ready has run, before the next token
//   but one
//
// Purpose     The queue is the head of a processor and the rest of what is ready. Whoever stops
//             running may hand its turn on to what the loop would run next without coming back to
//             the loop, unless something here says that the loop is wanted.
// Invariants  The owner only, but for `attention_`. `beside_` says what there is beside the ring,
//             so that one compare tells that there is nothing.
// Cost        The ring: a load, a store, an addition; full, it is copied to one of twice the size.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "terrane/base/atomic.hpp"
#include "terrane/base/rare.hpp"
#include "terrane/base/ring_queue.hpp"
#include "terrane/core/token_pool.hpp"
#include "terrane/terrane.h"

namespace terrane {

class ready_queue : public terrane_processor {
 public:
  /// shared: the node's tokens, which wait behind the processor's own.
  explicit ready_queue(const token_pool& shared);
  /// What was invoked and never began is dropped.
  ~ready_queue();
  ready_queue(const ready_queue&) = delete;
  ready_queue& operator=(const ready_queue&) = delete;

  // --- what becomes ready ---

  void make_ready(terrane_frame& frame, const terrane_fiber& fiber) {
    const bool ring_is_full =
        TERRANE_RARE("core.ready_ring_moves", ready_tail - ready_head > ready_mask);
    if (TERRANE_UNLIKELY(fiber.priority != TERRANE_PRIORITY_DEFAULT || ring_is_full))
      return make_ready_slow(frame, fiber);
    ready[ready_tail++ & ready_mask] = {frame.name, &fiber};
  }
  /// The same, once all that is ready now, and a token if there is one, have had their turn.
  void make_ready_last(terrane_frame& frame, const terrane_fiber& fiber);
  /// An activation that must run here.
  void invoke(const terrane_token& token);

  // --- what the loop runs next ---

  bool has_ready() const { return ready_head != ready_tail || (beside_ & ready_levels) != 0; }
  /// True while there is anything to run, or to look at. seq_cst: may follow parker::prepare.
  bool has_work() const {
    return loop_is_asked_in_order() || has_ready() ||
           (beside_ & (some_yielded | some_invoked)) != 0 || tokens_wait();
  }
  bool take_ready(terrane_ready& next) {
    if (ready_head != ready_tail && TERRANE_LIKELY((beside_ & before_default) == 0)) {
      next = ready[ready_head++ & ready_mask];
      return true;
    }
    return (beside_ & ready_levels) != 0 && take_from_level(next);
  }
  /// To the ring's end. True if there were any: a token may run before them, or who waits for its
  /// answer by yielding would wait for ever.
  bool bring_back_yielded() {
    return TERRANE_UNLIKELY((beside_ & some_yielded) != 0) && append_yielded();
  }
  /// The oldest that was invoked.
  bool take_invoked(terrane_token& token) {
    return TERRANE_UNLIKELY((beside_ & some_invoked) != 0) && take_first_invoked(token);
  }
  /// The first of the ring, the last of which is that frame's, if all of it is.
  bool take_of(const terrane_frame& frame, terrane_ready& next);
  /// All that is ready or has yielded.
  template <class Visit>
  void for_each_ready(Visit&& visit) const {
    for (std::uint32_t i = ready_head; i != ready_tail; ++i) visit(ready[i & ready_mask]);
    for (const auto& level : other_levels_)
      for (std::size_t i = 0; i < level.size(); ++i) visit(level[i]);
    for (std::size_t i = 0; i < yielded_.size(); ++i) visit(yielded_[i]);
  }
  /// Whether a fiber of an earlier priority is ready.
  bool somebody_before_default() const { return (beside_ & before_default) != 0; }

  /// Somebody asked the loop to look at something.
  bool loop_is_asked() const { return attention_.asked.load(memory_order_relaxed); }
  /// The same, in one order with the stores of those who ask and of this processor.
  bool loop_is_asked_in_order() const { return attention_.asked.load(memory_order_seq_cst); }

  /// Any thread: tokens of its own, as far as others can tell.
  int queued_hint() const {
    const auto size = TERRANE_LOAD_RELAXED(&top) - TERRANE_LOAD_RELAXED(&bottom);
    return size > 0 ? static_cast<int>(size) : 0;
  }

  // --- turns that are handed on ---

  /// Why whoever stops running comes back to the loop at any rate.
  enum reason : std::uint32_t {
    world_listens = 1u << 10,  // it looks for messages between turns
    run_ends = 1u << 11,
    time_is_simulated = 1u << 12,  // each turn has its price
    slices_end = 1u << 13          // somebody looks at the clock between turns
  };
  void keep_to_loop(reason why, bool so) { mark(why, so); }
  /// Until the loop looks up. What was handed on of them was a fiber each, to be counted when the
  /// loop goes on.
  std::uint32_t turns_left() const { return turns_left_; }
  void count_passed_on(std::uint32_t left_before) { fibers += left_before - turns_left_; }

  /// The frame whose `fiber` the loop would run next, off the queue and counted as by a turn. Null:
  /// something else comes first, and the loop decides.
  terrane_frame* take_in_turn(const terrane_fiber& fiber) {
    if (ready_head == ready_tail || TERRANE_UNLIKELY(!may_follow(before_default | any_reason)))
      return nullptr;
    return take_first(fiber);
  }
  /// True if that frame's is the default level's next fiber, and the loop would run it next: off
  /// the queue and counted.
  bool take_in_turn(const terrane_frame& frame) {
    if (ready_head == ready_tail || ready[ready_head & ready_mask].frame != frame.name ||
        TERRANE_UNLIKELY(!may_follow(before_default | any_reason)))
      return false;
    ++ready_head;
    count_turn();
    return true;
  }
  /// As the first, for `yields`, whose `fiber` becomes ready behind all that is: null if that is
  /// itself. False: it has not been made ready.
  bool take_turn_about(terrane_frame& yields, const terrane_fiber& fiber, terrane_frame*& next) {
    if (TERRANE_UNLIKELY(!may_follow(~0u) || tokens_wait())) return false;
    next = nullptr;
    if (ready_head == ready_tail) return count_turn(), true;
    next = take_first(fiber);
    if (TERRANE_UNLIKELY(!next)) return false;
    ready[ready_tail++ & ready_mask] = {yields.name, &fiber};
    return true;
  }
  /// True: what becomes ready now would be what the loop runs next, and its turn has been counted.
  bool next_turn_is_free() {
    if (ready_head != ready_tail || TERRANE_UNLIKELY(!may_follow(before_default | any_reason)))
      return false;
    count_turn();
    return true;
  }

 protected:
  void count_turn() { --turns_left_; }

  std::uint32_t turns_left_ = 16;  // until the loop looks up
  const token_pool& shared_;
  // Any thread writes, the owner reads and clears. On a line of its own.
  struct alignas(64) {
    atomic<bool> asked{true};
  } attention_;

 private:
  // What beside_ says: levels of other_levels_ that hold something, whether the others do, and the
  // reasons.
  static constexpr std::uint32_t before_default = (1u << TERRANE_PRIORITY_DEFAULT) - 1,
                                 ready_levels = 0xff, some_yielded = 1u << 8,
                                 some_invoked = 1u << 9,
                                 any_reason =
                                     world_listens | run_ends | time_is_simulated | slices_end;

  void mark(std::uint32_t what, bool is_so) { beside_ = is_so ? beside_ | what : beside_ & ~what; }
  bool tokens_wait() const { return top != bottom || shared_.size() != 0; }
  /// Unless something of `unless` holds, or the loop has something to look at.
  bool may_follow(std::uint32_t unless) const {
    return !loop_is_asked() && turns_left_ > 1 && (beside_ & unless) == 0;
  }
  /// Of the default level, which holds something: null if the first is no such fiber.
  terrane_frame* take_first(const terrane_fiber& fiber) {
    const terrane_ready& next = ready[ready_head & ready_mask];
    terrane_frame* const frame = terrane_frame_at(this, next.frame);
    if (TERRANE_UNLIKELY(next.fiber != &fiber || frame->name != next.frame)) return nullptr;
    ++ready_head;
    count_turn();
    return frame;
  }
  void make_ready_slow(terrane_frame& frame, const terrane_fiber& fiber);
  void grow();
  bool take_from_level(terrane_ready& next);
  bool append_yielded();
  bool take_first_invoked(terrane_token& token);

  std::uint32_t beside_ = 0;
  std::unique_ptr<terrane_ready[]> ring_;
  std::array<ring_queue<terrane_ready>, 8> other_levels_;  // by priority, but for the default one
  ring_queue<terrane_ready> yielded_;
  ring_queue<terrane_token> invoked_;
};

}  // namespace terrane
