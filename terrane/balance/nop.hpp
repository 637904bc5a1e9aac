// SPDX-License-Identifier: Apache-2.0
// nop.hpp: the balancer that never moves anything.
//
// Transfer    never.   Selection, location, information: none.
// Source      [EARTH-LB §5.4, Fig. 5] (Nop).
#pragma once

#include "terrane/core/balancer.hpp"

namespace terrane::balance {

class nop final : public balancer {};

}  // namespace terrane::balance
