// SPDX-License-Identifier: Apache-2.0
// faults.hpp: the errors of Threaded-C: each has one number and one sentence.
//
// The sentence names the error, its reason and its cure. Arguments replace %0 and %1.
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

/// Reports the fault at that place; `<<` adds the arguments.
clang::DiagnosticBuilder report(clang::DiagnosticsEngine&, clang::SourceLocation, fault);

}  // namespace terrane::compiler
