// SPDX-License-Identifier: Apache-2.0
// reservation.hpp: a stretch of address space, zero and committed on first touch.
#pragma once

#include <cstddef>

namespace terrane {

/// Address space for `bytes` at a multiple of `bytes` (a power of two). Costs no memory until
/// touched. address() is null when the system refuses.
class reservation {
 public:
  explicit reservation(std::size_t bytes);
  ~reservation();
  reservation(const reservation&) = delete;
  reservation& operator=(const reservation&) = delete;

  void* address() const { return address_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* address_ = nullptr;
  std::size_t bytes_;
};

}  // namespace terrane
