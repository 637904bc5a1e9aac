// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/moving_stacks.hpp"

#include <sys/mman.h>

#include "terrane/base/sanitizers.hpp"

namespace terrane {

/// A sanitizer's record of a stack is private to its process.
const char* why_builds_keep_threads() {
#if defined(TERRANE_ASAN)
  return "stays: AddressSanitizer keeps parts of its stack in one process";
#elif defined(TERRANE_TSAN)
  return "stays: ThreadSanitizer keeps its history in one process";
#else
  return nullptr;
#endif
}

moving_stacks::moving_stacks(std::uint32_t processors) {
  if (processors > moving_stacks_processors_max) return;
  const std::size_t bytes = processors * moving_stacks_bytes;
  void* const wanted = moving_stacks_of(0);
  void* const got = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == wanted) bytes_ = bytes;
}

moving_stacks::~moving_stacks() {
  if (bytes_ != 0) munmap(moving_stacks_of(0), bytes_);
}

}  // namespace terrane
