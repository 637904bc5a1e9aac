// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/quiescence.hpp"

namespace terrane {

quiescence_detector::outcome quiescence_detector::passive() {
  if (!holds_) return {};
  if (me_ == 0) {
    const bool clean = !black_ && probe_.black == 0 && probe_.balance + balance_ == 0;
    if ((round_begun_ || processors_ == 1) && clean) return {.quiet = true, .to_successor = {}};
    black_ = false;
    if (processors_ == 1)
      return {};  // work is on the wire to this processor: look again once it has arrived
    round_begun_ = true;
    holds_ = false;
    return {.quiet = false, .to_successor = quiescence_probe{}};
  }
  quiescence_probe onward = probe_;
  onward.balance += balance_;
  if (black_) onward.black = 1;
  black_ = false;
  holds_ = false;
  return {.quiet = false, .to_successor = onward};
}

}  // namespace terrane
