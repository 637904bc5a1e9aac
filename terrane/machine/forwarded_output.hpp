// SPDX-License-Identifier: Apache-2.0
// forwarded_output.hpp: what other processes print to one place, passed on in whole lines.
//
// Invariants  A line is passed on whole while it is no longer than line_bytes_max. A longer one is
//             passed on as it comes, and until it ends nothing else goes to that place: what others
//             print meanwhile is held. (Beyond held_bytes_max it goes on all the same: a process
//             that waits until its output is read shall not wait for one that waits for it.)
#pragma once

#include <csignal>
#include <string>
#include <string_view>

namespace terrane {

class forwarded_output;

/// Where the output of several processes goes.
class output_place {
 public:
  /// descriptor: of a file. Once `stop` is not 0, what nobody takes is dropped: a reader who stands
  /// still holds up no end that was asked for.
  output_place(int descriptor, const volatile std::sig_atomic_t& stop)
      : descriptor_(descriptor), stop_(stop) {}

  /// Waits for room.
  void write(std::string_view text);
  /// Why something could not be written: the first errno; 0: all was.
  int problem() const { return problem_; }

 private:
  friend forwarded_output;
  const int descriptor_;
  const volatile std::sig_atomic_t& stop_;
  int problem_ = 0;
  const forwarded_output* in_a_line_ = nullptr;
};

/// What one process prints there.
class forwarded_output {
 public:
  /// tag: begins every line; may be empty.
  forwarded_output(output_place& to, std::string tag) : to_(to), tag_(std::move(tag)) {}

  /// Takes what came, and passes on what may go.
  void add(std::string_view text);
  /// No more comes; the last line may lack its end.
  void finish();
  /// Passes on what waited for the end of another's line.
  void pass_on();

  static constexpr std::size_t line_bytes_max = std::size_t{1} << 20;
  static constexpr std::size_t held_bytes_max = std::size_t{64} << 20;

 private:
  std::size_t ready() const;
  void write_tagged(std::string_view text);

  output_place& to_;
  const std::string tag_;
  std::string held_;
  std::size_t whole_ = 0;  // of held_, up to the end of its last whole line
  bool in_line_ = false;   // a part of the line that held_ goes on with was passed on
  bool finished_ = false;
};

}  // namespace terrane
