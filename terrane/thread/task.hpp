// SPDX-License-Identifier: Apache-2.0
// task.hpp: coroutines: task<T>, and what they wait for.
//
//   task<long> length_of(shared_future<std::string> name) {
//     co_await pause_for(1ms);
//     const std::string& text = co_await name;
//     co_return static_cast<long>(text.size());
//   }
//   shared_future<long> length = start(length_of(name));     // by any thread of the processor
//
// Purpose     Activities that mostly wait, by the hundred thousand: each is an activation
//             (coroutine_frame.hpp), and no thread.
// Invariants  A task begins when it is awaited, or by start(); it runs as a fiber on the processor
//             that made it. So it never blocks: a lock of a mutex in it is R-281 if it must wait.
// Errors      An exception that leaves a task reaches who awaits it.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "terrane/cpp/global.hpp"
#include "terrane/thread/coroutine_frame.hpp"
#include "terrane/thread/future.hpp"
#include "terrane/thread/how_long.hpp"
#include "terrane/thread/promise.hpp"

namespace terrane {

template <class T>
class task;

namespace detail {

/// The end of a task: whoever awaits it is next.
struct task_end {
  static bool await_ready() noexcept { return false; }
  template <class Promise>
  static void await_suspend(std::coroutine_handle<Promise> ended) noexcept {
    coroutine_wake::next = ended.promise().awaited_by;
  }
  static void await_resume() noexcept {}
};

class task_promise_base : public coroutine_wake {
 public:
  static std::suspend_always initial_suspend() noexcept { return {}; }
  static task_end final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { failure = std::current_exception(); }

  std::coroutine_handle<> awaited_by;
  std::exception_ptr failure;
};
template <class T>
class task_promise : public task_promise_base {
 public:
  task<T> get_return_object();
  template <class V>
  void return_value(V&& value) {
    found_.emplace(std::forward<V>(value));
  }
  T take() {
    if (TERRANE_UNLIKELY(failure != nullptr)) std::rethrow_exception(failure);
    return std::move(*found_);
  }

 private:
  std::optional<T> found_;
};
template <>
class task_promise<void> : public task_promise_base {
 public:
  task<void> get_return_object();
  void return_void() {}
  void take() {
    if (TERRANE_UNLIKELY(failure != nullptr)) std::rethrow_exception(failure);
  }
};

}  // namespace detail

/// A coroutine that has not begun. It is awaited once.
template <class T>
class [[nodiscard]] task {
 public:
  using promise_type = detail::task_promise<T>;
  task(task&& other) noexcept : runs_(std::exchange(other.runs_, {})) {}
  task& operator=(task&& other) noexcept {
    std::swap(runs_, other.runs_);
    return *this;
  }
  ~task() {
    if (runs_) runs_.destroy();
  }

  static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waits) noexcept {
    runs_.promise().awaited_by = waits;
    coroutine_wake::next = runs_;
  }
  T await_resume() { return runs_.promise().take(); }

 private:
  friend promise_type;
  explicit task(std::coroutine_handle<promise_type> made) : runs_(made) {}
  std::coroutine_handle<promise_type> runs_;
};

namespace detail {

template <class T>
task<T> task_promise<T>::get_return_object() {
  const auto mine = std::coroutine_handle<task_promise>::from_promise(*this);
  bind(mine.address());
  return task<T>(mine);
}
inline task<void> task_promise<void>::get_return_object() {
  const auto mine = std::coroutine_handle<task_promise>::from_promise(*this);
  bind(mine.address());
  return task<void>(mine);
}

/// Runs a task for nobody in particular, and frees itself.
struct started_task {
  class promise_type : public coroutine_wake {
   public:
    started_task get_return_object() {
      bind(std::coroutine_handle<promise_type>::from_promise(*this).address());
      return {*this};
    }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() {}
    static void unhandled_exception() noexcept { std::terminate(); }  // run_started catches all
  };
  promise_type& runs;
};
template <class T>
started_task run_started(task<T> one, promise<T> to) {
  std::exception_ptr failure;
  try {
    if constexpr (std::is_void_v<T>) {
      co_await one;
      to.set_value();
    } else {
      to.set_value(co_await one);
    }
  } catch (...) { failure = std::current_exception(); }
  if (failure) to.set_exception(std::move(failure));
}

}  // namespace detail

/// Begins a task when this processor next has a turn for it. May be called by a thread, a fiber or
/// a coroutine of the processor that made the task.
template <class T>
shared_future<T> start(task<T> one) {
  promise<T> made;
  auto later = made.get_future();
  detail::run_started(std::move(one), std::move(made)).runs.make_ready();
  return later;
}

// --- what a coroutine waits for ---

/// co_await signalled([&](slot_ref done) { get(there, to_global(mine), done); })
template <class Issue>
class signalled {
 public:
  explicit signalled(Issue issue) : issue_(std::move(issue)) {}
  static bool await_ready() noexcept { return false; }
  template <waiting_promise Promise>
  bool await_suspend(std::coroutine_handle<Promise> waits) {
    issue_(waits.promise().expect());
    return waits.promise().must_wait();
  }
  static void await_resume() noexcept {}

 private:
  Issue issue_;
};
/// At least so long, by the world's clock.
inline auto pause_for(how_long time) {
  return signalled([time](slot_ref done) { terrane_after(time.nanoseconds(), done.raw); });
}
/// Lets other ready work run first.
inline auto pause() {
  return signalled([](slot_ref done) { done.signal(); });
}

/// The value at a place of any processor.
template <class T>
class fetched {
 public:
  explicit fetched(global<T> from) : from_(from) {}
  static bool await_ready() noexcept { return false; }
  template <waiting_promise Promise>
  bool await_suspend(std::coroutine_handle<Promise> waits) {
    terrane_get(from_.raw, sizeof(T), terrane_to_global(&come_), waits.promise().expect().raw);
    return waits.promise().must_wait();
  }
  T await_resume() const { return come_; }

 private:
  global<T> from_;
  T come_{};
};

/// co_await of a shared_future: its value, or its exception. Of one with a name: a reference to the
/// value, which lives as long as the future; of a temporary: a copy.
template <class T, class Result>
class future_awaiter final : public detail::continuation {
 public:
  /// One with a name is counted only if the coroutine waits: then the name may change meanwhile.
  explicit future_awaiter(const shared_future<T>& named) : awaited_(&named) {}
  explicit future_awaiter(shared_future<T>&& own) : own_(std::move(own)), awaited_(&own_) {}
  future_awaiter(const future_awaiter&) = delete;
  future_awaiter& operator=(const future_awaiter&) = delete;
  bool await_ready() const { return awaited_->is_ready(); }
  template <waiting_promise Promise>
  bool await_suspend(std::coroutine_handle<Promise> waits) {
    if (awaited_ != &own_) own_ = *std::exchange(awaited_, &own_);
    told_ = waits.promise().expect();
    if (!future_state::of(own_).add(*this)) told_.signal();
    return waits.promise().must_wait();
  }
  Result await_resume() {
    auto& state = future_state::of(*awaited_);  // it is ready: there is nothing to wait for
    if constexpr (std::is_void_v<T>)
      state.rethrow_failure();
    else if constexpr (std::is_reference_v<Result> || std::is_copy_constructible_v<T>)
      return state.value();
    else
      return std::move(state.value());
  }
  void fulfilled() override { told_.signal(); }

 private:
  shared_future<T> own_;
  const shared_future<T>* awaited_;
  slot_ref told_;
};
template <class T>
auto operator co_await(const shared_future<T>& awaited) {
  return future_awaiter<T, std::add_lvalue_reference_t<const T>>(awaited);
}
template <class T>
auto operator co_await(shared_future<T>&& awaited) {
  return future_awaiter<T, T>(std::move(awaited));
}

/// co_await of what spawn returned. If nobody took it, it is called right there.
template <class Task>
class spawned_awaiter {
 public:
  explicit spawned_awaiter(spawned<Task>&& awaited) : awaited_(std::move(awaited)) {}
  bool await_ready() const { return awaited_.above_ > terrane_here->bottom; }
  template <waiting_promise Promise>
  bool await_suspend(std::coroutine_handle<Promise> waits) {
    how_ = begin_to_settle(awaited_.above_, token_, answer_);
    if (how_ != settled::awaited) return false;
    answer_->tell(waits.promise().expect().raw);
    return waits.promise().must_wait();
  }
  typename Task::result await_resume() {
    if (!answer_ && how_ == settled::awaited) return awaited_.join();  // it was ready
    terrane_token* const above = std::exchange(awaited_.above_, nullptr);
    return Task::settle(above, [&](terrane_token*, terrane_token& token, future_answer*& answer) {
      token = token_;
      answer = answer_;
      if (how_ != settled::awaited) return how_;
      end_settling(above);
      return settled::answered;
    });
  }

 private:
  spawned<Task> awaited_;
  terrane_token token_{};
  future_answer* answer_ = nullptr;
  settled how_ = settled::awaited;
};
template <class Task>
spawned_awaiter<Task> operator co_await(spawned<Task>&& awaited) {
  return spawned_awaiter<Task>(std::move(awaited));
}

}  // namespace terrane
