// SPDX-License-Identifier: Apache-2.0
// refusal.hpp: why a connection is not one of this run. Each reason has a name and is counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace terrane {

enum class refusal : std::uint8_t {
  none,
  // before anything was proved
  not_terrane,        // the first bytes are not ours
  other_version,      // of the handshake
  out_of_turn,        // a message that is not the next one, or with bits that mean nothing
  other_job,          // another run's secret
  no_such_node,       // its number is none of the run's
  not_for_this_node,  // it wanted another node
  not_that_node,      // another node answered than was called
  reflected,          // our own bytes came back
  replayed,           // a hello that was used before
  wrong_proof,        // it does not know the secret, or bytes were changed on the way
  // by one that has proved that it knows the secret
  bad_facts,     // what it says of itself is not well-formed
  other_build,   // it runs another executable
  other_format,  // it speaks another version of the wire format
  second_claim,  // that node is connected already
  crossed,       // both called each other: the other connection is the one. No fault.
  turned_away,   // the other side refused, and says why
  // by whoever has the connection
  closed,    // it ended before the proof
  late,      // it took too long
  too_many,  // there were too many at once that had proved nothing yet
};
inline constexpr std::size_t refusals = static_cast<std::size_t>(refusal::too_many) + 1;

/// As in `wrong_proof`: for statistics.
const char* name_of(refusal why);

/// Completes "it ...", as in "does not know this job's secret".
const char* words_for(refusal why);

/// How often each happened.
class refusal_counts {
 public:
  void count(refusal why) { ++of_[static_cast<std::size_t>(why)]; }
  std::uint64_t of(refusal why) const { return of_[static_cast<std::size_t>(why)]; }
  /// All but `crossed`, which happens in a sound run.
  std::uint64_t faults() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 1; i < refusals; ++i)
      if (static_cast<refusal>(i) != refusal::crossed) sum += of_[i];
    return sum;
  }

 private:
  std::array<std::uint64_t, refusals> of_{};
};

}  // namespace terrane
