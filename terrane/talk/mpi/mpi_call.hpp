// SPDX-License-Identifier: Apache-2.0
// mpi_call.hpp: a call of an MPI program: which, where, by which rank, and whether its arguments
// can be.
//
// Errors      refuse() ends the run with one sentence. Where the communicator has
//             MPI_ERRORS_RETURN, it leaves the call instead, which returns the class of the error.
#pragma once

#include <string>

#include "terrane/core/failure.hpp"
#include "terrane/talk/mpi/mpi_rank.hpp"

namespace terrane {

struct mpi_refusal {
  int error_class;
};

class mpi_call {
 public:
  /// R-306 if no rank calls.
  mpi_call(const char* called, const char* file, int line);

  const char* const name;
  const call_place where;
  mpi_rank& me;

  [[noreturn, gnu::cold]] void refuse(int error_class, run_time_error code,
                                      const std::string& why) const;

  /// Each refuses what is none.
  mpi_communicator& comm(MPI_Comm number);
  const mpi_type& type(MPI_Datatype number);
  mpi_request& one(MPI_Request number);
  void check_count(int count) const;
  void check_tag(int tag, bool may_be_any) const;
  void check_root(const mpi_communicator& of, int root) const;
  /// With whom; nobody for MPI_PROC_NULL.
  correspondence with(const mpi_communicator& of, int rank, int tag) const;
  correspondence from(const mpi_communicator& of, int rank, int tag) const;
  /// For collectives that send a message for each pair.
  correspondence privately(const mpi_communicator& of, int rank) const;

 private:
  void check_rank(const mpi_communicator& of, int rank) const;
  bool returns_errors_ = false;
};

/// Runs body(call), and returns MPI_SUCCESS or the class of an error.
template <class Body>
int mpi_answer(const char* name, const char* file, int line, Body&& body) {
  try {
    mpi_call call(name, file, line);
    body(call);
    return MPI_SUCCESS;
  } catch (const mpi_refusal& why) { return why.error_class; }
}

/// What is said of a message that was received or found.
void mpi_tell(MPI_Status* status, const mpi_communicator& of, const terrane::status& how);
void mpi_tell_nothing(MPI_Status* status, int source = MPI_ANY_SOURCE);

}  // namespace terrane
