// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/token_exchange.hpp"

#include "terrane/base/rare.hpp"
#include "terrane/core/token.hpp"
#include "terrane/core/world.hpp"

namespace terrane {

token_exchange::~token_exchange() {
  for (terrane_token left; pool_.take_oldest(left);) drop_token(left);
}

int token_exchange::queued() const {
  int sum = static_cast<int>(pool_.size());
  for (const processor* each : processors_) sum += each->queued_hint();
  return sum;
}

// --- a processor of the node ---

std::uint32_t token_exchange::fill_from(processor& giver, std::ptrdiff_t keep) {
  token_stack& stack = giver.tokens();
  const auto has_more = [&] {
    stack.trim();
    return static_cast<std::ptrdiff_t>(stack.size()) > keep;
  };
  if (!has_more() || TERRANE_RARE("core.pool_refuses", !pool_.hungry())) return 0;
  const std::uint32_t given = pool_.fill([&](terrane_token& place) {
    if (!has_more()) return false;
    stack.take_oldest(place);
    return true;
  });
  stack.trim();
  put_by(giver, given);
  return given;
}

bool token_exchange::offer(processor& giver, const terrane_token& token) {
  if (!pool_.put_newest(token)) return false;
  put_by(giver, 1);
  return true;
}

std::optional<std::uint32_t> token_exchange::share(processor& giver, const terrane_token& token) {
  const auto place = pool_.share_newest(token);
  if (place) put_by(giver, 1);
  return place;
}

bool token_exchange::take(processor& taker, terrane_token& token) {
  if (TERRANE_RARE("core.nothing_to_take", !pool_.take_oldest(token))) return false;
  taker.quiescence().received();
  tell_if_hungry();
  return true;
}

void token_exchange::taken_back(processor& taker) {
  taker.quiescence().received();
  if (pool_.hungry()) hungry_untold_.store(true, memory_order_relaxed);
}

void token_exchange::tell_what_is_untold() {
  if (hungry_untold_.load(memory_order_relaxed) &&
      hungry_untold_.exchange(false, memory_order_relaxed))
    notice_all();
}

void token_exchange::put_by(processor& giver, std::uint32_t tokens) {
  giver.quiescence().sent(tokens);
  if (TERRANE_UNLIKELY(giver.records(event_class::token)))
    giver.writer().put<event_id::token_offered>(tokens);
  wake_sleepers(tokens);
}

// --- any thread ---

bool token_exchange::take_to_leave(terrane_token& token) {
  if (!pool_.take_oldest(token, may_leave_node)) return false;
  tell_if_hungry();
  return true;
}

bool token_exchange::take_newest_to_leave(terrane_token& token) {
  if (!pool_.take_newest(token, may_leave_node)) return false;
  tell_if_hungry();
  return true;
}

void token_exchange::put_arrived(const terrane_token& token) {
  pool_.put_oldest(token);
  wake_sleepers(1);
}

void token_exchange::tell_if_hungry() {
  if (pool_.hungry()) notice_all();
}

/// Wakes at most `most` processors: there are that many tokens for them.
void token_exchange::wake_sleepers(std::uint32_t most) {
  for (processor* each : processors_) {
    if (most == 0) return;
    if (world_.crew.wake(*each)) --most;
  }
}

void token_exchange::notice_all() {
  for (processor* each : processors_) each->notice();
}

}  // namespace terrane
