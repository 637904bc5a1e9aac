// SPDX-License-Identifier: Apache-2.0
// handlers.hpp: functions that a message runs on the processor that receives it.
//
//   void add(long n, reply<long> sum) { sum.send(total() += n); }
//   post<add>(1, 5L, answer);                   // in the poll of processor 1
//   post<fetch_and_add, runs_in::thread>(1, 5L, answer);
//
// Purpose     Three kinds of message handlers: one runs at once and may not block; another has a
//             thread of its own; and those of the service thread wait for one another.
// Invariants  A handler in the poll runs to its end before another message is taken, on the stack
//             of a fiber or thread that was about to spawn. So it must be short and must not block
//             . It may signal, put, reply, post, spawn, and make threads. Messages from one
//             processor to another, puts included, run in the order in which they were posted.
// Cost        In the poll: one message and a call. In a thread: also the creation of the thread.
// Source      [ACTIVE §5] (threaded and non-threaded handlers).
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "terrane/core/entries.hpp"
#include "terrane/cpp/arguments.hpp"
#include "terrane/cpp/names.hpp"
#include "terrane/cpp/threaded.hpp"
#include "terrane/cpp/wire_value.hpp"
#include "terrane/thread/journey.hpp"
#include "terrane/thread/service.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

enum class runs_in : std::uint8_t {
  poll,               // while that processor polls: must not block
  thread,             // in a new thread there: may block
  service,            // in the service thread there, one after the other: may block (service.hpp)
  migratable_thread,  // in a new thread that may also move (migration.hpp), even before it begins
};

/// The arguments of a handler, as they are sent.
template <class Handler>
struct handler_arguments;
template <class R, class... P>
struct handler_arguments<R (*)(P...)> {
  static_assert(std::is_void_v<R>,
                "the handler of a message returns nothing: take a terrane::reply<T>, and send");
  using packed = arguments<std::remove_const_t<P>...>;

  template <class... A>
  static const packed* write(void* place, A&&... values) {
    static_assert(sizeof...(A) == sizeof...(P), "post takes the handler's parameters, all");
    static_assert(alignof(packed) <= 8,
                  "the arguments of a message are aligned to 8 bytes: take the value apart");
    (require_wire_value<P>(), ...);
    std::memset(place, 0, sizeof(packed));  // no stack bytes of ours travel as padding
    auto* const all = static_cast<packed*>(place);
    write_arguments(*all, static_cast<std::remove_const_t<P>>(std::forward<A>(values))...);
    return all;
  }
};

template <class R, class... P>
struct handler_arguments<R (*)(P...) noexcept> : handler_arguments<R (*)(P...)> {};

template <auto Handler, runs_in Where>
struct message_handler {
  using its = handler_arguments<decltype(+Handler)>;
  using packed = typename its::packed;

  static void run(terrane_processor*, const void* args) {
    const packed mine = *static_cast<const packed*>(args);
    if constexpr (Where == runs_in::poll) {
      try {
        call_with(mine, Handler);
      } catch (...) { exception_left_fiber(function, "handler"); }
    } else if constexpr (Where == runs_in::service) {
      service_queue::here().add(
          [](const void* bytes) { call_with(*static_cast<const packed*>(bytes), Handler); }, &mine,
          sizeof mine);
    } else {
      const thread_options how{.name = function_name<Handler>::text.data(),
                               .stack_bytes = here().stack_bytes(),
                               .size_from = stack_from::message};
      const auto call = [mine] { call_with(mine, Handler); };
      if constexpr (Where == runs_in::thread)
        thread_block::create(how, call).detach();
      else
        begin_journey(how, call).detach();
    }
  }
  static constexpr terrane_function function{function_name<Handler>::text.data(),
                                             nullptr,
                                             0,
                                             0,
                                             0,
                                             sizeof(packed),
                                             run,
                                             nullptr,
                                             nullptr,
                                             0};
  static inline const registration registered{function};
};

/// Runs the handler on processor `to`; at once if that is this processor. args: as many bytes as
/// the function's args_bytes says.
void post_message(std::uint32_t to, const terrane_function& handler, const void* args);

/// Runs Handler(values...) on processor `to`. May be called anywhere; returns at once. R-210 if no
/// processor has that number.
template <auto Handler, runs_in Where = runs_in::poll, class... A>
void post(std::uint32_t to, A&&... values) {
  using known = message_handler<Handler, Where>;
  static_cast<void>(&known::registered);
  alignas(typename known::packed) unsigned char place[sizeof(typename known::packed)];
  post_message(to, known::function, known::its::write(place, std::forward<A>(values)...));
}

}  // namespace terrane
