// SPDX-License-Identifier: Apache-2.0
#include "tools/terrane/examined_host.hpp"

#include <fmt/format.h>
#include <time.h>

#include <cmath>
#include <cstdlib>

#include "terrane/machine/interface_choice.hpp"
#include "terrane/machine/wording.hpp"

namespace terrane {

namespace {

using clock = probed_process::clock;
constexpr std::chrono::seconds answer_time_max{10};

}  // namespace

void examined_host::ask(const std::string& question) {
  const std::string line = question + "\n";
  if (probe) probe->write({reinterpret_cast<const unsigned char*>(line.data()), line.size()});
}

words examined_host::next_parts() {
  const auto line = probe->read_line(clock::now() + answer_time_max);
  return line ? parts_of(line.value()) : words{};
}

result<words> examined_host::hear() {
  const auto line = probe->read_line(clock::now() + answer_time_max);
  if (!line) return error{line.problem()};
  words parts = parts_of(line.value());
  if (parts[0] == "ok") return words(parts.begin() + 1, parts.end());
  return error{parts.size() > 1 ? parts[1] : "it answered with nonsense"};
}

/// Hears the first line of a probe; drops the probe if it is none.
void examined_host::greet(clock::time_point until, const std::string& by,
                          const std::string& build) {
  const auto line = probe->read_line(until);
  const words parts = line ? parts_of(line.value()) : words{""};
  if (line && parts.size() == 4 && parts[0] == "probe") {
    name = parts[2];
    found.good(fmt::format("{} starts programs there; it calls itself {}", by, name));
    if (parts[3] == build)
      found.good(fmt::format("{} is the same file there", own_path()));
    else
      found.bad(fmt::format("{} is another build there: {}, {} here", own_path(), parts[3], build),
                fmt::format("copy it: scp {} {}:{}", own_path(), is->name, own_path()));
    return;
  }
  std::string why = line ? "it answered: " + one_line(line.value()) : line.problem();
  if (line && parts[0] == "problem" && parts.size() == 2) why = parts[1];
  const bool missing =
      why.find("exit code 127") != why.npos || why.find("exit code 126") != why.npos;
  found.bad(fmt::format("{} could not start {} there: {}", by, own_path(), why),
            missing ? fmt::format("copy it there: scp {} {}:{}", own_path(), is->name, own_path())
                    : fmt::format("try by hand: {} {} true", by, is->name));
  probe.reset();
}

void examined_host::look_at_program(const std::string& program, const std::string& build) {
  ask("file\t" + program);
  const auto answer = hear();
  const std::string cure = fmt::format("copy it there: scp {} {}:{}", program, is->name, program);
  if (!answer)
    found.bad(answer.problem(), cure);
  else if (answer.value()[0] != build)
    found.bad(
        fmt::format("{} is another build there: {}, {} here", program, answer.value()[0], build),
        cure);
  else
    found.good(fmt::format("{} is the same file there", program));
}

/// The stamp with the shortest way there and back is the best.
void examined_host::look_at_clock() {
  const auto now_ns = [] {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
  };
  double offset = 0, error_ns = -1;
  for (int i = 0; i < 8; ++i) {
    const double sent = now_ns();
    ask("clock");
    const auto answer = hear();
    const double got = now_ns();
    if (!answer) return found.bad(answer.problem(), "try again");
    if (error_ns >= 0 && (got - sent) / 2 >= error_ns) continue;
    error_ns = (got - sent) / 2;
    offset = std::strtod(answer.value()[0].c_str(), nullptr) - (sent + got) / 2;
  }
  const std::string what = fmt::format("its clock is {:+.3f} ms from ours, give or take {:.3f} ms",
                                       offset / 1e6, error_ns / 1e6);
  if (std::abs(offset) - error_ns > 1e9)
    found.note(what, "set the clock (chrony, ntp), or time stamps of files and logs mislead");
  else
    found.good(what);
}

/// Whether names mean the same everywhere, and never this-very-host elsewhere.
void examined_host::look_at_names(const std::vector<examined_host>& all) {
  for (const examined_host& other : all) {
    ask("resolve\t" + other.is->address());
    const auto answer = hear();
    const bool own = &other == this;
    if (!answer) {
      if (!own)
        found.note(fmt::format("it knows no address of {}: {}", other.is->name, answer.problem()),
                   "no harm to a run: nodes are told addresses");
      continue;
    }
    const std::string& there = answer.value()[0];
    const bool loops_here = is_loopback_address(other.here_address);
    if (!is_loopback_address(there) || (loops_here && own)) continue;
    if (own)
      found.note(fmt::format("its own name means {} there, and {} here", there,
                             other.here_address.empty() ? "nothing" : other.here_address),
                 "no harm to a run; other programs may listen where nobody can call");
    else if (other.name != name)
      found.bad(fmt::format("{} means {} there, which is that host itself", other.is->name, there),
                fmt::format("remove that line from /etc/hosts of {}", is->name));
  }
  if (is_loopback_address(here_address) && !name.empty() && name != name_of_this_host())
    found.bad(fmt::format("its name means {} here, which is this machine", here_address),
              "remove that line from /etc/hosts of this machine");
}

}  // namespace terrane
