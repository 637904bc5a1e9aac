// SPDX-License-Identifier: Apache-2.0
// otf2.cpp: a trace as an archive of the Open Trace Format 2, for Vampir, Scalasca and TAU. Only
// where its library was found when this was built.
//
// Locations   One for each processor and each balancer, in a group for each node. A thread that
//             moved is in pieces, each where it ran: regions of a location must nest.
// Messages    The format has none of its own for tokens and threads. They are written as messages
//             of one communicator, whose ranks are the locations; the tag says what they are. A
//             reader matches those of two ranks and one tag by their order. Threads may overtake
//             one another, so each of their moves has a tag of its own.
#include "dashboard/converters.hpp"

#ifdef TERRANE_HAVE_OTF2

#include <fmt/format.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dashboard/activity.hpp"

namespace terrane {

namespace {

constexpr std::uint64_t events_chunk = 1 << 20, definitions_chunk = 4 << 20;  // bytes
constexpr OTF2_MetricMemberRef queued_tokens = 0;
constexpr OTF2_CommRef all_locations = 0;

/// What the library says of its own errors, the first of them.
struct otf2_complaint {
  otf2_complaint() { before_ = OTF2_Error_RegisterCallback(take, this); }
  ~otf2_complaint() { OTF2_Error_RegisterCallback(before_, nullptr); }
  otf2_complaint(const otf2_complaint&) = delete;
  otf2_complaint& operator=(const otf2_complaint&) = delete;

  static OTF2_ErrorCode take(void* its, const char*, std::uint64_t, const char*,
                             OTF2_ErrorCode code, const char* format, va_list values) {
    char text[300];
    std::vsnprintf(text, sizeof text, format, values);
    std::string& first = static_cast<otf2_complaint*>(its)->first;
    if (first.empty() && code != OTF2_SUCCESS)
      first = fmt::format("{}: {}", OTF2_Error_GetDescription(code), text);
    return code;
  }
  std::string first;

 private:
  OTF2_ErrorCallback before_;
};

/// The strings, regions and other definitions of an archive, each under its number.
class otf2_definitions {
 public:
  explicit otf2_definitions(OTF2_GlobalDefWriter* to) : to_(to) {}

  OTF2_StringRef text(const std::string& its) {
    const auto [at, is_new] = texts_.emplace(its, static_cast<OTF2_StringRef>(texts_.size()));
    if (is_new) OTF2_GlobalDefWriter_WriteString(to_, at->second, its.c_str());
    return at->second;
  }

  OTF2_RegionRef region(const slice& its) {
    const char* const kind = slice_names[static_cast<std::size_t>(its.kind)];
    const trace_name* const name = its.name;
    const std::string file = name ? name->file : "";
    const std::uint32_t line = name ? name->line : 0;
    const auto key = std::make_tuple(its.kind, name ? name->name : kind, file, line);
    const auto [at, is_new] = regions_.emplace(key, static_cast<OTF2_RegionRef>(regions_.size()));
    if (is_new) {
      const OTF2_StringRef called = text(std::get<1>(key));
      OTF2_GlobalDefWriter_WriteRegion(
          to_, at->second, called, called, text(kind),
          name ? OTF2_REGION_ROLE_FUNCTION : OTF2_REGION_ROLE_ARTIFICIAL,
          name ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MEASUREMENT_SYSTEM, OTF2_REGION_FLAG_NONE,
          text(file), line, line);
    }
    return at->second;
  }

  void machine(const trace_file& file) {
    const trace_run& run = file.run();
    OTF2_GlobalDefWriter_WriteSystemTreeNode(to_, 0, text(run.host), text("machine"),
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (std::uint32_t node = 0; node < run.nodes; ++node)
      OTF2_GlobalDefWriter_WriteLocationGroup(to_, node, text(fmt::format("node {}", node)),
                                              OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                              OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteMetricMember(to_, queued_tokens, text("queued tokens"),
                                           text("of the node, as its balancer sees them"),
                                           OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT,
                                           OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, text("tokens"));
    OTF2_GlobalDefWriter_WriteMetricClass(to_, 0, 1, &queued_tokens, OTF2_METRIC_SYNCHRONOUS,
                                          OTF2_RECORDER_KIND_ABSTRACT);
  }

  /// Call it when all locations are defined.
  void communicator(const trace_file& file) {
    std::vector<std::uint64_t> ranks(file.sources().size());
    for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = i;
    const auto count = static_cast<std::uint32_t>(ranks.size());
    OTF2_GlobalDefWriter_WriteGroup(to_, 0, text("locations"), OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, ranks.data());
    OTF2_GlobalDefWriter_WriteGroup(to_, 1, text("ranks"), OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, ranks.data());
    OTF2_GlobalDefWriter_WriteComm(to_, all_locations,
                                   text("tag 0: messages, 1: tokens, above: threads that move"), 1,
                                   OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  }

  void location(const trace_file& file, std::uint32_t source, std::uint64_t events) {
    const trace_source& its = file.sources()[source];
    OTF2_GlobalDefWriter_WriteLocation(to_, source, text(its.title()),
                                       OTF2_LOCATION_TYPE_CPU_THREAD, events,
                                       std::min(its.node, std::max(1u, file.run().nodes) - 1));
  }

  void clock(std::uint64_t length_ns) {
    OTF2_GlobalDefWriter_WriteClockProperties(to_, 1'000'000'000, 0, length_ns,
                                              OTF2_UNDEFINED_TIMESTAMP);
  }

 private:
  OTF2_GlobalDefWriter* const to_;
  std::map<std::string, OTF2_StringRef> texts_;
  std::map<std::tuple<slice_kind, std::string, std::string, std::uint32_t>, OTF2_RegionRef>
      regions_;
};

/// What a location does at one moment.
struct otf2_event {
  enum class kind : std::uint8_t { enter, leave, send, receive, load };
  std::int64_t ns;
  kind is;
  std::uint32_t which;  // region, or rank of the partner
  std::uint32_t tag = 0;
  std::int64_t value = 0;  // bytes, or tokens
};

/// The events of each location, without those of its regions.
std::vector<std::vector<otf2_event>> find_points(const trace_file& file,
                                                 const known_events& known) {
  std::vector<std::vector<otf2_event>> found(file.sources().size());
  constexpr std::uint32_t first_move = 2;
  std::uint32_t moves = 0;
  for (const flow& each : find_flows(file, known).all) {
    const std::uint32_t tag = each.kind == flow_kind::message ? 0
                              : each.kind == flow_kind::token ? 1
                                                              : first_move + moves++;
    const auto bytes = static_cast<std::int64_t>(each.bytes);
    found[each.from].push_back({each.left, otf2_event::kind::send, each.to, tag, bytes});
    found[each.to].push_back({each.arrived, otf2_event::kind::receive, each.from, tag, bytes});
  }
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);)
    if (event.type == known.decision || event.type == known.note_sent)
      found[event.source].push_back(
          {event.ns, otf2_event::kind::load, 0, 0, std::max<std::int64_t>(0, event.integer(4))});
  return found;
}

void put(OTF2_EvtWriter* to, const otf2_event& each, std::uint64_t ns) {
  switch (each.is) {
    case otf2_event::kind::enter: OTF2_EvtWriter_Enter(to, nullptr, ns, each.which); return;
    case otf2_event::kind::leave: OTF2_EvtWriter_Leave(to, nullptr, ns, each.which); return;
    case otf2_event::kind::send:
      OTF2_EvtWriter_MpiSend(to, nullptr, ns, each.which, all_locations, each.tag,
                             static_cast<std::uint64_t>(each.value));
      return;
    case otf2_event::kind::receive:
      OTF2_EvtWriter_MpiRecv(to, nullptr, ns, each.which, all_locations, each.tag,
                             static_cast<std::uint64_t>(each.value));
      return;
    case otf2_event::kind::load:
      const OTF2_Type type = OTF2_TYPE_INT64;
      OTF2_MetricValue value;
      value.signed_int = each.value;
      OTF2_EvtWriter_Metric(to, nullptr, ns, 0, 1, &type, &value);
      return;
  }
}

/// Writes the events of one location; returns when the last was.
std::uint64_t write_location(OTF2_EvtWriter* to, const trace_file& file, const known_events& known,
                             std::uint32_t source, std::vector<otf2_event> all,
                             otf2_definitions& defined) {
  visit_nested(
      slices_of(file, known, source),
      [&](const slice& each) {
        all.push_back({each.begin, otf2_event::kind::enter, defined.region(each)});
      },
      [&](const slice& each) {
        all.push_back({each.end, otf2_event::kind::leave, defined.region(each)});
      });
  // At one moment they stay in the order in which they were found.
  std::vector<std::pair<std::int64_t, std::size_t>> order;
  order.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) order.emplace_back(all[i].ns, i);
  std::sort(order.begin(), order.end());
  std::uint64_t last = 0;
  for (const auto& [ns, which] : order) {
    last = static_cast<std::uint64_t>(std::max<std::int64_t>(0, ns));
    put(to, all[which], last);
  }
  return last;
}

void write_archive(OTF2_Archive* archive, const trace_file& file) {
  static constexpr OTF2_FlushCallbacks flush = {[](void*, OTF2_FileType, OTF2_LocationRef, void*,
                                                   bool) -> OTF2_FlushType { return OTF2_FLUSH; },
                                                nullptr};
  OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_SetCreator(archive, fmt::format("Terrane {}", file.run().version).c_str());
  OTF2_Archive_SetDescription(archive, describe_run(file).c_str());
  const known_events known(file);
  auto points = find_points(file, known);
  const auto sources = static_cast<std::uint32_t>(file.sources().size());
  otf2_definitions defined(OTF2_Archive_GetGlobalDefWriter(archive));
  defined.machine(file);
  std::uint64_t last = 0;
  OTF2_Archive_OpenEvtFiles(archive);
  for (std::uint32_t source = 0; source < sources; ++source) {
    OTF2_EvtWriter* const to = OTF2_Archive_GetEvtWriter(archive, source);
    if (!to) return;
    last =
        std::max(last, write_location(to, file, known, source, std::move(points[source]), defined));
    std::uint64_t events = 0;
    OTF2_EvtWriter_GetNumberOfEvents(to, &events);
    defined.location(file, source, events);
    OTF2_Archive_CloseEvtWriter(archive, to);
  }
  OTF2_Archive_CloseEvtFiles(archive);
  // Readers look for definitions of each location's own; there are none.
  OTF2_Archive_OpenDefFiles(archive);
  for (std::uint32_t source = 0; source < sources; ++source)
    OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, source));
  OTF2_Archive_CloseDefFiles(archive);
  defined.communicator(file);
  defined.clock(last);
}

}  // namespace

result<void> write_otf2(const trace_file& file, const std::string& path) {
  const auto cannot = [&](const std::string& why) {
    return error{fmt::format("cannot write {}: {}", path, why)};
  };
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored))
    return cannot("it is there already; remove it, or choose another folder with -o");
  otf2_complaint complaint;
  OTF2_Archive* const archive =
      OTF2_Archive_Open(path.c_str(), "traces", OTF2_FILEMODE_WRITE, events_chunk,
                        definitions_chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (archive) {
    write_archive(archive, file);
    OTF2_Archive_Close(archive);
  }
  if (complaint.first.empty()) return {};
  std::filesystem::remove_all(path, ignored);
  return cannot(complaint.first);
}

}  // namespace terrane

#else

namespace terrane {

result<void> write_otf2(const trace_file&, const std::string&) {
  return error{
      "this terrane was built where OTF2 was not found: install it (on Debian: apt-get install "
      "libopen-trace-format2-dev) and build again"};
}

}  // namespace terrane

#endif
