// SPDX-License-Identifier: Apache-2.0
// token_exchange.hpp: where a node's tokens change hands: its pool, and who is told of it.
//
// Purpose     Every way into the pool and out of it is here, with what belongs to it: the counts of
//             the detector (quiescence.md), waking a sleeper for what came, telling the siblings
//             that more is wanted.
// Invariants  A processor's put counts as sent, its take as received. What passes through on its
//             way between nodes is counted by nobody.
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
  /// target, window: the pool's (token_pool.hpp).
  token_exchange(std::uint32_t target, void* window, terrane::world& world)
      : world_(world), pool_(target, window) {}
  ~token_exchange();
  token_exchange(const token_exchange&) = delete;
  token_exchange& operator=(const token_exchange&) = delete;

  /// The node's processors; before the run.
  void attach(std::span<processor* const> processors) { processors_ = processors; }

  const token_pool& pool() const { return pool_; }
  bool hungry() const { return pool_.hungry(); }
  /// Tokens of the node, in the pool and in the private stacks; a hint.
  int queued() const;

  // --- a processor of the node; its own tokens ---

  /// The oldest of the giver's stack, all but the last `keep`, go to the pool until it has enough.
  /// Says how many went.
  std::uint32_t fill_from(processor& giver, std::ptrdiff_t keep);
  /// The same for one that lies nowhere yet. False: it is not wanted.
  bool offer(processor& giver, const terrane_token& token);
  /// The same, wanted or not: says where it lies; nothing if there is nobody to share it with.
  std::optional<std::uint32_t> share(processor& giver, const terrane_token& token);
  /// The pool's oldest; the siblings hear if that left it hungry.
  bool take(processor& taker, terrane_token& token);
  /// The newest that is `wanted`, which the taker or a sibling put there and nobody took. The pool
  /// was fuller than anybody needed: if it is hungry now, the next who is idle tells the siblings.
  template <class Wanted>
  bool take_back(processor& taker, terrane_token& token, Wanted&& wanted) {
    const bool found = pool_.take_newest(token, wanted);
    if (found) taken_back(taker);
    return found;
  }
  /// The same for one that share() put at that place.
  template <class Wanted>
  bool take_back_from(std::uint32_t place, processor& taker, terrane_token& token,
                      Wanted&& wanted) {
    const bool found = pool_.take_near(place, token, wanted);
    if (found) taken_back(taker);
    return found;
  }
  /// An idle processor of the node: tells the siblings what take_back() left untold.
  void tell_what_is_untold();

  // --- any thread; tokens on their way between nodes ---

  /// The oldest, or the newest, that another node can run.
  bool take_to_leave(terrane_token& token);
  bool take_newest_to_leave(terrane_token& token);
  /// The token is in the pool when this returns, and a sleeping processor of the node is awake.
  void put_arrived(const terrane_token& token);

  /// Every processor of the node is to look up.
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
