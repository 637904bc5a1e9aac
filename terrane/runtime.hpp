// SPDX-License-Identifier: Apache-2.0
// runtime.hpp: terrane::runtime, for programs whose main function is their own (docs/runtime.md).
#pragma once

#include "terrane/machine/runtime.hpp"
