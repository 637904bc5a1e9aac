// SPDX-License-Identifier: Apache-2.0
// report.cpp: terrane report and terrane metrics: the page and the load metrics of a trace.
#include "dashboard/report.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "dashboard/metrics.hpp"
#include "tools/terrane/command.hpp"

namespace terrane {

int make_report(const std::string& trace, const std::string& page) {
  const auto opened = trace_file::open(trace);
  if (!opened) return refuse(opened.problem());
  std::FILE* const out = page == "-" ? stdout : std::fopen(page.c_str(), "wb");
  if (!out) return refuse(fmt::format("cannot write {}: {}", page, std::strerror(errno)));
  const auto written = write_report(*opened.value(), trace, [&](std::string_view bytes) {
    return std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
  });
  const bool closed = out == stdout || std::fclose(out) == 0;
  if (written && closed) return 0;
  if (out != stdout) std::remove(page.c_str());
  return refuse(fmt::format("cannot write {}: {}", page, std::strerror(errno)));
}

int report_command(const words& arguments) {
  std::string trace, page;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "-o" && i + 1 < arguments.size())
      page = arguments[++i];
    else if (!word.starts_with("-") && trace.empty())
      trace = word;
    else
      return refuse(fmt::format("report takes a trace and -o FILE, not also '{}'", word));
  }
  if (trace.empty())
    return refuse(
        "report needs a trace, a file made with --trace FILE: terrane report TRACE [-o FILE]");
  return make_report(trace, page.empty() ? trace + ".html" : page);
}

int metrics_command(const words& arguments) {
  std::string trace, which = "n-threads,rq-length,cpu-time,rem-comm";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--metrics" && i + 1 < arguments.size())
      which = arguments[++i];
    else if (!word.starts_with("-") && trace.empty())
      trace = word;
    else
      return refuse(fmt::format("metrics takes a trace and --metrics LIST, not also '{}'", word));
  }
  if (trace.empty()) return refuse("metrics needs a trace, a file made with --trace FILE");
  const auto choices = read_metrics(which);
  if (!choices) return refuse(fmt::format("metrics: {}", choices.problem()));
  const auto opened = trace_file::open(trace);
  if (!opened) return refuse(opened.problem());
  const auto written = write_metrics(*opened.value(), choices.value(), [](std::string_view bytes) {
    return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
  });
  return written ? 0 : 1;
}

}  // namespace terrane
