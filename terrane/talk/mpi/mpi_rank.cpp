// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/mpi/mpi_rank.hpp"

namespace terrane {

namespace {

per_thread<mpi_rank*> rank_of_thread;

}  // namespace

mpi_rank* mpi_rank::here() { return this_thread::exists() ? *rank_of_thread : nullptr; }

mpi_rank::mpi_rank(rope world) {
  *rank_of_thread = this;
  add(world);
  const thread_id me[] = {this_thread::id()};
  add(rope::of(me));
}

MPI_Comm mpi_rank::add(rope its) { return comms.add({its, its.rank(), its.size()}); }

mpi_request& mpi_rank::new_request(MPI_Request* number) {
  if (free_.empty()) {
    // Dropped ones are looked through when there are twice as many as at the last look.
    std::size_t count = 0;
    for (mpi_request& each : requests_) {
      ++count;
      if (!each.is_dropped || (each.its.pending() && !each.its.test())) continue;
      each = {};
      free_.push_back(static_cast<MPI_Request>(count));
    }
    while (free_.size() <= count) free_.push_back(requests_.add({}));
  }
  *number = free_.back();
  free_.pop_back();
  mpi_request& one = *requests_.find(*number);
  one.is_free = false;
  one.is_active = true;
  return one;
}

mpi_request* mpi_rank::find_request(MPI_Request number) {
  mpi_request* const one = requests_.find(number);
  return one && !one->is_free && !one->is_dropped ? one : nullptr;
}

void mpi_rank::wait_for_dropped() {
  for (mpi_request& each : requests_)
    if (each.is_dropped) each.its.wait();
}

}  // namespace terrane
