// SPDX-License-Identifier: Apache-2.0
// mpi_library.hpp: opens the part of the MPI that this process is to use.
#pragma once

#include <string>

#include "terrane/base/result.hpp"
#include "terrane/transport/mpi/mpi_table.h"

namespace terrane {

/// The part of the MPI that is in this process; else of the one that started it; else the one
/// asked for. It stays open. asked: a value of --mpi, or empty. An error: there is no such part,
/// the MPI is not on this machine, or two of these disagree.
result<const terrane_mpi_table*> open_mpi(const std::string& asked);

/// Whether an application has an MPI in this process.
bool has_mpi();

}  // namespace terrane
