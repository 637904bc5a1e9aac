// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/entries.hpp"

#include <utility>
#include <vector>

/// Defined by the linker: where the executable begins.
extern "C" const char __executable_start[] __attribute__((weak));

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

std::uint64_t executable_start() { return reinterpret_cast<std::uintptr_t>(__executable_start); }

std::uint64_t entry_of(const terrane_function& function) {
  return reinterpret_cast<std::uintptr_t>(&function) - executable_start();
}

const terrane_function* function_at(std::uint64_t entry) {
  static const distance_set& known = registered();
  if (!known.contains(entry)) return nullptr;
  return reinterpret_cast<const terrane_function*>(executable_start() + entry);
}

}  // namespace terrane

void terrane_register(const terrane_function* function) {
  terrane::registered().insert(terrane::entry_of(*function));
}
