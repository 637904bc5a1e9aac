// SPDX-License-Identifier: Apache-2.0
// report.cpp: terrane report and terrane metrics: the page and the load metrics of a trace.
#include "dashboard/report.hpp"

#include <fmt/format.h>

#include <utility>

#include "dashboard/metrics.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/written_file.hpp"

namespace terrane {

namespace {

/// The words of both commands: a trace, and one option with a value.
struct trace_and_option {
  std::string trace, value;
};

/// takes: what the command takes, for the sentence that refuses anything else. usual: the value if
/// the option is not there.
result<trace_and_option> read_trace_and(const words& all, std::string_view option,
                                        std::string_view takes, std::string usual = "") {
  trace_and_option read{"", std::move(usual)};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == option && i + 1 < all.size())
      read.value = all[++i];
    else if (!all[i].starts_with("-") && read.trace.empty())
      read.trace = all[i];
    else
      return error{fmt::format("{}, not also '{}'", takes, all[i])};
  }
  return read;
}

}  // namespace

int make_report(const std::string& trace, const std::string& page) {
  const auto opened = trace_file::open(trace);
  if (!opened) return refuse(opened.problem());
  return write_file(page,
                    [&](const text_sink& to) { return write_report(*opened.value(), trace, to); });
}

int report_command(const words& arguments) {
  const auto read = read_trace_and(arguments, "-o", "report takes a trace and -o FILE");
  if (!read) return refuse(read.problem());
  const auto& [trace, page] = read.value();
  if (trace.empty())
    return refuse(
        "report needs a trace, a file made with --trace FILE: terrane report TRACE [-o FILE]");
  return make_report(trace, page.empty() ? trace + ".html" : page);
}

int metrics_command(const words& arguments) {
  const auto read =
      read_trace_and(arguments, "--metrics", "metrics takes a trace and --metrics LIST",
                     "n-threads,rq-length,cpu-time,rem-comm");
  if (!read) return refuse(read.problem());
  const auto& [trace, which] = read.value();
  if (trace.empty()) return refuse("metrics needs a trace, a file made with --trace FILE");
  const auto choices = read_metrics(which);
  if (!choices) return refuse(fmt::format("metrics: {}", choices.problem()));
  const auto opened = trace_file::open(trace);
  if (!opened) return refuse(opened.problem());
  return write_file("-", [&](const text_sink& to) {
    return write_metrics(*opened.value(), choices.value(), to);
  });
}

}  // namespace terrane
