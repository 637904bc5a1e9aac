// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/entries.hpp"

#include <utility>
#include <vector>

#include "terrane/base/loaded_code.hpp"

#if defined(__PIC__) && !defined(__PIE__)
#define TERRANE_IN_A_SHARED_LIBRARY
#else
/// Defined by the linker: where the executable begins.
extern "C" const char __executable_start[] __attribute__((weak));
#endif

namespace terrane {

namespace {

/// A hash set of distances with open addressing. Every message that names a function is looked up
/// here.
class distance_set {
 public:
  void insert(std::uint64_t distance) {
    if (contains(distance)) return;
    if (++count_ * 4 > cells_.size()) grow();
    cells_[cell_of(distance)] = distance;
  }
  bool contains(std::uint64_t distance) const { return cells_[cell_of(distance)] == distance; }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};  // no function begins there

  /// The cell that holds the distance, or the free cell for it. The search ends because at most a
  /// quarter of the cells are taken.
  std::size_t cell_of(std::uint64_t distance) const {
    const std::size_t mask = cells_.size() - 1;
    std::size_t cell = (distance * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (cells_[cell] != none && cells_[cell] != distance) cell = (cell + 1) & mask;
    return cell;
  }
  void grow() {
    const auto before = std::exchange(cells_, std::vector(cells_.size() * 2, none));
    for (const std::uint64_t each : before)
      if (each != none) cells_[cell_of(each)] = each;
  }

  std::size_t count_ = 0;
  std::vector<std::uint64_t> cells_ = std::vector(64, none);
};

distance_set& registered() {
  static distance_set all;
  return all;
}

}  // namespace

#if defined(TERRANE_IN_A_SHARED_LIBRARY)

namespace {

/// Set in the number of a function that lies in the library itself: the rest is the distance from
/// the library's start. Where processes have their code at addresses of their own, the library is
/// not at the same distance from each executable.
constexpr std::uint64_t of_library = std::uint64_t{1} << 63;

const code_extent& library() {
  static const code_extent found = own_extent();
  return found;
}

}  // namespace

std::uint64_t executable_start() {
  static const std::uint64_t start = executable_extent().start;
  return start;
}

std::uint64_t entry_of(const terrane_function& function) {
  const auto address = reinterpret_cast<std::uintptr_t>(&function);
  if (library().holds(address)) return (address - library().start) | of_library;
  return address - executable_start();
}

const terrane_function* function_at(std::uint64_t entry) {
  static const distance_set& known = registered();
  if (!known.contains(entry)) return nullptr;
  const std::uint64_t size = library().end - library().start;
  const bool in_library = (entry & of_library) != 0 && entry - of_library < size;
  const std::uint64_t start = in_library ? library().start - of_library : executable_start();
  return reinterpret_cast<const terrane_function*>(start + entry);
}

#else

std::uint64_t executable_start() { return reinterpret_cast<std::uintptr_t>(__executable_start); }

std::uint64_t entry_of(const terrane_function& function) {
  return reinterpret_cast<std::uintptr_t>(&function) - executable_start();
}

const terrane_function* function_at(std::uint64_t entry) {
  static const distance_set& known = registered();
  if (!known.contains(entry)) return nullptr;
  return reinterpret_cast<const terrane_function*>(executable_start() + entry);
}

#endif

}  // namespace terrane

void terrane_register(const terrane_function* function) {
  terrane::registered().insert(terrane::entry_of(*function));
#if defined(TERRANE_IN_A_SHARED_LIBRARY)
  // As its distance from the executable too: under that name a peek at another node's tokens asks
  // for it (transport/shm.cpp), and it is the same where the code lies at equal addresses.
  terrane::registered().insert(reinterpret_cast<std::uintptr_t>(function) -
                               terrane::executable_start());
#endif
}
