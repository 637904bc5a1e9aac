// SPDX-License-Identifier: Apache-2.0
// hosts.hpp: which machines a run may use, how many nodes each takes, and which node goes where.
//
// Where from  --hosts, --hostfile, or a batch system (scheduler_hosts.hpp).
// Spellings   A hostfile may be written for Open MPI (`name slots=4 max_slots=8`) or for MPICH
//             (`name:4`), also both in one file. `#` begins a comment. A name that stands there
//             again adds its slots.
// Invariants  A name holds letters, digits and ". _ - : @" only and begins with none of "-@.:", so
//             it is never an option of the command that it is passed to. Hosts differ in name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane {

struct host {
  std::string name;   // as ssh takes it, perhaps with USER@; an IPv6 address has no brackets
  int slots = 0;      // nodes that it is meant to take; 0: nobody said
  int slots_max = 0;  // nodes that it takes if all slots are taken; 0: nobody said

  /// The name without USER@: what is looked up.
  std::string address() const;
  bool operator==(const host&) const = default;
};

/// The name of this host, as its users know it.
std::string name_of_this_host();

/// Adds `more` to the host of that name, or as a new one. An error completes "...".
result<void> add_host(std::vector<host>& to, const host& more);

/// `a,b:4,user@c,[::1]:2`. The error names the entry.
result<std::vector<host>> parse_hosts(std::string_view text);

/// The text of a hostfile. name: of the file, for errors, which begin with "name:line: ".
result<std::vector<host>> parse_hostfile(std::string_view text, std::string_view name);

/// Reads and parses a hostfile.
result<std::vector<host>> read_hostfile(const std::string& path);

/// How many nodes a run has if nobody says: one for each slot, and for each host without a number.
int default_nodes(const std::vector<host>& hosts);

/// The host (its index) of each node. Nodes of one host follow one another. Slots are filled in the
/// order of the hosts; what is left over is dealt out evenly among the hosts without a number, or
/// else up to their largest numbers. An error if there are too few.
result<std::vector<int>> place_nodes(const std::vector<host>& hosts, int nodes);

}  // namespace terrane
