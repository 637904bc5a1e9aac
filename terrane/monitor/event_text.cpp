// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/event_text.hpp"

#include <fmt/format.h>

#include <iterator>

#include "terrane/base/loaded_memory.hpp"
#include "terrane/core/message.hpp"
#include "terrane/trace/sentence.hpp"

namespace terrane {

static_assert(std::size(message_names) == static_cast<std::size_t>(entry::token) + 1);

std::string name_at(field_kind kind, std::uint64_t address) {
  const auto* const at = reinterpret_cast<const void*>(address);
  if (!is_loaded(at)) return "(not a constant of the program)";
  const auto text = [](const char* its) {
    return is_loaded(its) ? std::string(its) : std::string("(unnamed)");
  };
  if (kind == field_kind::function) return text(static_cast<const terrane_function*>(at)->name);
  if (kind != field_kind::fiber) return text(static_cast<const char*>(at));
  const auto* const fiber = static_cast<const terrane_fiber*>(at);
  const auto* const function = fiber->function;
  return (is_loaded(function) ? text(function->name) : "") + "::" + text(fiber->name);
}

std::string sentence_of(const std::uint64_t* words) {
  const event_description& event = event_table[words[0] & 0xff];
  const auto value = [&](std::uint32_t field) -> std::string {
    const std::uint64_t its = field_of(words, field);
    switch (event.fields[field].kind) {
      case field_kind::number:
      case field_kind::integer:
        return with_unit(static_cast<std::int64_t>(its), event.fields[field].unit);
      case field_kind::node: return node_text(its);
      case field_kind::processor: return std::to_string(its);
      case field_kind::message:
        return its < std::size(message_names) ? message_names[its] : std::to_string(its);
      case field_kind::frame: return fmt::format("{:#x}", its);
      case field_kind::function:
      case field_kind::fiber:
      case field_kind::text: return name_at(event.fields[field].kind, its);
    }
    return "";
  };
  return fill_sentence(event.sentence, [&](std::string_view name) -> std::string {
    for (std::uint32_t i = 0; i < event.field_count; ++i)
      if (name == event.fields[i].name) return value(i);
    return "?";
  });
}

}  // namespace terrane
