// SPDX-License-Identifier: Apache-2.0
// standard_streams.hpp: stdin, stdout and stderr of a run: closed ones, and output that was lost.
#pragma once

#include <string>

namespace terrane {

/// Where one was closed, nothing else shall get its descriptor: our files and pipes would be taken
/// for it. It stays unusable. First of all.
void hold_closed_streams();

/// Says on stderr that output was lost, and why. why: an errno; 0: it is not known.
void say_output_was_lost(int why);

/// Flushes stdout. True if all that was printed has arrived; otherwise it said why not.
bool flush_output();

}  // namespace terrane
