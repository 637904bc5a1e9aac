// SPDX-License-Identifier: Apache-2.0
// mpi_requests.hpp: requests of MPI programs: how they begin (mpi_requests.cpp) and end
// (mpi_waits.cpp).
#pragma once

#include <span>

#include "terrane/talk/mpi/mpi_call.hpp"

namespace terrane {

void begin_mpi_send(mpi_call& call, mpi_request& one, const void* data, int count,
                    MPI_Datatype type, send_form how);
void begin_mpi_receive(mpi_call& call, mpi_request& one, void* into, int count, MPI_Datatype type);

/// Several requests that one call asks for.
class mpi_requests {
 public:
  /// R-305 for a number that names none. MPI_REQUEST_NULL is passed over.
  mpi_requests(mpi_call& call, int count, MPI_Request* numbers);

  /// False: all are null or inactive, so there is nothing to wait for.
  bool has_active() const;
  void wait_for_all();
  /// At least one of the active ones is done then.
  void wait_for_any();
  /// Never blocks.
  void look();
  bool are_done() const;
  /// The first that is done and was not told; -1: none.
  int first_done() const;
  /// Reports one, or that there is nothing to report. It is over then.
  void tell(int which, MPI_Status* status);

 private:
  mpi_call& call_;
  std::span<MPI_Request> numbers_;
  std::vector<mpi_request*> all_;  // null: MPI_REQUEST_NULL
};

}  // namespace terrane
