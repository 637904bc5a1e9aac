// SPDX-License-Identifier: Apache-2.0
// ps.cpp: terrane ps: the runs of this user on this host, or the threads of one.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "terrane/machine/live_client.hpp"
#include "terrane/monitor/run_view.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/live.hpp"

namespace terrane {

namespace {

std::string time_of(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(seconds);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

/// The share of its processors' time, since its start, in which the run was not idle, in percent.
double busy_share(const run_view& run) {
  double busy = 0, all = 0;
  for (const auto& [node, row] : run.nodes) {
    busy += row.ran + row.balanced + row.polled;
    all += row.ran + row.balanced + row.polled + row.rested;
  }
  return all > 0 ? 100 * busy / all : 0;
}

constexpr const char* heading = "     pid       time  world  nodes  processors    busy  program\n";

std::string line_of(int launcher, const run_view& run) {
  std::uint32_t processors = 0;
  for (const auto& [node, row] : run.nodes) processors += row.processors;
  return fmt::format("{:>8} {:>10}  {:<5} {:>6} {:>11} {:>6.1f}%  {}\n", launcher,
                     time_of(run.seconds), run.world, run.nodes.size(), processors, busy_share(run),
                     run.words);
}

int list_runs() {
  std::map<int, std::vector<live_process>> runs;
  for (const live_process& each : live_processes()) runs[each.launcher].push_back(each);
  std::string text;
  for (const auto& [launcher, processes] : runs)
    if (const auto run = look_at(processes)) text += line_of(launcher, *run);
  std::fputs(text.empty() ? "no run of yours goes on on this host\n" : (heading + text).c_str(),
             stdout);
  return 0;
}

int list_threads(int pid) {
  const auto chosen = processes_of(pid);
  if (!chosen) return refuse("ps: " + chosen.problem());
  const auto run = look_at(chosen.value());
  if (!run) return refuse("ps: the run does not answer: it may have ended");
  std::string text;
  for (const live_process& each : chosen.value()) {
    const auto answer = ask(each, "threads");
    if (!answer) return refuse(fmt::format("ps: process {} does not answer", each.pid));
    if (answer->starts_with("error ")) return refuse("ps: " + answer->substr(6));
    text += *answer;
  }
  if (text.empty()) text = "it has no threads: gdb's terrane slots shows what fibers wait for\n";
  std::fputs((heading + line_of(chosen.value().front().launcher, *run) + text).c_str(), stdout);
  return 0;
}

}  // namespace

int ps_command(const words& arguments) {
  if (arguments.empty()) return list_runs();
  if (arguments.size() > 1) return refuse("ps takes one process");
  const auto pid = read_pid(arguments[0]);
  return pid ? list_threads(pid.value()) : refuse("ps " + pid.problem());
}

}  // namespace terrane
