// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/reservation.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace terrane {

reservation::reservation(std::size_t bytes, std::size_t alignment) : bytes_(bytes) {
  void* wide = mmap(nullptr, bytes + alignment, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (wide == MAP_FAILED) return;
  const auto start = reinterpret_cast<std::uintptr_t>(wide);
  const auto aligned = (start + alignment - 1) & ~(alignment - 1);
  if (aligned > start) munmap(wide, aligned - start);
  if (const auto beyond = start + alignment - aligned; beyond > 0)
    munmap(reinterpret_cast<void*>(aligned + bytes), beyond);
  address_ = reinterpret_cast<void*>(aligned);
  // Frames are used densely: small pages waste less when a run touches few.
  madvise(address_, bytes, MADV_NOHUGEPAGE);
}

reservation::~reservation() {
  if (address_) munmap(address_, bytes_);
}

}  // namespace terrane
