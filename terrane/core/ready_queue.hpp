// SPDX-License-Identifier: Apache-2.0
// ready_queue.hpp: what is ready on a processor, in the order in which it runs.
//
//   fibers of the priorities before the default one, by priority, then first come first served
//   fibers of the default priority: the ring that terrane.h sees
//   fibers of the priorities after it
//   activations that were invoked here
//   tokens: the processor's own, then its node's
//   fibers that yielded: they go to the ring's end once all that was ready has run; one token may
//   run before them, but no second one
//
// Purpose     The queue consists of the head of a processor, which terrane.h sees, and the other
//             queues of ready work. A fiber or thread that stops running may hand its turn on to
//             what the loop would run next, without returning to the loop, unless a reason recorded
//             here requires the loop.
// Invariants  Only the owner touches it, except `attention_`. `beside_` records what there is
//             besides the ring, so that one comparison shows that there is nothing.
// Cost        The ring: a load, a store, an addition. A full ring is copied to one of twice the
//             size.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "terrane/base/atomic.hpp"
#include "terrane/base/rare.hpp"
#include "terrane/base/ring_queue.hpp"
#include "terrane/core/event.hpp"
#include "terrane/core/token_pool.hpp"
#include "terrane/terrane.h"

namespace terrane {

class ready_queue : public terrane_processor {
 public:
  /// shared: the node's tokens, which are taken after the processor's own.
  explicit ready_queue(const token_pool& shared);
  /// Drops the activations that were invoked and never began.
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
    if (TERRANE_UNLIKELY(records(event_class::ready))) record<true>({frame.name, &fiber});
  }
  /// The same, but the fiber runs only after all that is ready now, and one token if there is one.
  void make_ready_last(terrane_frame& frame, const terrane_fiber& fiber);
  /// Queues an activation that must run here.
  void invoke(const terrane_token& token);

  // --- what the loop runs next ---

  bool has_ready() const { return ready_head != ready_tail || (beside_ & ready_levels) != 0; }
  /// True while there is anything to run or to look at. It reads in seq_cst order, so that it may
  /// follow parker::prepare.
  bool has_work() const {
    return loop_is_asked_in_order() || has_ready() ||
           (beside_ & (some_yielded | some_invoked)) != 0 || tokens_wait();
  }
  bool take_ready(terrane_ready& next) {
    if (ready_head != ready_tail && TERRANE_LIKELY((beside_ & before_default) == 0)) {
      next = ready[ready_head++ & ready_mask];
      if (TERRANE_UNLIKELY(records(event_class::ready))) record<false>(next);
      return true;
    }
    return (beside_ & ready_levels) != 0 && take_from_level(next);
  }
  /// Moves fibers that yielded to the ring's end. True if there were any. Then a token may run
  /// before them: otherwise a fiber that yields until the token's answer is there would wait for
  /// ever.
  bool bring_back_yielded() {
    return TERRANE_UNLIKELY((beside_ & some_yielded) != 0) && append_yielded();
  }
  /// Takes the activation that was invoked first.
  bool take_invoked(terrane_token& token) {
    return TERRANE_UNLIKELY((beside_ & some_invoked) != 0) && take_first_invoked(token);
  }
  /// Takes the first fiber of the ring, if all fibers in it are of that frame. The last must be.
  bool take_of(const terrane_frame& frame, terrane_ready& next);
  /// Visits all fibers that are ready or have yielded.
  template <class Visit>
  void for_each_ready(Visit&& visit) const {
    for (std::uint32_t i = ready_head; i != ready_tail; ++i) visit(ready[i & ready_mask]);
    for (const auto& level : other_levels_)
      for (std::size_t i = 0; i < level.size(); ++i) visit(level[i]);
    for (std::size_t i = 0; i < yielded_.size(); ++i) visit(yielded_[i]);
  }
  /// Takes the fiber of that frame back, wherever it stands; false: none is ready.
  bool take_back(const terrane_frame& frame);
  /// While so, the loop heeds after each fiber that becomes ready, if events of that class are on.
  void heed_what_gets_ready(bool so) { heeds_ready_ = so; }
  bool heeds_what_gets_ready() const { return heeds_ready_; }
  /// True if a fiber of a priority before the default one is ready.
  bool somebody_before_default() const { return (beside_ & before_default) != 0; }

  /// True if a thread asked the loop to look at something.
  bool loop_is_asked() const { return attention_.asked.load(memory_order_relaxed); }
  /// The same, in one total order with the stores of the asking threads and of this processor.
  bool loop_is_asked_in_order() const { return attention_.asked.load(memory_order_seq_cst); }

  /// What a probe compares (event_writer.hpp): true if events of that class are written.
  bool records(event_class of) const { return records_any(bit_of(of)); }
  /// The same for several classes at once.
  bool records_any(event_mask of) const { return (TERRANE_LOAD_RELAXED(&events) & of) != 0; }

  /// May be called by any thread: about how many tokens the processor's own stack holds. The
  /// owner's thread gets the exact number.
  int queued_hint() const {
    if (terrane_here == this) return static_cast<int>(top - bottom);
    return static_cast<int>(TERRANE_LOAD_RELAXED(&shown));
  }

  // --- turns that are handed on ---

  /// Reasons for which a fiber or thread that stops running must return to the loop.
  enum reason : std::uint32_t {
    world_listens = 1u << 10,  // the world looks for messages between turns
    run_ends = 1u << 11,
    time_is_simulated = 1u << 12,  // each turn has its price
    slices_end = 1u << 13          // the clock is read between turns
  };
  void keep_to_loop(reason why, bool so) { mark(why, so); }
  /// How many turns are left until the loop looks up. Each turn that was handed on was a fiber;
  /// count_passed_on counts these when the loop continues.
  std::uint32_t turns_left() const { return turns_left_; }
  void count_passed_on(std::uint32_t left_before) { fibers += left_before - turns_left_; }

  /// If the loop would run `fiber` next, in some frame: takes it off the queue, counts a turn, and
  /// returns that frame. Null: something else comes first, and the loop decides.
  terrane_frame* take_in_turn(const terrane_fiber& fiber) {
    if (ready_head == ready_tail || TERRANE_UNLIKELY(!may_follow(before_default | any_reason)))
      return nullptr;
    return take_first(fiber);
  }
  /// If the loop would run a fiber of that frame next, from the default priority: takes it off the
  /// queue, counts a turn, and returns true.
  bool take_in_turn(const terrane_frame& frame) {
    if (ready_head == ready_tail || ready[ready_head & ready_mask].frame != frame.name ||
        TERRANE_UNLIKELY(!may_follow(before_default | any_reason)))
      return false;
    if (TERRANE_UNLIKELY(records(event_class::ready)))
      record<false>(ready[ready_head & ready_mask]);
    ++ready_head;
    count_turn();
    return true;
  }
  /// As the first take_in_turn, for a frame that yields: its `fiber` becomes ready behind all that
  /// is ready. Sets `next` to the frame that runs next; null if that is `yields` itself. False:
  /// the fiber has not been made ready.
  bool take_turn_about(terrane_frame& yields, const terrane_fiber& fiber, terrane_frame*& next) {
    if (TERRANE_UNLIKELY(!may_follow(~0u) || tokens_wait())) return false;
    next = nullptr;
    if (ready_head == ready_tail) return count_turn(), true;
    next = take_first(fiber);
    if (TERRANE_UNLIKELY(!next)) return false;
    ready[ready_tail++ & ready_mask] = {yields.name, &fiber};
    if (TERRANE_UNLIKELY(records(event_class::ready))) record<true>({yields.name, &fiber});
    return true;
  }
  /// True if the loop would run next what becomes ready now; then its turn has been counted.
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
  // Any thread writes it, the owner reads and clears it. It has a cache line of its own.
  struct alignas(64) {
    atomic<bool> asked{true};
  } attention_;

 private:
  // The bits of beside_: which levels of other_levels_ hold something, whether fibers have yielded
  // or activations were invoked, and the reasons.
  static constexpr std::uint32_t before_default = (1u << TERRANE_PRIORITY_DEFAULT) - 1,
                                 ready_levels = 0xff, some_yielded = 1u << 8,
                                 some_invoked = 1u << 9,
                                 any_reason =
                                     world_listens | run_ends | time_is_simulated | slices_end;

  void mark(std::uint32_t what, bool is_so) { beside_ = is_so ? beside_ | what : beside_ & ~what; }
  bool tokens_wait() const { return top != bottom || shared_.size() != 0; }
  /// True if a turn may be handed on: no bit of `unless` is set, and the loop has nothing to look
  /// at.
  bool may_follow(std::uint32_t unless) const {
    return !loop_is_asked() && turns_left_ > 1 && (beside_ & unless) == 0;
  }
  /// Takes the first of the default priority, which must hold something, and returns its frame.
  /// Null if it is not `fiber`, or its frame has ended.
  terrane_frame* take_first(const terrane_fiber& fiber) {
    const terrane_ready& next = ready[ready_head & ready_mask];
    terrane_frame* const frame = terrane_frame_at(this, next.frame);
    if (TERRANE_UNLIKELY(next.fiber != &fiber || frame->name != next.frame)) return nullptr;
    if (TERRANE_UNLIKELY(records(event_class::ready))) record<false>(next);
    ++ready_head;
    count_turn();
    return frame;
  }
  /// Writes that it became ready, or is ready no more.
  template <bool Ready>
  [[gnu::noinline]] void record(const terrane_ready& what);
  void make_ready_slow(terrane_frame& frame, const terrane_fiber& fiber);
  void grow();
  bool take_from_level(terrane_ready& next);
  bool append_yielded();
  bool take_first_invoked(terrane_token& token);

  std::uint32_t beside_ = 0;
  bool heeds_ready_ = false;
  std::unique_ptr<terrane_ready[]> ring_;
  std::array<ring_queue<terrane_ready>, 8> other_levels_;  // by priority, but for the default one
  ring_queue<terrane_ready> yielded_;
  ring_queue<terrane_token> invoked_;
};

}  // namespace terrane
