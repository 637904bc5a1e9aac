// SPDX-License-Identifier: Apache-2.0
// doctor.cpp: terrane doctor: would a run start here, or on these hosts?
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "terrane/base/plural.hpp"
#include "terrane/machine/options.hpp"
#include "terrane/machine/scheduler_hosts.hpp"
#include "terrane/machine/wording.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/doctor.hpp"

namespace terrane {

namespace {

constexpr const char* usage =
    "usage: terrane doctor [OPTIONS] [PROGRAM]\n\n"
    "Says in a few seconds whether a run would start, and what to do if not: on this\n"
    "machine, or with --hosts or --hostfile on those hosts. PROGRAM is a file that must\n"
    "be the same on all of them.\n"
    "\nOptions:\n"
    "  --hosts HOSTS       names with commas between them; a:4 takes four nodes\n"
    "  --hostfile FILE     the same in a file, as Open MPI or MPICH has it\n"
    "  --launcher HOW      ssh (default), or a command with {host} and {command} in it\n"
    "  --nodes N           how many nodes there will be (default: one for each slot)\n"
    "  -h, --help          print this and exit\n"
    "\nExit code: 0 if a run would start, 1 if not, 2 for wrong options.\n";

/// Reads one option and its value.
result<void> read_option(const std::string& name, const std::string& value, doctor_options& into) {
  const auto wrong = [&](const std::string& why) { return error{fmt::format("{} {}", name, why)}; };
  if (name == "--nodes") {
    const auto read = std::from_chars(value.data(), value.data() + value.size(), into.nodes);
    const bool right = read.ec == std::errc() && read.ptr == value.data() + value.size();
    if (!right || into.nodes < 1 || into.nodes > processors_max)
      return wrong(
          fmt::format("needs a whole number from 1 to {}, not '{}'", processors_max, value));
    return {};
  }
  if (name == "--launcher") {
    auto read = launcher_command::parse(value);
    if (!read) return wrong(read.problem());
    if (read.value().is_printed()) return wrong("print starts nothing that could be looked at");
    into.launcher = std::move(read).value();
    return {};
  }
  if (!into.hosts.empty()) return wrong("names hosts, and they were named before");
  auto hosts = name == "--hosts" ? parse_hosts(value) : read_hostfile(value);
  if (!hosts) return name == "--hosts" ? wrong(hosts.problem()) : error{hosts.problem()};
  into.hosts = std::move(hosts).value();
  into.hosts_from = name == "--hosts" ? name : value;
  return {};
}

result<doctor_options> read_options(const words& arguments) {
  doctor_options options;
  for (auto next = arguments.begin(); next != arguments.end(); ++next) {
    const std::size_t sign = next->find('=');
    const std::string name = next->substr(0, sign);
    if (!next->starts_with("-")) {
      if (!options.program.empty())
        return error{fmt::format("doctor takes one program, not also '{}'", *next)};
      std::error_code wrong;
      options.program = std::filesystem::absolute(*next, wrong).string();
      continue;
    }
    constexpr std::string_view names[] = {"--hosts", "--hostfile", "--launcher", "--nodes"};
    if (std::find(std::begin(names), std::end(names), name) == std::end(names)) {
      const std::string_view near = nearest(name, names);
      return error{fmt::format("there is no option {}{} (see terrane doctor --help)", name,
                               near.empty() ? "" : fmt::format(": did you mean {}?", near))};
    }
    if (sign == next->npos && next + 1 == arguments.end())
      return error{fmt::format("{} needs a value (see terrane doctor --help)", name)};
    const std::string value = sign == next->npos ? *++next : next->substr(sign + 1);
    if (auto read = read_option(name, value, options); !read) return error{read.problem()};
  }
  if (!options.hosts.empty() && options.nodes != 0)
    if (const auto placed = place_nodes(options.hosts, options.nodes); !placed)
      return error{placed.problem()};
  return options;
}

const char* word_for(finding::weight is) {
  if (is == finding::weight::good) return "ok  ";
  return is == finding::weight::note ? "note" : "BAD ";
}

int print(const std::vector<diagnosis>& all) {
  std::uint64_t bad = 0;
  for (const diagnosis& each : all) {
    if (each.findings.empty()) continue;
    std::printf("%s:\n", each.of.c_str());
    for (const finding& one : each.findings) {
      bad += one.is == finding::weight::bad;
      std::printf("  %s  %s%s%s\n", word_for(one.is), one_line(one.what).c_str(),
                  one.cure.empty() ? "" : " -> ", one_line(one.cure).c_str());
    }
  }
  if (bad == 0)
    std::puts("A run would start.");
  else
    std::printf("A run would not start: %s.\n", plural(bad, "fault").c_str());
  return bad == 0 ? 0 : 1;
}

}  // namespace

int doctor_command(const words& arguments) {
  if (arguments.size() == 1 && (arguments[0] == "--help" || arguments[0] == "-h")) {
    std::fputs(usage, stdout);
    return 0;
  }
  // What the doctor starts by itself, here and on other hosts.
  if (arguments.size() == 1 && arguments[0] == "--probe") return probe();
  if (arguments.size() == 2 && arguments[0] == "--trial")
    return arguments[1] == "ucx" ? try_ucx() : trial(arguments[1]);

  auto options = read_options(arguments);
  if (!options) return refuse(options.problem());
  if (options.value().hosts.empty()) {
    auto given = find_scheduler_hosts([](const char* name) { return std::getenv(name); });
    if (!given) return refuse(given.problem());
    if (given.value()) {
      options.value().hosts = std::move(given.value()->hosts);
      options.value().hosts_from = given.value()->scheduler;
    }
  }
  return print(options.value().hosts.empty() ? examine_this_machine(options.value())
                                             : examine_hosts(options.value()));
}

}  // namespace terrane
