// SPDX-License-Identifier: Apache-2.0
// command.hpp: the subcommands of `terrane`: what each is called, and the function that does it.
//
// Rule        What was asked for goes to stdout. What is wrong is one sentence on stderr and exit
//             code 2. Options of a run are read by the library alone (machine/options.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace terrane {

using words = std::vector<std::string>;

struct subcommand {
  std::string_view name;
  std::string_view arguments;  // as the help calls them; empty: takes none
  std::string_view summary;
  /// arguments: what stands behind the name. Returns the exit code.
  int (*run)(const words& arguments);
};

/// The one of that name, or null.
const subcommand* find_subcommand(std::string_view name);

// One file each.
int run_command(const words& arguments);
int programs_command(const words& arguments);
int balancers_command(const words& arguments);
int study_command(const words& arguments);
int networks_command(const words& arguments);
int diff_command(const words& arguments);
int soak_command(const words& arguments);
int cc_command(const words& arguments);
int help_command(const words& arguments);

/// The help of the whole command.
std::string help_of_all();
/// Prints the help of one subcommand.
int help_of(const subcommand& which);

/// Says on stderr what is wrong; returns the exit code for it.
int refuse(std::string_view sentence);
/// The answer to a first word that is no subcommand.
int refuse_subcommand(std::string_view word);

}  // namespace terrane
