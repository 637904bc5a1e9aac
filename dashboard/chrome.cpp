// SPDX-License-Identifier: Apache-2.0
// chrome.cpp: the JSON of chrome://tracing. A process for each node, a thread for each processor,
// complete events for slices, a pair of events for each flow.
#include <fmt/format.h>

#include <string>

#include "dashboard/activity.hpp"
#include "dashboard/converters.hpp"

namespace terrane {

namespace {

constexpr std::uint64_t bytes_most = 200u << 20;  // its viewers fail on larger files

class chrome_writer {
 public:
  explicit chrome_writer(const text_sink& to) : to_(to) {}

  /// event: what stands in the braces.
  bool add(const std::string& event) {
    const std::string text = (bytes_ == 0 ? "{\"traceEvents\":[\n{" : ",\n{") + event + '}';
    bytes_ += text.size();
    return bytes_ <= bytes_most && to_(text);
  }
  bool finish() { return to_(bytes_ == 0 ? "{\"traceEvents\":[]}\n" : "\n]}\n"); }
  bool is_too_large() const { return bytes_ > bytes_most; }

 private:
  const text_sink& to_;
  std::uint64_t bytes_ = 0;
};

std::string place_of(const trace_source& source) {
  const bool processor = source.is == trace_source::kind::processor;
  return fmt::format("\"pid\":{},\"tid\":{}", source.node,
                     processor ? source.number : 0x40000000u + source.number);
}

bool write_names(const trace_file& file, chrome_writer& to) {
  for (std::uint32_t node = 0; node < file.run().nodes; ++node)
    if (!to.add(fmt::format("\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{},"
                            "\"args\":{{\"name\":\"node {}\"}}",
                            node, node)))
      return false;
  for (const trace_source& each : file.sources())
    if (!to.add(fmt::format("\"ph\":\"M\",\"name\":\"thread_name\",{},\"args\":{{\"name\":{}}}",
                            place_of(each), json_text(each.title()))))
      return false;
  return true;
}

bool write_slices(const trace_file& file, const known_events& known, chrome_writer& to) {
  bool good = true;
  for (std::uint32_t source = 0; source < file.sources().size(); ++source) {
    const std::string place = place_of(file.sources()[source]);
    slice_finder(file, known, source).visit([&](const slice& each) {
      const char* const kind = slice_names[static_cast<std::size_t>(each.kind)];
      good = good && to.add(fmt::format(
                         "\"ph\":\"X\",\"cat\":\"{}\",\"name\":{},{},\"ts\":{:.3f},\"dur\":{:.3f}",
                         kind, json_text(each.name ? each.name->name : kind), place,
                         1e-3 * static_cast<double>(each.begin),
                         1e-3 * static_cast<double>(each.end - each.begin)));
    });
  }
  return good;
}

bool write_flows(const trace_file& file, const flows& found, chrome_writer& to) {
  static constexpr const char* kinds[] = {"message", "token", "move"};
  std::uint64_t number = 0;
  for (const flow& each : found.all) {
    const char* const kind = kinds[static_cast<std::size_t>(each.kind)];
    ++number;
    const auto end = [&](const char* mark, std::uint32_t source, std::int64_t at) {
      return to.add(fmt::format(
          "\"ph\":{},\"cat\":\"{}\",\"name\":\"{}\",\"id\":{},{},\"ts\":{:.3f}", mark, kind, kind,
          number, place_of(file.sources()[source]), 1e-3 * static_cast<double>(at)));
    };
    if (!end("\"s\"", each.from, each.left) || !end("\"f\",\"bp\":\"e\"", each.to, each.arrived))
      return false;
  }
  return true;
}

bool write_instants(const trace_file& file, const known_events& known, chrome_writer& to) {
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);) {
    if (is_of_note(event, known) &&
        !to.add(fmt::format("\"ph\":\"i\",\"s\":\"t\",\"name\":{},{},\"ts\":{:.3f}",
                            json_text(file.sentence_of(event)),
                            place_of(file.sources()[event.source]),
                            1e-3 * static_cast<double>(event.ns))))
      return false;
  }
  return true;
}

}  // namespace

result<void> write_chrome(const trace_file& file, const text_sink& to) {
  const known_events known(file);
  chrome_writer writer(to);
  const bool good = write_names(file, writer) && write_slices(file, known, writer) &&
                    write_flows(file, find_flows(file, known), writer) &&
                    write_instants(file, known, writer) && writer.finish();
  if (good) return {};
  if (writer.is_too_large())
    return error{
        "this trace would be more than 200 MB of JSON, which viewers fail to open: use --to "
        "perfetto"};
  return could_not_write();
}

}  // namespace terrane
