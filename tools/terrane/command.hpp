// SPDX-License-Identifier: Apache-2.0
// command.hpp: the subcommands of `terrane`: the name of each, and the function that runs it.
//
// Rule        Results go to stdout. A misuse gives one sentence on stderr and exit code 2. Only the
//             library reads the options of a run (machine/options.hpp).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/machine/options.hpp"

namespace terrane {

using words = std::vector<std::string>;

struct subcommand {
  std::string_view name;
  std::string_view arguments;  // as the help shows them; empty: it takes none
  std::string_view summary;
  /// arguments: the words after the subcommand's name. Returns the exit code.
  int (*run)(const words& arguments);
  std::span<const option_row> own_options = {};
  bool takes_run_options = false;
};

/// All of them, as the help lists them.
std::span<const subcommand> subcommands();

/// The subcommand of that name, or null.
const subcommand* find_subcommand(std::string_view name);

// Each is defined in a file of its own.
int run_command(const words& arguments);
int programs_command(const words& arguments);
int balancers_command(const words& arguments);
int study_command(const words& arguments);
int networks_command(const words& arguments);
int trace_command(const words& arguments);
int report_command(const words& arguments);
int metrics_command(const words& arguments);
/// Makes the page of a trace. Returns the exit code.
int make_report(const std::string& trace, const std::string& page);
int replay_command(const words& arguments);
int ps_command(const words& arguments);
int top_command(const words& arguments);
int dump_command(const words& arguments);
int diff_command(const words& arguments);
int soak_command(const words& arguments);
int cc_command(const words& arguments);
int mpicc_command(const words& arguments);
int doctor_command(const words& arguments);
int new_command(const words& arguments);
int pages_command(const words& arguments);
int help_command(const words& arguments);

/// The help text of the whole command.
std::string help_of_all();
/// Prints the help of one subcommand.
int help_of(const subcommand& which);

/// Prints the sentence on stderr. Returns the exit code of a misuse.
int refuse(std::string_view sentence);
/// Refuses a first word that is not a subcommand. Returns the exit code.
int refuse_subcommand(std::string_view word);

}  // namespace terrane
