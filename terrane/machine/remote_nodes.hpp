// SPDX-License-Identifier: Apache-2.0
// remote_nodes.hpp: nodes of world tcp that a command such as ssh starts on hosts.
//
// Protocol    A child of the launcher becomes that command. What it runs on the host is this
//             program, in the launcher's directory, with its arguments and options, and with
//             TERRANE_NODE=tcp:LAYOUT:NODE:NODES:PROCESSORS:SPINS:WATCHED:PORT:ADDRESS, which says
//             which node it is and where its launcher listens. The first line of its standard input
//             is the job's secret; node 0's input follows. With --copy the program's own bytes come
//             before that line, and the shell there writes them to a file. A program that finds the
//             variable at its first run of world tcp becomes the node.
// Pitfall     Each node also does what main does before that run.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/machine/hosts.hpp"
#include "terrane/machine/launcher_command.hpp"
#include "terrane/machine/options.hpp"
#include "terrane/transport/tcp/job_secret.hpp"
#include "terrane/transport/tcp/tcp_node.hpp"

namespace terrane {

/// What the environment variable says.
struct remote_invitation {
  tcp_invitation run;
  int processors = 1;  // of a node
  bool spins = true;   // there is a core for each
};
/// How the variable begins where code and stacks are to lie at equal addresses on all hosts.
inline constexpr const char* same_layout_mark = "tcp:same:";
inline constexpr const char* own_layout_mark = "tcp:own:";
std::string to_text(const remote_invitation& what);
/// Nothing if the text is no invitation.
std::optional<remote_invitation> invitation_of(const std::string& text);

/// Where the nodes of a run are started, and how.
struct remote_plan {
  std::vector<host> hosts;
  std::vector<int> host_of_node;  // an index of hosts
  launcher_command launcher;
  std::vector<std::pair<std::string, std::string>> variables;  // of --env
  bool copies = false;

  const host& host_of(node_id n) const { return hosts[static_cast<std::size_t>(host_of_node[n])]; }
};
result<remote_plan> plan_remote(const run_options& options);
/// The plan of nodes that this host starts anew, by a shell.
result<remote_plan> plan_anew_here(run_options options);

/// The address of this host at which those hosts can call it.
result<std::string> address_for(const remote_plan& plan, const std::string& asked);

/// In a child of the launcher: becomes the command that starts a node. Returns if that failed.
error start_remote(const remote_plan& plan, const remote_invitation& what, const job_secret& secret,
                   char** argv);

/// The most nodes that one host takes: they share its processors.
int most_nodes_of_a_host(const run_options& options);

/// Adds what was not said: hosts of a batch system, a node for each slot.
result<void> complete_hosts(run_options& options);

}  // namespace terrane
