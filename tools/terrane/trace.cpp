// SPDX-License-Identifier: Apache-2.0
// trace.cpp: terrane trace: shows a trace as text, makes other tools' files of it, and prints the
// list of events.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

#include "dashboard/converters.hpp"
#include "terrane/monitor/events_page.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/live.hpp"
#include "tools/terrane/written_file.hpp"

namespace terrane {

namespace {

constexpr const char* usage =
    "usage: terrane trace show TRACE [--from SEC] [--to SEC] [--class CLASS]\n"
    "       terrane trace convert TRACE --to FORM [-o FILE]\n"
    "       terrane trace on|off CLASSES [PID]\n"
    "       terrane trace events\n\n"
    "show prints which run the file TRACE is of, and its events in order of time, a\n"
    "line each. convert makes a file for another tool (default: TRACE with another\n"
    "ending; - is stdout). on and off choose, while a run with a trace goes on, which\n"
    "classes of events go into it. events prints the list of events as a page. A\n"
    "program makes a trace if it is run with --trace FILE.\n\nForms:\n";

int help() {
  std::string text = usage;
  for (const converter& each : converters())
    text += fmt::format("  {:<12} {}\n", each.name, each.about);
  std::fputs(text.c_str(), stdout);
  return 0;
}

/// The options of both forms, each with a value.
struct trace_words {
  std::string file, to, out, class_name;
  std::optional<double> from_s, to_s;
};

result<trace_words> read_words(const words& all, bool shows) {
  trace_words read;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::string& word = all[i];
    if (!word.starts_with("-")) {
      if (!read.file.empty()) return error{fmt::format("takes one trace, not also '{}'", word)};
      read.file = word;
      continue;
    }
    if (i + 1 == all.size()) return error{fmt::format("needs a value after {}", word)};
    const std::string& value = all[++i];
    const bool time = shows && (word == "--from" || word == "--to");
    if (time) {
      double seconds = 0;
      std::string_view digits = value;
      if (digits.ends_with('s')) digits.remove_suffix(1);
      const auto got = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
      if (got.ec != std::errc() || got.ptr != digits.data() + digits.size())
        return error{fmt::format("{} needs seconds, not '{}'", word, value)};
      (word == "--from" ? read.from_s : read.to_s) = seconds;
    } else if (shows && word == "--class") {
      read.class_name = value;
    } else if (!shows && word == "--to") {
      read.to = value;
    } else if (!shows && word == "-o") {
      read.out = value;
    } else {
      return error{fmt::format("knows no option {} (see terrane trace --help)", word)};
    }
  }
  if (read.file.empty()) return error{"needs a trace: a file made with --trace FILE"};
  return read;
}

int show(const trace_words& how) {
  const auto opened = trace_file::open(how.file);
  if (!opened) return refuse(opened.problem());
  const trace_file& file = *opened.value();
  const auto& classes = file.classes();
  if (!how.class_name.empty() &&
      std::find(classes.begin(), classes.end(), how.class_name) == classes.end())
    return refuse(fmt::format("this trace has no class of events '{}'", how.class_name));
  std::fputs(describe_run(file).c_str(), stdout);
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);) {
    const double at = 1e-9 * static_cast<double>(event.ns);
    if ((how.from_s && at < *how.from_s) || (how.to_s && at > *how.to_s)) continue;
    if (!how.class_name.empty() && classes[file.types()[event.type].of] != how.class_name) continue;
    if (std::fputs(line_of(file, event).c_str(), stdout) < 0) return 1;
  }
  return 0;
}

/// Returns the exit code.
int write_as(const converter& form, const trace_file& file, const std::string& path) {
  if (!form.write_folder)
    return write_file(path, [&](const text_sink& to) { return form.write(file, to); });
  if (path == "-") return refuse(fmt::format("{} is a folder: choose its name with -o", form.name));
  const auto written = form.write_folder(file, path);
  return written ? 0 : refuse(written.problem());
}

int convert(const trace_words& how) {
  const converter* const into = find_converter(how.to);
  if (!into) {
    std::string names;
    for (const converter& each : converters())
      names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
    return refuse(how.to.empty()
                      ? fmt::format("trace convert needs --to FORM: {}", names)
                      : fmt::format("there is no form '{}': there are {}", how.to, names));
  }
  const auto opened = trace_file::open(how.file);
  if (!opened) return refuse(opened.problem());
  const std::string path = how.out.empty() ? how.file + std::string(into->suffix) : how.out;
  if (const int problem = write_as(*into, *opened.value(), path); problem != 0) return problem;
  for (const std::string& each : opened.value()->problems())
    std::fprintf(stderr, "terrane: %s: %s\n", how.file.c_str(), each.c_str());
  return 0;
}

}  // namespace

int trace_command(const words& arguments) {
  if (!arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h")) return help();
  if (arguments.size() == 1 && arguments[0] == "events") {
    std::fputs(events_page().c_str(), stdout);
    return 0;
  }
  if (!arguments.empty() && (arguments[0] == "on" || arguments[0] == "off"))
    return trace_switch(arguments);
  const bool shows = !arguments.empty() && arguments[0] == "show";
  if (!shows && (arguments.empty() || arguments[0] != "convert"))
    return refuse(
        "trace needs one of the words show, convert, on, off and events (see terrane trace "
        "--help)");
  const auto read = read_words(arguments, shows);
  if (!read) return refuse(fmt::format("trace {} {}", arguments[0], read.problem()));
  return shows ? show(read.value()) : convert(read.value());
}

}  // namespace terrane
