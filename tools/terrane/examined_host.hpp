// SPDX-License-Identifier: Apache-2.0
// examined_host.hpp: one of the hosts that the doctor examines: its probe, and what is known of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/terrane/command.hpp"
#include "tools/terrane/doctor.hpp"
#include "tools/terrane/probed_process.hpp"

namespace terrane {

struct examined_host {
  const host* is = nullptr;
  int nodes = 0;
  diagnosis found;
  std::string here_address;  // what its name means on this machine; empty: nothing
  std::unique_ptr<probed_process> probe;
  std::string name;     // what it calls itself
  std::string address;  // of its listener; empty: it has none
  std::uint16_t port = 0;

  // --- questions (doctor_probe.cpp) ---

  void ask(const std::string& question);
  /// The parts of the answer behind "ok"; the error is what stands behind "no".
  result<words> hear();
  /// The parts of the next line; none if there is none.
  words next_parts();

  // --- findings ---

  /// Hears the first line of the probe; drops the probe if it is none. by: what has started it.
  void greet(probed_process::clock::time_point until, const std::string& by,
             const std::string& build);
  void look_at_program(const std::string& program, const std::string& build);
  void look_at_clock();
  /// Whether names mean the same there as here.
  void look_at_names(const std::vector<examined_host>& all);
};

}  // namespace terrane
