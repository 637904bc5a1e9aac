// SPDX-License-Identifier: Apache-2.0
// part_library.hpp: opens the libraries that a run asks for, each with a table of functions.
//
// Purpose     What needs another project's library is a part (parts/): a library of its own, so
//             that programs run where that other library is not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/base/result.hpp"

namespace terrane {

struct part_kind {
  std::string_view title;       // of the other project's library, as people call it
  std::string file;             // the part's
  const char* table;            // its function that returns the table
  std::uint32_t version;        // of the table: its first member
  std::string_view package;     // Debian's, of the library
  std::string_view headers;     // Debian's, to build the part
  std::string_view asked_with;  // completes "... needs the part": world mpi
};

/// The table of that part, which stays open. An error: the part was not built, or what it needs is
/// not on this machine.
result<const void*> open_part(const part_kind& kind);

}  // namespace terrane
