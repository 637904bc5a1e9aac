// SPDX-License-Identifier: Apache-2.0
// standard_streams.hpp: handles closed standard streams of a run, and output that was lost.
#pragma once

#include <string>

namespace terrane {

/// If a standard stream is closed, occupies its descriptor, so that no file or pipe of ours gets
/// the number and is mistaken for the stream. The stream stays unusable. Call it before all else.
void hold_closed_streams();

/// Prints on stderr that output was lost, and why. why: an errno; 0: the reason is not known.
void say_output_was_lost(int why);

/// Flushes stdout. True if all that was printed has arrived; otherwise prints the reason on stderr.
bool flush_output();

}  // namespace terrane
