// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/request.hpp"

#include "terrane/talk/letter_errors.hpp"
#include "terrane/talk/peer_lost.hpp"
#include "terrane/talk/post_office.hpp"
#include "terrane/thread/thread_end.hpp"

namespace terrane {

namespace {

letter_box& box_of(const transfer& one) {
  letter_box& mine = post_office::here().own_box();
  if (mine.owner != one.owner) not_its_request(one);
  return mine;
}

}  // namespace

/// What waits for several, and for one.
class request_set {
 public:
  /// Waits until so many more of those that are pending are done.
  static void wait(std::span<request> these, std::uint32_t needed) {
    transfer_wait until{needed};
    transfer* first = nullptr;
    for (const request& each : these)
      if (!each.is_done()) {
        each.its_->waiter = &until;
        if (!first) first = each.its_;
      }
    letter_box& mine = box_of(*first);
    do {
      throw_if_lost(these);
      post_office::here().wait(thread_block::current(first->verb()), mine, until, *first);
      if (TERRANE_LIKELY(static_cast<std::int32_t>(until.needed) <= 0)) return forget(these);
      throw_if_lost(these);
    } while (!mine.heap->is_cancelled || !first->may_be_withdrawn());
    forget(these);
    withdraw(these);
    throw thread_cancelled();
  }
  /// Nobody waits for them.
  static void forget(std::span<request> these) {
    for (const request& each : these)
      if (each.its_) each.its_->waiter = nullptr;
  }
  /// The first that waits for a lost node is over, and is pending no longer.
  static void throw_if_lost(std::span<request> these) {
    request* asked = nullptr;
    try {
      for (request& each : these) {
        asked = &each;
        if (!each.is_done()) post_office::here().throw_if_lost(box_of(*each.its_), *each.its_);
      }
    } catch (const peer_lost&) {
      forget(these);
      box_of(*asked->its_).free_transfer(*std::exchange(asked->its_, nullptr));
      throw;
    }
  }
  static void withdraw(std::span<request> these) {
    for (request& each : these)
      if (each.its_ && each.its_->may_be_withdrawn()) {
        letter_box& mine = box_of(*each.its_);
        if (!each.its_->is_done) post_office::give_up(*each.its_);
        mine.free_transfer(*std::exchange(each.its_, nullptr));
      }
  }
  static std::uint32_t unfinished(std::span<const request> these) {
    std::uint32_t count = 0;
    for (const request& each : these) count += !each.is_done();
    return count;
  }
  /// The first that is done. Nothing: none is.
  static std::optional<std::size_t> done_among(std::span<request> these, status* result) {
    for (std::size_t i = 0; i < these.size(); ++i)
      if (these[i].its_ && these[i].is_done()) {
        const status how = these[i].take();
        if (result) *result = how;
        return i;
      }
    return {};
  }
};

status request::take() {
  const status how = its_->result;
  letter_box& mine = box_of(*its_);
  mine.free_transfer(*std::exchange(its_, nullptr));
  return how;
}

status request::wait() {
  if (!its_) return {};
  if (!its_->is_done) request_set::wait({this, 1}, 1);
  return take();
}

void request::drop() {
  try {
    if (its_) static_cast<void>(wait());
  } catch (const peer_lost&) {
  } catch (const thread_cancelled&) {}  // it is withdrawn; the next call that waits throws again
}

std::optional<status> request::test() {
  if (!its_) return status{};
  if (!its_->is_done) {
    static_cast<void>(box_of(*its_));
    here().heed_if_asked();
  }
  if (!its_->is_done) request_set::throw_if_lost({this, 1});
  if (!its_->is_done) return {};
  return take();
}

std::vector<status> wait_all(std::span<request> all) {
  if (const std::uint32_t left = request_set::unfinished(all); left != 0)
    request_set::wait(all, left);
  std::vector<status> results;
  results.reserve(all.size());
  for (request& each : all) results.push_back(each.wait());
  return results;
}

std::optional<std::size_t> wait_any(std::span<request> any, status* result) {
  if (const auto done = request_set::done_among(any, result)) return done;
  if (request_set::unfinished(any) == 0) return {};
  request_set::wait(any, 1);
  return request_set::done_among(any, result);
}

std::vector<std::size_t> wait_some(std::span<request> some) {
  std::vector<std::size_t> done;
  if (const auto first = wait_any(some)) done.push_back(*first);
  while (!done.empty()) {
    const auto next = request_set::done_among(some, nullptr);
    if (!next) break;
    done.push_back(*next);
  }
  return done;
}

std::optional<std::size_t> test_any(std::span<request> any, status* result) {
  if (const auto done = request_set::done_among(any, result)) return done;
  here().heed_if_asked();
  return request_set::done_among(any, result);
}

}  // namespace terrane
