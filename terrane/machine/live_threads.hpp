// SPDX-License-Identifier: Apache-2.0
// live_threads.hpp: the threads of a run that goes on, and the ends of channels that they own.
//
// Method      Each processor lists its own, when it next heeds (core/inspection.hpp): nobody else
//             may touch a thread. One that is within a long step answers late, and is left out.
#pragma once

#include <string>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/core/processor.hpp"

namespace terrane {

/// How many threads of a processor are named.
inline constexpr std::size_t threads_listed = 200;

/// One line for each thread and each end, by processor. Any thread may call it, one at a time.
/// over: the run is about to end; what has not answered then is left out.
std::string describe_threads(const std::vector<processor*>& processors, const atomic<bool>& over);

}  // namespace terrane
