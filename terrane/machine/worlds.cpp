// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/worlds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "terrane/machine/live_socket.hpp"
#include "terrane/machine/mpi_job.hpp"
#include "terrane/machine/process_job.hpp"
#include "terrane/machine/progress.hpp"
#include "terrane/machine/remote_nodes.hpp"
#include "terrane/machine/shm_nodes.hpp"
#include "terrane/machine/tcp_nodes.hpp"
#include "terrane/transport/local.hpp"
#include "terrane/transport/shm_job.hpp"
#include "terrane/transport/sim.hpp"
#include "terrane/transport/wired_world.hpp"

namespace terrane {

namespace {

// --- local ---

result<std::unique_ptr<world>> make_local(const run_options& options, const placement& placed) {
  return std::unique_ptr<world>(
      std::make_unique<local_world>(static_cast<std::uint32_t>(options.nodes * options.processors),
                                    crew_options{.spin = placed.one_core_each,
                                                 .cpu_of_processor = placed.cpu_of_processor,
                                                 .rare = options.faults.rare,
                                                 .seed = options.seed,
                                                 .longest_sleep_ns = longest_sleep_ns(options)}));
}

// --- sim ---

result<std::unique_ptr<world>> make_sim(const run_options& options, const placement&) {
  auto costs = choose_network(options.network);
  if (!costs) return error{costs.problem()};
  auto made =
      sim_world::make({.nodes = static_cast<std::uint32_t>(options.nodes),
                       .processors_per_node = static_cast<std::uint32_t>(options.processors),
                       .seed = options.seed,
                       .costs = std::move(costs).value(),
                       .faults = options.faults,
                       .log_file = options.log_file,
                       .events_at_once_max = options.events_at_once_max});
  if (!made) return error{made.problem()};
  return std::unique_ptr<world>(std::move(made).value());
}

// --- the table ---

constexpr world_row table[] = {
    {.name = "local",
     .nodes_are = "groups of threads of one process",
     .processors_max = 1024,
     .make = make_local,
     .start = start_here},
    {.name = "shm",
     .nodes_are = "processes of this host",
     .processors_max = shm_processors_max,
     .make_job = make_shm_job,
     .start = start_processes,
     .join = join_shm},
    {.name = "tcp",
     .nodes_are = "processes that reach each other over a network",
     .processors_max = wired_processors_max,
     .shares_nothing = true,
     .complete = complete_hosts,
     .make_job = make_tcp_job,
     .start = start_processes,
     .join = join_tcp},
    {.name = "mpi",
     .nodes_are = "processes that an MPI started, or its mpirun will",
     .processors_max = wired_processors_max,
     .is_started = is_mpi_rank,
     .complete = complete_mpi,
     .start = start_mpi,
     .join = join_mpi},
    {.name = "sim",
     .nodes_are = "simulated, under a virtual clock",
     .processors_max = processors_max,
     .simulated = true,
     .make = make_sim,
     .start = start_here},
};

std::vector<const world_row*>& added() {
  static std::vector<const world_row*> rows;
  return rows;
}

}  // namespace

std::vector<const world_row*> worlds() {
  std::vector<const world_row*> all;
  for (const world_row& each : table) all.push_back(&each);
  all.insert(all.end(), added().begin(), added().end());
  return all;
}

std::string world_names(bool (*chosen)(const world_row&)) {
  std::vector<std::string_view> names;
  for (const world_row* each : worlds())
    if (chosen(*each)) names.push_back(each->name);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == names.size() ? " or " : ", ", names[i]);
  return text;
}

result<const world_row*> find_world(std::string_view name) {
  for (const world_row* each : worlds())
    if (each->name == name) return each;
  return error{
      fmt::format("takes {}, not '{}'", world_names([](const world_row&) { return true; }), name)};
}

const world_row& default_world() {
  for (const world_row* each : worlds())
    if (each->is_started && each->is_started()) return *each;
  return *worlds().front();
}

const world_row& simulated_world() {
  return *std::find_if(std::begin(table), std::end(table),
                       [](const world_row& each) { return each.simulated; });
}

added_world::added_world(const world_row& row) : row_(row) { added().push_back(&row); }
added_world::~added_world() { std::erase(added(), &row_); }

result<run_outcome> start_here(const run_order& order, const placement& placed) {
  auto made = machine::make(order.options, placed);
  if (!made) return error{made.problem()};
  std::optional<progress> watching;
  if (is_progress_wanted(order.options)) watching.emplace(*made.value());
  const live_socket answering(*made.value(), 0, title_of(order.args));
  return made.value()->run(order.root, &order.args);
}

}  // namespace terrane
