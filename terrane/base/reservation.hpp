// SPDX-License-Identifier: Apache-2.0
// reservation.hpp: reserved address space; its pages are zero and use memory once touched.
#pragma once

#include <cstddef>

namespace terrane {

/// `bytes` of address space at a multiple of `alignment` (a power of two). Uses no memory until it
/// is touched. address() is null when the system refuses.
class reservation {
 public:
  explicit reservation(std::size_t bytes) : reservation(bytes, bytes) {}
  reservation(std::size_t bytes, std::size_t alignment);
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
