// SPDX-License-Identifier: Apache-2.0
// io.hpp: terrane::io, files and connections for threads (docs/threads.md).
//
// Why apart    Programs that wait for no file should not pay for it in compile time.
#pragma once

#include "terrane/thread/io.hpp"
