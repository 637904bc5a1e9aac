// SPDX-License-Identifier: Apache-2.0
// price_list.hpp: the price of each operation on the simulated machine.
//
// Cost        A comparison for an operation that was priced recently; else a look-up by its name.
#pragma once

#include <array>
#include <cstdint>

#include "terrane/terrane.h"
#include "terrane/transport/network.hpp"

namespace terrane {

class price_list {
 public:
  explicit price_list(const network_costs& costs) : costs_(costs) {}

  /// Picoseconds of one operation; its default price if the network lists none.
  std::uint64_t picoseconds(const terrane_operation& operation) {
    price& known = lately_[reinterpret_cast<std::uintptr_t>(operation.name) / 8 % lately_.size()];
    if (known.name != operation.name || known.standard_ps != operation.picoseconds) {
      const auto found = costs_.price_ps.find(operation.name);
      const bool listed = found != costs_.price_ps.end();
      known = {operation.name, operation.picoseconds,
               listed ? found->second : operation.picoseconds};
    }
    return known.ps;
  }

 private:
  struct price {
    const char* name = nullptr;
    std::uint64_t standard_ps = 0, ps = 0;
  };
  const network_costs& costs_;
  std::array<price, 64> lately_{};
};

}  // namespace terrane
