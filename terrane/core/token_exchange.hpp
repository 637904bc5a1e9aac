// SPDX-License-Identifier: Apache-2.0
// token_exchange.hpp: where the tokens of a node go from processor to processor: its pool, and
// which processors are told about it.
//
// Purpose     Every way into the pool and out of it is here, with its side effects: the counts of
//             the quiescence detector (quiescence.md), waking a sleeping processor for tokens that
//             arrived, telling the node's other processors (the siblings) that more are wanted.
// Invariants  A processor's put counts as sent, its take as received. A token that passes through
//             the pool between nodes is not counted.
// Source      [EARTH-LB §2.2] (TQ).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "terrane/base/atomic.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/core/token_pool.hpp"

namespace terrane {

class token_exchange {
 public:
  /// target, window: as for the pool (token_pool.hpp).
  token_exchange(std::uint32_t target, void* window, terrane::world& world)
      : world_(world), pool_(target, window, world.crew.is_simulated()) {}
  ~token_exchange();
  token_exchange(const token_exchange&) = delete;
  token_exchange& operator=(const token_exchange&) = delete;

  /// Called before the run with the node's processors.
  void attach(std::span<processor* const> processors) { processors_ = processors; }
  std::span<processor* const> processors() const { return processors_; }

  const token_pool& pool() const { return pool_; }
  bool hungry() const { return pool_.hungry(); }
  /// How many tokens the node has, in the pool and in the private stacks; a hint.
  int queued() const;

  // --- a processor of the node; its own tokens ---

  /// Moves the oldest tokens of the giver's stack to the pool until the pool has enough or `keep`
  /// are left. Returns how many were moved.
  std::uint32_t fill_from(processor& giver, std::ptrdiff_t keep);
  /// The same for one token that lies nowhere yet. False: the pool does not want it.
  bool offer(processor& giver, const terrane_token& token);
  /// The same, even if the pool wants none. Returns its place in the pool; nothing if there is no
  /// processor to share it with.
  std::optional<std::uint32_t> share(processor& giver, const terrane_token& token);
  /// Takes the pool's oldest token; tells the siblings if that left the pool hungry.
  bool take(processor& taker, terrane_token& token);
  /// Takes the newest token that is `wanted`, which the taker or a sibling put there and nobody
  /// took. Because nobody took it, the pool held more than was needed. If it is hungry now, the
  /// siblings are not told at once: the next idle processor tells them.
  template <class Wanted>
  bool take_back(processor& taker, terrane_token& token, Wanted&& wanted) {
    const bool found = pool_.take_newest(token, wanted);
    if (found) taken_back(taker);
    return found;
  }
  /// The same for a token that share() put at that place.
  template <class Wanted>
  bool take_back_from(std::uint32_t place, processor& taker, terrane_token& token,
                      Wanted&& wanted) {
    const bool found = pool_.take_near(place, token, wanted);
    if (found) taken_back(taker);
    return found;
  }
  /// Called by an idle processor of the node: tells the siblings what take_back() did not tell.
  void tell_what_is_untold();

  // --- any thread; tokens on their way between nodes ---

  /// Takes the oldest, or the newest, token that another node can run.
  bool take_to_leave(terrane_token& token);
  bool take_newest_to_leave(terrane_token& token);
  /// The token is in the pool when this returns, and a sleeping processor of the node is awake.
  void put_arrived(const terrane_token& token);

  /// Notices every processor of the node.
  void notice_all();

 private:
  void taken_back(processor& taker);
  void put_by(processor& giver, std::uint32_t tokens);
  void tell_if_hungry();
  void wake_sleepers(std::uint32_t most);

  terrane::world& world_;
  std::span<processor* const> processors_;
  token_pool pool_;
  atomic<bool> hungry_untold_{false};  // siblings may believe that the pool has enough
};

}  // namespace terrane
