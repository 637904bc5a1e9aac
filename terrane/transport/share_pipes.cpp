// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/share_pipes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "terrane/transport/pipe_ends.hpp"

namespace terrane {

result<int> share_pipes::open(node_id n) {
  const auto made = make_pipe();
  if (!made) return error{made.problem()};
  fcntl(made.value().read, F_SETFL, O_NONBLOCK);
  all_[n].from = made.value().read;
  return made.value().write;
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
  for (share& each : all_) read_all(each.from, [&](std::string_view text) { each.text += text; });
}

}  // namespace terrane
