// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/socket_sleep.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>

#include "terrane/base/check.hpp"

namespace terrane {

socket_sleep::socket_sleep(int sockets, bool alone)
    : woken_(needed(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))),
      both_(alone ? descriptor() : needed(epoll_create1(EPOLL_CLOEXEC))),
      sleeps_on_(alone ? sockets : both_.number()) {
  epoll_event event{};
  event.events = EPOLLIN;
  if (!alone) TERRANE_CHECK(epoll_ctl(sleeps_on_, EPOLL_CTL_ADD, sockets, &event) == 0);
  event.data.u64 = wake_up;
  TERRANE_CHECK(epoll_ctl(sleeps_on_, EPOLL_CTL_ADD, woken_.number(), &event) == 0);
}

void socket_sleep::sleep(std::int64_t nanoseconds) {
  timespec limit{};
  limit.tv_sec = nanoseconds / 1'000'000'000;
  limit.tv_nsec = nanoseconds % 1'000'000'000;
  epoll_event events[2];
  const int ready =
      epoll_pwait2(sleeps_on_, events, 2, nanoseconds < 0 ? nullptr : &limit, nullptr);
  for (int i = 0; i < ready; ++i)
    if (eventfd_t count; events[i].data.u64 == wake_up) eventfd_read(woken_.number(), &count);
}

void socket_sleep::wake() { eventfd_write(woken_.number(), 1); }

}  // namespace terrane
