// SPDX-License-Identifier: Apache-2.0
// operations.hpp: the operations of Threaded-C that look like calls: parameters and result of each.
//
// This is the only table of them: both the declarations that Clang reads and the checks are made
// from it. What they do is in terrane/threaded_c.h.
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
  target,          // a handle to which the operation writes
  handle_or_own,   // a handle, or a variable of T's type, which stands for its address
  long_handle,     // of a 64-bit integer
  value_for_next,  // a value of the type that the next argument, a handle, names
  pointer,         // a local pointer
  target_pointer,  // a local pointer to which the operation writes
  count,           // of a slot: an integer, not below 0
  reset,           // of a slot: an integer, not below 0
  mailbox,         // a MAILBOX
  mailbox_place,   // MAILBOX *
  mailbox_handle,  // MAILBOX *GLOBAL
  integer,
  own_argument,    // an argument of a fiber of this function
  argument_place,  // APTR
  argument_value,  // a value of the type that the next argument, an APTR, names
  anything,
};

constexpr int arguments_max = 7;

struct operation {
  std::string_view name;
  std::string_view result;      // as a C type
  std::string_view parameters;  // as messages name them
  kind arguments[arguments_max];
  bool of_frame = false;  // allowed in threaded functions only
};

std::span<const operation> operations();
const operation* find_operation(std::string_view name);

/// The text that Clang reads before every unit of Threaded-C.
std::string reading_prelude();

}  // namespace terrane::compiler
