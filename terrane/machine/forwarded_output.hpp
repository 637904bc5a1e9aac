// SPDX-License-Identifier: Apache-2.0
// forwarded_output.hpp: forwards the output of several processes to one place, in whole lines.
//
// Invariants  A line of at most line_bytes_max is forwarded whole. A longer line is forwarded in
//             parts as it arrives, and the output of other processes is held back until it ends.
//             Held output beyond held_bytes_max is forwarded all the same, so that no process waits
//             for room while another waits for that process.
#pragma once

#include <csignal>
#include <string>
#include <string_view>

namespace terrane {

class forwarded_output;

/// Where the output of several processes goes.
class output_place {
 public:
  /// descriptor: where to write. Once `stop` is not 0, output that nobody reads is dropped, so that
  /// a stuck reader cannot delay the end.
  output_place(int descriptor, const volatile std::sig_atomic_t& stop)
      : descriptor_(descriptor), stop_(stop) {}

  /// Writes all of `text`; waits until the reader makes room for it.
  void write(std::string_view text);
  /// The first errno of a failed write; 0: none failed.
  int problem() const { return problem_; }

 private:
  friend forwarded_output;
  const int descriptor_;
  const volatile std::sig_atomic_t& stop_;
  int problem_ = 0;
  const forwarded_output* in_a_line_ = nullptr;
};

/// The output of one process.
class forwarded_output {
 public:
  /// tag: printed at the start of every line; may be empty.
  forwarded_output(output_place& to, std::string tag) : to_(to), tag_(std::move(tag)) {}

  /// Takes new output, and forwards as much as the invariants allow.
  void add(std::string_view text);
  /// Ends the output; its last line may be incomplete.
  void finish();
  /// Forwards what waited for the end of another process's line.
  void pass_on();

  static constexpr std::size_t line_bytes_max = std::size_t{1} << 20;
  static constexpr std::size_t held_bytes_max = std::size_t{64} << 20;

 private:
  std::size_t ready() const;
  void write_tagged(std::string_view text);

  output_place& to_;
  const std::string tag_;
  std::string held_;
  std::size_t whole_ = 0;  // bytes of held_ up to the end of its last whole line
  bool in_line_ = false;   // the first part of held_'s first line was forwarded already
  bool finished_ = false;
};

}  // namespace terrane
