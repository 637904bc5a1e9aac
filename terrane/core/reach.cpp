// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/reach.hpp"

#include "terrane/core/failure.hpp"
#include "terrane/core/world.hpp"

namespace terrane {

void require_processor(processor_id target, const char* what) {
  if (target >= here().processors())
    fail(run_time_error::no_such_processor, "%s names processor %d of a machine of %u", what,
         static_cast<int>(target), here().processors());
}

void refuse_place(terrane_global place, const char* what) {
  if (place == 0)
    fail(run_time_error::no_such_processor, "%s is no place: it is null, or was never set", what);
  if (place < TERRANE_PLACE_0)
    fail(run_time_error::no_such_processor,
         "%s is the plain address 0x%llx, which names no processor: make it a place with TO_GLOBAL "
         "where the datum lies",
         what, static_cast<unsigned long long>(place));
  fail(run_time_error::no_such_processor, "%s names processor %u of a machine of %u", what,
       terrane_owner_of(place), here().processors());
}

void look_for_memory(processor& self, terrane_global place, std::size_t bytes, bool to_write) {
  const void* const address = terrane_address_in(place);
  memory_range& seen = self.messages().seen_memory;
  seen = self.world().wire.owned(self, address, bytes, to_write);
  if (seen.covers(address, bytes, to_write)) return;
  fail(run_time_error::outside_memory,
       "%zu bytes at address 0x%llx were to be %s, and that is no memory of processor %u: was the "
       "place made up, or is what it named gone?",
       bytes, static_cast<unsigned long long>(place & (TERRANE_PLACE_0 - 1)),
       to_write ? "written" : "read", self.number);
}

}  // namespace terrane
