// SPDX-License-Identifier: Apache-2.0
// worded_options.hpp: options whose values are words: what they mean.
#pragma once

#include <string_view>

#include "terrane/base/result.hpp"
#include "terrane/machine/options.hpp"

namespace terrane {

/// Each writes what the text says. A wrong text is a problem that completes "--name ...".
result<void> read_statistics(std::string_view text, run_options& into);
result<void> read_receive_wait(std::string_view text, run_options& into);
result<void> read_mpi(std::string_view text, run_options& into);
result<void> read_rope_balancer(std::string_view text, run_options& into);

}  // namespace terrane
