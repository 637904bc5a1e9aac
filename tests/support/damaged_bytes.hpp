// SPDX-License-Identifier: Apache-2.0
// damaged_bytes.hpp: traces that were changed, with check sums that are right nevertheless.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "terrane/base/random.hpp"
#include "terrane/trace/format.hpp"

namespace terrane {

/// Makes the check sums right again, so that damage reaches what lies behind them.
inline void mend_sums(std::string& bytes) {
  for (std::size_t at = trace_magic.size(); at + sizeof(chunk_head) <= bytes.size();) {
    chunk_head head;
    std::memcpy(&head, bytes.data() + at, sizeof head);
    const std::size_t start = at + sizeof head;
    head.bytes =
        static_cast<std::uint32_t>(std::min<std::size_t>(head.bytes, bytes.size() - start));
    head.mark = chunk_mark;
    head.sum = check_sum({bytes.data() + start, head.bytes});
    head.own_sum = own_sum_of(head);
    std::memcpy(bytes.data() + at, &head, sizeof head);
    at = start + head.bytes;
  }
}

/// Changes, loses or repeats up to four places.
inline void damage(std::string& bytes, random_stream& random) {
  const auto place = [&] { return random.below(static_cast<std::uint32_t>(bytes.size())); };
  for (std::uint32_t changes = 1 + random.below(4); changes > 0; --changes)
    switch (random.below(4)) {
      case 0: bytes[place()] = static_cast<char>(random.below(256)); break;
      case 1: bytes[place()] ^= static_cast<char>(1u << random.below(8)); break;
      case 2: bytes.erase(place(), 1 + random.below(16)); break;
      default: bytes.insert(place(), bytes.substr(place(), 1 + random.below(64)));
    }
}

}  // namespace terrane
