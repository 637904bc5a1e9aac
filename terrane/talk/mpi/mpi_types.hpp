// SPDX-License-Identifier: Apache-2.0
// mpi_types.hpp: the types of MPI programs: how many bytes an element has, and where they lie.
//
// Method      A type that a program makes is flattened at once: the blocks of one element, and how
//             far the next one lies from it. Elements whose blocks leave no gap are sent from where
//             they lie; others are packed first, and unpacked where they arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/c/mpi/mpi.h"
#include "terrane/core/message.hpp"
#include "terrane/talk/send_recv.hpp"

namespace terrane {

struct mpi_block {
  std::ptrdiff_t at;
  std::size_t bytes;
};

struct mpi_type {
  std::size_t bytes = 0;            // of an element's blocks together
  std::ptrdiff_t low = 0;           // where an element begins
  std::ptrdiff_t extent = 0;        // from one element to the next
  MPI_Datatype basic = MPI_BYTE;    // of what all of it consists; MPI_BYTE: of various
  bool is_plain = true;             // one block from 0 to extent
  std::vector<mpi_block> blocks{};  // not of plain ones
  std::size_t alignment = 1;        // a struct of it ends at a multiple of this; 1: resized

  std::size_t bytes_of(std::ptrdiff_t count) const {
    return bytes * static_cast<std::size_t>(count);
  }
  /// The elements as messages name their type; 0: bytes.
  std::uint32_t element() const {
    return basic == MPI_BYTE ? 0 : static_cast<std::uint32_t>(basic);
  }
  /// Makes `blocks` few, and finds out whether they are one.
  void settle();
};

/// Null: it is no basic type.
const mpi_type* mpi_basic_type(MPI_Datatype number);

/// Elements that are to be sent: where they lie, or packed.
class mpi_outgoing {
 public:
  mpi_outgoing(const void* data, int count, const mpi_type& type);
  bytes_view bytes() const { return bytes_; }
  std::uint32_t element() const { return element_; }
  std::vector<unsigned char> take_packed() { return std::move(packed_); }

 private:
  std::vector<unsigned char> packed_;
  bytes_view bytes_;
  std::uint32_t element_;
};

/// Elements that are to be received: into their place, or packed at first.
class mpi_incoming {
 public:
  mpi_incoming() = default;
  mpi_incoming(void* into, std::ptrdiff_t count, const mpi_type& type);
  receive_room room() { return {type_ ? packed_.data() : into_, bytes_, element_}; }
  /// So many bytes have come.
  void settle(std::size_t bytes);

 private:
  void* into_ = nullptr;
  const mpi_type* type_ = nullptr;  // null: it is plain
  std::size_t bytes_ = 0;
  std::uint32_t element_ = 0;
  std::vector<unsigned char> packed_;
};

void mpi_unpack(const unsigned char* from, std::size_t bytes, void* into, const mpi_type& type);

}  // namespace terrane
