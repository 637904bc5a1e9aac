// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/failure.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include <string_view>

#include "terrane/core/node.hpp"
#include "terrane/core/source_place.hpp"

namespace terrane {

namespace {

/// `, at x.tc:7 in f::FIBER`
void print_place(const char* relation, const terrane_source_place& place) {
  const std::string_view name = place.function;  // f__N for the fiber N of f
  const auto parts = name.rfind("__");
  const bool fiber = parts != std::string_view::npos;
  std::fprintf(stderr, ", %s %s:%u in %.*s%s%s", relation, place.file, place.line,
               static_cast<int>(fiber ? parts : name.size()), name.data(), fiber ? "::" : "",
               fiber ? name.data() + parts + 2 : "");
}

[[noreturn]] void fail_with(int code, const char* what, va_list arguments) {
  // One failing thread speaks; others that fail meanwhile wait for the process to end.
  static atomic<bool> speaking{false};
  while (speaking.exchange(true, memory_order_seq_cst)) pause_core();
  std::fflush(stdout);
  std::fprintf(stderr, "terrane: R-%d: ", code);
  std::vfprintf(stderr, what, arguments);
  if (terrane_doing) print_place("at", *terrane_doing);
  if (terrane_is_processor()) {
    processor& self = here();
    const message* const asked = terrane_doing ? nullptr : self.handling();
    if (const auto* const place = asked ? source_place_at(asked->said_at) : nullptr)
      print_place("asked for at", *place);
    if (const char* const thread = self.threads() ? self.threads()->doing() : nullptr)
      std::fprintf(stderr, ", in thread %s", thread);
    std::fprintf(stderr, " (on processor %u of node %u, %.6f s into the run)\n", self.number,
                 self.home().number(), 1e-9 * static_cast<double>(self.world().now()));
    self.control().events().print_last(16);
  } else {
    std::fputc('\n', stderr);
  }
  std::fflush(stderr);
  std::_Exit(exit_run_time_error);
}

}  // namespace

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
