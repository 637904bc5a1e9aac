// SPDX-License-Identifier: Apache-2.0
// rope_pieces.hpp: what the members of a rope have contributed to a collective so far.
//
// Method      Members are the leaves of a binary tree over their ranks: at level k, node i stands
//             for the ranks from i 2^k on, at most 2^k of them. Two neighbours of one parent are
//             combined as soon as both are here. So the order in which values are combined depends
//             on the number of members alone, and a node sends few values for many members.
// Invariants  Pieces stand in the order of their ranks, and do not overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace terrane {

/// Combines: into = into op value, for so many bytes.
using combine_function = void (*)(void* into, const void* value, std::size_t bytes);

struct rope_piece {
  std::uint32_t level, index;
  std::uint64_t first() const { return std::uint64_t{index} << level; }
};

class rope_pieces {
 public:
  /// combine null: pieces are kept apart.
  void begin(std::uint32_t members, std::size_t bytes, combine_function combine) {
    members_ = members;
    bytes_ = bytes;
    combine_ = combine;
    pieces_.clear();
    data_.clear();
  }
  bool empty() const { return pieces_.empty(); }
  std::size_t size() const { return pieces_.size(); }
  const std::vector<rope_piece>& all() const { return pieces_; }
  const unsigned char* data() const { return data_.data(); }
  std::size_t data_bytes() const { return data_.size(); }
  std::size_t bytes() const { return bytes_; }

  void add(rope_piece one, const void* value) {
    std::size_t at = pieces_.size();
    if (combine_ && at != 0 && (one.index & 1) != 0 && pieces_[at - 1].level == one.level &&
        pieces_[at - 1].index + 1 == one.index) {  // the usual case: it follows the last
      combine_(this->at(at - 1), value, bytes_);
      pieces_[at - 1] = {one.level + 1, one.index / 2};
      return combine_around(at - 1);
    }
    while (at != 0 && pieces_[at - 1].first() > one.first()) --at;
    pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(at), one);
    if (bytes_ != 0) make_room(at, value);
    if (combine_) combine_around(at);
  }
  void add_all(const rope_pieces& more) {
    for (std::size_t i = 0; i < more.size(); ++i) add(more.pieces_[i], more.at(i));
  }

 private:
  void make_room(std::size_t i, const void* value) {
    data_.resize(data_.size() + bytes_);
    unsigned char* const room = at(i);
    std::memmove(room + bytes_, room, (pieces_.size() - 1 - i) * bytes_);
    std::memcpy(room, value, bytes_);
  }
  /// The data of a piece that has been taken out of pieces_.
  void take_away(std::size_t i) {
    unsigned char* const gone = at(i);
    std::memmove(gone, gone + bytes_, (pieces_.size() - i) * bytes_);
    data_.resize(data_.size() - bytes_);
  }
  unsigned char* at(std::size_t i) { return data_.data() + i * bytes_; }
  const unsigned char* at(std::size_t i) const { return data_.data() + i * bytes_; }
  void combine_around(std::size_t i) {
    for (;;) {
      rope_piece& one = pieces_[i];
      if (std::uint64_t{1} << one.level >= members_) return;  // it is the whole
      const bool is_right = (one.index & 1) != 0;
      const std::uint64_t beyond = std::uint64_t{one.index + 1} << one.level;
      if (!is_right && beyond >= members_) {  // it has no neighbour, and stands for its parent
        one = {one.level + 1, one.index / 2};
        continue;
      }
      const std::size_t left = is_right ? i - 1 : i;
      if (is_right && i == 0) return;
      if (left + 1 >= pieces_.size()) return;
      const rope_piece first = pieces_[left], second = pieces_[left + 1];
      if (first.level != second.level || first.index + 1 != second.index || (first.index & 1) != 0)
        return;
      combine_(at(left), at(left + 1), bytes_);
      pieces_[left] = {first.level + 1, first.index / 2};
      pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(left + 1));
      if (bytes_ != 0) take_away(left + 1);
      i = left;
    }
  }

  std::uint32_t members_ = 0;
  std::size_t bytes_ = 0;
  combine_function combine_ = nullptr;
  std::vector<rope_piece> pieces_;
  std::vector<unsigned char> data_;  // of each piece, in their order
};

}  // namespace terrane
