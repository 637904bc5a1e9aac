// SPDX-License-Identifier: Apache-2.0
// cancel_scope.hpp: futures that can be cancelled together, wherever they are.
//
//   cancel_scope search;
//   auto left = search.spawn(look, search.ref(), tree.left);
//   auto right = search.spawn(look, search.ref(), tree.right);   // look: if (all.cancelled()) ...
//   ... search.cancel();                  // left.join() throws `cancelled` if it had not begun
//
// Purpose     After a cancellation, futures that have not begun never begin; futures that run can
//             ask, and end early. An exception that leaves one of the scope's futures cancels the
//             others.
// Invariants  The scope is an object of the processor that made it, and outlives its futures. Other
//             processors hear of a cancellation by messages, and each asks its own copy.
// Cost        A future of a scope: one look-up of the scope's name on the processor that runs it.
#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include "terrane/cpp/wire_value.hpp"
#include "terrane/thread/future.hpp"

namespace terrane {

/// Thrown by the join of a future that was cancelled before it began.
class cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

template <class F>
struct in_scope;

/// The name of a scope, which its futures carry: a wire value.
class scope_ref {
 public:
  explicit scope_ref(terrane_slot_ref name) : name_(name) {}
  /// True once this processor has heard of the cancellation.
  bool cancelled() const;
  /// May be called anywhere. The other processors hear of it later, by messages.
  void cancel() const;
  template <class F, class... A>
  [[nodiscard]] auto spawn(F&& function, A&&... values) const {
    return terrane::spawn(in_scope<std::decay_t<F>>{std::forward<F>(function), *this},
                          std::forward<A>(values)...);
  }

 private:
  terrane_slot_ref name_;
};
template <>
inline constexpr bool position_independent<scope_ref> = true;

/// One thread makes and destroys a scope; it joins the scope's futures before.
class cancel_scope {
 public:
  cancel_scope();
  ~cancel_scope();
  cancel_scope(const cancel_scope&) = delete;
  cancel_scope& operator=(const cancel_scope&) = delete;

  bool cancelled() const { return ref().cancelled(); }
  void cancel() { ref().cancel(); }
  /// A future of this scope; as terrane::spawn(function, values...).
  template <class F, class... A>
  [[nodiscard]] auto spawn(F&& function, A&&... values) {
    return ref().spawn(std::forward<F>(function), std::forward<A>(values)...);
  }
  /// To be passed to the scope's futures, which may spawn further futures of the scope.
  scope_ref ref() const { return scope_ref(name_); }

 private:
  terrane_slot_ref name_;
};

/// The function of a future in a scope. It travels as the functions of other futures do.
template <class F>
struct in_scope {
  using code = future_code<F>;
  typename code::kept call;
  scope_ref scope;

  template <class G>
  in_scope(G&& function, scope_ref whole)
      : call(code::keep(std::forward<G>(function))), scope(whole) {
    code::leave(call);
  }
  template <class... A>
  auto operator()(A... values) -> std::invoke_result_t<F, A...> {
    if (scope.cancelled()) throw terrane::cancelled();
    code::arrive(call);
    try {
      return code::callable(code::known_of(call), call)(std::move(values)...);
    } catch (...) {
      scope.cancel();
      throw;
    }
  }
};
template <class F>
inline constexpr bool position_independent<in_scope<F>> = call_travels<F>;

}  // namespace terrane
