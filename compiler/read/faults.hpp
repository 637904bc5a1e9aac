// SPDX-License-Identifier: Apache-2.0
// faults.hpp: what can be wrong with a text of Threaded-C: one number and one sentence each.
//
// The sentence names what is wrong, why, and the cure. %0 and %1 are filled in.
#pragma once

#include "clang/Basic/Diagnostic.h"

namespace terrane::compiler {

enum class fault {
  misplaced_word,
  count_uses_local,
  threaded_called,
  threaded_shape,
  pointer_parameter,
  slot_parameter,
  array_parameter,
  arguments_too_large,
  main_shape,
  fiber_nested,
  fiber_return,
  jump_across_fibers,
  statement_between_fibers,
  outside_threaded,
  priority_range,
  declared_twice,
  name_taken,
  handle_dereferenced,
  handle_mixed,
  variable_length,
  frame_too_large,
  constant_place,
  fiber_local_escapes,
  operation_arguments,
  operation_argument_kind,
  operation_as_value,
  constant_target,
  count_negative,
  slot_index,
  local_between_fibers,
  blocking_call,
  main_without_end,
  never_written,
};

/// Reports it at that place; fill in with `<<`.
clang::DiagnosticBuilder report(clang::DiagnosticsEngine&, clang::SourceLocation, fault);

}  // namespace terrane::compiler
