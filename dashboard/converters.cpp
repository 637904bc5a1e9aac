// SPDX-License-Identifier: Apache-2.0
#include "dashboard/converters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dashboard/clock_text.hpp"
#include "dashboard/run_ends.hpp"

namespace terrane {

namespace {

constexpr converter table[] = {
    {"perfetto", ".perfetto-trace", "for ui.perfetto.dev: tracks, slices, flows, counters",
     write_perfetto},
    {"chrome", ".json", "for chrome://tracing and tools that read its JSON; small traces",
     write_chrome},
    {"otf2", ".otf2", "for Vampir, Scalasca and TAU: a folder with traces.otf2", nullptr,
     write_otf2},
    {"csv", ".csv", "every event, a line each", write_csv},
    {"openmetrics", ".txt", "counts for Prometheus and tools that read OpenMetrics",
     write_openmetrics},
};

/// For a terminal: no control characters.
std::string printable(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    safe += code < 0x20 || code == 0x7f ? '?' : letter;
  }
  return safe;
}

}  // namespace

std::span<const converter> converters() { return table; }

const converter* find_converter(std::string_view name) {
  const auto* const found = std::find_if(std::begin(table), std::end(table),
                                         [&](const converter& it) { return it.name == name; });
  return found == std::end(table) ? nullptr : found;
}

std::string line_of(const trace_file& file, const trace_event& event) {
  return fmt::format("{:>14.9f} s  {:<20} {:<16} {}\n", 1e-9 * static_cast<double>(event.ns),
                     file.sources()[event.source].title(), file.types()[event.type].name,
                     printable(file.sentence_of(event)));
}

std::string describe_run(const trace_file& file) {
  const trace_run& run = file.run();
  std::string text = fmt::format(
      "run {}: {}\n  program {} (build {})\n  {} x {} processors, world {}{}, balancer {}, seed "
      "{}\n"
      "  on {} ({} cores, {}), started {}, version {}\n",
      run.id, run.command, run.program, run.build.empty() ? "unknown" : run.build, run.nodes,
      run.processors, run.world, run.simulated ? ", network " + run.network : "", run.balancer,
      run.seed, run.host, run.cores, run.system, run.started, run.version);
  text = [&] {
    std::string lines;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = text.find('\n', at);
      lines += printable(std::string_view(text).substr(at, end - at)) + '\n';
      at = end + 1;
    }
    return lines;
  }();
  for (const run_end& each : ends_of(file))
    if (each.sentence) text += fmt::format("  it ended: {}\n", printable(*each.sentence));
  if (file.ends().empty()) text += "  it does not say how the run ended: it was cut off\n";
  if (const std::uint64_t dropped = file.dropped(); dropped != 0)
    text += fmt::format(
        "  {} events were dropped, since the rings were full: --trace-full wait keeps all\n",
        dropped);
  for (const std::string& each : describe_clocks(file)) text += "  clocks: " + each + '\n';
  for (const std::string& each : file.problems()) text += "  damaged: " + printable(each) + '\n';
  return text;
}

}  // namespace terrane
