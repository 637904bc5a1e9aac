// SPDX-License-Identifier: Apache-2.0
// request.hpp: sends and receives that are begun now and waited for later.
//
//   request left = irecv(neighbour, 7, ghost);
//   compute_interior();
//   left.wait();
//
// Cancelled   wait() of a cancelled thread withdraws its receives and throws thread_cancelled.
// Invariants  The thread that began a request waits for it. A request that is dropped
//             unfinished waits. The memory that it names stays as it is until it is done; if its
//             thread moves meanwhile, that memory is on the thread's stack or in its heap.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "terrane/talk/transfer.hpp"

namespace terrane {

class request {
 public:
  request() = default;
  explicit request(transfer& began) : its_(&began) {}
  request(request&& other) noexcept : its_(std::exchange(other.its_, nullptr)) {}
  request& operator=(request&& other) noexcept {
    drop();
    its_ = std::exchange(other.its_, nullptr);
    return *this;
  }
  ~request() { drop(); }

  /// False: there is nothing to wait for: it was waited for, or never began.
  bool pending() const { return its_ != nullptr; }
  /// Gives it up as an address, of which the constructor makes a request again.
  transfer* release() { return std::exchange(its_, nullptr); }
  /// Returns when it is done; then nothing is pending.
  status wait();
  /// Never blocks. Nothing: it is not done yet.
  std::optional<status> test();

 private:
  friend class request_set;
  bool is_done() const { return !its_ || its_->is_done; }
  status take();
  void drop();
  transfer* its_ = nullptr;
};

/// Wait for many. Each returns what wait() of the request would; requests that are not pending
/// count as done in wait_all and are passed over by the others.
std::vector<status> wait_all(std::span<request> all);
/// The number of the one that was done; nothing: none was pending.
std::optional<std::size_t> wait_any(std::span<request> any, status* result = nullptr);
/// Those that are done, at least one; none: none was pending.
std::vector<std::size_t> wait_some(std::span<request> some);
/// Never blocks.
std::optional<std::size_t> test_any(std::span<request> any, status* result = nullptr);

}  // namespace terrane
