// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/mpi/mpi_types.hpp"

#include <algorithm>
#include <cstring>

#include "terrane/talk/mpi/mpi_call.hpp"

namespace terrane {

namespace {

constexpr MPI_Datatype basic_types[] = {MPI_BYTE,
                                        MPI_CHAR,
                                        MPI_SIGNED_CHAR,
                                        MPI_UNSIGNED_CHAR,
                                        MPI_SHORT,
                                        MPI_UNSIGNED_SHORT,
                                        MPI_INT,
                                        MPI_UNSIGNED,
                                        MPI_LONG,
                                        MPI_UNSIGNED_LONG,
                                        MPI_LONG_LONG,
                                        MPI_UNSIGNED_LONG_LONG,
                                        MPI_FLOAT,
                                        MPI_DOUBLE,
                                        MPI_LONG_DOUBLE,
                                        MPI_C_BOOL,
                                        MPI_WCHAR,
                                        MPI_C_FLOAT_COMPLEX,
                                        MPI_C_DOUBLE_COMPLEX,
                                        MPI_2INT,
                                        MPI_SHORT_INT,
                                        MPI_LONG_INT,
                                        MPI_FLOAT_INT,
                                        MPI_DOUBLE_INT,
                                        MPI_LONG_DOUBLE_INT};
constexpr int numbers_of_basic = 64;

std::vector<mpi_type> all_basic_types() {
  std::vector<mpi_type> all(numbers_of_basic);
  for (const MPI_Datatype each : basic_types) {
    const int bytes = each >> 8 & 0xff, number = each % numbers_of_basic;
    const bool is_pair = number >= MPI_C_FLOAT_COMPLEX % numbers_of_basic;
    mpi_type& one = all[static_cast<std::size_t>(number)];
    one = {static_cast<std::size_t>(bytes), 0, bytes, each, true};
    one.alignment = static_cast<std::size_t>(is_pair ? bytes / 2 : bytes);
  }
  return all;
}

}  // namespace

const mpi_type* mpi_basic_type(MPI_Datatype number) {
  static const std::vector<mpi_type> all = all_basic_types();
  const mpi_type& found = all[static_cast<std::size_t>(number) % numbers_of_basic];
  return found.basic == number && found.bytes != 0 ? &found : nullptr;
}

void mpi_type::settle() {
  std::erase_if(blocks, [](const mpi_block& each) { return each.bytes == 0; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    mpi_block& before = blocks[last];
    if (before.at + static_cast<std::ptrdiff_t>(before.bytes) == blocks[i].at)
      before.bytes += blocks[i].bytes;
    else
      blocks[++last] = blocks[i];
  }
  if (!blocks.empty()) blocks.resize(last + 1);
  bytes = 0;
  for (const mpi_block& each : blocks) bytes += each.bytes;
  is_plain = blocks.empty() || (blocks.size() == 1 && blocks[0].at == 0 &&
                                static_cast<std::ptrdiff_t>(bytes) == extent);
}

mpi_outgoing::mpi_outgoing(const void* data, int count, const mpi_type& type)
    : bytes_{data, type.bytes_of(count)}, element_(type.element()) {
  if (type.is_plain) return;
  packed_.resize(bytes_.size);
  unsigned char* next = packed_.data();
  for (int i = 0; i < count; ++i)
    for (const mpi_block& each : type.blocks) {
      std::memcpy(next, static_cast<const char*>(data) + i * type.extent + each.at, each.bytes);
      next += each.bytes;
    }
  bytes_.data = packed_.data();
}

mpi_incoming::mpi_incoming(void* into, std::ptrdiff_t count, const mpi_type& type)
    : into_(into),
      type_(type.is_plain ? nullptr : &type),
      bytes_(type.bytes_of(count)),
      element_(type.element()) {
  if (type_) packed_.resize(bytes_);
}

void mpi_incoming::settle(std::size_t bytes) {
  if (type_) mpi_unpack(packed_.data(), bytes, into_, *type_);
}

void mpi_unpack(const unsigned char* from, std::size_t bytes, void* into, const mpi_type& type) {
  if (type.is_plain) {
    if (bytes != 0) std::memcpy(into, from, bytes);
    return;
  }
  char* place = static_cast<char*>(into);
  for (; bytes != 0; place += type.extent)
    for (const mpi_block& each : type.blocks) {
      const std::size_t part = std::min(each.bytes, bytes);
      std::memcpy(place + each.at, from, part);
      from += part;
      bytes -= part;
    }
}

namespace {

/// A type under construction: pieces are laid one by one.
class made_type {
 public:
  void lay(const mpi_type& type, std::ptrdiff_t at, int count) {
    if (count == 0) return;
    if (type.is_plain)
      made_.blocks.push_back({at, type.bytes_of(count)});
    else
      for (int i = 0; i < count; ++i)
        for (const mpi_block& each : type.blocks)
          made_.blocks.push_back({at + i * type.extent + each.at, each.bytes});
    const std::ptrdiff_t first = at + type.low, last = first + (count - 1) * type.extent;
    const std::ptrdiff_t lowest = std::min(first, last), end = std::max(first, last) + type.extent;
    low_ = has_any_ ? std::min(low_, lowest) : lowest;
    high_ = has_any_ ? std::max(high_, end) : end;
    made_.basic = !has_any_ || made_.basic == type.basic ? type.basic : MPI_BYTE;
    made_.alignment = std::max(made_.alignment, type.alignment);
    has_any_ = true;
  }
  /// Like a struct of C, whose end is padded.
  mpi_type whole_struct() {
    const auto alignment = static_cast<std::ptrdiff_t>(made_.alignment);
    high_ = low_ + (high_ - low_ + alignment - 1) / alignment * alignment;
    return whole();
  }
  mpi_type whole() {
    made_.low = low_;
    made_.extent = high_ - low_;
    made_.settle();
    return std::move(made_);
  }

 private:
  mpi_type made_;
  bool has_any_ = false;
  std::ptrdiff_t low_ = 0, high_ = 0;
};

}  // namespace

}  // namespace terrane

using namespace terrane;

int terrane_mpi_type_size(const char* file, int line, MPI_Datatype type, int* size) {
  return mpi_answer("MPI_Type_size", file, line,
                    [&](mpi_call& call) { *size = static_cast<int>(call.type(type).bytes); });
}

int terrane_mpi_type_get_extent(const char* file, int line, MPI_Datatype type, MPI_Aint* low,
                                MPI_Aint* extent) {
  return mpi_answer("MPI_Type_get_extent", file, line, [&](mpi_call& call) {
    *low = call.type(type).low;
    *extent = call.type(type).extent;
  });
}

int terrane_mpi_type_contiguous(const char* file, int line, int count, MPI_Datatype type,
                                MPI_Datatype* made) {
  return mpi_answer("MPI_Type_contiguous", file, line, [&](mpi_call& call) {
    call.check_count(count);
    made_type whole;
    whole.lay(call.type(type), 0, count);
    *made = call.me.types.add(whole.whole());
  });
}

int terrane_mpi_type_vector(const char* file, int line, int count, int length, int stride,
                            MPI_Datatype type, MPI_Datatype* made) {
  return mpi_answer("MPI_Type_vector", file, line, [&](mpi_call& call) {
    call.check_count(count);
    call.check_count(length);
    const mpi_type& each = call.type(type);
    made_type whole;
    for (int i = 0; i < count; ++i)
      whole.lay(each, std::ptrdiff_t{i} * stride * each.extent, length);
    *made = call.me.types.add(whole.whole());
  });
}

int terrane_mpi_type_indexed(const char* file, int line, int count, const int* lengths,
                             const int* places, MPI_Datatype type, MPI_Datatype* made) {
  return mpi_answer("MPI_Type_indexed", file, line, [&](mpi_call& call) {
    call.check_count(count);
    const mpi_type& each = call.type(type);
    made_type whole;
    for (int i = 0; i < count; ++i) {
      call.check_count(lengths[i]);
      whole.lay(each, places[i] * each.extent, lengths[i]);
    }
    *made = call.me.types.add(whole.whole());
  });
}

int terrane_mpi_type_create_struct(const char* file, int line, int count, const int* lengths,
                                   const MPI_Aint* places, const MPI_Datatype* types,
                                   MPI_Datatype* made) {
  return mpi_answer("MPI_Type_create_struct", file, line, [&](mpi_call& call) {
    call.check_count(count);
    made_type whole;
    for (int i = 0; i < count; ++i) {
      call.check_count(lengths[i]);
      whole.lay(call.type(types[i]), places[i], lengths[i]);
    }
    *made = call.me.types.add(whole.whole_struct());
  });
}

int terrane_mpi_type_create_resized(const char* file, int line, MPI_Datatype type, MPI_Aint low,
                                    MPI_Aint extent, MPI_Datatype* made) {
  return mpi_answer("MPI_Type_create_resized", file, line, [&](mpi_call& call) {
    mpi_type resized = call.type(type);
    if (resized.is_plain) resized.blocks = {{0, resized.bytes}};
    resized.low = low;
    resized.extent = extent;
    resized.alignment = 1;
    resized.settle();
    *made = call.me.types.add(std::move(resized));
  });
}

int terrane_mpi_type_commit(const char* file, int line, MPI_Datatype* type) {
  return mpi_answer("MPI_Type_commit", file, line, [&](mpi_call& call) { call.type(*type); });
}

int terrane_mpi_type_free(const char* file, int line, MPI_Datatype* type) {
  return mpi_answer("MPI_Type_free", file, line, [&](mpi_call& call) {
    call.type(*type);
    // What uses it may be under way: the rank keeps it.
    *type = MPI_DATATYPE_NULL;
  });
}

int terrane_mpi_get_address(const char* file, int line, const void* place, MPI_Aint* address) {
  return mpi_answer("MPI_Get_address", file, line,
                    [&](mpi_call&) { *address = reinterpret_cast<MPI_Aint>(place); });
}

int terrane_mpi_get_count(const char* file, int line, const MPI_Status* status, MPI_Datatype type,
                          int* count) {
  return mpi_answer("MPI_Get_count", file, line, [&](mpi_call& call) {
    const std::size_t bytes = call.type(type).bytes;
    const std::size_t whole = bytes == 0 ? 0 : status->terrane_bytes / bytes;
    *count = whole * bytes == status->terrane_bytes ? static_cast<int>(whole) : MPI_UNDEFINED;
  });
}
