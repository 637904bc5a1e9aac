// SPDX-License-Identifier: Apache-2.0
#include "terrane/trace/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "terrane/trace/format.hpp"
#include "terrane/trace/sentence.hpp"

namespace terrane {

namespace {

using json = nlohmann::json;

constexpr std::size_t head_bytes_max = 1 << 20;
constexpr std::size_t problems_max = 100;
constexpr std::size_t sources_max = 100'000;

std::string text_at(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}
std::uint64_t number_at(const json& object, const char* name, std::uint64_t most) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_unsigned()) return 0;
  return std::min(found->get<std::uint64_t>(), most);
}
const json& list_at(const json& object, const char* name) {
  static const json none = json::array();
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? *found : none;
}

bool kind_named(std::string_view name, trace_field::kind& kind) {
  const auto* const end = std::end(field_kind_names);
  const auto* const found = std::find(std::begin(field_kind_names), end, name);
  kind = static_cast<trace_field::kind>(found - std::begin(field_kind_names));
  return found != end;
}

result<std::vector<trace_event_type>> read_types(const json& list) {
  std::vector<trace_event_type> types;
  for (const json& each : list) {
    if (!each.is_object() || types.size() == 256) return error{"its table of events is damaged"};
    trace_event_type type{text_at(each, "name"),
                          text_at(each, "sentence"),
                          static_cast<std::uint32_t>(number_at(each, "class", 31)),
                          {}};
    for (const json& field : list_at(each, "fields")) {
      trace_field::kind kind;
      if (!field.is_object() || !kind_named(text_at(field, "kind"), kind) ||
          type.fields.size() == trace_fields_max)
        return error{"it has events whose fields this version does not know"};
      type.fields.push_back({kind, text_at(field, "name"), text_at(field, "unit")});
    }
    types.push_back(std::move(type));
  }
  if (types.empty()) return error{"it has no table of events"};
  return types;
}

}  // namespace

std::string trace_source::title() const {
  if (is == kind::processor) return fmt::format("processor {}", number);
  return fmt::format("{} of node {}", is == kind::policy ? "balancer" : "process", number);
}

std::uint64_t trace_source::all_dropped() const {
  return std::accumulate(dropped.begin(), dropped.end(), std::uint64_t{0});
}

result<std::unique_ptr<trace_file>> trace_file::open(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (!file) return error{fmt::format("cannot read the trace {}: {}", path, std::strerror(errno))};
  std::string bytes, block(std::size_t{1} << 20, '\0');
  for (std::size_t got; (got = std::fread(block.data(), 1, block.size(), file)) != 0;)
    bytes.append(block, 0, got);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) return error{fmt::format("cannot read the trace {} to its end", path)};
  auto made = read(std::move(bytes));
  if (!made) return error{fmt::format("{} cannot be read as a trace: {}", path, made.problem())};
  return made;
}

result<std::unique_ptr<trace_file>> trace_file::read(std::string bytes) {
  std::unique_ptr<trace_file> made(new trace_file(std::move(bytes)));
  if (auto scanned = made->scan(); !scanned) return error{scanned.problem()};
  return made;
}

void trace_file::complain(std::string sentence) {
  if (problems_.size() < problems_max) problems_.push_back(std::move(sentence));
}

/// Finds the chunks. Bytes that belong to none are passed over, up to the next mark.
result<void> trace_file::scan() {
  const std::string_view all = bytes_;
  if (!all.starts_with(trace_magic)) return error{"it does not begin as one"};
  const std::string_view mark{reinterpret_cast<const char*>(&chunk_mark), sizeof chunk_mark};
  std::size_t at = trace_magic.size(), damaged_from = std::string_view::npos;
  const auto skipped = [&](std::size_t to) {
    if (damaged_from == std::string_view::npos) return;
    complain(fmt::format("{} bytes from byte {} on are damaged and were left out",
                         to - damaged_from, damaged_from));
    damaged_from = std::string_view::npos;
  };
  bool has_head = false;
  while (at + sizeof(chunk_head) <= all.size()) {
    chunk_head head;
    std::memcpy(&head, all.data() + at, sizeof head);
    const bool whole = head.mark == chunk_mark && head.own_sum == own_sum_of(head) &&
                       head.bytes <= all.size() - at - sizeof head;
    const std::string_view content =
        whole ? all.substr(at + sizeof head, head.bytes) : std::string_view();
    if (!whole || check_sum(content) != head.sum) {
      if (damaged_from == std::string_view::npos) damaged_from = at;
      // A chunk that is whole but for its contents is passed over as one.
      at = whole ? at + sizeof head + head.bytes : std::min(all.find(mark, at + 1), all.size());
      continue;
    }
    skipped(at);
    at += sizeof head + head.bytes;
    const auto kind = static_cast<chunk_kind>(head.kind);
    if (kind == chunk_kind::head) {
      if (has_head) continue;
      if (auto read = read_head(content); !read) return read;
      has_head = true;
      continue;
    }
    if (!has_head) return error{"its head is damaged or missing"};
    if (kind == chunk_kind::names) read_names(head.process, content);
    if (kind == chunk_kind::clock) read_clock(head.process, content);
    if (kind == chunk_kind::exchange) read_exchange(head.process, content);
    if (kind == chunk_kind::end) ends_.emplace_back(content);
    if (kind != chunk_kind::events && kind != chunk_kind::dropped) continue;
    if (sources_.size() >= sources_max && !source_numbers_.contains({head.process, head.source}))
      continue;
    const std::uint32_t source = source_at(head.process, head.source);
    if (kind == chunk_kind::events)
      chunks_[source].push_back(content);
    else
      read_dropped(source, content);
  }
  if (at != all.size() && damaged_from == std::string_view::npos) damaged_from = at;
  skipped(all.size());
  if (!has_head) return error{"its head is damaged or missing"};
  align_clocks();
  return {};
}

result<void> trace_file::read_head(std::string_view text) {
  if (text.size() > head_bytes_max) return error{"its head is too large"};
  const json head = json::parse(text, nullptr, false);
  if (!head.is_object()) return error{"its head is damaged"};
  run_ = {.id = text_at(head, "id"),
          .program = text_at(head, "program"),
          .build = text_at(head, "build"),
          .command = text_at(head, "command"),
          .options = text_at(head, "options"),
          .host = text_at(head, "host"),
          .system = text_at(head, "system"),
          .version = text_at(head, "version"),
          .world = text_at(head, "world"),
          .network = text_at(head, "network"),
          .balancer = text_at(head, "balancer"),
          .started = text_at(head, "started"),
          .seed = number_at(head, "seed", ~std::uint64_t{0})};
  run_.nodes =
      std::max<std::uint32_t>(1, static_cast<std::uint32_t>(number_at(head, "nodes", sources_max)));
  run_.processors = std::max<std::uint32_t>(
      1, static_cast<std::uint32_t>(number_at(head, "processors", sources_max)));
  run_.cores = static_cast<std::uint32_t>(number_at(head, "cores", 1'000'000));
  const auto simulated = head.find("simulated");
  run_.simulated = simulated != head.end() && simulated->is_boolean() && simulated->get<bool>();
  for (const json& each : list_at(head, "classes"))
    if (classes_.size() < 32) classes_.push_back(text_at(each, "name"));
  for (const json& each : list_at(head, "messages"))
    if (each.is_string()) messages_.push_back(each.get<std::string>());
  auto types = read_types(list_at(head, "events"));
  if (!types) return error{types.problem()};
  types_ = std::move(types).value();
  classes_.resize(32);
  return {};
}

void trace_file::read_names(std::uint32_t process, std::string_view bytes) {
  auto& names = names_[process];
  byte_reader from{bytes};
  while (!from.at_end()) {
    const std::uint64_t number = from.number();
    const auto sort = static_cast<name_sort>(from.byte());
    trace_name name;
    if (sort == name_sort::fiber) name.function = from.text();
    name.name = from.text();
    if (sort == name_sort::fiber) name.name = name.function + "::" + name.name;
    if (sort == name_sort::function || sort == name_sort::fiber) {
      name.file = from.text();
      name.line = static_cast<std::uint32_t>(from.number());
    }
    if (!from.good) return complain("a list of names is damaged");
    names[number] = std::move(name);
  }
}

void trace_file::read_clock(std::uint32_t process, std::string_view bytes) {
  constexpr std::uint64_t most = std::uint64_t{1} << 61;  // so that no sum overflows
  std::uint64_t fields[3];
  if (bytes.size() != sizeof fields) return complain("a reading of the clocks is damaged");
  std::memcpy(fields, bytes.data(), sizeof fields);
  auto& points = clocks_[process];
  const clock_point point{fields[0], static_cast<std::int64_t>(std::min(fields[1], most))};
  if (!points.empty() && (point.ticks <= points.back().ticks || point.ns < points.back().ns))
    return;
  points.push_back(point);
  if (process > began_by_) return;  // clocks of hosts differ: the first process says it
  began_by_ = process;
  began_ = point.ns - static_cast<std::int64_t>(std::min(fields[2], most));
}

void trace_file::read_dropped(std::uint32_t source, std::string_view bytes) {
  byte_reader from{bytes};
  std::vector<std::uint64_t> counts;
  while (!from.at_end() && counts.size() < 32) counts.push_back(from.number());
  if (!from.good) return complain("a count of dropped events is damaged");
  sources_[source].dropped = std::move(counts);
}

std::uint32_t trace_file::source_at(std::uint32_t process, std::uint32_t number) {
  const auto [known, is_new] =
      source_numbers_.try_emplace({process, number}, static_cast<std::uint32_t>(sources_.size()));
  if (!is_new) return known->second;
  trace_source made;
  made.process = process;
  made.number = number & ~source_of_process;
  made.is = number >= source_of_process  ? trace_source::kind::process
            : number >= source_of_policy ? trace_source::kind::policy
                                         : trace_source::kind::processor;
  made.node =
      made.is == trace_source::kind::processor ? made.number / run_.processors : made.number;
  sources_.push_back(std::move(made));
  chunks_.emplace_back();
  return known->second;
}

std::uint64_t trace_file::dropped() const {
  std::uint64_t all = 0;
  for (const trace_source& each : sources_) all += each.all_dropped();
  return all;
}

std::uint32_t trace_file::type_of(std::string_view name) const {
  for (std::uint32_t type = 1; type < types_.size(); ++type)
    if (types_[type].name == name) return type;
  return 0;
}

/// Ticks become time between the two readings of the clocks around them; beyond the last one, at
/// the rate before it.
std::int64_t trace_file::time_of(std::uint32_t process, std::uint64_t ticks,
                                 std::size_t& segment) const {
  if (run_.simulated) return static_cast<std::int64_t>(std::min(ticks, std::uint64_t{1} << 61));
  const auto found = clocks_.find(process);
  if (found == clocks_.end() || found->second.empty()) return 0;
  const auto& points = found->second;
  if (points.size() == 1) return launcher_time(process, points[0].ns) - began_;
  while (segment + 2 < points.size() && ticks >= points[segment + 1].ticks) ++segment;
  while (segment > 0 && ticks < points[segment].ticks) --segment;
  const clock_point &low = points[segment], &high = points[segment + 1];
  const double rate =
      static_cast<double>(high.ns - low.ns) / static_cast<double>(high.ticks - low.ticks);
  const double past = (static_cast<double>(ticks) - static_cast<double>(low.ticks)) * rate;
  constexpr double most = 1e18;
  return launcher_time(process, low.ns + static_cast<std::int64_t>(std::clamp(past, -most, most))) -
         began_;
}

// --- texts ---

const trace_name& trace_file::name_of(const trace_event& event, std::uint64_t value) const {
  static const trace_name unknown{"(unknown)", "", "", 0};
  const auto names = names_.find(sources_[event.source].process);
  if (names == names_.end()) return unknown;
  const auto found = names->second.find(value);
  return found == names->second.end() ? unknown : found->second;
}

std::string trace_file::text_of(const trace_event& event, std::size_t field) const {
  using kind = trace_field::kind;
  const trace_field& about = types_[event.type].fields[field];
  const std::uint64_t value = event.values[field];
  switch (about.is) {
    case kind::number:
    case kind::integer: return with_unit(static_cast<std::int64_t>(value), about.unit);
    case kind::node: return node_text(value);
    case kind::processor: return std::to_string(value);
    case kind::message:
      return value < messages_.size() ? messages_[value] : fmt::format("message {}", value);
    case kind::frame: return fmt::format("{:#x}", value);
    case kind::function:
    case kind::fiber:
    case kind::text: return name_of(event, value).name;
  }
  return "";
}

std::string trace_file::sentence_of(const trace_event& event) const {
  const trace_event_type& type = types_[event.type];
  return fill_sentence(type.sentence, [&](std::string_view field) -> std::string {
    for (std::size_t i = 0; i < type.fields.size(); ++i)
      if (type.fields[i].name == field) return text_of(event, i);
    return "?";
  });
}

}  // namespace terrane
