// SPDX-License-Identifier: Apache-2.0
// csv.cpp: every event of a trace as a line of comma-separated values.
#include <fmt/format.h>

#include <string>

#include "dashboard/converters.hpp"

namespace terrane {

result<void> write_csv(const trace_file& file, const text_sink& to) {
  const auto quoted = [](std::string_view text) {
    std::string safe = "\"";
    for (const char letter : text) {
      if (letter == '"') safe += '"';
      safe += letter;
    }
    return safe + '"';
  };
  if (!to("ns,source,node,class,event,field1,field2,field3,field4,field5,sentence\n"))
    return could_not_write();
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);) {
    const trace_event_type& type = file.types()[event.type];
    const trace_source& source = file.sources()[event.source];
    std::string line = fmt::format("{},{},{},{},{}", event.ns, quoted(source.title()), source.node,
                                   quoted(file.classes()[type.of]), quoted(type.name));
    for (std::size_t field = 0; field < 5; ++field) {
      line += ',';
      if (field >= type.fields.size()) continue;
      const auto is = type.fields[field].is;
      using kind = trace_field::kind;
      if (is == kind::integer)
        line += std::to_string(event.integer(field));
      else if (is == kind::function || is == kind::fiber || is == kind::text || is == kind::message)
        line += quoted(file.text_of(event, field));
      else
        line += std::to_string(event.values[field]);
    }
    line += ',' + quoted(file.sentence_of(event)) + '\n';
    if (!to(line)) return could_not_write();
  }
  return {};
}

}  // namespace terrane
