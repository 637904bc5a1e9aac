// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/entries.hpp"

#include <unordered_set>

/// The linker's: where the executable begins.
extern "C" const char __executable_start[] __attribute__((weak));

namespace terrane {

namespace {

std::unordered_set<std::uint64_t>& registered() {
  static std::unordered_set<std::uint64_t> all;
  return all;
}

}  // namespace

std::uint64_t executable_start() { return reinterpret_cast<std::uintptr_t>(__executable_start); }

std::uint64_t entry_of(const terrane_function& function) {
  return reinterpret_cast<std::uintptr_t>(&function) - executable_start();
}

const terrane_function* function_at(std::uint64_t entry) {
  if (!registered().contains(entry)) return nullptr;
  return reinterpret_cast<const terrane_function*>(executable_start() + entry);
}

}  // namespace terrane

void terrane_register(const terrane_function* function) {
  terrane::registered().insert(terrane::entry_of(*function));
}
