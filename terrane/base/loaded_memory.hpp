// SPDX-License-Identifier: Apache-2.0
// loaded_memory.hpp: which addresses belong to the executable and its libraries.
#pragma once

namespace terrane {

/// True if the address lies in the executable or a loaded library. So a string literal stays
/// readable as long as its library does.
bool is_loaded(const void* address);

}  // namespace terrane
