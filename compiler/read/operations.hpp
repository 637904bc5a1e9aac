// SPDX-License-Identifier: Apache-2.0
// operations.hpp: the operations of Threaded-C that look like calls: what each takes and gives.
//
// The one table of them: the declarations that Clang reads and the checks are made from it. What
// they do is in terrane/threaded_c.h.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace terrane::compiler {

/// What an argument must be.
enum class kind : unsigned char {
  none,
  slot,            // an SPTR, or the name of a slot of this function
  own_slot,        // the name of a slot of this function
  own_fiber,       // the name of a fiber of this function
  handle,          // T *GLOBAL of any T
  target,          // the same, and written to
  handle_or_own,   // the same, or a variable of T's type that stands for its place
  long_handle,     // of a 64-bit integer
  value_for_next,  // a value that fits what the next argument's handle names
  pointer,         // a local pointer
  target_pointer,  // the same, and written to
  count,           // of a slot: an integer, not below 0
  reset,           // likewise
  mailbox,         // a MAILBOX
  mailbox_place,   // MAILBOX *
  mailbox_handle,  // MAILBOX *GLOBAL
  integer,
  own_argument,    // an argument of a fiber of this function
  argument_place,  // APTR
  argument_value,  // a value that fits what the next argument, an APTR, names
  anything,
};

constexpr int arguments_max = 7;

struct operation {
  std::string_view name;
  std::string_view result;      // as C says it
  std::string_view parameters;  // as a message says them
  kind arguments[arguments_max];
  bool of_frame = false;  // stands in a threaded function only
};

std::span<const operation> operations();
const operation* find_operation(std::string_view name);

/// What precedes every unit of Threaded-C when Clang reads it.
std::string reading_prelude();

}  // namespace terrane::compiler
