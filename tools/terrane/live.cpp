// SPDX-License-Identifier: Apache-2.0
// live.cpp: terrane top and terrane dump, and the questions of terrane trace on and off: what runs
// on this host say of themselves (machine/live_socket.hpp).
#include "tools/terrane/live.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "terrane/base/plural.hpp"
#include "terrane/machine/event_choice.hpp"
#include "terrane/machine/live_client.hpp"
#include "terrane/monitor/run_view.hpp"
#include "tools/terrane/command.hpp"

namespace terrane {

namespace {

std::string list_of_runs(const std::vector<live_process>& all) {
  std::string pids;
  int last = 0;
  for (const live_process& each : all)
    if (std::exchange(last, each.launcher) != each.launcher)
      pids += fmt::format("{}{}", pids.empty() ? "" : ", ", each.launcher);
  return pids;
}

}  // namespace

result<std::vector<live_process>> processes_of(int pid) {
  const std::vector<live_process> all = live_processes();
  std::vector<live_process> chosen;
  if (all.empty()) return error{"no run of yours goes on on this host"};
  int launcher = all.front().launcher;
  if (pid == 0 && all.back().launcher != launcher)
    return error{
        fmt::format("several runs go on: name one of the processes {}", list_of_runs(all))};
  if (pid != 0) {
    launcher = 0;
    for (const live_process& each : all)
      if (each.pid == pid || each.launcher == pid) launcher = each.launcher;
    if (launcher == 0)
      return error{fmt::format("process {} is no run of yours that goes on here: there is {}", pid,
                               list_of_runs(all))};
  }
  for (const live_process& each : all)
    if (each.launcher == launcher) chosen.push_back(each);
  return chosen;
}

result<int> read_pid(const std::string& word) {
  int pid = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), pid);
  if (read.ec == std::errc() && read.ptr == word.data() + word.size() && pid > 0) return pid;
  return error{fmt::format("needs the number of a process, not '{}'", word)};
}

namespace {

// --- top ---

std::string duration(double ns) {
  if (ns < 1e3) return fmt::format("{:.0f} ns", ns);
  if (ns < 1e6) return fmt::format("{:.3g} us", ns / 1e3);
  return ns < 1e9 ? fmt::format("{:.3g} ms", ns / 1e6) : fmt::format("{:.3g} s", ns / 1e9);
}

/// The functions whose fibers took longest, of those that were timed.
std::string longest_fibers(const run_view& now) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const auto& [what, counts] : now.lengths)
    if (what.starts_with("fiber of ") && !counts.empty())
      found.emplace_back(counts.size(), what.substr(9));
  std::sort(found.rbegin(), found.rend());
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 4); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "longest fibers: " : ", ", found[i].second,
                        duration(std::exp2(static_cast<double>(found[i].first))));
  return text.empty() ? text : text + " at most\n";
}

/// Since `before`; shares of the time between the two.
std::string table_of(const run_view& before, const run_view& now, double elapsed) {
  constexpr std::size_t rows_most = 40;
  std::string text = fmt::format("{}: {:.1f} s, {}, world {}\n", now.words, now.seconds,
                                 plural(now.nodes.size(), "node"), now.world);
  text += fmt::format("{:>5} {:>6} {:>7} {:>8} {:>6} {:>6} {:>12} {:>8}\n", "node", "busy", "run",
                      "balance", "poll", "idle", "tokens/s", "queued");
  std::size_t shown = 0;
  for (const auto& [node, row] : now.nodes) {
    if (++shown > rows_most) break;
    const auto old = before.nodes.find(node);
    const node_view_row was = old == before.nodes.end() ? node_view_row() : old->second;
    const double ran = std::max(0.0, row.ran - was.ran),
                 balanced = std::max(0.0, row.balanced - was.balanced),
                 polled = std::max(0.0, row.polled - was.polled),
                 rested = std::max(0.0, row.rested - was.rested);
    const double whole = std::max(1.0, ran + balanced + polled + rested) / 100;
    text += fmt::format(
        "{:>5} {:>6} {:>6.1f}% {:>7.1f}% {:>5.1f}% {:>5.1f}% {:>12.0f} {:>8}\n", node,
        fmt::format("{}/{}", row.busy, row.processors), ran / whole, balanced / whole,
        polled / whole, rested / whole,
        elapsed > 0 ? static_cast<double>(row.tokens - std::min(row.tokens, was.tokens)) / elapsed
                    : 0.0,
        row.queued);
  }
  if (now.nodes.size() > rows_most)
    text += fmt::format("and {}\n", plural(now.nodes.size() - rows_most, "more node"));
  return text + longest_fibers(now);
}

}  // namespace

std::optional<run_view> look_at(const std::vector<live_process>& processes) {
  run_view all;
  for (const live_process& each : processes) {
    const auto answer = ask(each, "look");
    if (answer) all.add(*answer);
  }
  if (all.nodes.empty()) return {};
  return all;
}

int top_command(const words& arguments) {
  int pid = 0;
  bool once = false;
  for (const std::string& word : arguments) {
    if (word == "--once") {
      once = true;
      continue;
    }
    const auto read = read_pid(word);
    if (!read) return refuse("top " + read.problem());
    if (pid != 0) return refuse("top takes one process, and --once");
    pid = read.value();
  }
  const auto chosen = processes_of(pid);
  if (!chosen) return refuse("top: " + chosen.problem());
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  std::optional<run_view> before = look_at(chosen.value());
  if (!before) return refuse("top: the run does not answer: it may have ended");
  for (;;) {
    usleep(1'000'000);
    // Nodes may have come or gone.
    const auto still = processes_of(chosen.value().front().launcher);
    const std::optional<run_view> now = still ? look_at(still.value()) : std::nullopt;
    if (!now) return 0;
    const double elapsed = before->seconds > 0 ? now->seconds - before->seconds : 1;
    std::fputs(
        ((terminal && !once ? "\033[H\033[J" : "") + table_of(*before, *now, elapsed)).c_str(),
        stdout);
    std::fflush(stdout);
    if (once) return 0;
    before = now;
  }
}

namespace {

int ask_each(int pid, std::string_view question, bool prints) {
  const auto chosen = processes_of(pid);
  if (!chosen) return refuse(chosen.problem());
  for (const live_process& each : chosen.value()) {
    const auto answer = ask(each, question);
    if (!answer) return refuse(fmt::format("process {} does not answer", each.pid));
    if (answer->starts_with("error ")) return refuse(answer->substr(6));
    if (!prints) continue;
    if (chosen.value().size() > 1) std::printf("process %d\n", each.pid);
    std::puts(answer->c_str());
  }
  return 0;
}

}  // namespace

int dump_command(const words& arguments) {
  if (arguments.size() > 1) return refuse("dump takes one process");
  int pid = 0;
  if (!arguments.empty()) {
    const auto read = read_pid(arguments[0]);
    if (!read) return refuse("dump " + read.problem());
    pid = read.value();
  }
  return ask_each(pid, "dump", true);
}

int trace_switch(const words& arguments) {
  if (arguments.size() < 2 || arguments.size() > 3)
    return refuse(fmt::format("trace {} takes classes of events and a process", arguments[0]));
  const auto classes = read_event_classes(arguments[1]);
  if (!classes) return refuse(fmt::format("trace {} {}", arguments[0], classes.problem()));
  int pid = 0;
  if (arguments.size() == 3) {
    const auto read = read_pid(arguments[2]);
    if (!read) return refuse(fmt::format("trace {} {}", arguments[0], read.problem()));
    pid = read.value();
  }
  return ask_each(pid, fmt::format("{} {}", arguments[0], classes.value()), false);
}

}  // namespace terrane
