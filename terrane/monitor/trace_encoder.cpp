// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/trace_encoder.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

#include "terrane/base/loaded_memory.hpp"
#include "terrane/trace/format.hpp"

namespace terrane {

namespace {

const char* text_or_empty(const char* text) { return text && is_loaded(text) ? text : ""; }

void add_sort(name_sort sort, std::string& to) { to += static_cast<char>(sort); }

/// What a list of names says of the object at that address; see docs/trace-format.md.
void describe(field_kind kind, std::uint64_t address, std::string& to) {
  const auto* const at = reinterpret_cast<const void*>(address);
  if (kind == field_kind::function && is_loaded(at)) {
    const auto* const its = static_cast<const terrane_function*>(at);
    add_sort(name_sort::function, to);
    add_text(to, text_or_empty(its->name));
    add_text(to, text_or_empty(its->file));
    return add_number(to, its->line);
  }
  if (kind == field_kind::fiber && is_loaded(at)) {
    const auto* const its = static_cast<const terrane_fiber*>(at);
    add_sort(name_sort::fiber, to);
    add_text(to, is_loaded(its->function) ? text_or_empty(its->function->name) : "");
    add_text(to, text_or_empty(its->name));
    add_text(to, text_or_empty(its->file));
    return add_number(to, its->line);
  }
  add_sort(name_sort::text, to);
  add_text(to, name_at(field_kind::text, address));
}

}  // namespace

std::uint64_t trace_encoder::number_of(field_kind kind, std::uint64_t address) {
  if (address == last_address_ && last_number_ != 0) return last_number_;
  const auto [known, is_new] = numbers_.try_emplace(address, numbers_.size() + 1);
  if (is_new) {
    add_number(names_, known->second);
    describe(kind, address, names_);
  }
  last_address_ = address;
  return last_number_ = known->second;
}

std::uint64_t trace_encoder::take(event_ring& from, std::uint32_t source, std::string& to) {
  state& its = states_[source];
  std::uint64_t at = from.read.load(memory_order_relaxed);
  const std::uint64_t begin = at, end = from.written.load(memory_order_acquire);
  if (at == end) {
    add_dropped(from, source, its, to);
    return 0;
  }
  bytes_.clear();
  std::uint64_t frame = 0;
  bool begun = false;
  std::array<std::uint64_t, event_fields_max> words;
  while (at != end) {
    words[0] = from.at(at);
    const std::uint32_t count = words_of(words[0]);
    for (std::uint32_t i = 1; i < count; ++i) words[i] = from.at(at + i);
    at += count;
    const event_id id = id_of(words[0]);
    if (id == event_id::stamp) {
      const std::uint64_t ticks = words[0] >> 8;
      if (begun) {
        bytes_ += '\0';
        add_number(bytes_, folded(static_cast<std::int64_t>(ticks - its.ticks)));
      }
      its.ticks = ticks;
      continue;
    }
    if (!begun) add_number(bytes_, its.ticks);
    begun = true;
    bytes_ += static_cast<char>(id);
    const event_description& event = about(id);
    for (std::uint32_t i = 0; i < event.field_count; ++i) {
      const std::uint64_t value = field_of(words.data(), i);
      switch (event.fields[i].kind) {
        case field_kind::number:
        case field_kind::node:
        case field_kind::processor:
        case field_kind::message: add_number(bytes_, value); break;
        case field_kind::integer:
          add_number(bytes_, folded(static_cast<std::int64_t>(value)));
          break;
        case field_kind::frame:
          add_number(bytes_, folded(static_cast<std::int64_t>(value - frame)));
          frame = value;
          break;
        case field_kind::function:
        case field_kind::fiber:
        case field_kind::text: add_number(bytes_, number_of(event.fields[i].kind, value)); break;
      }
    }
  }
  from.read.store(at, memory_order_release);
  if (!names_.empty()) to += make_chunk(chunk_kind::names, process_, 0, names_);
  names_.clear();
  if (begun) to += make_chunk(chunk_kind::events, process_, source, bytes_);
  add_dropped(from, source, its, to);
  return at - begin;
}

void trace_encoder::add_dropped(const event_ring& from, std::uint32_t source, state& its,
                                std::string& to) const {
  std::uint64_t all = 0;
  std::string counts;
  for (const auto& each : from.dropped) {
    const std::uint64_t count = each.load(memory_order_relaxed);
    all += count;
    add_number(counts, count);
  }
  if (all == its.dropped) return;
  its.dropped = all;
  to += make_chunk(chunk_kind::dropped, process_, source, counts);
}

void trace_encoder::add_clock(std::uint64_t ticks, std::uint64_t monotonic_ns, std::uint64_t run_ns,
                              std::string& to) const {
  const std::uint64_t fields[] = {ticks, monotonic_ns, run_ns};
  to += make_chunk(chunk_kind::clock, process_, 0,
                   {reinterpret_cast<const char*>(fields), sizeof fields});
}

// --- the tables ---

namespace {

static_assert(static_cast<std::size_t>(field_kind::text) + 1 == std::size(field_kind_names));
static_assert(field_kind::number == field_kind{0} && field_kind::integer == field_kind{1} &&
              field_kind::node == field_kind{2} && field_kind::processor == field_kind{3} &&
              field_kind::message == field_kind{4} && field_kind::frame == field_kind{5} &&
              field_kind::function == field_kind{6} && field_kind::fiber == field_kind{7});

}  // namespace

std::string classes_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& each : event_classes)
    list.push_back({{"name", each.name}, {"about", each.about}});
  return list.dump();
}

std::string events_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const event_description& each : event_table) {
    nlohmann::ordered_json fields = nlohmann::ordered_json::array();
    for (std::uint32_t i = 0; i < each.field_count; ++i)
      fields.push_back({{"name", each.fields[i].name},
                        {"kind", field_kind_names[static_cast<std::size_t>(each.fields[i].kind)]},
                        {"unit", each.fields[i].unit}});
    list.push_back({{"name", each.name},
                    {"class", static_cast<unsigned>(each.of)},
                    {"sentence", each.sentence},
                    {"fields", std::move(fields)}});
  }
  return list.dump();
}

std::string messages_json() { return nlohmann::json(message_names).dump(); }

}  // namespace terrane
