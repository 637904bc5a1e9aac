// SPDX-License-Identifier: Apache-2.0
// object.hpp: objects that are operated on by messages: the locks, channels and mailboxes of talk/.
//
// Purpose     An object is an activation without fibers ("active monitor"). It lies in a frame of
//             the processor that made it, its name is that of the frame, and it acts only when an
//             operation arrives. An object may have one branch on each other node, which keeps
//             there what need not be sent to the owner. A branch is made when it is first asked
//             for, and is known by the object's name.
// Invariants  Operations run on the owner, one after the other, to their end; operations from one
//             processor run in the order in which they were issued. They signal slots and put data,
//             and run no fiber: an object counts neither as a token nor as a fiber. A name contains
//             its generation, so that an operation on a freed object is detected.
// Cost        An operation: one message, or a call on the processor that owns the object.
// Source      [EARTH-SMP §2]; docs/objects.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "terrane/base/check.hpp"
#include "terrane/core/entries.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/core/message.hpp"
#include "terrane/core/token.hpp"
#include "terrane/terrane.h"

namespace terrane {

/// An operation on an object: who asks, which operation (numbered by the object), and its data.
struct operation_request {
  processor_id from;
  std::uint32_t what;
  bytes_view record, body;

  template <class Record>
  const Record& as() const {
    TERRANE_CHECK(record.size == sizeof(Record));
    return *static_cast<const Record*>(record.data);
  }
};

class object {
 public:
  object() = default;
  object(const object&) = delete;
  object& operator=(const object&) = delete;
  virtual ~object() = default;

  virtual void operate(const operation_request& asked) = 0;
  /// How many requests it has not answered yet.
  virtual std::size_t waiting() const { return 0; }
  /// The name of the frame it lies in.
  terrane_slot_ref name() const { return (reinterpret_cast<const terrane_frame*>(this) - 1)->name; }
};

/// What all objects of one type have in common.
struct object_kind : terrane_function {
  run_time_error gone;                       // the error of an operation on a freed object
  object* (*make_branch)(terrane_slot_ref);  // null: its objects have no branches
};

/// Of all registered functions, only object kinds cannot be activated.
inline bool is_object_kind(const terrane_function& function) { return !function.run; }
inline bool is_object(const terrane_frame& frame) { return has(*frame.function, holds_object); }
inline const object& object_in(const terrane_frame& frame) {
  return *reinterpret_cast<const object*>(&frame + 1);
}

/// kind_of<T>: the kind of T. T has a `static constexpr char called[]`; it may have a `static
/// constexpr run_time_error gone`, and `fibers` if it is also an activation (a thread). T has
/// branches if it can be constructed from a branch_of.
struct branch_of {
  terrane_slot_ref whole;
};
template <class T>
struct kind_of {
  static constexpr std::uint32_t bytes = sizeof(T) + sizeof(terrane_frame);
  static_assert(alignof(T) <= 16 && bytes <= TERRANE_FRAME_BYTES_MAX);

  static constexpr run_time_error gone() {
    if constexpr (requires { T::gone; }) return T::gone;
    return run_time_error::no_such_object;
  }
  static constexpr bool is_activation = requires { T::fibers; };
  static constexpr const terrane_fiber* const* fibers() {
    if constexpr (is_activation) return T::fibers;
    return nullptr;
  }
  static object* make_branch(terrane_slot_ref whole) {
    if constexpr (std::is_constructible_v<T, branch_of>) return &make(branch_of{whole});
    return nullptr;
  }
  /// The object may be of another type that answers as a T does (thread/journey.hpp).
  static void destroy(terrane_frame* frame) { reinterpret_cast<object*>(frame + 1)->~object(); }

  static constexpr object_kind kind{
      {T::called, nullptr, 0, TERRANE_FRAME_CLASS(bytes), bytes, 0, nullptr, destroy, fibers(),
       is_activation ? std::uint8_t{0} : std::uint8_t{holds_object}},
      gone(),
      std::is_constructible_v<T, branch_of> ? make_branch : nullptr};
  /// Registers the kind in every process that can ask for such an object.
  static inline const registration registered{kind};

  static const object_kind& known() { return static_cast<void>(&registered), kind; }

  template <class... A>
  static T& make(A&&... values) {
    terrane_frame* frame = terrane_frame_new(terrane_here, &known(), kind.frame_class);
    T* made = ::new (frame + 1) T(std::forward<A>(values)...);
    TERRANE_CHECK(static_cast<void*>(static_cast<object*>(made)) == frame + 1);
    return *made;
  }
};

/// Makes a T on this processor.
template <class T, class... A>
T& make_object(A&&... values) {
  return kind_of<T>::make(std::forward<A>(values)...);
}
/// Ends an object of this processor.
void free_object(object& ended);
/// Ends this processor's branch of that object.
void free_branch(terrane_slot_ref whole);

// --- asking ---

inline constexpr std::size_t record_bytes_max = 80;

void operate(processor_id at, const object_kind& kind, terrane_slot_ref name,
             const operation_request& asked);

/// Asks the object of that name, which is a T.
template <class T, class Record>
void ask(terrane_slot_ref name, std::uint32_t what, const Record& record, bytes_view body = {}) {
  static_assert(sizeof(Record) <= record_bytes_max && std::is_trivially_copyable_v<Record>);
  operate(processor_of(name), kind_of<T>::known(), name, {0, what, {&record, sizeof record}, body});
}
template <class T>
void ask(terrane_slot_ref name, std::uint32_t what, bytes_view body = {}) {
  operate(processor_of(name), kind_of<T>::known(), name, {0, what, {}, body});
}
/// Asks the object's branch on the processor `at`, a T. If `at` is the owner, asks the object.
template <class T, class Record>
void ask_at(processor_id at, terrane_slot_ref name, std::uint32_t what, const Record& record,
            bytes_view body = {}) {
  static_assert(sizeof(Record) <= record_bytes_max && std::is_trivially_copyable_v<Record>);
  operate(at, kind_of<T>::known(), name, {0, what, {&record, sizeof record}, body});
}
template <class T>
void ask_at(processor_id at, terrane_slot_ref name, std::uint32_t what) {
  operate(at, kind_of<T>::known(), name, {0, what, {}, {}});
}
/// Asks the object whose name is stored at that place.
void operate_at_place(terrane_global place, const object_kind& kind, std::uint32_t what,
                      bytes_view body);

/// R-265 if somebody waits for the object, which is about to be freed.
void require_nobody_waits(const object& freed);
/// free_object, after require_nobody_waits.
void free_unawaited(object& ended);

/// The object of that kind and name on this processor; null if there is none.
inline object* find_object(const object_kind& kind, terrane_slot_ref name) {
  terrane_frame* frame = terrane_frame_at(terrane_here, name);
  if (processor_of(name) != terrane_here->number || frame->name != name || frame->function != &kind)
    return nullptr;
  return reinterpret_cast<object*>(frame + 1);
}

/// The processor that holds an object's branch for the caller's node. In the owner's node: the
/// owner.
processor_id station_here(terrane_slot_ref name);
/// The same for any node.
processor_id station_of(terrane_slot_ref name, node_id home);

/// Carries out an operation that has arrived in a message.
void operation_arrived(processor& self, const message& what);

/// Signals a slot; 0 means no slot.
inline void signal_if(terrane_slot_ref slot) {
  if (slot != 0) terrane_signal(slot);
}

/// Where an answer is written, and the slot that is signalled then.
struct answer_place {
  terrane_global to;
  terrane_slot_ref done;
  void send(bytes_view value) const {
    const void* start = value.size != 0 ? value.data : this;  // an empty value may have no address
    terrane_put(start, value.size, to, done);
  }
};

}  // namespace terrane
