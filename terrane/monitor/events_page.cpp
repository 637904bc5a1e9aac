// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/events_page.hpp"

#include <fmt/format.h>

#include "terrane/core/event.hpp"

namespace terrane {

namespace {

constexpr const char* beginning =
    R"(# Events

This page is made from `terrane/core/events.def` by `terrane trace events`; do not edit it.

An event is one record of something that happened: when, on which processor, and a few numbers.
`--trace FILE` records the events of a run in a file ([trace-format.md](trace-format.md)), and
`--events CLASSES` says which: names of classes with commas between them, `all` (the default), or
all but some, as in `--events -token,-signal`. A class that is off costs a compare and a branch
where its events happen. The class `token` sends every spawn through the slow path, which makes a
program of tiny fibers several times slower; the others cost some nanoseconds for each event.
`graph`, which `terrane replay` needs, is not a part of `all`: it does so too, and to every signal.

An event that finds no room is dropped and counted, or waits (`--trace-full drop|wait`). What is
dropped is in the file, by class, and nothing is concluded from a class of which some are missing.

The flight recorder keeps the last 4,096 events of each processor and each balancer (fewer on very
large machines) of the classes `balance` and `move`, and of `message` those between nodes, in every
run. Their time is that of the last look at the clock, which may be some microseconds before. The
last of them are printed when a run fails, ends in a deadlock or loses a node.

A program records events of its own with `terrane_event(code, value)`, in C, C++ and Threaded-C.
What the two numbers mean is the program's choice.
)";

const char* kind_text(field_kind kind) {
  switch (kind) {
    case field_kind::number: return "number";
    case field_kind::integer: return "number with a sign";
    case field_kind::node: return "node";
    case field_kind::processor: return "processor";
    case field_kind::message: return "kind of message";
    case field_kind::frame: return "name of an activation, thread or object";
    case field_kind::function: return "threaded function";
    case field_kind::fiber: return "fiber";
    case field_kind::text: return "text";
  }
  return "";
}

}  // namespace

std::string events_page() {
  std::string page = beginning;
  for (std::uint32_t of = 0; of < event_class_count; ++of) {
    page += fmt::format("\n## {}\n\n{}.\n\n| event | what it says | fields |\n|---|---|---|\n",
                        event_classes[of].name, event_classes[of].about);
    for (std::uint32_t id = 1; id < event_count; ++id) {
      const event_description& event = event_table[id];
      if (static_cast<std::uint32_t>(event.of) != of) continue;
      std::string fields;
      for (std::uint32_t i = 0; i < event.field_count; ++i) {
        const event_field& field = event.fields[i];
        fields += fmt::format("{}`{}`: {}{}{}", i == 0 ? "" : "; ", field.name,
                              kind_text(field.kind), *field.unit ? ", in " : "", field.unit);
      }
      page += fmt::format("| `{}` | {} | {} |\n", event.name, event.sentence, fields);
    }
  }
  return page;
}

}  // namespace terrane
