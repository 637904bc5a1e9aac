// SPDX-License-Identifier: Apache-2.0
// inspection.hpp: what somebody outside wants to see of a processor that runs.
#pragma once

namespace terrane {

class processor;

/// The processor calls it, between two steps of its loop, when it heeds. It must be short, and must
/// change nothing.
class inspection {
 public:
  virtual ~inspection() = default;
  virtual void look(processor& at) = 0;
};

}  // namespace terrane
