// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/loaded_memory.hpp"

#include <link.h>

#include <cstddef>
#include <cstdint>

namespace terrane {

namespace {

struct search {
  std::uintptr_t wanted;
  bool found;
};

int look_in(dl_phdr_info* object, std::size_t, void* raw) {
  auto& it = *static_cast<search*>(raw);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    if (part.p_type == PT_LOAD && it.wanted - (object->dlpi_addr + part.p_vaddr) < part.p_memsz)
      it.found = true;
  }
  return it.found;
}

}  // namespace

bool is_loaded(const void* address) {
  search it{reinterpret_cast<std::uintptr_t>(address), false};
  dl_iterate_phdr(look_in, &it);
  return it.found;
}

}  // namespace terrane
