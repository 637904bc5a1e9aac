// SPDX-License-Identifier: Apache-2.0
// forwarded_output.hpp: what another process prints, passed on in whole lines.
#pragma once

#include <csignal>
#include <string>
#include <string_view>

namespace terrane {

class forwarded_output {
 public:
  /// to: a file descriptor. tag: begins every line; may be empty. Once `stop` is not 0, what nobody
  /// takes is dropped: a reader who stands still holds up no end that was asked for.
  forwarded_output(int to, std::string tag, const volatile std::sig_atomic_t& stop)
      : to_(to), tag_(std::move(tag)), stop_(stop) {}

  /// Passes on the lines that `text` completes, and keeps the rest. A line that has grown beyond
  /// line_bytes_max is passed on as far as it goes.
  void add(std::string_view text);
  /// The last line may lack its end.
  void finish();
  static constexpr std::size_t line_bytes_max = std::size_t{1} << 20;

 private:
  void pass_on(std::string_view lines);

  const int to_;
  const std::string tag_;
  const volatile std::sig_atomic_t& stop_;
  std::string rest_;
};

}  // namespace terrane
