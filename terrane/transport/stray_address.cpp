// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/stray_address.hpp"

#include <cstdio>
#include <cstring>

#include "terrane/core/entries.hpp"
#include "terrane/core/requests.hpp"

namespace terrane {

namespace {

// Systems place programs, heaps, libraries and stacks above `lowest`. Below it lie the sanitizers'
// tables, and pairs of small numbers and short texts would often look like addresses there.
constexpr std::uint64_t lowest = 0x5000'0000'0000u, end = std::uint64_t{1} << 47;

/// True if the word may be a slot reference. Generations start at 1, so smaller words are none.
bool may_name_a_slot(std::uint64_t word, std::uint32_t processors) {
  return word >= TERRANE_GENERATION_STEP && processor_of(word) < processors;
}

std::string with_name(const char* what, std::uint64_t function) {
  const terrane_function* known = function_at(function);
  return std::string(what) + " " + (known ? known->name : "a function");
}

/// The contents of a message in the words of the program.
std::string name_of(entry kind, bytes_view head) {
  switch (kind) {
    case entry::token:
      return with_name("the arguments of", static_cast<const token_request*>(head.data)->entry);
    case entry::invoke:
    case entry::call:
      return with_name("the arguments of", static_cast<const function_entry*>(head.data)->entry);
    case entry::operate:
      return with_name("what is asked of a", static_cast<const operate_request*>(head.data)->kind);
    default: return "the data of a split-phase operation";
  }
}

}  // namespace

std::optional<std::size_t> find_address(mapped_memory& of, bytes_view data,
                                        std::uint32_t processors) {
  bool after_slot = false;
  for (std::size_t at = 0; at + 8 <= data.size; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, static_cast<const char*>(data.data) + at, sizeof word);
    if (!after_slot && word >= lowest && word < end &&
        of.holds_alone(reinterpret_cast<const void*>(word)))
      return at;
    after_slot = may_name_a_slot(word, processors);
  }
  return std::nullopt;
}

void stray_address_watch::look_through(mapped_memory& mine, processor_id to, entry kind,
                                       bytes_view head, bytes_view body) {
  for (const bytes_view part : {head, body})
    if (const auto at = find_address(mine, part, processors_))
      return say(name_of(kind, head), ", on its way to processor " + std::to_string(to), part, *at);
}

void stray_address_watch::look_through(mapped_memory& theirs, node_id from,
                                       const terrane_function& function, bytes_view arguments) {
  if (const auto at = find_address(theirs, arguments, processors_))
    say(std::string("the arguments of ") + function.name,
        ", taken from node " + std::to_string(from), arguments, *at);
}

void stray_address_watch::say(const std::string& what, const std::string& whither, bytes_view data,
                              std::size_t at) {
  if (!said_.insert(what).second) return;
  std::uint64_t word;
  std::memcpy(&word, static_cast<const char*>(data.data) + at, sizeof word);
  std::fprintf(stderr,
               "terrane: warning: %s%s, hold 0x%llx, which looks like an address of the process it "
               "comes from: on another node it names nothing; send a place made by TO_GLOBAL\n",
               what.c_str(), whither.c_str(), static_cast<unsigned long long>(word));
}

}  // namespace terrane
