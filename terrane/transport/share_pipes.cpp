// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/share_pipes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace terrane {

result<int> share_pipes::open(node_id n) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return error{std::string("there is no pipe for a node: ") + std::strerror(errno)};
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  all_[n].from = ends[0];
  return ends[1];
}

void share_pipes::close_all() {
  for (share& each : all_)
    if (each.from >= 0) close(std::exchange(each.from, -1));
}

void share_pipes::add_waits(std::vector<pollfd>& to) const {
  for (const share& each : all_)
    if (each.from >= 0) to.push_back({each.from, POLLIN, 0});
}

void share_pipes::look() {
  char bytes[4096];
  for (share& each : all_)
    while (each.from >= 0) {
      const ssize_t got = read(each.from, bytes, sizeof bytes);
      if (got > 0)
        each.text.append(bytes, static_cast<std::size_t>(got));
      else if (got < 0 && (errno == EAGAIN || errno == EINTR))
        break;
      else
        close(std::exchange(each.from, -1));
    }
}

}  // namespace terrane
