// SPDX-License-Identifier: Apache-2.0
// jthread.hpp: a thread that can be told to stop, in the words of the standard.
//
//   jthread reader([&](std::stop_token stop) {
//     while (changed.wait(hold, stop, [&] { return !items.empty(); })) take(items);
//   });                                  // its destructor asks it to stop, and joins it
#pragma once

#include <stop_token>
#include <type_traits>
#include <utility>

#include "terrane/thread/mutex.hpp"
#include "terrane/thread/thread.hpp"

namespace terrane {

/// So that condition::wait takes a std::stop_token.
template <class Call>
struct stop_callback_of<std::stop_token, Call> {
  using type = std::stop_callback<Call>;
};

class jthread {
 public:
  jthread() = default;
  /// Runs call(stop_token, values...) if it takes one, else call(values...).
  template <class F, class... A>
    requires(!std::is_same_v<std::decay_t<F>, jthread>)
  explicit jthread(F&& call, A&&... values) : stop_(std::stop_source()) {
    if constexpr (std::is_invocable_v<std::decay_t<F>, std::stop_token, std::decay_t<A>...>)
      runs_ = thread::create(std::forward<F>(call), stop_.get_token(), std::forward<A>(values)...);
    else
      runs_ = thread::create(std::forward<F>(call), std::forward<A>(values)...);
  }
  jthread(jthread&&) noexcept = default;
  jthread& operator=(jthread&& other) noexcept {
    if (this == &other) return *this;
    stop_and_join();
    stop_ = std::move(other.stop_);
    runs_ = std::move(other.runs_);
    return *this;
  }
  ~jthread() { stop_and_join(); }

  bool joinable() const { return runs_.joinable(); }
  void join() { runs_.join(); }
  void detach() { runs_.detach(); }
  bool request_stop() { return stop_.request_stop(); }
  std::stop_source get_stop_source() const { return stop_; }
  std::stop_token get_stop_token() const { return stop_.get_token(); }

 private:
  /// Then the thread's destructor joins it.
  void stop_and_join() {
    if (joinable()) stop_.request_stop();
  }

  std::stop_source stop_{std::nostopstate};
  thread runs_;
};

}  // namespace terrane
