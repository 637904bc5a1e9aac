// SPDX-License-Identifier: Apache-2.0
// remote_call.hpp: functions that are called on another node, and return their result.
//
//   long pages(int book) { ... }                 // may block: it runs in the service thread there
//   const long n = call<pages>(2, 17);
//   auto left = icall<pages>(2, 18);             // begun now
//   const long m = left.wait();
//
// Order       Calls for one node are served one after the other, as they come (thread/service.hpp).
// Errors      What the function throws, wait() throws as a remote_exception with its text.
// Cost        A message there, one back, and two switches.
// Source      [CHANT §2.1] (remote service requests).
#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include "terrane/talk/send_recv.hpp"
#include "terrane/thread/create_on.hpp"
#include "terrane/thread/thread_end.hpp"

namespace terrane {

/// The context of answers.
inline constexpr std::uint64_t answers_to_calls = 1;

template <class R>
struct call_answer {
  bool thrown = false;
  char says[119] = {};
  std::conditional_t<std::is_void_v<R>, char, R> value{};
};

struct caller {
  thread_id who;
  int tag;
};
template <>
inline constexpr bool position_independent<caller> = true;

/// A tag that no other pending call of this thread has.
int new_call_tag();

/// A call whose answer has not been taken yet. It is waited for by the thread that began it, on
/// whose stack or heap it lies. Dropped, it waits.
template <class R>
class pending_call {
 public:
  template <class Begin>
  explicit pending_call(Begin&& begin, call_place where) {
    const caller me{this_thread::id(), new_call_tag()};
    coming_ =
        begin_receive({any_source, me.tag, answers_to_calls}, {&answer_, sizeof answer_, 0}, where);
    begin(me);
  }
  pending_call(const pending_call&) = delete;
  pending_call& operator=(const pending_call&) = delete;

  R wait() {
    coming_.wait();
    if (answer_.thrown) throw remote_exception(answer_.says);
    if constexpr (!std::is_void_v<R>) return answer_.value;
  }
  /// Never blocks.
  bool test() { return coming_.test().has_value(); }

 private:
  call_answer<R> answer_{};
  request coming_;
};

template <auto Function, class... P>
struct remote_function {
  using result = std::invoke_result_t<decltype(Function), P...>;
  static_assert(std::is_void_v<result> || wire_value<result>,
                "the result of a call travels: it must be a wire value");

  static void serve(caller to, P... values) {
    call_answer<result> answer;
    try {
      if constexpr (std::is_void_v<result>)
        Function(values...);
      else
        answer.value = Function(values...);
    } catch (...) {
      answer.thrown = true;
      write_text(std::current_exception(), answer.says);
    }
    send_bytes({to.who, to.tag, answers_to_calls}, {&answer, sizeof answer}, 0, send_form::usual,
               call_place::current());
  }
};
template <auto Function, class Signature>
struct remote_function_of;
template <auto Function, class R, class... P>
struct remote_function_of<Function, R (*)(P...)> : remote_function<Function, std::decay_t<P>...> {
  static constexpr std::size_t parameters = sizeof...(P);
};
template <auto Function, class R, class... P>
struct remote_function_of<Function, R (*)(P...) noexcept>
    : remote_function_of<Function, R (*)(P...)> {};

/// The processor of that node that serves calls; R-210 if there is no such node.
processor_id server_of(node_id node);
/// The same for the node where that thread is, as far as is known here.
processor_id server_of(thread_id who);

/// Calls Function(values...) on a node, or on the node of a thread.
template <auto Function, class Where, class... A>
[[nodiscard]] auto icall(Where there, const A&... values) {
  using remote = remote_function_of<Function, decltype(+Function)>;
  static_assert(sizeof...(A) == remote::parameters, "call takes the function's parameters, all");
  const processor_id server = server_of(there);
  return pending_call<typename remote::result>(
      [&](caller me) { post<&remote::serve, runs_in::service>(server, me, values...); },
      call_place::current());
}
template <auto Function, class Where, class... A>
auto call(Where there, const A&... values) {
  auto pending = icall<Function>(there, values...);
  return pending.wait();
}

}  // namespace terrane
