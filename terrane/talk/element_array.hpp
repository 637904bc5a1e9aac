// SPDX-License-Identifier: Apache-2.0
// element_array.hpp: an array of elements of equal size, each with a value or without: the storage
// of I-structures and M-structures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "terrane/core/object.hpp"

namespace terrane {

class element_array {
 public:
  element_array(std::uint32_t elements, std::uint32_t element_bytes)
      : bytes_(element_bytes),
        full_(elements, false),
        data_(std::size_t{elements} * element_bytes) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(full_.size()); }
  std::uint32_t element_bytes() const { return bytes_; }
  bool full(std::uint32_t index) const { return full_[index]; }
  bytes_view operator[](std::uint32_t index) const {
    return {data_.data() + std::size_t{index} * bytes_, bytes_};
  }
  void fill(std::uint32_t index, const void* value) {
    std::memcpy(data_.data() + std::size_t{index} * bytes_, value, bytes_);
    full_[index] = true;
  }
  void empty(std::uint32_t index) { full_[index] = false; }

 private:
  const std::uint32_t bytes_;
  std::vector<bool> full_;
  std::vector<unsigned char> data_;
};

/// R-262 unless the structure has an element of that index; R-266 for impossible sizes.
template <class Handle>
void require_element(const Handle& of, std::uint32_t index, const char* called) {
  if (index >= of.elements)
    fail(run_time_error::no_such_element, "element %u was named of %s of %u elements", index,
         called, of.elements);
}
inline void require_element_bytes(std::uint32_t element_bytes, const char* called) {
  if (element_bytes == 0)
    fail(run_time_error::size_out_of_range, "%s with elements of no bytes was asked for", called);
}

}  // namespace terrane
