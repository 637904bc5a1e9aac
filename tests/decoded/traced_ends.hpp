// SPDX-License-Identifier: Apache-2.0
// traced_ends.hpp: the events of a trace that are of ends of channels, and of threads that move.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/trace/reader.hpp"
#include "tests/decoded/states_of_ends.hpp"
#include "tests/decoded/states_of_moves.hpp"

namespace terrane::decoded {

/// An event of an end, and where it was written.
struct end_event : event {
  std::uint64_t end = 0;  // its name, which tells channel and side
  std::uint64_t bytes = 0, thread = 0, departure = 0;
  std::uint32_t source = 0, node = 0;
};
/// A move_leaves or move_arrived of that thread.
struct thread_event : move_event {
  std::uint64_t thread = 0;
};

/// Both in the order of each source, one source after the other.
struct traced_ends {
  std::vector<end_event> ends;
  std::vector<thread_event> moves;
  std::uint32_t processors_per_node = 1;
};

inline news news_called(std::string_view name) {
  if (name == "advert") return news::advert;
  if (name == "focus") return news::focus;
  if (name == "rtr") return news::rtr;
  return name == "closed" ? news::closed : news::none;
}

inline traced_ends read_ends(const trace_file& file) {
  traced_ends all;
  all.processors_per_node = file.run().processors;
  for (std::uint32_t source = 0; source < file.sources().size(); ++source) {
    trace_file::cursor events(file, source);
    for (trace_event seen; events.next(seen);) {
      const trace_event_type& type = file.types()[seen.type];
      const auto value = [&](std::string_view field) -> std::uint64_t {
        for (std::size_t i = 0; i < type.fields.size(); ++i)
          if (type.fields[i].name == field) return seen.values[i];
        return 0;
      };
      const std::uint32_t node = file.sources()[source].node;
      if (type.name == "move_leaves" || type.name == "move_arrived") {
        const bool leaves = type.name == "move_leaves";
        all.moves.push_back(
            {{leaves, value("departure"), node, value(leaves ? "to" : "from")}, value("home")});
      }
      for (std::size_t kind = 0; kind < event_names.size(); ++kind) {
        if (type.name != event_names[kind]) continue;
        end_event one;
        one.what = static_cast<did>(kind);
        const bool says =
            one.what == did::meets || one.what == did::tells || one.what == did::hears;
        if (says) one.says = news_called(file.name_of(seen, value("what")).name);
        one.stay = value("stay");
        one.item = value("item");
        one.partner = value("partner");
        one.end = value("end");
        one.bytes = value("bytes");
        one.thread = value("thread");
        one.departure = value("departure");
        one.source = source;
        one.node = node;
        all.ends.push_back(one);
      }
    }
  }
  return all;
}

}  // namespace terrane::decoded
