// SPDX-License-Identifier: Apache-2.0
// graph_events.hpp: the numbers, in the trace at hand, of the events of which a graph is made.
#pragma once

#include <cstdint>

#include "terrane/trace/reader.hpp"

namespace terrane {

/// 0, which no event has, of those that the trace does not know.
struct graph_events {
  explicit graph_events(const trace_file& file)
      : token(file.type_of("graph_token")),
        invoked(file.type_of("graph_invoked")),
        came(file.type_of("graph_came")),
        began(file.type_of("graph_began")),
        fiber(file.type_of("graph_fiber")),
        ended(file.type_of("graph_ended")),
        work(file.type_of("graph_work")),
        sent(file.type_of("graph_sent")),
        asked(file.type_of("graph_asked")),
        got(file.type_of("graph_got")),
        fired(file.type_of("graph_fired")),
        machine(file.type_of("graph_machine")),
        unclear(file.type_of("graph_unclear")) {}
  std::uint32_t token, invoked, came, began, fiber, ended, work, sent, asked, got, fired, machine,
      unclear;
};

}  // namespace terrane
