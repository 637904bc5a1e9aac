// SPDX-License-Identifier: Apache-2.0
// wait_table.hpp: who waited how long for whom in a run with --waits, as text and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace terrane {

/// What one thread waited for another at one place of the program (talk/wait_book.hpp).
struct wait_row {
  std::string who, whom, where;
  std::uint64_t times = 0, waited_ns = 0, hidden_ns = 0;
};

struct wait_table {
  bool is_noted = false;                       // the run had --waits
  std::uint64_t waited_ns = 0, hidden_ns = 0;  // of all rows that were added
  std::vector<wait_row> rows{};

  static constexpr std::size_t rows_max = 64;
  void add(wait_row row);
  /// Those that wait the longest stay, longest first.
  void keep_longest();
  void add(const wait_table& other);
};

/// Lines for people, the longest waits.
std::string to_text(const wait_table&);
/// A list of the rows, on one line.
std::string to_json(const wait_table&);

}  // namespace terrane
