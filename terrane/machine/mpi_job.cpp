// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/mpi_job.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "terrane/core/failure.hpp"
#include "terrane/machine/build_id.hpp"
#include "terrane/machine/cpu_budget.hpp"
#include "terrane/machine/heartbeat.hpp"
#include "terrane/machine/hosts.hpp"
#include "terrane/machine/mpi_launch.hpp"
#include "terrane/machine/mpi_library.hpp"
#include "terrane/machine/node_share.hpp"
#include "terrane/machine/ucx_wires.hpp"
#include "terrane/transport/carried/carried_network.hpp"
#include "terrane/transport/mpi/mpi_line.hpp"
#include "terrane/transport/wired_world.hpp"

namespace terrane {

namespace {

constexpr int share_tag = 4;

error mpi_error(const terrane_mpi_table& mpi, const char* what, int code) {
  char text[512] = "";
  mpi.messages.say(code, text, sizeof text);
  return error{fmt::format("{} could not {}: {}", mpi.messages.library, what, text)};
}

// --- what the ranks tell each other ---

/// An error of the MPI, or 0.
int complete(const terrane_mpi_table& mpi, terrane_carrier_handle request) {
  for (int done = 0;;) {
    if (const int wrong = mpi.messages.test(&request, &done, nullptr); wrong != 0 || done != 0)
      return wrong;
    sched_yield();
  }
}

/// Rank 0 adds the shares, and tells all what came out.
result<run_outcome> gather_outcome(const terrane_mpi_table& mpi, terrane_carrier_handle among,
                                   const run_outcome& mine) {
  const int ranks = mpi.size(among), rank = mpi.rank(among);
  if (ranks == 1) return mine;
  std::string share = share_text(mine);
  const std::uint64_t bytes = share.size();
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(ranks));
  int wrong = mpi.gather(among, &bytes, sizeof bytes, sizes.data());
  terrane_carrier_handle request;
  run_outcome whole;
  if (wrong == 0 && rank != 0) {
    wrong = mpi.messages.send(among, share.data(), share.size(), 0, share_tag, &request);
    if (wrong == 0) wrong = complete(mpi, request);
  }
  for (int n = 0; n < ranks && rank == 0 && wrong == 0; ++n) {
    if (n != 0) {
      share.resize(sizes[static_cast<std::size_t>(n)]);
      wrong = mpi.messages.receive(among, share.data(), share.size(), n, share_tag, &request);
      if (wrong == 0) wrong = complete(mpi, request);
      if (wrong != 0) break;
    }
    if (auto added = add_share(whole, share); !added)
      return error{fmt::format("node {}: {}", n, added.problem())};
  }
  if (rank == 0) share = share_text(whole);
  std::uint64_t all = share.size();
  if (wrong == 0) wrong = mpi.broadcast(among, &all, sizeof all, 0);
  if (wrong == 0) {
    share.resize(all);
    wrong = mpi.broadcast(among, share.data(), all, 0);
  }
  if (wrong != 0) return mpi_error(mpi, "gather how the run went", wrong);
  if (rank != 0)
    if (auto added = add_share(whole, share); !added) return error{added.problem()};
  return whole;
}

/// What all need to know of a run that went well.
result<run_outcome> gather_codes(const terrane_mpi_table& mpi, terrane_carrier_handle among,
                                 const run_outcome& mine) {
  struct codes {
    std::int32_t exit_code, deadlock;
  };
  const codes its{mine.exit_code, mine.deadlock ? 1 : 0};
  std::vector<codes> all(static_cast<std::size_t>(mpi.size(among)));
  if (const int wrong = mpi.gather(among, &its, sizeof its, all.data()); wrong != 0)
    return mpi_error(mpi, "gather how the run went", wrong);
  run_outcome whole;
  for (const codes& each : all) {
    if (whole.exit_code == 0) whole.exit_code = each.exit_code;
    whole.deadlock |= each.deadlock != 0;
  }
  return whole;
}

}  // namespace

result<run_outcome> run_on_ranks(const terrane_mpi_table& mpi, terrane_carrier_handle communicator,
                                 const run_options& options, const placement& placed,
                                 const terrane_function& root, const void* args, told what,
                                 network_watch* watch) {
  static const result<std::string> build = own_build_id();
  if (!build) return error{build.problem()};
  node_facts mine;
  mine.build = build.value();
  mine.host = name_of_this_host();
  mine.version = wire_version;
  mine.process = static_cast<std::uint32_t>(getpid());
  auto joined = mpi_line::join(mpi, communicator, std::move(mine),
                               std::make_unique<moving_stacks>(
                                   static_cast<std::uint32_t>(options.nodes * options.processors)));
  if (!joined) return error{joined.problem()};
  mpi_line& line = *joined.value();
  run_outcome outcome;
  {
    auto wires = wires_for(options, [&](const network_shape& shape, network_user& user) {
      return std::make_unique<carried_network>(mpi.messages, communicator, shape, user);
    });
    if (!wires) return error{wires.problem()};
    auto made =
        wired_world::make(line, wires.value(),
                          {.processors_per_node = static_cast<std::uint32_t>(options.processors),
                           .progress = options.progress,
                           .watch = watch},
                          {.spin = placed.one_core_each,
                           .cpu_of_processor = placed.cpu_of_processor,
                           .first_stays = watch || mpi.messages.takes_any_thread() == 0,
                           .first_asks = mpi.messages.takes_any_thread() == 0,
                           .rare = options.faults.rare,
                           .seed = options.seed,
                           .longest_sleep_ns = longest_sleep_ns(options)});
    if (!made) return error{made.problem()};
    auto part = machine::make(options, std::move(made).value());
    if (!part) return error{part.problem()};
    std::optional<heartbeat> watched;
    if (options.memory_mib_max != 0) watched.emplace(line, line.number(), options, [] {});
    outcome = part.value()->run(root, args);
  }
  std::fflush(stdout);
  if (what == told::what_went_wrong) {
    auto brief = gather_codes(mpi, communicator, outcome);
    if (!brief || !brief.value().deadlock) return brief;
  }
  auto whole = gather_outcome(mpi, communicator, outcome);
  if (!whole) return whole;
  run_statistics& all = whole.value().statistics;
  all.world = options.world;
  all.balancer = options.balancer;
  all.nodes = static_cast<std::uint32_t>(options.nodes);
  all.processors = static_cast<std::uint32_t>(options.processors);
  all.seed = options.seed;
  all.exit_code = whole.value().exit_code;
  return whole;
}

// --- how many nodes, how many processors ---

result<void> fit_to_ranks(const terrane_mpi_table& mpi, terrane_carrier_handle communicator,
                          run_options& options) {
  const int ranks = mpi.size(communicator);
  if (options.nodes_given && options.nodes != ranks)
    return error{
        fmt::format("--nodes {} contradicts the MPI job, which has {} rank{}: leave it out",
                    options.nodes, ranks, ranks == 1 ? "" : "s")};
  options.nodes = ranks;
  // Ranks of one host that may use the same CPUs share them.
  struct about {
    std::uint64_t host, cpus;
  };
  std::string cpus;
  for (const int each : affinity_cpus()) cpus += fmt::format("{},", each);
  const std::hash<std::string> number_of;
  const about mine{number_of(name_of_this_host()), number_of(cpus)};
  std::vector<about> all(static_cast<std::size_t>(ranks));
  if (const int wrong = mpi.gather(communicator, &mine, sizeof mine, all.data()); wrong != 0)
    return mpi_error(mpi, "ask the ranks where they are", wrong);
  options.nodes_here = static_cast<int>(std::count_if(all.begin(), all.end(), [&](const about& it) {
    return it.host == mine.host && it.cpus == mine.cpus;
  }));
  if (options.processors != 0) return {};
  // All nodes have as many as the smallest.
  const cpu_budget budget = resolve_cpu_budget(this_machine(), 0);
  const int its = std::max(1, budget.processors / options.nodes_here);
  std::vector<int> each(static_cast<std::size_t>(ranks));
  if (const int wrong = mpi.gather(communicator, &its, sizeof its, each.data()); wrong != 0)
    return mpi_error(mpi, "ask the ranks for their processors", wrong);
  options.processors = *std::min_element(each.begin(), each.end());
  return {};
}

// --- the row ---

namespace {

/// The MPI of this process, which it has begun; and a duplicate of all ranks' communicator.
struct mpi_world {
  const terrane_mpi_table& mpi;
  terrane_carrier_handle all;
  /// The other ranks are in a run, or about to be, and need this one there.
  bool awaited = false;
};
std::optional<mpi_world> entered;

/// A rank that ends before the run, because it cannot write a file, would wait here for the others,
/// and they in the run for it.
void end_mpi() {
  const auto opened = open_mpi("");
  if (!opened || opened.value()->state() != terrane_mpi_in_use) return;
  if (entered && entered->awaited) {
    std::fflush(nullptr);
    opened.value()->abort(exit_usage);
  }
  opened.value()->end();
}

result<mpi_world*> enter_mpi(const std::string& asked) {
  if (entered) return &*entered;
  auto opened = open_mpi(asked);
  if (!opened) return error{opened.problem()};
  const terrane_mpi_table& mpi = *opened.value();
  if (mpi.state() == terrane_mpi_over)
    return error{
        fmt::format("the program has ended {} (MPI_Finalize): world mpi can only run before that",
                    mpi.messages.library)};
  if (mpi.state() == terrane_mpi_unused) {
    if (const int wrong = mpi.begin(); wrong != 0) return mpi_error(mpi, "begin", wrong);
    std::atexit(end_mpi);
  }
  terrane_mpi_own* own;
  if (const int wrong = mpi.own(nullptr, &own); wrong != 0)
    return mpi_error(mpi, "give terrane a communicator of its own", wrong);
  entered.emplace(mpi_world{mpi, own->communicator});
  return &*entered;
}

}  // namespace

bool is_mpi_rank() { return this_mpi_rank().has_value(); }

result<void> complete_mpi(run_options& options) {
  auto mine = enter_mpi(options.mpi);
  if (!mine) return error{mine.problem()};
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // lines of several ranks stay whole
  auto fits = fit_to_ranks(mine.value()->mpi, mine.value()->all, options);
  mine.value()->awaited = static_cast<bool>(fits);
  return fits;
}

result<run_outcome> start_mpi(const run_order& order, const placement& placed) {
  auto mine = enter_mpi(order.options.mpi);
  if (!mine) return error{mine.problem()};
  auto ran = run_on_ranks(mine.value()->mpi, mine.value()->all, order.options, placed, order.root,
                          &order.args, told::everything);
  if (ran) mine.value()->awaited = false;
  return ran;
}

result<std::optional<int>> join_mpi(const run_order& order) {
  if (!this_mpi_rank() && !has_mpi()) return become_mpirun(order.options, order.argv);
  auto mine = enter_mpi(order.options.mpi);
  if (!mine) return error{mine.problem()};
  if (mine.value()->mpi.rank(mine.value()->all) == 0) return std::optional<int>();
  run_options options = order.options;
  if (auto fitting = complete_mpi(options); !fitting) return error{fitting.problem()};
  auto placed = place(options, *find_world(options.world).value());
  if (!placed) return error{placed.problem()};
  auto ran = start_mpi({options, order.root, order.args, order.argv}, placed.value());
  if (!ran) return error{ran.problem()};
  return std::optional(0);
}

}  // namespace terrane
