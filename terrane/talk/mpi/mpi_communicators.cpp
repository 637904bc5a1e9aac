// SPDX-License-Identifier: Apache-2.0
// mpi_communicators.cpp: communicators of MPI programs, which are ropes.
#include <algorithm>
#include <climits>
#include <functional>
#include <vector>

#include "terrane/talk/mpi/mpi_call.hpp"

using namespace terrane;

int terrane_mpi_comm_rank(const char* file, int line, MPI_Comm comm, int* rank) {
  return mpi_answer("MPI_Comm_rank", file, line,
                    [&](mpi_call& call) { *rank = call.comm(comm).rank; });
}

int terrane_mpi_comm_size(const char* file, int line, MPI_Comm comm, int* size) {
  return mpi_answer("MPI_Comm_size", file, line,
                    [&](mpi_call& call) { *size = call.comm(comm).size; });
}

int terrane_mpi_comm_split(const char* file, int line, MPI_Comm comm, int color, int key,
                           MPI_Comm* made) {
  return mpi_answer("MPI_Comm_split", file, line, [&](mpi_call& call) {
    if (color < 0 && color != MPI_UNDEFINED)
      call.refuse(MPI_ERR_ARG, run_time_error::message_out_of_range,
                  "has the color " + std::to_string(color) + ": colors are 0 or more");
    // Those without a color form a rope, too, and forget it.
    mpi_communicator& of = call.comm(comm);
    const rope its = of.its.split(color, key, call.where);
    *made = MPI_COMM_NULL;
    if (color == MPI_UNDEFINED) return;
    *made = call.me.add(its);
    call.comm(*made).returns_errors = of.returns_errors;
  });
}

int terrane_mpi_comm_dup(const char* file, int line, MPI_Comm comm, MPI_Comm* made) {
  return mpi_answer("MPI_Comm_dup", file, line, [&](mpi_call& call) {
    mpi_communicator copy = call.comm(comm);
    copy.its = copy.its.dup(call.where);
    *made = call.me.comms.add(std::move(copy));
  });
}

int terrane_mpi_comm_free(const char* file, int line, MPI_Comm* comm) {
  return mpi_answer("MPI_Comm_free", file, line, [&](mpi_call& call) {
    mpi_communicator& of = call.comm(*comm);
    if (*comm == MPI_COMM_WORLD || *comm == MPI_COMM_SELF)
      call.refuse(MPI_ERR_COMM, run_time_error::not_a_member,
                  "frees MPI_COMM_WORLD or MPI_COMM_SELF, which stay");
    of.is_live = false;
    *comm = MPI_COMM_NULL;
  });
}

int terrane_mpi_comm_compare(const char* file, int line, MPI_Comm one, MPI_Comm other,
                             int* result) {
  return mpi_answer("MPI_Comm_compare", file, line, [&](mpi_call& call) {
    const mpi_communicator &a = call.comm(one), &b = call.comm(other);
    *result = one == other ? MPI_IDENT : MPI_CONGRUENT;
    if (a.size != b.size) *result = MPI_UNEQUAL;
    for (int rank = 0; rank < a.size && *result != MPI_UNEQUAL; ++rank) {
      const int there = b.its.rank_of(a.its.id_of(rank));
      if (there < 0)
        *result = MPI_UNEQUAL;
      else if (there != rank)
        *result = MPI_SIMILAR;
    }
  });
}

int terrane_mpi_comm_set_errhandler(const char* file, int line, MPI_Comm comm,
                                    MPI_Errhandler handler) {
  return mpi_answer("MPI_Comm_set_errhandler", file, line, [&](mpi_call& call) {
    call.comm(comm).returns_errors = handler == MPI_ERRORS_RETURN;
  });
}

int terrane_mpi_comm_get_errhandler(const char* file, int line, MPI_Comm comm,
                                    MPI_Errhandler* handler) {
  return mpi_answer("MPI_Comm_get_errhandler", file, line, [&](mpi_call& call) {
    *handler = call.comm(comm).returns_errors ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL;
  });
}

// --- grids ---

namespace {

mpi_communicator& grid(mpi_call& call, MPI_Comm comm) {
  mpi_communicator& of = call.comm(comm);
  if (of.sizes.empty())
    call.refuse(MPI_ERR_COMM, run_time_error::not_a_member,
                "names a communicator that is no grid (MPI_Cart_create makes one)");
  return of;
}

/// MPI_PROC_NULL beyond an edge.
int rank_at(const mpi_communicator& of, const std::vector<int>& coordinates) {
  int rank = 0;
  for (std::size_t i = 0; i < of.sizes.size(); ++i) {
    const int size = of.sizes[i];
    int at = coordinates[i];
    if (of.periods[i] != 0) at = (at % size + size) % size;
    if (at < 0 || at >= size) return MPI_PROC_NULL;
    rank = rank * size + at;
  }
  return rank;
}

std::vector<int> coordinates_of(const mpi_communicator& of, int rank) {
  std::vector<int> all(of.sizes.size());
  for (std::size_t i = all.size(); i-- != 0; rank /= of.sizes[i]) all[i] = rank % of.sizes[i];
  return all;
}

}  // namespace

int terrane_mpi_dims_create(const char* file, int line, int ranks, int dimensions, int* sizes) {
  return mpi_answer("MPI_Dims_create", file, line, [&](mpi_call& call) {
    int left = ranks;
    std::size_t open = 0;
    if (ranks < 1)
      call.refuse(MPI_ERR_ARG, run_time_error::message_out_of_range,
                  "asks for a grid of " + std::to_string(ranks) + " ranks: there is at least one");
    for (int i = 0; i < dimensions; ++i) {
      if (sizes[i] == 0)
        ++open;
      else if (sizes[i] < 0 || left % sizes[i] != 0)
        call.refuse(MPI_ERR_ARG, run_time_error::message_out_of_range,
                    "has sizes that do not divide the number of ranks");
      else
        left /= sizes[i];
    }
    // The prime factors, from the largest on, each to the size that is the least so far.
    std::vector<int> factors, found(open, 1);
    for (int prime = 2; open != 0 && left > 1; ++prime)
      for (; left % prime == 0; left /= prime) factors.push_back(prime);
    for (auto each = factors.rbegin(); each != factors.rend(); ++each)
      *std::min_element(found.begin(), found.end()) *= *each;
    std::sort(found.begin(), found.end(), std::greater<>());
    auto next = found.begin();
    for (int i = 0; i < dimensions; ++i)
      if (sizes[i] == 0) sizes[i] = *next++;
    if (left != 1)
      call.refuse(MPI_ERR_ARG, run_time_error::message_out_of_range,
                  "has sizes whose product is not the number of ranks");
  });
}

int terrane_mpi_cart_create(const char* file, int line, MPI_Comm comm, int dimensions,
                            const int* sizes, const int* periods, int /*reorder*/, MPI_Comm* made) {
  return mpi_answer("MPI_Cart_create", file, line, [&](mpi_call& call) {
    mpi_communicator& of = call.comm(comm);
    long whole = 1;
    for (int i = 0; i < dimensions; ++i) whole = sizes[i] < 1 ? 0 : whole * sizes[i];
    if (dimensions < 1 || whole < 1 || whole > of.size)
      call.refuse(MPI_ERR_ARG, run_time_error::message_out_of_range,
                  "asks for a grid of " + std::to_string(whole) + " ranks in a communicator of " +
                      std::to_string(of.size));
    const bool is_in = of.rank < whole;
    const bool returns_errors = of.returns_errors;
    const rope its = of.its.split(is_in ? 0 : 1, of.rank, call.where);
    *made = MPI_COMM_NULL;
    if (!is_in) return;
    *made = call.me.add(its);
    mpi_communicator& grid = call.comm(*made);
    grid.returns_errors = returns_errors;
    grid.sizes.assign(sizes, sizes + dimensions);
    grid.periods.assign(periods, periods + dimensions);
  });
}

int terrane_mpi_cart_coords(const char* file, int line, MPI_Comm comm, int rank, int dimensions,
                            int* coordinates) {
  return mpi_answer("MPI_Cart_coords", file, line, [&](mpi_call& call) {
    const mpi_communicator& of = grid(call, comm);
    call.check_root(of, rank);
    const std::vector<int> all = coordinates_of(of, rank);
    for (std::size_t i = 0; i < all.size() && i < static_cast<std::size_t>(dimensions); ++i)
      coordinates[i] = all[i];
  });
}

int terrane_mpi_cart_rank(const char* file, int line, MPI_Comm comm, const int* coordinates,
                          int* rank) {
  return mpi_answer("MPI_Cart_rank", file, line, [&](mpi_call& call) {
    const mpi_communicator& of = grid(call, comm);
    *rank = rank_at(of, {coordinates, coordinates + of.sizes.size()});
    if (*rank == MPI_PROC_NULL)
      call.refuse(MPI_ERR_ARG, run_time_error::message_out_of_range,
                  "names a place beyond an edge of the grid that is not periodic");
  });
}

int terrane_mpi_cart_shift(const char* file, int line, MPI_Comm comm, int direction, int distance,
                           int* from, int* to) {
  return mpi_answer("MPI_Cart_shift", file, line, [&](mpi_call& call) {
    const mpi_communicator& of = grid(call, comm);
    if (direction < 0 || static_cast<std::size_t>(direction) >= of.sizes.size())
      call.refuse(MPI_ERR_ARG, run_time_error::message_out_of_range,
                  "has a direction that the grid has not");
    std::vector<int> here = coordinates_of(of, of.rank);
    int& at = here[static_cast<std::size_t>(direction)];
    at += distance;
    *to = rank_at(of, here);
    at -= 2 * distance;
    *from = rank_at(of, here);
  });
}
