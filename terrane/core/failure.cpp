// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/failure.hpp"

#include <cstdarg>
#include <string_view>

#include "terrane/base/bounded_text.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/run_end.hpp"
#include "terrane/core/source_place.hpp"

namespace terrane {

namespace {

// The thread that starts a run writes it; any thread that fails reads it. relaxed is enough: what
// it points to was made before the threads that can fail.
atomic<run_control*> run_that_is_on{nullptr};

/// `, at x.tc:7 in f::FIBER`
void add_place(bounded_text& text, const char* relation, const terrane_source_place& place) {
  const std::string_view name = place.function;  // f__N for the fiber N of f
  const auto parts = name.rfind("__");
  const bool fiber = parts != std::string_view::npos;
  text.add(", %s %s:%u in %.*s%s%s", relation, place.file, place.line,
           static_cast<int>(fiber ? parts : name.size()), name.data(), fiber ? "::" : "",
           fiber ? name.data() + parts + 2 : "");
}

void add_whereabouts(bounded_text& text, processor& self) {
  const message* const asked = terrane_doing ? nullptr : self.messages().handled;
  if (const auto* const place = asked ? source_place_at(asked->said_at) : nullptr)
    add_place(text, "asked for at", *place);
  if (const char* const thread = self.threads() ? self.threads()->doing() : nullptr)
    text.add(", in thread %s", thread);
  text.add(" (on processor %u of node %u, %.6f s into the run)", self.number, self.home().number(),
           1e-9 * static_cast<double>(self.world().now()));
}

/// One failing thread reports; others that fail meanwhile wait for the process to end.
void speak_alone() {
  static atomic<bool> speaking{false};
  while (speaking.exchange(true, memory_order_seq_cst)) pause_core();
}

[[noreturn]] void fail_with(int code, const char* what, va_list arguments) {
  speak_alone();
  static bounded_text text;  // static, because the stack may be small
  text.add("R-%d: ", code);
  text.add(what, arguments);
  if (terrane_doing) add_place(text, "at", *terrane_doing);
  run_control* run = run_that_is_on.load(memory_order_relaxed);
  if (terrane_is_processor()) {
    add_whereabouts(text, here());
    run = &here().control();
  }
  if (run) run->failed(text.c_str(), exit_run_time_error);
  end_with_sentence(text.c_str(), exit_run_time_error);
}

}  // namespace

failing_run::failing_run(run_control& run) { run_that_is_on.store(&run, memory_order_relaxed); }
failing_run::~failing_run() { run_that_is_on.store(nullptr, memory_order_relaxed); }

void end_run(int exit_code, const char* sentence) {
  speak_alone();
  run_control* const run =
      terrane_is_processor() ? &here().control() : run_that_is_on.load(memory_order_relaxed);
  if (run) run->failed(sentence, exit_code);
  end_with_sentence(sentence, exit_code);
}

void fail(run_time_error code, const char* what, ...) {
  va_list arguments;
  va_start(arguments, what);
  fail_with(static_cast<int>(code), what, arguments);
}

}  // namespace terrane

void terrane_fail(int code, const char* what, ...) {
  va_list arguments;
  va_start(arguments, what);
  terrane::fail_with(code, what, arguments);
}
