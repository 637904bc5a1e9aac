// SPDX-License-Identifier: Apache-2.0
// service.hpp: what the runtime does for threads that a simulated machine may price by its name:
// requests, and kinds of messages.
//
// Purpose     A network file says what one costs (`service.NAME.work_ns` and so on). What it does
//             not name costs what every message costs, and a request nothing. Worlds that measure
//             time have no prices, and nobody says there what a message is.
// Source      [TESTBED §3.2.2, Tables 3 and 4].
#pragma once

#include <cstddef>
#include <cstdint>

namespace terrane {

enum class service : std::uint8_t {
  none,
  // requests of a thread
  local_wait,  // it is the first of two on one processor, and waits
  local_copy,  // it is the second: the item is copied
  send,        // the other end is elsewhere, or not known yet
  receive,
  page_fault,  // it reads lent data that are not here
  // messages
  advert,
  focus,
  rtr,
  msg,
  thread,       // that moves
  thread_heap,  // what it takes along beside its stack
  page_request,
  page,
};

/// By number, as network files have them.
inline constexpr const char* service_names[] = {
    "none",  "local_wait", "local_copy", "send",   "receive",     "page_fault",   "advert",
    "focus", "rtr",        "msg",        "thread", "thread_heap", "page_request", "page",
};
inline constexpr std::size_t services = sizeof service_names / sizeof *service_names;
static_assert(services == static_cast<std::size_t>(service::page) + 1);

inline const char* name_of(service which) { return service_names[static_cast<std::size_t>(which)]; }

}  // namespace terrane
