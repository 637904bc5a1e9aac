// SPDX-License-Identifier: Apache-2.0
// run_on.cpp: a phase of an MPI application as a run (terrane/mpi.h).
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "terrane/base/atomic.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/cpp/threaded.hpp"
#include "terrane/machine/live_frames.hpp"
#include "terrane/machine/mpi_job.hpp"
#include "terrane/machine/mpi_launch.hpp"
#include "terrane/machine/mpi_library.hpp"
#include "terrane/machine/wording.hpp"
#include "terrane/thread/thread.hpp"
#include "terrane/thread/wait_outside.hpp"

extern "C" int terrane_run_on_ranks(const void* communicator, const terrane_function* root,
                                    const void* args);
extern "C" int terrane_run_main_on_ranks(const void* communicator, void (*main)(void*),
                                         void* about);

namespace terrane {

namespace {

/// Set while a phase runs; any thread exchanges it. seq_cst: it is far from any hot path.
atomic<bool> running{false};

/// What a phase needs to know and does not change between phases of a communicator.
struct phase_plan {
  run_options options;
  placement placed;
  network_watch watch;
};

[[noreturn]] void refuse(const terrane_mpi_table* mpi, bool speaks, const std::string& sentence) {
  if (speaks) {
    std::fprintf(stderr, "terrane: %s\n", one_line(sentence).c_str());
    std::fflush(nullptr);
  } else {
    let_rank_0_speak();
  }
  if (mpi && mpi->state() == terrane_mpi_in_use) mpi->abort(exit_usage);
  std::_Exit(exit_usage);
}

result<std::unique_ptr<phase_plan>> make_plan(const terrane_mpi_table& mpi,
                                              terrane_carrier_handle communicator) {
  auto made = std::make_unique<phase_plan>();
  auto given = environment_options({.world = "mpi", .quiet = true});
  if (!given) return error{given.problem()};
  made->options = std::move(given.value().options);
  made->options.world = "mpi";
  if (auto fits = fit_to_ranks(mpi, communicator, made->options); !fits)
    return error{fits.problem()};
  auto placed = place(made->options, *find_world("mpi").value());
  if (!placed) return error{placed.problem()};
  made->placed = std::move(placed).value();
  return made;
}

int run_phase(const void* communicator, const terrane_function& root, const void* args) {
  auto opened = open_mpi("");
  const terrane_mpi_table* const mpi = opened ? opened.value() : nullptr;
  if (is_in_run() || running.exchange(true, memory_order_seq_cst))
    refuse(mpi, true, "run_on was called within a run: a process takes part in one at a time");
  if (!mpi) refuse(mpi, speaks_for_the_run(), opened.problem());
  if (mpi->state() != terrane_mpi_in_use)
    refuse(mpi, speaks_for_the_run(),
           fmt::format("run_on is for the time between MPI_Init and MPI_Finalize of {}",
                       mpi->messages.library));
  if (mpi->messages.takes_any_thread() == 0 && mpi->is_main_thread() == 0)
    refuse(mpi, true,
           "run_on was called by another thread than the one that began MPI: ask "
           "MPI_Init_thread for MPI_THREAD_MULTIPLE");
  terrane_mpi_own* own = nullptr;
  if (mpi->own(communicator, &own) != 0)
    refuse(mpi, true,
           fmt::format("{} gives run_on no communicator of its own", mpi->messages.library));
  const bool first = mpi->rank(own->communicator) == 0;
  if (!own->kept) {
    auto made = make_plan(*mpi, own->communicator);
    if (!made) refuse(mpi, first, made.problem());
    own->kept = std::move(made).value().release();
    own->drop = [](void* raw) { delete static_cast<phase_plan*>(raw); };
  }
  auto& plan = *static_cast<phase_plan*>(own->kept);
  const auto ran = run_on_ranks(*mpi, own->communicator, plan.options, plan.placed, root, args,
                                told::what_went_wrong, &plan.watch);
  if (!ran) refuse(mpi, first, ran.problem());
  const run_outcome& outcome = ran.value();
  if (first && outcome.deadlock) std::fputs(describe_deadlock(outcome.left).c_str(), stderr);
  running.store(false, memory_order_seq_cst);
  return outcome.exit_code;
}

/// A C function as a thread that is the whole run.
struct main_thread : threaded<main_thread> {
  thread runs;
  join over = on<&main_thread::finish>();
  step start(void (*main)(void*), void* about) {
    runs = thread::create({.name = "main"}, [main, about] { main(about); });
    runs.signal_at_end(over.one());
    return await(over);
  }
  step finish() {
    runs.join();
    return done;
  }
};

}  // namespace

}  // namespace terrane

int terrane_run_on_ranks(const void* communicator, const terrane_function* root, const void* args) {
  return terrane::run_phase(communicator, *root, args);
}

int terrane_run_main_on_ranks(const void* communicator, void (*main)(void*), void* about) {
  using root = terrane::activation<terrane::main_thread, true>;
  root::packed args{};
  root::convert(
      &terrane::main_thread::start, [&](auto... converted) { args = root::pack(converted...); },
      main, about);
  return terrane::run_phase(communicator, root::function, &args);
}
