// SPDX-License-Identifier: Apache-2.0
// parcel.hpp: parcels, the messages, notes and tokens under way on a simulated machine, and their
// store.
//
// Cost        128 bytes per parcel, which are reused; a message of more than 64 bytes is allocated
//             apart.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "terrane/core/service.hpp"
#include "terrane/core/world.hpp"

namespace terrane {

/// Events of one channel that have the same time keep the order in which they were made.
enum channel : std::uint64_t {
  of_turns = std::uint64_t{0} << 60,
  of_departures = std::uint64_t{1} << 60,
  of_messages = std::uint64_t{2} << 60,
  of_news = std::uint64_t{3} << 60,  // notes and tokens
  of_ticks = std::uint64_t{4} << 60,
};

inline std::uint64_t pair_of(std::uint32_t from, std::uint32_t to) {
  return static_cast<std::uint64_t>(from) << 24 | to;
}

struct alignas(64) parcel {
  enum class kind : std::uint8_t { message, note, token } what;
  bool on_its_way;  // its arrival is scheduled; else its departure
  entry message_kind;
  int load;
  node_id origin;
  std::uint32_t from, to;  // processors for a message, nodes otherwise
  std::uint32_t size;      // bytes of a message; of a token: the bytes it carries beyond itself
  std::uint32_t next;      // the next parcel in a parcel_list
  place_number said_at;    // of a message: the program line that it was sent for
  service sent_as;         // what it is, if the network may price that
  std::uint32_t payload;   // then: its bytes of a program's
  std::uint64_t posted_ns, left_ns;  // when it was ready to leave, and left
  std::unique_ptr<unsigned char[]> large;
  union {
    alignas(16) unsigned char small[64];
    terrane_token token;
    note text;
  };

  parcel() {}  // NOLINT: a store is filled before it is read
  unsigned char* data() { return large ? large.get() : small; }
  /// The size that the network charges for.
  std::size_t bytes() const {
    const std::size_t body = what == kind::message ? size
                             : what == kind::token ? sizeof token + size
                                                   : sizeof text;
    return body + 16;
  }
  std::uint64_t channel() const {
    return (what == kind::message ? of_messages : of_news) | pair_of(from, to);
  }
};

/// A list of parcels in the order of their arrival, linked by number.
struct parcel_list {
  static constexpr std::uint32_t none = ~0u;
  std::uint32_t first = none, last = none;
  bool empty() const { return first == none; }
};

/// Parcels by number. A parcel stays at its address until it is given back.
class parcel_store {
 public:
  parcel& operator[](std::uint32_t place) { return blocks_[place / block][place % block]; }
  std::uint32_t take() {
    if (free_.empty()) {
      const auto first = static_cast<std::uint32_t>(blocks_.size()) * block;
      blocks_.emplace_back(new parcel[block]);
      for (std::uint32_t i = block; i-- > 0;) free_.push_back(first + i);
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    return place;
  }
  void append(parcel_list& to, std::uint32_t place) {
    (*this)[place].next = parcel_list::none;
    if (to.empty())
      to.first = place;
    else
      (*this)[to.last].next = place;
    to.last = place;
  }
  std::uint32_t take_first(parcel_list& from) {
    const std::uint32_t place = from.first;
    from.first = (*this)[place].next;
    return place;
  }
  void give_back(std::uint32_t place) {
    (*this)[place].large.reset();
    free_.push_back(place);
  }

 private:
  static constexpr std::uint32_t block = 256;
  std::vector<std::unique_ptr<parcel[]>> blocks_;
  std::vector<std::uint32_t> free_;
};

}  // namespace terrane
