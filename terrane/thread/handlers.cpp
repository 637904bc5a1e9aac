// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/handlers.hpp"

#include "terrane/core/processor.hpp"
#include "terrane/core/requests.hpp"

namespace terrane {

void post_message(std::uint32_t to, const terrane_function& handler, const void* args) {
  auto& self = here();
  require_processor(to, "a message");
  if (to == self.number) return self.run_handler(handler, args);
  const function_entry head{entry_of(handler)};
  self.send(to, entry::call, {&head, sizeof head}, {args, handler.args_bytes});
}

}  // namespace terrane
