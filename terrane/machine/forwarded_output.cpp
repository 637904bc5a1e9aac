// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/forwarded_output.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace terrane {

namespace {
constexpr int look_again_ms = 250;
}

void forwarded_output::add(std::string_view text) {
  const auto end = text.rfind('\n');
  if (end == text.npos) {
    rest_ += text;
    if (rest_.size() > line_bytes_max) finish();
    return;
  }
  rest_ += text.substr(0, end + 1);
  pass_on(rest_);
  rest_ = text.substr(end + 1);
}

void forwarded_output::finish() {
  pass_on(rest_);
  rest_.clear();
}

void forwarded_output::pass_on(std::string_view lines) {
  std::string tagged;
  if (!tag_.empty()) {
    for (std::string_view left = lines; !left.empty();) {
      const std::string_view line = left.substr(0, left.find('\n') + 1);
      tagged += tag_;
      tagged += line.empty() ? left : line;
      left.remove_prefix(line.empty() ? left.size() : line.size());
    }
    lines = tagged;
  }
  // In pieces that a pipe takes at once where it has room at all.
  while (!lines.empty()) {
    pollfd room{to_, POLLOUT, 0};
    if (poll(&room, 1, stop_ != 0 ? 0 : look_again_ms) <= 0) {
      if (stop_ != 0) return;
      continue;
    }
    const ssize_t written = write(to_, lines.data(), std::min<std::size_t>(lines.size(), PIPE_BUF));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nobody reads it any more
    lines.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace terrane
