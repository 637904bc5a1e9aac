// SPDX-License-Identifier: Apache-2.0
// states_of_pages.hpp: the states of one copy of a remote page (a block of lent data that is not
// here), as a table that real events are checked against: Figure 8 of the paper.
//
// Purpose     The times of the figure are arcs: process bus error (asked), page request flight
//             (until it is at home), page flight (until its thread runs again).
// Invariants  One thread reads at a time, so there is one page under way. Its events are in order
//             by the virtual clock, on whichever node they were written.
// Source      [TESTBED §3.2.2, Figure 8]; thread/lent_desk.hpp, models/lent.pml.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "terrane/trace/reader.hpp"

namespace terrane::decoded {

/// What happens to a page. Requests and messages have the names of core/service.hpp.
enum class page_did : std::uint8_t {
  faulted,         // a thread reads what is not here: it is to be asked for
  blocked,         // that thread waits
  request_flew,    // the request has reached the home
  request_served,  // there the page was found, and sent
  page_flew,       // the page has reached who reads
  page_served,     // and is kept there
  resumed          // the thread runs again
};
inline constexpr const char* page_names[] = {
    "page_fault", "lent data", "page_request flew", "page_request", "page flew", "page", "runs"};

struct page_event {
  page_did what;
  std::int64_t ns;
  std::uint32_t node;
  std::uint64_t bytes = 0, thread = 0;
};

enum class page_state : std::uint8_t { none, asked, waits, at_home, leaves, came, kept };

/// Where an event must have been written.
enum class page_side : std::uint8_t { reader, home };

struct page_row {
  page_state from;
  page_did what;
  page_side where;
  page_state to;
};

// clang-format off
inline constexpr page_row page_table[] = {
  {page_state::none,    page_did::faulted,        page_side::reader, page_state::asked},
  {page_state::asked,   page_did::blocked,        page_side::reader, page_state::waits},
  {page_state::waits,   page_did::request_flew,   page_side::home,   page_state::at_home},
  {page_state::at_home, page_did::request_served, page_side::home,   page_state::leaves},
  {page_state::leaves,  page_did::page_flew,      page_side::reader, page_state::came},
  {page_state::came,    page_did::page_served,    page_side::reader, page_state::kept},
  {page_state::kept,    page_did::resumed,        page_side::reader, page_state::none},
};
// clang-format on

/// What is known of the page under way.
struct page_copy {
  page_state at = page_state::none;
  std::uint32_t home, reader = 0;
  std::uint64_t thread = 0, bytes = 0;
};

/// False: the table does not accept it.
inline bool take(page_copy& one, const page_event& seen, std::uint64_t page_bytes) {
  const auto* const row = std::ranges::find_if(page_table, [&](const page_row& each) {
    return each.from == one.at && each.what == seen.what;
  });
  if (row == std::end(page_table)) return false;
  if (seen.what == page_did::faulted) one.reader = seen.node;
  if (seen.node != (row->where == page_side::home ? one.home : one.reader)) return false;
  if (one.reader == one.home) return false;  // the owner's node reads in place
  if (seen.what == page_did::blocked) one.thread = seen.thread;
  if (seen.what == page_did::resumed && seen.thread != one.thread) return false;
  if (seen.what == page_did::page_flew) one.bytes = seen.bytes;
  if (seen.what == page_did::page_served && (seen.bytes != one.bytes || seen.bytes > page_bytes))
    return false;
  one.at = row->to;
  return true;
}

/// Of a run in which data of one node are lent, by the virtual clock.
inline std::vector<page_event> read_pages(const trace_file& file) {
  std::vector<page_event> all;
  for (std::uint32_t source = 0; source < file.sources().size(); ++source) {
    trace_file::cursor events(file, source);
    std::uint64_t waits = 0;  // the thread of this processor that waits for a page
    for (trace_event seen; events.next(seen);) {
      const std::string_view type = file.types()[seen.type].name;
      const bool is_of_thread = type == "thread_blocks" || type == "thread_runs";
      if (type != "served" && type != "flew" && !is_of_thread) continue;
      std::string name(file.name_of(seen, seen.values[0]).name);
      if (type == "flew") name += " flew";
      if (type == "thread_runs") name = "runs";
      const auto* const known = std::ranges::find(page_names, name);
      if (known == std::end(page_names)) continue;
      page_event one{static_cast<page_did>(known - page_names), seen.ns,
                     file.sources()[source].node};
      (is_of_thread ? one.thread : one.bytes) = seen.values[1];
      if (one.what == page_did::resumed && one.thread != waits) continue;
      if (one.what == page_did::blocked) waits = one.thread;
      if (one.what == page_did::resumed) waits = 0;
      all.push_back(one);
    }
  }
  std::ranges::stable_sort(all, {}, &page_event::ns);
  return all;
}

}  // namespace terrane::decoded
