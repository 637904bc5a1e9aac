// SPDX-License-Identifier: Apache-2.0
// openmetrics.hpp: pieces of the text format of OpenMetrics 1.0, which Prometheus reads.
#pragma once

#include <string>
#include <string_view>

namespace terrane::openmetrics {

/// The lines before the samples of one family. A counter's samples are named with `_total`.
inline std::string head_of(std::string_view name, std::string_view type, std::string_view about) {
  std::string text("# TYPE ");
  text.append(name).append(" ").append(type).append("\n# HELP ");
  return text.append(name).append(" ").append(about).append("\n");
}

/// The value of a label, between its quotation marks.
inline std::string label_text(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '\n')
      safe += "\\n";
    else if (letter == '"' || letter == '\\')
      (safe += '\\') += letter;
    else
      safe += letter;
  }
  return safe;
}

/// The last line of a text.
inline constexpr std::string_view end = "# EOF\n";

}  // namespace terrane::openmetrics
