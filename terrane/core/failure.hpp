// SPDX-License-Identifier: Apache-2.0
// failure.hpp: the run-time errors of a program, and the exit codes of the runtime.
//
// Source  docs/threaded-c-errors.md.
#pragma once

namespace terrane {

/// Exit codes that are the runtime's, not the program's.
enum exit_code : int {
  exit_usage = 2,
  exit_deadlock = 121,
  exit_run_time_error = 122,
  exit_node_lost = 123
};

/// The errors of the language that are found while a program runs.
enum class run_time_error : int {
  terminated_with_queued_fiber = 201,
  stale_signal = 202,
  exhausted_slot = 203,
  unarmed_slot = 204,
  operation_outlived_frame = 205,
  count_out_of_range = 206,
  no_such_slot = 207,
  no_such_processor = 210,
  unknown_function = 211,
  wrong_arguments = 212,
  malformed_message = 213,
  different_nodes = 220,
  not_on_this_node = 221,
  outside_memory = 222,
  freed_twice = 223,
  mailbox_not_local = 230,
  mailbox_freed = 231,
  mailbox_item_size = 232,
  out_of_memory = 240,
  deadlock = 250,
  clock_stands_still = 251,
  element_written_twice = 260,
  no_such_object = 261,
  no_such_element = 262,
  item_too_large = 263,
  not_taken = 264,
  freed_while_awaited = 265,
  size_out_of_range = 266,
  exception_in_fiber = 270,
  slot_out_of_reach = 271,
  node_variables_in_use = 272,
  not_a_processor = 273,
  stack_overflow = 280,
  not_in_a_thread = 281,
  thread_misused = 282,
  lock_misused = 283,
  exception_in_thread = 284,
  end_misused = 285,
  halted = 286,
  lent_misused = 287,
  future_misused = 290,
  message_too_long = 300,
  message_out_of_range = 301,
  message_to_ended = 302,
  members_differ = 303,
  message_type = 304,
  request_misused = 305,
  not_a_member = 306,
  balancer_failed = 310,
};

class run_control;

/// While it exists, the failure of a thread that is no processor fails this run, too. At most one
/// per process.
class failing_run {
 public:
  explicit failing_run(run_control& run);
  failing_run(const failing_run&) = delete;
  failing_run& operator=(const failing_run&) = delete;
  ~failing_run();
};

/// Fails the run with one sentence: the code, what happened, and which place in the program this
/// processor was at. The run_control reports it and ends the process with exit_run_time_error. If
/// no run is active, only the sentence is written to stderr.
[[noreturn, gnu::cold, gnu::format(printf, 2, 3)]] void fail(run_time_error code, const char* what,
                                                             ...);

}  // namespace terrane
