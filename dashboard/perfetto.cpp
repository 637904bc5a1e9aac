// SPDX-License-Identifier: Apache-2.0
// perfetto.cpp: a trace for ui.perfetto.dev. A track for each processor and each balancer, under
// one for its node; slices, flows, counters.
//
// Format      Protocol buffers: a sequence of TracePacket, of which this file writes the few fields
//             that it names. A message is written into a string, its length before it.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "dashboard/activity.hpp"
#include "dashboard/converters.hpp"
#include "terrane/trace/format.hpp"

namespace terrane {

namespace {

/// A message in the making.
class proto {
 public:
  proto& number(std::uint32_t field, std::uint64_t value) {
    key(field, 0);
    add_number(bytes, value);
    return *this;
  }
  proto& fixed(std::uint32_t field, std::uint64_t value) {
    key(field, 1);
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(value >> shift);
    return *this;
  }
  proto& text(std::uint32_t field, std::string_view value) {
    key(field, 2);
    add_text(bytes, value);
    return *this;
  }
  proto& message(std::uint32_t field, const proto& inner) { return text(field, inner.bytes); }
  std::string bytes;

 private:
  void key(std::uint32_t field, std::uint32_t wire) {
    add_number(bytes, std::uint64_t{field} << 3 | wire);
  }
};

namespace packet {
enum : std::uint32_t { timestamp = 8, sequence = 10, track_event = 11, flags = 13, track = 60 };
}
namespace track {
enum : std::uint32_t { uuid = 1, name = 2, process = 3, thread = 4, parent = 5, counter = 8 };
}
namespace track_event {
enum : std::uint32_t {
  type = 9,
  track = 11,
  categories = 22,
  name = 23,
  counter_value = 30,
  flow = 47,
  flow_end = 48
};
enum : std::uint64_t { begin = 1, end = 2, instant = 3, counter = 4 };
}  // namespace track_event

std::uint64_t track_of_node(std::uint32_t node) { return 1 + std::uint64_t{node}; }
std::uint64_t track_of_source(std::uint32_t source) { return 0x100000000u + source; }
std::uint64_t counter_of_node(std::uint32_t node) { return 0x200000000u + node; }

class perfetto_writer {
 public:
  explicit perfetto_writer(const text_sink& to) : to_(to) {}

  void declare(const proto& its) {
    proto packet;
    packet.number(packet::sequence, 1).message(packet::track, its);
    add(packet);
  }
  void event(std::int64_t ns, const proto& its) {
    proto packet;
    packet.number(packet::timestamp, static_cast<std::uint64_t>(std::max<std::int64_t>(0, ns)))
        .number(packet::sequence, 1)
        .message(packet::track_event, its);
    add(packet);
  }
  bool good() const { return good_; }

 private:
  void add(const proto& packet) {
    proto whole;
    whole.message(1, packet);
    good_ = good_ && to_(whole.bytes);
  }
  const text_sink& to_;
  bool good_ = true;
};

void declare_tracks(const trace_file& file, perfetto_writer& to) {
  const trace_run& run = file.run();
  for (std::uint32_t node = 0; node < run.nodes; ++node) {
    const std::string name = fmt::format("node {}", node);
    to.declare(proto()
                   .number(track::uuid, track_of_node(node))
                   .text(track::name, name)
                   .message(track::process, proto().number(1, node + 1).text(6, name)));
    to.declare(proto()
                   .number(track::uuid, counter_of_node(node))
                   .text(track::name, "queued tokens")
                   .number(track::parent, track_of_node(node))
                   .message(track::counter, proto()));
  }
  for (std::uint32_t i = 0; i < file.sources().size(); ++i) {
    const trace_source& each = file.sources()[i];
    const bool processor = each.is == trace_source::kind::processor;
    const std::uint64_t id = processor ? each.number : 0x40000000u + each.number;
    to.declare(
        proto()
            .number(track::uuid, track_of_source(i))
            .number(track::parent, track_of_node(each.node))
            .message(track::thread,
                     proto().number(1, each.node + 1).number(2, id + 1).text(5, each.title())));
  }
}

void write_slices(const trace_file& file, const known_events& known, perfetto_writer& to) {
  for (std::uint32_t source = 0; source < file.sources().size(); ++source) {
    const std::uint64_t its_track = track_of_source(source);
    visit_nested(
        slices_of(file, known, source),
        [&](const slice& each) {
          const char* const kind = slice_names[static_cast<std::size_t>(each.kind)];
          to.event(each.begin, proto()
                                   .number(track_event::type, track_event::begin)
                                   .number(track_event::track, its_track)
                                   .text(track_event::categories, kind)
                                   .text(track_event::name, each.name ? each.name->name : kind));
        },
        [&](const slice& each) {
          to.event(each.end, proto()
                                 .number(track_event::type, track_event::end)
                                 .number(track_event::track, its_track));
        });
  }
}

/// Both ends of a flow are instants.
void write_flows(const flows& found, perfetto_writer& to) {
  static constexpr const char* left[] = {"message sent", "token given", "thread leaves"};
  static constexpr const char* came[] = {"message taken", "token arrived", "thread arrives"};
  std::uint64_t number = 0;
  for (const flow& each : found.all) {
    ++number;
    const auto kind = static_cast<std::size_t>(each.kind);
    to.event(each.left, proto()
                            .number(track_event::type, track_event::instant)
                            .number(track_event::track, track_of_source(each.from))
                            .text(track_event::name, left[kind])
                            .fixed(track_event::flow, number));
    to.event(each.arrived, proto()
                               .number(track_event::type, track_event::instant)
                               .number(track_event::track, track_of_source(each.to))
                               .text(track_event::name, came[kind])
                               .fixed(track_event::flow_end, number));
  }
}

void write_others(const trace_file& file, const known_events& known, perfetto_writer& to) {
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);) {
    const std::uint32_t node = file.sources()[event.source].node;
    if (is_of_note(event, known))
      to.event(event.ns, proto()
                             .number(track_event::type, track_event::instant)
                             .number(track_event::track, track_of_source(event.source))
                             .text(track_event::name, file.sentence_of(event)));
    if ((event.type == known.decision || event.type == known.note_sent) && node < file.run().nodes)
      to.event(event.ns, proto()
                             .number(track_event::type, track_event::counter)
                             .number(track_event::track, counter_of_node(node))
                             .number(track_event::counter_value, event.values[4]));
  }
}

}  // namespace

result<void> write_perfetto(const trace_file& file, const text_sink& to) {
  const known_events known(file);
  perfetto_writer writer(to);
  declare_tracks(file, writer);
  write_slices(file, known, writer);
  write_flows(find_flows(file, known), writer);
  write_others(file, known, writer);
  if (writer.good()) return {};
  return could_not_write();
}

}  // namespace terrane
