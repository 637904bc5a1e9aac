// SPDX-License-Identifier: Apache-2.0
// socket_sleep.hpp: where a processor sleeps until a socket has something, or somebody wakes it.
#pragma once

#include "terrane/transport/poller.hpp"
#include "terrane/transport/tcp/socket.hpp"

namespace terrane {

class socket_sleep final : public sleeping_place {
 public:
  /// sockets: an epoll descriptor, which becomes readable when a socket has something.
  explicit socket_sleep(int sockets);
  void sleep(std::int64_t nanoseconds) override;
  void wake() override;

 private:
  descriptor both_, woken_;
};

}  // namespace terrane
