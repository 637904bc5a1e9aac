// SPDX-License-Identifier: Apache-2.0
// forwarded_output.hpp: what another process prints, passed on in whole lines.
#pragma once

#include <string>
#include <string_view>

namespace terrane {

class forwarded_output {
 public:
  /// to: a file descriptor. tag: begins every line; may be empty.
  forwarded_output(int to, std::string tag) : to_(to), tag_(std::move(tag)) {}

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
  std::string rest_;
};

}  // namespace terrane
