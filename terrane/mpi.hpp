// SPDX-License-Identifier: Apache-2.0
// mpi.hpp: Terrane inside an application that uses MPI (docs/mpi.md).
//
//   terrane::run_on(communicator, [&] { answer = search(tree); });     // by all ranks of it
//   terrane::mpi_wait(&request);                                       // in a thread of a run
//
// Purpose     run_on makes the ranks of a communicator the nodes of a run for as long as it takes.
//             The other functions wait for requests of the application's own: a thread blocks and
//             its processor works on; a fiber awaits a slot.
// Invariants  Those of terrane/mpi.h. Requests, buffers and errors stay the application's: an error
//             of MPI_Test is returned where its communicator's error handler returns it.
// Threads     In a run of an application that began MPI with MPI_THREAD_FUNNELED, one processor
//             tests the requests of all; with MPI_THREAD_MULTIPLE whoever is idle does.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "terrane/mpi.h"
#include "terrane/terrane.hpp"
#include "terrane/thread/wait_outside.hpp"

namespace terrane {

/// Runs root() in a thread on rank 0 of the communicator; to be called by all of its ranks. Returns
/// the exit code of the run on all of them.
template <class F>
  requires std::is_invocable_v<F&>
int run_on(MPI_Comm communicator, F&& root) {
  return terrane_run_main_on(
      communicator, [](void* raw) { (*static_cast<std::remove_reference_t<F>*>(raw))(); },
      const_cast<void*>(static_cast<const void*>(std::addressof(root))));
}

/// The same for Root, a threaded<Root> whose start takes those values.
template <class Root, class... A>
int run_on(MPI_Comm communicator, A... values) {
  using root = activation<Root, true>;
  typename root::packed args;
  root::convert(
      &Root::start, [&](auto... converted) { args = root::pack(converted...); }, values...);
  return terrane_run_on(communicator, &root::function, &args);
}

namespace detail {

/// A call of MPI_Test or MPI_Testall, again and again.
struct mpi_tested {
  int count;
  MPI_Request* requests;
  MPI_Status* statuses;
  bool once = false;
  int done = 0, error = MPI_SUCCESS;

  static bool test(void* raw) {
    auto& its = *static_cast<mpi_tested*>(raw);
    its.error = its.count == 1 ? MPI_Test(its.requests, &its.done, its.statuses)
                               : MPI_Testall(its.count, its.requests, &its.done, its.statuses);
    return its.done != 0 || its.once || its.error != MPI_SUCCESS;
  }
  int run() {
    if (!asks_outside_here() || !test(this)) wait_outside(test, this, "an MPI request");
    return error;
  }
};

}  // namespace detail

/// MPI_Wait: blocks this thread until the request is done. Outside a run it is MPI_Wait itself.
/// Returns what MPI_Test returned. Cost: that of MPI_Test if it is done.
inline int mpi_wait(MPI_Request* request, MPI_Status* status = MPI_STATUS_IGNORE) {
  if (!is_in_run()) return MPI_Wait(request, status);
  return detail::mpi_tested{1, request, status}.run();
}

/// MPI_Waitall.
inline int mpi_waitall(int count, MPI_Request* requests,
                       MPI_Status* statuses = MPI_STATUSES_IGNORE) {
  if (!is_in_run()) return MPI_Waitall(count, requests, statuses);
  if (count == 1) return mpi_wait(requests, statuses);
  return detail::mpi_tested{count, requests, statuses}.run();
}

/// MPI_Test, by the OS thread that may call it.
inline int mpi_test(MPI_Request* request, int* done, MPI_Status* status = MPI_STATUS_IGNORE) {
  if (!is_in_run()) return MPI_Test(request, done, status);
  detail::mpi_tested its{1, request, status, true};
  const int error = its.run();
  *done = its.done;
  return error;
}

/// Signals the slot when the request is done, and sets the request to MPI_REQUEST_NULL at once. For
/// fibers: the split-phase form of mpi_wait.
inline void mpi_then(MPI_Request* request, slot_ref done) {
  then_outside(
      [](void* raw) {
        auto* const its = static_cast<MPI_Request*>(raw);
        int is = 0;
        if (MPI_Test(its, &is, MPI_STATUS_IGNORE) == MPI_SUCCESS && is == 0) return false;
        delete its;
        return true;
      },
      new MPI_Request(std::exchange(*request, MPI_REQUEST_NULL)), done.raw);
}

}  // namespace terrane
