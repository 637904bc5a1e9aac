// SPDX-License-Identifier: Apache-2.0
// choose_task.hpp: which kind of token a spawn makes: plain bytes (future_task.hpp), or the address
// of objects (object_task.hpp).
//
// Rule        Plain bytes stay bytes: they may go to any node if they are wire values. If the
//             closure, an argument or the result is anything else, the future is one of objects,
//             and stays in its node. A raw pointer or a reference among the parameters of a named
//             function is refused: the function might be meant to run anywhere.
#pragma once

#include <type_traits>

#include "terrane/thread/future_task.hpp"
#include "terrane/thread/object_task.hpp"

namespace terrane {

template <class T>
inline constexpr bool is_plain = std::is_trivially_copyable_v<T>;
template <>
inline constexpr bool is_plain<void> = true;
/// A wire value, or what future_task refuses with a sentence.
template <class T>
inline constexpr bool is_for_bytes =
    std::is_void_v<T> || std::is_pointer_v<T> || std::is_reference_v<T> || wire_value<T>;

/// The closure can be copied as bytes.
template <class F>
inline constexpr bool is_plain_call =
    std::is_trivially_copyable_v<F> && std::is_trivially_destructible_v<F>;
template <class F>
inline constexpr bool call_travels =
    is_plain_call<F> && (std::is_pointer_v<F> || std::is_empty_v<F> || position_independent<F>);

template <class F, class... P>
inline constexpr bool goes_as_bytes =
    call_travels<F>
        ? is_for_bytes<std::invoke_result_t<F, P...>> && (is_for_bytes<P> && ...)
        : is_plain_call<F> && is_plain<std::invoke_result_t<F, P...>> && (is_plain<P> && ...);

template <class F, class... P>
using task_of_kind =
    std::conditional_t<goes_as_bytes<F, P...>, future_task<F, P...>, object_task<F, P...>>;

/// The types of a function's parameters, as the token holds them.
template <template <class...> class Task, class F, class R, class... P>
struct function_task {
  static_assert(
      ((!std::is_reference_v<P> || std::is_const_v<std::remove_reference_t<P>>) && ...),
      "a future works on copies of its arguments: take the parameter by value or by const "
      "reference, and return what has changed");
  using type = Task<F, std::remove_cvref_t<P>...>;
};
template <template <class...> class Task, class F, class R, class... P>
typename function_task<Task, F, R, P...>::type task_of(R (*)(P...));

template <template <class...> class Task, class F, class... A>
struct choose_task {
  using type = Task<F, A...>;
};
template <template <class...> class Task, class F, class... A>
  requires std::is_pointer_v<F>
struct choose_task<Task, F, A...> {
  using type = decltype(task_of<Task, F>(std::declval<F>()));
};
template <template <class...> class Task, auto Function, future_options How, class... A>
struct choose_task<Task, named_function<Function, How>, A...> {
  using type = decltype(task_of<Task, named_function<Function, How>>(Function));
};
/// The task of spawn(F, A...). A function's own parameters say what the token holds; for a closure
/// the given values do.
template <class F, class... A>
using task_for = typename choose_task<task_of_kind, F, A...>::type;

}  // namespace terrane
