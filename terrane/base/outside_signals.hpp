// SPDX-License-Identifier: Apache-2.0
// outside_signals.hpp: names that OS threads outside the machine say to a processor; it hears them
// when it heeds.
//
// Invariants  A name is said once, or withdrawn by its owner. What is said after the owner's end is
//             dropped: who says it shares the list, not the owner.
// Protocol    say() lists a name under the lock, and tells the owner if the list was empty; the
//             owner takes the whole list under the lock. So a list with names in it has been told
//             of and not yet been taken: the owner will look. expected() is the owner's own count:
//             it falls when the owner takes, not when the name is said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace terrane {

class outside_signals {
 public:
  /// The end at which names are said, by any thread.
  class listener {
   public:
    void say(std::uint64_t name) {
      const std::lock_guard hold(lock_);
      said_.push_back(name);
      if (said_.size() == 1 && tell_) tell_();
    }

   private:
    friend class outside_signals;
    std::mutex lock_;
    std::function<void()> tell_;  // empty: the owner is gone
    std::vector<std::uint64_t> said_;
  };

  /// tell: called by who says a name, and never after the destructor.
  explicit outside_signals(std::function<void()> tell) { end_->tell_ = std::move(tell); }
  ~outside_signals() {
    const std::lock_guard hold(end_->lock_);
    end_->tell_ = nullptr;
  }
  outside_signals(const outside_signals&) = delete;
  outside_signals& operator=(const outside_signals&) = delete;

  // by the owner
  /// One more name is to come: to whom it is to be said.
  const std::shared_ptr<listener>& expect() {
    ++expected_;
    return end_;
  }
  /// A name that was expected will not be said.
  void withdraw() { --expected_; }
  std::size_t expected() const { return expected_; }
  /// Calls `each` with the names said since the last call.
  template <class F>
  void take(F&& each) {
    {
      const std::lock_guard hold(end_->lock_);
      taken_.swap(end_->said_);
    }
    expected_ -= taken_.size();
    for (const std::uint64_t name : taken_) each(name);
    taken_.clear();
  }

 private:
  const std::shared_ptr<listener> end_ = std::make_shared<listener>();
  std::vector<std::uint64_t> taken_;
  std::size_t expected_ = 0;
};

}  // namespace terrane
