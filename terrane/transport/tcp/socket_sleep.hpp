// SPDX-License-Identifier: Apache-2.0
// socket_sleep.hpp: where a processor sleeps until a socket has something, or somebody wakes it.
//
// Cost        A processor that is alone sleeps on the sockets' own epoll descriptor, to which its
//             wake-up is added. Where several sleep, each has one of its own, in which the sockets'
//             is: one more level for the kernel to go through, some 2 us of a wake-up.
#pragma once

#include "terrane/transport/poller.hpp"
#include "terrane/transport/tcp/socket.hpp"

namespace terrane {

class socket_sleep final : public sleeping_place {
 public:
  /// What the sockets' epoll descriptor reports for a wake-up; it is to be left alone.
  static constexpr std::uint64_t wake_up = ~std::uint64_t{0};

  /// sockets: an epoll descriptor, which becomes readable when a socket has something. It outlives
  /// this. alone: nobody else sleeps there.
  socket_sleep(int sockets, bool alone);
  void sleep(std::int64_t nanoseconds) override;
  void wake() override;

 private:
  descriptor woken_, both_;
  const int sleeps_on_;
};

}  // namespace terrane
