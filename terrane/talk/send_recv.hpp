// SPDX-License-Identifier: Apache-2.0
// send_recv.hpp: messages between any two threads of the machine, by the thread's name.
//
//   send(other, 7, 3.5);                         // a wire value, or a contiguous range of them
//   const double x = recv<double>(any_source, 7);
//   std::vector<double> ghost(n);
//   const status got = recv(neighbour, 8, ghost);
//   request left = irecv(neighbour, 9, ghost);   // begun now, waited for later
//
// Order       Messages of one sender to one receiver are received in the order of sending, if their
//             tags allow it. A wildcard takes what came first. Tags go from 0 to 2^31 - 1.
// Waiting     send() returns when its data may be overwritten: at once for short messages, else
//             when they have been received (--eager). ssend() returns when its message has been
//             received. Other work runs meanwhile. R-281 where no thread runs.
// Moves       Threads keep their names, receives and order wherever they move (migration.hpp). A
//             receive that is begun and not done may be for the thread's own stack and heap; other
//             memory pins the thread.
// Errors     , with both threads, tag, bytes and line.
// Cost        Threads of one processor: about that of two switches, and one copy.
// Source      [CHANT §2.1].
#pragma once

#include <ranges>
#include <span>
#include <type_traits>

#include "terrane/core/message.hpp"
#include "terrane/cpp/slot.hpp"
#include "terrane/cpp/wire_value.hpp"
#include "terrane/talk/message_buffer.hpp"
#include "terrane/talk/request.hpp"
#include "terrane/thread/thread_id.hpp"

namespace terrane {

/// With whom, and under which tag. context: 0, or the rope's name.
struct correspondence {
  thread_id peer;
  int tag;
  std::uint64_t context = 0;
};

/// What a T is as a message: its bytes, and the type of its elements.
template <class T>
struct message_form {
  static constexpr bool is_range = std::ranges::contiguous_range<T> && std::ranges::sized_range<T>;
  template <class U, bool Range>
  struct element_of {
    using type = U;
  };
  template <class U>
  struct element_of<U, true> {
    using type = std::remove_cv_t<std::remove_reference_t<std::ranges::range_reference_t<U>>>;
  };
  using element = typename element_of<std::remove_cvref_t<T>, is_range>::type;

  static constexpr std::uint32_t type() {
    std::uint32_t hash = 2166136261u;
    for (const char* each = __PRETTY_FUNCTION__; *each != '\0'; ++each)
      hash = (hash ^ static_cast<unsigned char>(*each)) * 16777619u;
    return hash | 1;
  }
  static bytes_view bytes(const std::remove_reference_t<T>& what) {
    require_wire_value<element>();
    if constexpr (is_range)
      return {std::ranges::data(what), std::ranges::size(what) * sizeof(element)};
    else
      return {&what, sizeof what};
  }
};
template <class T>
inline constexpr std::uint32_t message_type =
    message_form<typename message_form<T>::element>::type();

/// Where a message goes to in memory.
struct receive_room {
  void* start = nullptr;
  std::size_t bytes = 0;
  std::uint32_t type = 0;
  bool is_buffer = false;  // start is a message_buffer

  static receive_room of(message_buffer& into) { return {&into, ~std::size_t{0}, 0, true}; }
  template <class T>
  static receive_room of(T& into) {
    const bytes_view room = message_form<T>::bytes(into);
    static_assert(!std::is_const_v<std::remove_reference_t<T>> || message_form<T>::is_range,
                  "a message is received into something that may be written");
    return {const_cast<void*>(room.data), room.size, message_type<T>};
  }
};

// --- without types: the calls below, ropes, C and MPI stand on these ---

enum class send_form : std::uint8_t { usual, until_received };

void send_bytes(const correspondence& to, bytes_view what, std::uint32_t type, send_form how,
                call_place where);
status receive_bytes(const correspondence& from, const receive_room& into, call_place where);
void send_buffer(const correspondence& to, message_buffer&& what, send_form how, call_place where);
request begin_send(const correspondence& to, bytes_view what, std::uint32_t type, send_form how,
                   call_place where);
request begin_receive(const correspondence& from, const receive_room& into, call_place where);
/// The same; `done` is signalled instead. Fibers may send so, too.
void begin_send(const correspondence& to, bytes_view what, std::uint32_t type, slot_ref done,
                call_place where);
void begin_receive(const correspondence& from, const receive_room& into, slot_ref done,
                   call_place where);
status probe_for(const correspondence& from, call_place where);
std::optional<status> probe_now(const correspondence& from, call_place where);

// --- the calls ---

/// Sends a value, or a range of values. no_thread: nothing happens.
template <class T>
void send(thread_id to, int tag, const T& what, call_place where = call_place::current()) {
  send_bytes({to, tag}, message_form<T>::bytes(what), message_type<T>, send_form::usual, where);
}
/// The same; returns when the message has been received.
template <class T>
void ssend(thread_id to, int tag, const T& what, call_place where = call_place::current()) {
  send_bytes({to, tag}, message_form<T>::bytes(what), message_type<T>, send_form::until_received,
             where);
}
/// Gives the memory away (message_buffer.hpp); `what` is empty afterwards.
inline void send(thread_id to, int tag, message_buffer&& what,
                 call_place where = call_place::current()) {
  send_buffer({to, tag}, std::move(what), send_form::usual, where);
}
inline void ssend(thread_id to, int tag, message_buffer&& what,
                  call_place where = call_place::current()) {
  send_buffer({to, tag}, std::move(what), send_form::until_received, where);
}
/// A message_buffer is sent by std::move(it).
void send(thread_id to, int tag, const message_buffer& what) = delete;
void ssend(thread_id to, int tag, const message_buffer& what) = delete;
/// Receives into a value, or into a range, which the message need not fill. R-300 if it is longer.
template <class T>
status recv(thread_id from, int tag, T&& into, call_place where = call_place::current()) {
  return receive_bytes({from, tag}, receive_room::of(into), where);
}
/// Receives one value.
template <class T>
T recv(thread_id from, int tag, call_place where = call_place::current()) {
  T value{};
  receive_bytes({from, tag}, receive_room::of(value), where);
  return value;
}
template <class T, class U>
status sendrecv(thread_id to, int send_tag, const T& what, thread_id from, int receive_tag,
                U&& into, call_place where = call_place::current()) {
  request coming = begin_receive({from, receive_tag}, receive_room::of(into), where);
  send(to, send_tag, what, where);
  return coming.wait();
}
/// Begins a send; its data stay as they are until the request is done.
template <class T>
[[nodiscard]] request isend(thread_id to, int tag, const T& what,
                            call_place where = call_place::current()) {
  return begin_send({to, tag}, message_form<T>::bytes(what), message_type<T>, send_form::usual,
                    where);
}
template <class T>
[[nodiscard]] request irecv(thread_id from, int tag, T&& into,
                            call_place where = call_place::current()) {
  return begin_receive({from, tag}, receive_room::of(into), where);
}
template <class T>
void isend(thread_id to, int tag, const T& what, slot_ref done,
           call_place where = call_place::current()) {
  begin_send({to, tag}, message_form<T>::bytes(what), message_type<T>, done, where);
}
template <class T>
void irecv(thread_id from, int tag, T&& into, slot_ref done,
           call_place where = call_place::current()) {
  begin_receive({from, tag}, receive_room::of(into), done, where);
}

/// Waits until a message can be received, and says which; it stays.
inline status probe(thread_id from, int tag, call_place where = call_place::current()) {
  return probe_for({from, tag}, where);
}
/// Nothing: none has come.
inline std::optional<status> iprobe(thread_id from, int tag,
                                    call_place where = call_place::current()) {
  return probe_now({from, tag}, where);
}

/// A message that was found and is this thread's alone: no other receive takes it. Until it is
/// received, the thread stays on its node.
class found_message {
 public:
  found_message() = default;
  found_message(found_message&& other) noexcept
      : its_(std::exchange(other.its_, nullptr)), how_(other.how_) {}
  found_message& operator=(found_message&& other) = delete;
  /// What release() gave up.
  found_message(struct kept_letter* its, const status& how) : its_(its), how_(how) {}
  /// R-305 if it was not received.
  ~found_message();

  const status& what() const { return how_; }
  template <class T>
  status recv(T&& into, call_place where = call_place::current()) {
    return receive(receive_room::of(into), where);
  }
  status receive(const receive_room& into, call_place where);
  /// Gives it up as an address, of which the constructor makes a found message again.
  struct kept_letter* release() { return std::exchange(its_, nullptr); }

 private:
  friend found_message find_message(const correspondence&, call_place);
  struct kept_letter* its_ = nullptr;
  status how_{};
};
found_message find_message(const correspondence& from, call_place where);
/// As probe(), and takes the message.
inline found_message mprobe(thread_id from, int tag, call_place where = call_place::current()) {
  return find_message({from, tag}, where);
}

/// That thread ends at its next receive, probe or checkpoint that would wait: thread_cancelled is
/// thrown there, its receives are withdrawn, and its join throws. May be called anywhere.
void cancel(thread_id who);
/// The processor where that thread is, as far as is known here: a hint.
processor_id where(thread_id who);

}  // namespace terrane
