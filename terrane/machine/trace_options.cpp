// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/trace_options.hpp"

#include <utility>

#include "terrane/machine/event_choice.hpp"
#include "terrane/machine/read_word.hpp"

namespace terrane {

result<void> read_events(std::string_view text, run_options& into) {
  const auto read = read_event_classes(text);
  if (!read) return error{read.problem()};
  into.traced = read.value();
  return {};
}

result<void> read_measured(std::string_view text, run_options& into) {
  auto read = read_metrics(text);
  if (!read) return error{"LIST: " + read.problem()};
  into.metrics = std::move(read).value();
  return {};
}

result<void> read_full_trace(std::string_view text, run_options& into) {
  return read_word(text,
                   {std::pair<std::string_view, full_trace>{"drop", full_trace::drop},
                    {"wait", full_trace::wait}},
                   into.when_full);
}

}  // namespace terrane
