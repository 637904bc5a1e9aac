// SPDX-License-Identifier: Apache-2.0
// mpi_rank.hpp: what a rank of an MPI program has: communicators, requests, types and operations.
//
// Purpose     A thin layer: a communicator is a rope, a request a request. This file only gives
//             them the numbers by which C knows them.
// Invariants  It belongs to the rank's thread, which never leaves its node: the program has
//             pointers to memory there.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "terrane/c/mpi/mpi.h"
#include "terrane/talk/mpi/mpi_types.hpp"
#include "terrane/talk/rope.hpp"

namespace terrane {

struct mpi_communicator {
  rope its;
  int rank = 0, size = 0;
  bool is_live = true;
  bool returns_errors = false;
  std::vector<int> sizes{}, periods{};  // of a grid
};

struct mpi_request {
  enum kind : std::uint8_t { sends, receives, collects };
  kind what = sends;
  bool is_free = true;
  bool is_active = false;   // begun, and not reported yet
  bool is_done = false;     // `result` says how
  bool is_dropped = false;  // nobody will ask for it
  bool is_persistent = false;
  MPI_Comm comm = MPI_COMM_NULL;
  int peer = MPI_PROC_NULL, tag = 0;
  request its{};
  status result{};
  mpi_incoming incoming{};
  std::vector<unsigned char> packed{};  // what is sent
  // of persistent ones, which begin again
  void* data = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

struct mpi_operation {
  MPI_User_function* function;
};

/// Things that have numbers, from `First` on. They stay where they are.
template <class T, int First>
class numbered {
 public:
  int add(T one) {
    all_.push_back(std::move(one));
    return First + static_cast<int>(all_.size()) - 1;
  }
  /// Null: there is none of that number.
  T* find(int number) {
    const auto at = static_cast<std::size_t>(number - First);
    return number >= First && at < all_.size() ? &all_[at] : nullptr;
  }
  auto begin() { return all_.begin(); }
  auto end() { return all_.end(); }

 private:
  std::deque<T> all_;
};

class mpi_rank {
 public:
  explicit mpi_rank(rope world);
  mpi_rank(const mpi_rank&) = delete;
  mpi_rank& operator=(const mpi_rank&) = delete;
  /// The running thread's; null: it is none.
  static mpi_rank* here();

  bool is_begun = false, is_ended = false;
  int thread_level = MPI_THREAD_SINGLE;
  numbered<mpi_communicator, MPI_COMM_WORLD> comms;
  numbered<mpi_type, 0x1000000> types;
  numbered<mpi_operation, 100> operations;
  void* attached = nullptr;  // for MPI_Buffer_detach
  int attached_bytes = 0;

  MPI_Comm add(rope its);
  mpi_communicator& world() { return *comms.find(MPI_COMM_WORLD); }
  mpi_request& new_request(MPI_Request* number);
  /// Null: there is none of that number.
  mpi_request* find_request(MPI_Request number);
  /// Waits for those that nobody will ask for.
  void wait_for_dropped();

 private:
  numbered<mpi_request, 1> requests_;
  std::vector<MPI_Request> free_;
  friend class mpi_requests;
};

}  // namespace terrane
