// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/stream_socket.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace terrane {

ssize_t stream_socket::write(std::span<const iovec> pieces) const {
  if (tls_) return tls_->write(number(), pieces);
  if (pieces.size() == 1)  // the usual case has the shorter way through the kernel
    for (;;) {
      const ssize_t written =
          send(number(), pieces[0].iov_base, pieces[0].iov_len, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (written >= 0 || errno != EINTR) return written;
    }
  msghdr what{};
  what.msg_iov = const_cast<iovec*>(pieces.data());
  what.msg_iovlen = pieces.size();
  for (;;) {
    const ssize_t written = sendmsg(number(), &what, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written >= 0 || errno != EINTR) return written;
  }
}

ssize_t stream_socket::read(std::span<const iovec> room) const {
  if (tls_) return tls_->read(number(), room);
  for (;;) {
    const ssize_t got = room.size() == 1
                            ? recv(number(), room[0].iov_base, room[0].iov_len, MSG_DONTWAIT)
                            : readv(number(), room.data(), static_cast<int>(room.size()));
    if (got >= 0 || errno != EINTR) return got;
  }
}

std::string stream_socket::problem(int problem_number) const {
  if (tls_ && !tls_->problem().empty()) return tls_->problem();
  return std::string("broke: ") + std::strerror(problem_number);
}

}  // namespace terrane
