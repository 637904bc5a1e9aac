// SPDX-License-Identifier: Apache-2.0
// openmetrics.cpp: counts of a whole trace in the text format of OpenMetrics.
#include <fmt/format.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "dashboard/activity.hpp"
#include "dashboard/converters.hpp"
#include "terrane/base/openmetrics.hpp"

namespace terrane {

using openmetrics::head_of;
using openmetrics::label_text;

result<void> write_openmetrics(const trace_file& file, const text_sink& to) {
  const known_events known(file);
  const trace_run& run = file.run();
  std::string text = head_of("terrane_run", "info", "The run that the trace is of.");
  text += fmt::format(
      "terrane_run_info{{id=\"{}\",world=\"{}\",balancer=\"{}\",command=\"{}\"}} 1\n",
      label_text(run.id), label_text(run.world), label_text(run.balancer), label_text(run.command));
  std::vector<std::vector<std::uint64_t>> counts(file.sources().size(),
                                                 std::vector<std::uint64_t>(file.types().size()));
  std::vector<std::array<double, std::size(slice_names)>> seconds(file.sources().size());
  for (std::uint32_t source = 0; source < file.sources().size(); ++source) {
    trace_file::cursor events(file, source);
    for (trace_event event; events.next(event);) ++counts[source][event.type];
    slice_finder(file, known, source).visit([&](const slice& each) {
      seconds[source][static_cast<std::size_t>(each.kind)] +=
          1e-9 * static_cast<double>(each.end - each.begin);
    });
  }
  text += head_of("terrane_events", "counter", "Events in the trace.");
  for (std::size_t source = 0; source < counts.size(); ++source)
    for (std::size_t type = 1; type < counts[source].size(); ++type)
      if (counts[source][type] != 0)
        text += fmt::format("terrane_events_total{{source=\"{}\",node=\"{}\",event=\"{}\"}} {}\n",
                            file.sources()[source].title(), file.sources()[source].node,
                            label_text(file.types()[type].name), counts[source][type]);
  text += head_of("terrane_dropped", "counter", "Events that found no room.");
  for (const trace_source& each : file.sources())
    text += fmt::format("terrane_dropped_total{{source=\"{}\",node=\"{}\"}} {}\n", each.title(),
                        each.node, each.all_dropped());
  text += head_of("terrane_spent_seconds", "counter",
                  "Time of processors, by what they did. A sleep lies within idleness.");
  for (std::size_t source = 0; source < seconds.size(); ++source) {
    if (file.sources()[source].is != trace_source::kind::processor) continue;
    for (std::size_t kind = 0; kind < seconds[source].size(); ++kind)
      text += fmt::format(
          "terrane_spent_seconds_total{{processor=\"{}\",node=\"{}\",in=\"{}\"}} {:.9f}\n",
          file.sources()[source].number, file.sources()[source].node, slice_names[kind],
          seconds[source][kind]);
  }
  if (to(text.append(openmetrics::end))) return {};
  return could_not_write();
}

}  // namespace terrane
