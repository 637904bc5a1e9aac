// SPDX-License-Identifier: Apache-2.0
// options.hpp: the options of a run, from the command line or from TERRANE_OPTIONS.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/metric.hpp"
#include "terrane/base/result.hpp"
#include "terrane/core/event.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/machine/hosts.hpp"
#include "terrane/machine/launcher_command.hpp"
#include "terrane/machine/pinning.hpp"
#include "terrane/transport/faults.hpp"
#include "terrane/transport/progress_form.hpp"

namespace terrane {

class flight_recorder;
struct world_row;

enum class statistics_form { none, text, json };
/// When the nodes of world tcp are connected.
enum class connect_time { automatic, eager, lazy };
/// What carries messages between nodes: the world's own wires, or UCX.
enum class wire_choice { own, ucx };
/// Whether nodes have their code at the same addresses, or each at its own.
enum class node_layout { same, own };

/// What becomes of an event that finds no room. automatic: simulated runs wait, others drop.
enum class full_trace { automatic, drop, wait };

struct run_options {
  int nodes = 1;
  int processors = 0;              // per node; 0: the CPU budget, divided among the nodes
  std::string world = "local";     // its row: worlds.hpp; where MPI started it: mpi
  std::string network = "modern";  // sim only: a preset or a file
  std::string log_file{};          // sim only: the event log; empty: none
  fault_options faults{};          // sim only, but for `rare`
  std::uint64_t events_at_once_max = 50'000'000;  // sim only (transport/sim.hpp); no option sets it
  std::string balancer = "rand";
  std::string balance_log{};  // node 0's, of balancers that keep one; empty: none
  std::uint64_t seed = 1;
  statistics_form statistics = statistics_form::none;
  std::string statistics_file{};  // json only; empty: the last line of stderr
  int enough = -1;                // below 0: the balancer's choice
  pinning_option pinning = pinning_option::automatic;
  std::uint64_t frame_memory_mib = 3584;  // per processor; the rest of its arena is tokens
  std::uint32_t ranks = 0;                // of an MPI program; 0: one for each processor
  std::uint64_t stack_kib = 4096;         // of a future's thread, and of a message's
  letter_options letters{};               // of threads that talk
  std::string rope_balancer = "refine";   // who places the members of ropes
  std::uint64_t longest_sleep_ms = 0;     // of an idle processor; 0: until it asks the balancer
  // only where nodes are processes
  std::uint64_t memory_mib_max = 0;  // of one node's process; 0: no limit
  int after_loss_s = 0;              // how long others may run after a loss
  int heartbeat_ms = 1000;           // three without a sign of life: the node is lost
  bool tag_output = false;           // each line says which node printed it
  node_layout layout = node_layout::same;
  progress_form progress = progress_form::watchdog;  // tcp only
  bool tls = false;                                  // tcp only
  connect_time connect = connect_time::automatic;    // tcp only
  wire_choice wire = wire_choice::own;               // tcp, mpi
  bool nodes_given = false;                          // --nodes, and not the default
  int nodes_here = 0;                                // of this host; 0: all; no option sets it
  std::string mpi{};                                 // mpi only: a name of it; empty: chosen
  std::vector<host> hosts{};                         // tcp only; empty: this one
  launcher_command launcher{};                       // tcp only: what starts nodes on hosts
  bool copy = false;                                 // tcp only: hosts get the program first
  std::string interface{};                 // tcp only: where nodes call the launcher; empty: chosen
  std::vector<std::string> environment{};  // tcp only: NAME or NAME=VALUE for nodes on hosts
  std::string trace_file{};                // empty: no trace
  std::string report_file{};               // terrane run makes it; empty: none
  std::vector<metric_choice> metrics{};  // what nodes measure; empty: what their balancers ask for
  std::string metrics_file{};            // where they are told once a second; empty: nowhere
  int live_port = -1;                    // of the page of the run that goes on; below 0: none
  event_mask traced = usual_events;      // classes in the trace
  full_trace when_full = full_trace::automatic;
  flight_recorder* last_events = nullptr;  // in memory that the launcher sees; null: the machine's
  bool quiet = false;                      // no progress, no line about processors
  std::string repeated_by{};               // the command that repeats a failed run; empty: none
  std::vector<std::string> for_some{};     // options that were given and are not for all worlds
};

/// The options, and the words after them.
struct parsed_options {
  run_options options;
  std::vector<std::string> own;   // the words that are options or their values
  std::vector<std::string> rest;  // from the first word that is no option; without a "--" before it
  std::string help;               // the help text if it was asked for, else empty
};

/// One option as its pages show it. All but `worlds` live as long as the program.
struct option_row {
  std::string_view name;
  std::string_view value;    // its name; empty: the option is a flag
  std::string_view text;     // lines
  std::string_view choices;  // words that the value may be, separated by blanks; empty: others too
  std::string worlds;        // those it is for; empty: all
};
/// The options of a run, as the help lists them.
std::vector<option_row> option_rows();

/// Reads options from the start of `words`. The first word that is not an option ends them, and so
/// does "--". If an option is given twice, the last one counts. A wrong option is an error.
/// usage: the beginning of the help.
result<parsed_options> parse_options(const std::vector<std::string>& words,
                                     const run_options& defaults, const std::string& usage);

/// An error if an option was given that this world would ignore: it names the option, and the
/// worlds that it is for.
result<void> fits_world(const run_options& options, const world_row& world);

/// The options in TERRANE_OPTIONS, split by split_words; `rest` is empty. A wrong option is an
/// error that names the variable.
result<parsed_options> environment_options(const run_options& defaults);

/// The options with which another run of a simulated machine repeats this one.
std::vector<std::string> repeating_options(const run_options& options);

inline constexpr const char* options_variable = "TERRANE_OPTIONS";

/// run_options::longest_sleep_ms as crew_options have it.
inline std::uint64_t longest_sleep_ns(const run_options& options) {
  return options.longest_sleep_ms * 1'000'000;
}

/// nodes * processors may not exceed this in any world (worlds.hpp).
inline constexpr int processors_max = 16384;

}  // namespace terrane
