// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/loaded_code.hpp"

#include <link.h>

#include <algorithm>
#include <cstddef>

/// Defined by the linker: the first byte of what this is linked into.
extern "C" const char __ehdr_start[] __attribute__((visibility("hidden")));

namespace terrane {

namespace {

code_extent extent_of(const dl_phdr_info& object) {
  code_extent found{~std::uint64_t{0}, 0};
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_LOAD) continue;
    const std::uint64_t start = object.dlpi_addr + object.dlpi_phdr[i].p_vaddr;
    found.start = std::min(found.start, start);
    found.end = std::max(found.end, start + object.dlpi_phdr[i].p_memsz);
  }
  return found;
}

}  // namespace

code_extent executable_extent() {
  code_extent found;
  const auto take_first = [](dl_phdr_info* object, std::size_t, void* into) {
    *static_cast<code_extent*>(into) = extent_of(*object);
    return 1;  // the executable comes first
  };
  dl_iterate_phdr(take_first, &found);
  return found;
}

code_extent own_extent() {
  code_extent found;
  const auto take_own = [](dl_phdr_info* object, std::size_t, void* into) {
    const code_extent its = extent_of(*object);
    if (!its.holds(reinterpret_cast<std::uintptr_t>(__ehdr_start))) return 0;
    *static_cast<code_extent*>(into) = its;
    return 1;
  };
  dl_iterate_phdr(take_own, &found);
  return found;
}

}  // namespace terrane
