// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/socket.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "terrane/core/failure.hpp"

namespace terrane {

namespace {

void send_at_once(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

void descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

descriptor needed(int number) {
  if (number >= 0) return descriptor(number);
  std::fprintf(stderr,
               "terrane: a node (process %d) got no file descriptor: %s (is there a limit set with "
               "ulimit -n?)\n",
               static_cast<int>(getpid()), std::strerror(errno));
  std::_Exit(exit_node_lost);
}

// --- addresses ---

result<address> address::find(const std::string& host, std::uint16_t port) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  const int problem = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (problem != 0)
    return error{fmt::format("host {} has no address: {}", host, gai_strerror(problem))};
  address first;
  std::memcpy(&first.storage_, found->ai_addr, found->ai_addrlen);
  first.size_ = found->ai_addrlen;
  freeaddrinfo(found);
  return first;
}

address address::local_of(const descriptor& socket) {
  address found;
  found.size_ = sizeof found.storage_;
  if (getsockname(socket.number(), reinterpret_cast<sockaddr*>(&found.storage_), &found.size_) != 0)
    found.size_ = 0;
  return found;
}

std::string address::host() const {
  char text[NI_MAXHOST];
  if (size_ == 0 || getnameinfo(raw(), size_, text, sizeof text, nullptr, 0, NI_NUMERICHOST) != 0)
    return "?";
  return text;
}

std::uint16_t address::port() const {
  std::uint16_t port = 0;
  if (family() == AF_INET) port = reinterpret_cast<const sockaddr_in*>(&storage_)->sin_port;
  if (family() == AF_INET6) port = reinterpret_cast<const sockaddr_in6*>(&storage_)->sin6_port;
  return ntohs(port);
}

std::string address::to_text() const {
  return family() == AF_INET6 ? fmt::format("[{}]:{}", host(), port())
                              : fmt::format("{}:{}", host(), port());
}

// --- sockets ---

result<descriptor> listen_at(const address& where, int waiting_max) {
  descriptor made(socket(where.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!made || bind(made.number(), where.raw(), where.size()) != 0 ||
      listen(made.number(), waiting_max) != 0)
    return error{fmt::format("cannot listen at {}: {}", where.to_text(), std::strerror(errno))};
  return made;
}

result<address> own_address_towards(const address& there) {
  const descriptor made(socket(there.family(), SOCK_DGRAM | SOCK_CLOEXEC, 0));  // sends nothing
  if (!made || connect(made.number(), there.raw(), there.size()) != 0)
    return error{fmt::format("no way leads to {}: {}", there.to_text(), std::strerror(errno))};
  return address::find(address::local_of(made).host(), 0);
}

descriptor accept_call(const descriptor& listener) {
  descriptor made(accept4(listener.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (made) send_at_once(made.number());
  return made;
}

result<descriptor> begin_call(const address& where) {
  descriptor made(socket(where.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (made) {
    send_at_once(made.number());
    if (connect(made.number(), where.raw(), where.size()) == 0 || errno == EINPROGRESS) return made;
  }
  return error{fmt::format("cannot call {}: {}", where.to_text(), std::strerror(errno))};
}

int call_error(const descriptor& socket) {
  int problem = 0;
  socklen_t size = sizeof problem;
  if (getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &problem, &size) != 0) return errno;
  return problem;
}

wire_figures figures_of(const descriptor& socket) {
  // The kernel's structure grows; glibc's ends before tcpi_min_rtt.
  struct {
    tcp_info known;
    std::uint64_t pacing_rate, max_pacing_rate, bytes_acked, bytes_received;
    std::uint32_t segs_out, segs_in, notsent_bytes, min_rtt;
  } info{};
  socklen_t size = sizeof info;
  if (!socket || getsockopt(socket.number(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
  return {std::uint64_t{info.known.tcpi_rtt} * 1000,
          size >= sizeof info ? std::uint64_t{info.min_rtt} * 1000 : 0,
          info.known.tcpi_total_retrans};
}

}  // namespace terrane
