// SPDX-License-Identifier: Apache-2.0
// shifts_members.cpp: a balancer of ropes: each member goes to the next processor.
#include "terrane/balance/rope/plugin.hpp"

namespace {

class shifts_members final : public terrane::rope_balancer {
 public:
  void place(const terrane::rope_view& now, std::span<terrane::processor_id> at) override {
    for (terrane::processor_id& each : at) each = (each + 1) % now.processors;
  }
};

}  // namespace

TERRANE_ROPE_BALANCER(shifts_members, "each member goes to the next processor")
