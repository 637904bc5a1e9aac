// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/thread_id.hpp"

#include <cstdio>

namespace terrane {

std::string printed_name(terrane_slot_ref name) {
  char text[40];
  std::snprintf(text, sizeof text, "<%u,%llu>", processor_of(name),
                static_cast<unsigned long long>(number_in(name)));
  return text;
}

}  // namespace terrane
