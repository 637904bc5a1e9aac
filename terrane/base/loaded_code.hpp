// SPDX-License-Identifier: Apache-2.0
// loaded_code.hpp: where the executable and the runtime's own shared library lie in this process.
//
// Purpose     The linker tells an executable where it begins. A shared library has to ask the
//             loader.
#pragma once

#include <cstdint>

namespace terrane {

/// The addresses from `start` up to `end`; both 0: there is no such code.
struct code_extent {
  std::uint64_t start = 0, end = 0;

  bool holds(std::uint64_t address) const { return address >= start && address < end; }
};

/// Of the executable of this process.
code_extent executable_extent();
/// Of what this function is linked into: the shared library, or the executable.
code_extent own_extent();

}  // namespace terrane
