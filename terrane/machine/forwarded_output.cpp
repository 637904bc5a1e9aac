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

/// Writes in pieces so small that a pipe with room accepts each as a whole.
void output_place::write(std::string_view text) {
  while (!text.empty()) {
    pollfd room{descriptor_, POLLOUT, 0};
    if (poll(&room, 1, stop_ != 0 ? 0 : look_again_ms) <= 0) {
      if (stop_ != 0) return;
      continue;
    }
    const ssize_t written =
        ::write(descriptor_, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written <= 0) {
      if (problem_ == 0) problem_ = errno;
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void forwarded_output::add(std::string_view text) {
  if (const auto end = text.rfind('\n'); end != text.npos) whole_ = held_.size() + end + 1;
  held_ += text;
  pass_on();
}

void forwarded_output::finish() {
  finished_ = true;
  pass_on();
}

/// How many bytes of held_ may be forwarded.
std::size_t forwarded_output::ready() const {
  const bool others_line = to_.in_a_line_ != nullptr && to_.in_a_line_ != this;
  if (others_line && held_.size() <= held_bytes_max) return 0;
  const bool too_long = held_.size() - whole_ > line_bytes_max;
  return finished_ || too_long || in_line_ ? held_.size() : whole_;
}

void forwarded_output::pass_on() {
  if (const std::size_t bytes = ready(); bytes != 0) {
    write_tagged(std::string_view(held_).substr(0, bytes));
    in_line_ = held_[bytes - 1] != '\n';
    held_.erase(0, bytes);
    whole_ -= std::min(whole_, bytes);
  }
  if (in_line_ && !finished_)
    to_.in_a_line_ = this;
  else if (to_.in_a_line_ == this)
    to_.in_a_line_ = nullptr;
}

void forwarded_output::write_tagged(std::string_view text) {
  if (tag_.empty()) return to_.write(text);
  std::string tagged;
  for (bool begins = !in_line_; !text.empty(); begins = true) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    if (begins) tagged += tag_;
    tagged += line;
    text.remove_prefix(line.size());
  }
  to_.write(tagged);
}

}  // namespace terrane
