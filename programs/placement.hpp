// SPDX-License-Identifier: Apache-2.0
// placement.hpp: where the threads of the Testbed's programs begin, and their time slices.
#pragma once

#include <cstdint>

#include "programs/arguments.hpp"
#include "terrane/base/random.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/handlers.hpp"
#include "terrane/thread/thread.hpp"

namespace terrane::programs {

/// The argument START: in turn, all together, or at random; and the same with node 0 left free. Six
/// more: another draw of what is random.
class placement {
 public:
  static constexpr int in_turn = 0, together = 1, at_random = 2, master_apart = 3, draw = 6;

  static placement read(program_arguments& given) {
    return placement(
        given.number("START", {.otherwise = in_turn, .least = 0, .most = 100 * draw - 1}));
  }
  explicit placement(int start) : start_(start) {}

  bool is_in_turn() const { return start_ % master_apart == in_turn; }
  /// Where the k-th begins.
  node_id node_of(std::uint32_t k) const {
    const node_id first = start_ % draw >= master_apart && terrane_nodes() > 1 ? 1 : 0;
    const std::uint32_t others = terrane_nodes() - first;
    switch (start_ % master_apart) {
      case in_turn: return first + k % others;
      case together: return first;
      default:
        return first + random_stream(1 + static_cast<unsigned>(start_ / draw), k).below(others);
    }
  }

 private:
  int start_;
};

inline constexpr operation placing{"placing", 1000};

inline void take_slices_here(reply<void> done) {
  charge(placing, 0);
  set_time_slice(20'000'000);
  done.send();
}
/// Slices of 20 ms on all processors [TESTBED §3.2.1]. Called by a thread.
inline void take_slices() {
  for (std::uint32_t each = 0; each < terrane_processors(); ++each) {
    charge(placing, 0);
    this_thread::await(
        [&](slot_ref done) { post<take_slices_here>(each, reply<void>{{done.raw, 0}}); });
    charge(placing, 1);
  }
}

}  // namespace terrane::programs
