// SPDX-License-Identifier: Apache-2.0
// quiescence.hpp: detects exactly when nothing runs and nothing is under way (Safra's algorithm).
//
// Method      A probe goes round the ring of processors. Each processor passes it on only while it
//             is passive; one clean round proves quiescence. There are no clocks and no time-outs.
//             The argument is in quiescence.md.
// Invariants  balance_ = work sent minus work received by this processor. A pool counts as a wire:
//             putting a token there is a send, taking it out is a receipt.
// Source      Dijkstra, EWD 998 (Safra's version).
#pragma once

#include <cstdint>
#include <optional>

#include "terrane/core/place.hpp"

namespace terrane {

struct quiescence_probe {
  std::int64_t balance = 0;
  std::uint64_t black = 0;
};

class quiescence_detector {
 public:
  quiescence_detector(processor_id me, std::uint32_t processors)
      : me_(me), processors_(processors), holds_(me == 0) {}

  void sent(std::uint32_t messages = 1) { balance_ += messages; }
  void received() {
    --balance_;
    black_ = true;
  }

  void probe_arrived(const quiescence_probe& probe) {
    probe_ = probe;
    holds_ = true;
  }
  bool holds_probe() const { return holds_; }

  struct outcome {
    bool quiet = false;                            // it is proved that the whole machine is quiet
    std::optional<quiescence_probe> to_successor;  // the caller sends this on
  };

  /// Call only while this processor is passive: it has nothing to run, nothing queued that it could
  /// take, and no timer of its own.
  outcome passive();

  processor_id successor() const { return (me_ + 1) % processors_; }

 private:
  const processor_id me_;
  const std::uint32_t processors_;
  std::int64_t balance_ = 0;
  bool black_ = false;
  bool holds_;
  bool round_begun_ = false;  // processor 0 only
  quiescence_probe probe_;
};

}  // namespace terrane
