// SPDX-License-Identifier: Apache-2.0
// diff.cpp: terrane diff: finds the first event in which two event logs of world sim differ.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fstream>
#include <string>

#include "terrane/machine/wording.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/diff_runs.hpp"

namespace terrane {

namespace {

constexpr std::size_t lines_before = 5, lines_after = 2;

/// Reads a log line by line.
struct log_reader {
  explicit log_reader(const std::string& path) : name(path), file(path) {}
  bool next() {
    there = static_cast<bool>(std::getline(file, line));
    return there;
  }
  const std::string name;
  std::ifstream file;
  std::string line;
  bool there = false;
};

/// True for a trace and for JSON; no line of an event log begins like them.
bool is_run(const std::string& path) {
  const int first = std::ifstream(path).peek();
  return first == 'T' || first == '{';
}

void print_rest(log_reader& log, char mark) {
  if (!log.there) {
    std::puts(fmt::format("{} (ends here)", mark).c_str());
    return;
  }
  std::puts(fmt::format("{} {}", mark, one_line(log.line)).c_str());
  for (std::size_t i = 0; i < lines_after && log.next(); ++i)
    std::puts(fmt::format("{} {}", mark, one_line(log.line)).c_str());
}

}  // namespace

int diff_command(const words& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes != arguments.end()) {
    const words left(arguments.begin(), dashes), right(dashes + 1, arguments.end());
    if (left.empty() || right.empty())
      return refuse("diff needs runs on both sides of --: terrane diff A1 A2 -- B1 B2");
    return diff_runs(left, right);
  }
  if (arguments.size() != 2)
    return refuse(
        "diff needs two event logs, traces or files of --stats json: terrane diff A B (see "
        "terrane run --log)");
  if (is_run(arguments[0]) && is_run(arguments[1]))
    return diff_runs({arguments[0]}, {arguments[1]});
  log_reader left(arguments[0]), right(arguments[1]);
  for (log_reader* each : {&left, &right})
    if (!each->file || each->file.peek() == std::ifstream::traits_type::eof())
      return refuse(fmt::format("cannot read the event log '{}': {}", each->name,
                                each->file.eof() ? "it is empty" : std::strerror(errno)));
  std::deque<std::string> before;
  for (std::size_t number = 1;; ++number) {
    left.next();
    right.next();
    if (!left.there && !right.there) {
      std::puts(fmt::format("the same {} events", number - 1).c_str());
      return 0;
    }
    if (left.there != right.there || left.line != right.line) {
      std::puts(
          fmt::format("event {} differs (time in ns, what, where, two numbers)", number).c_str());
      for (const std::string& line : before) std::puts(("  " + one_line(line)).c_str());
      print_rest(left, '<');
      print_rest(right, '>');
      return 1;
    }
    before.push_back(left.line);
    if (before.size() > lines_before) before.pop_front();
  }
}

}  // namespace terrane
