// SPDX-License-Identifier: Apache-2.0
// mpi_operations.hpp: the predefined operations of MPI programs, for the basic types.
#pragma once

#include "terrane/c/mpi/mpi.h"
#include "terrane/talk/rope_desk.hpp"

namespace terrane {

/// How values of a type are combined, and what each rank of a scan gets. Null: that operation is
/// not for that type.
struct mpi_combination {
  combine_function combine = nullptr;
  decide_function scan = nullptr, exscan = nullptr;
};
mpi_combination mpi_combination_of(MPI_Op op, MPI_Datatype type);

}  // namespace terrane
