// SPDX-License-Identifier: Apache-2.0
// doctor.hpp: the parts of `terrane doctor`.
//
// Method      Without hosts: this machine's facts, and a tiny run in each world. With hosts: the
//             launcher starts `terrane doctor --probe` on each, which answers questions on its
//             standard input, one line each (doctor_probe.cpp); all then call each other.
#pragma once

#include <string>
#include <vector>

#include "terrane/machine/host_health.hpp"
#include "terrane/machine/hosts.hpp"
#include "terrane/machine/launcher_command.hpp"
#include "tools/terrane/command.hpp"

namespace terrane {

struct doctor_options {
  std::vector<host> hosts;  // empty: this machine alone
  std::string hosts_from;   // where they were named
  launcher_command launcher;
  int nodes = 0;        // 0: one for each slot
  std::string program;  // a file whose build is to be compared, too; empty: none
};

/// Findings about one host, or about all.
struct diagnosis {
  std::string of;
  std::vector<finding> findings;

  void good(std::string what) { findings.push_back({finding::weight::good, std::move(what), ""}); }
  void note(std::string what, std::string cure) {
    findings.push_back({finding::weight::note, std::move(what), std::move(cure)});
  }
  void bad(std::string what, std::string cure) {
    findings.push_back({finding::weight::bad, std::move(what), std::move(cure)});
  }
};

/// This machine, and a tiny run in each world that needs no other.
std::vector<diagnosis> examine_this_machine(const doctor_options& options);
/// The hosts, and the ways between them.
std::vector<diagnosis> examine_hosts(const doctor_options& options);

/// What `terrane doctor --probe` does: answers until its input ends.
int probe();
/// The parts of a line of a question or an answer, which tabs separate.
words parts_of(const std::string& line);
/// What `terrane doctor --trial WORLD` does: a tiny run.
int trial(const std::string& world);
/// What `terrane doctor --trial ucx` does: says what UCX has here, in the last line on stderr. UCX
/// ends the process where it lacks descriptors.
int try_ucx();

/// The path of this executable.
std::string own_path();
/// The first address of a name, in digits. The error is the system's.
result<std::string> address_of_name(const std::string& name);

}  // namespace terrane
