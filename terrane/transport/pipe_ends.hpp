// SPDX-License-Identifier: Apache-2.0
// pipe_ends.hpp: a pipe between the launcher and a node's process.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "terrane/base/result.hpp"

namespace terrane {

struct pipe_ends {
  int read = -1, write = -1;
};

inline result<pipe_ends> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return error{std::string("there is no pipe for a node: ") + std::strerror(errno)};
  return pipe_ends{ends[0], ends[1]};
}

/// Reads all that is available. At the end of the stream, closes it and sets it to -1.
template <class Use>
void read_all(int& from, Use&& use) {
  char buffer[16384];  // the launcher may have a small stack
  while (from >= 0) {
    const ssize_t got = read(from, buffer, sizeof buffer);
    if (got > 0) {
      use(std::string_view(buffer, static_cast<std::size_t>(got)));
      continue;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    close(from);
    from = -1;
  }
}

}  // namespace terrane
