// SPDX-License-Identifier: Apache-2.0
// promise.hpp: values that come later, for any number of threads of the node.
//
//   promise<std::string> name;
//   shared_future<std::string> later = name.get_future();     // copied and passed on freely
//   thread asks([later] { greet(later.get()); });
//   name.set_value("Ada");
//
//   auto sum = async(add, 2, 3).then([](int five) { return 2 * five; });
//
// Purpose     What spawn's future is not: kept by any processor of the node, joined by several
//             threads, fulfilled by whoever has the value.
// Invariants  The state is shared, and touched under its lock until it is fulfilled; after that it
//             does not change. A promise that ends without a value is fulfilled with
//             broken_promise.
// Cost        A state on the heap. A continuation is a detached call.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/thread/how_long.hpp"
#include "terrane/thread/run_detached.hpp"
#include "terrane/thread/wait_queue.hpp"

namespace terrane {

class broken_promise : public std::logic_error {
 public:
  broken_promise() : std::logic_error("a promise ended before its value was set") {}
};

namespace detail {

/// What is called, once, when a state is fulfilled.
class continuation {
 public:
  virtual ~continuation() = default;
  virtual void fulfilled() = 0;
  continuation* next = nullptr;
};

/// The part of a state that does not depend on the type of its value.
class eventual {
 public:
  eventual() = default;
  eventual(const eventual&) = delete;
  eventual& operator=(const eventual&) = delete;

  // acquire pairs with the release in fulfil: the value is visible.
  bool is_ready() const { return ready_.load(memory_order_acquire); }
  /// False on timeout.
  bool wait(std::uint64_t nanoseconds);
  /// Calls it when the value is there: at once, or by the thread that fulfils. False: at once is
  /// the caller's; it was not taken.
  bool add(continuation& what);
  void set_failure(std::exception_ptr what);
  void rethrow_failure() const {
    if (TERRANE_UNLIKELY(failure_ != nullptr)) std::rethrow_exception(failure_);
  }
  const std::exception_ptr& failure() const { return failure_; }

 protected:
  ~eventual() = default;
  /// Who may set the value calls this first, and then fulfil(). R-290 if somebody has before.
  void claim();
  void keep_failure(std::exception_ptr what) { failure_ = std::move(what); }
  void fulfil();

 private:
  node_lock inside_;
  bool claimed_ = false;
  atomic<bool> ready_{false};  // written under the lock, with release
  wait_queue waiting_;
  continuation* continuations_ = nullptr;
  std::exception_ptr failure_;
};

struct no_value {};
template <class T>
class eventual_value final : public eventual {
 public:
  using kept = std::conditional_t<std::is_void_v<T>, no_value, T>;
  template <class... V>
  void set(V&&... value) {
    claim();
    try {
      value_.emplace(std::forward<V>(value)...);
    } catch (...) { keep_failure(std::current_exception()); }
    fulfil();
  }
  kept& value() {
    rethrow_failure();
    return *value_;
  }

 private:
  std::optional<kept> value_;
};

/// Calls something when the state is fulfilled; it owns itself.
template <class Call>
class call_when_ready final : public continuation {
 public:
  explicit call_when_ready(Call call) : call_(std::move(call)) {}
  void fulfilled() override {
    const std::unique_ptr<call_when_ready> mine(this);
    call_();
  }

 private:
  Call call_;
};
template <class Call>
void when_ready(eventual& state, Call call) {
  auto made = std::make_unique<call_when_ready<Call>>(std::move(call));
  auto* const kept = made.release();
  if (!state.add(*kept)) kept->fulfilled();
}

}  // namespace detail

template <class T>
class promise;

/// A value that comes later, or an exception. Copies refer to the same value. Any thread of the
/// node may wait for it.
template <class T>
class shared_future {
 public:
  using value_type = T;
  shared_future() = default;

  bool valid() const { return state_ != nullptr; }
  bool is_ready() const { return state_->is_ready(); }
  void wait() const { state_->wait(wait_queue::for_ever); }
  /// False on timeout.
  bool wait_for(how_long time) const { return state_->wait(time.nanoseconds()); }
  /// Waits; the value, or throws the exception.
  std::add_lvalue_reference_t<const T> get() const {
    wait();
    if constexpr (std::is_void_v<T>)
      state_->rethrow_failure();
    else
      return state_->value();
  }
  /// The same, and moves the value out, for the only one that asks for it.
  T take() {
    wait();
    if constexpr (std::is_void_v<T>)
      state_->rethrow_failure();
    else
      return std::move(state_->value());
  }
  /// The value of call(value), which runs when this one has come, on any processor of the node. An
  /// exception passes over the call.
  template <class F>
  auto then(F&& call) const;

 private:
  template <class>
  friend class promise;
  template <class>
  friend class shared_future;
  friend struct future_state;
  explicit shared_future(std::shared_ptr<detail::eventual_value<T>> state)
      : state_(std::move(state)) {}
  std::shared_ptr<detail::eventual_value<T>> state_;
};

/// For the library: the state of a shared_future.
struct future_state {
  template <class T>
  static detail::eventual_value<T>& of(const shared_future<T>& one) {
    return *one.state_;
  }
};

template <class T>
class promise {
 public:
  promise() : state_(std::make_shared<detail::eventual_value<T>>()) {}
  promise(promise&&) noexcept = default;
  promise& operator=(promise&& other) noexcept {
    if (this != &other) {
      give_up();
      state_ = std::move(other.state_);
      settled_ = other.settled_;
    }
    return *this;
  }
  ~promise() { give_up(); }

  shared_future<T> get_future() const { return shared_future<T>(state_); }
  /// By a thread or a fiber of the node, once. R-290 if a value or an exception was set before.
  template <class... V>
    requires std::constructible_from<typename detail::eventual_value<T>::kept, V...>
  void set_value(V&&... value) {
    settled_ = true;
    const auto kept = state_;  // a thread that is woken may destroy this promise
    kept->set(std::forward<V>(value)...);
  }
  void set_exception(std::exception_ptr what) {
    settled_ = true;
    const auto kept = state_;
    kept->set_failure(std::move(what));
  }

 private:
  void give_up() {
    if (state_ && !settled_ && terrane_is_processor())
      state_->set_failure(std::make_exception_ptr(broken_promise()));
  }
  std::shared_ptr<detail::eventual_value<T>> state_;
  bool settled_ = false;
};

namespace detail {

/// Sets what call(values...) returns or throws.
template <class T, class F, class... V>
void fulfil_with(promise<T>& to, F& call, V&&... values) {
  std::exception_ptr failure;
  try {
    if constexpr (std::is_void_v<T>) {
      std::invoke(std::move(call), std::forward<V>(values)...);
      to.set_value();
    } else {
      to.set_value(std::invoke(std::move(call), std::forward<V>(values)...));
    }
    return;
  } catch (...) { failure = std::current_exception(); }
  to.set_exception(std::move(failure));
}

}  // namespace detail

/// Runs call(values...) in a thread of its own on any processor of the node.
template <class F, class... A>
[[nodiscard]] auto async(F&& call, A&&... values) {
  using result = std::invoke_result_t<std::decay_t<F>, std::decay_t<A>...>;
  promise<result> made;
  auto later = made.get_future();
  detail::run_detached([made = std::move(made), call = std::decay_t<F>(std::forward<F>(call)),
                        kept = std::make_tuple(std::forward<A>(values)...)]() mutable {
    auto whole = [&] { return std::apply(std::move(call), std::move(kept)); };
    detail::fulfil_with(made, whole);
  });
  return later;
}

template <class T>
template <class F>
auto shared_future<T>::then(F&& call) const {
  using value = typename detail::eventual_value<T>::kept;
  constexpr bool nothing = std::is_void_v<T>;
  using result =
      typename std::conditional_t<nothing, std::invoke_result<std::decay_t<F>>,
                                  std::invoke_result<std::decay_t<F>, const value&>>::type;
  promise<result> made;
  auto later = made.get_future();
  detail::when_ready(*state_, [from = *this, made = std::move(made),
                               call = std::decay_t<F>(std::forward<F>(call))]() mutable {
    if (from.state_->failure()) return made.set_exception(from.state_->failure());
    detail::run_detached(
        [from = std::move(from), made = std::move(made), call = std::move(call)]() mutable {
          if constexpr (nothing)
            detail::fulfil_with(made, call);
          else
            detail::fulfil_with(made, call, std::as_const(from.state_->value()));
        });
  });
  return later;
}

namespace detail {

/// Counts the futures that have come. The last one sets the promise.
template <class Value>
struct all_of_them {
  /// Each future counts once, and the caller counts as one more.
  all_of_them(Value all, std::size_t many) : futures(std::move(all)), left(many + 1) {}

  promise<Value> whole;
  Value futures;
  atomic<std::size_t> left;
  static void count(const std::shared_ptr<all_of_them>& mine) {
    // seq_cst: the last one sees what the others wrote.
    if (mine->left.fetch_sub(1, memory_order_seq_cst) == 1)
      mine->whole.set_value(std::move(mine->futures));
  }
};

}  // namespace detail

/// The futures themselves, when all of them have come, with a value or an exception.
template <class T>
shared_future<std::vector<shared_future<T>>> when_all(std::vector<shared_future<T>> all) {
  using state = detail::all_of_them<std::vector<shared_future<T>>>;
  const auto mine = std::make_shared<state>(all, all.size());
  auto later = mine->whole.get_future();
  for (const auto& each : all)
    detail::when_ready(future_state::of(each), [mine] { state::count(mine); });
  state::count(mine);
  return later;
}
template <class... T>
shared_future<std::tuple<shared_future<T>...>> when_all(const shared_future<T>&... all) {
  using state = detail::all_of_them<std::tuple<shared_future<T>...>>;
  const auto mine = std::make_shared<state>(std::tuple(all...), sizeof...(T));
  auto later = mine->whole.get_future();
  (detail::when_ready(future_state::of(all), [mine] { state::count(mine); }), ...);
  state::count(mine);
  return later;
}

/// Which of them came first.
template <class T>
shared_future<std::size_t> when_any(const std::vector<shared_future<T>>& all) {
  struct state {
    promise<std::size_t> which;
    atomic<bool> found{false};
  };
  const auto mine = std::make_shared<state>();
  auto later = mine->which.get_future();
  for (std::size_t i = 0; i < all.size(); ++i)
    detail::when_ready(future_state::of(all[i]), [mine, i] {
      if (!mine->found.exchange(true, memory_order_seq_cst)) mine->which.set_value(i);
    });
  return later;
}

}  // namespace terrane
