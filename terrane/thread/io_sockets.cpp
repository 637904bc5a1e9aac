// SPDX-License-Identifier: Apache-2.0
// io_sockets.cpp: how connections and pipes are opened.
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>

#include "terrane/thread/blocking.hpp"
#include "terrane/thread/io.hpp"

namespace terrane::io {

namespace {

constexpr int backlog = 4096;

struct free_addresses {
  void operator()(addrinfo* all) const { freeaddrinfo(all); }
};
using addresses = std::unique_ptr<addrinfo, free_addresses>;

/// "listen on nowhere, port 7": what the words of an error begin with.
std::string about(const char* what, const std::string& host, std::uint16_t port) {
  return std::string(what) + ' ' + host + ", port " + std::to_string(port);
}
[[noreturn]] void fail(int problem, const std::string& what) {
  throw std::system_error(problem, std::generic_category(), what);
}

addresses look_up(const std::string& host, std::uint16_t port, int flags, const char* what) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = flags | AI_NUMERICSERV;
  const std::string service = std::to_string(port);
  addrinfo* found = nullptr;
  const int problem =
      blocking([&] { return getaddrinfo(host.c_str(), service.c_str(), &wanted, &found); });
  if (problem == 0) return addresses(found);
  throw std::system_error(std::make_error_code(std::errc::address_not_available),
                          about(what, host, port) + ": " + gai_strerror(problem));
}

/// The outcome of a connection that was begun.
int outcome_of(const file& begun) {
  int problem = 0;
  socklen_t size = sizeof problem;
  getsockopt(begun.descriptor(), SOL_SOCKET, SO_ERROR, &problem, &size);
  return problem;
}

void set(const file& socket, int level, int option) {
  const int on = 1;
  setsockopt(socket.descriptor(), level, option, &on, sizeof on);
}

/// A socket for the first address of that host that `open` has a use for: it returns 0, or the
/// system's number of what was wrong.
template <class Open>
file first_that_opens(const char* what, const std::string& host, std::uint16_t port, int flags,
                      Open&& open) {
  int problem = 0;
  const addresses found = look_up(host, port, flags, what);
  for (const addrinfo* each = found.get(); each; each = each->ai_next) {
    const int descriptor = socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
                                  each->ai_protocol);
    if (descriptor < 0) {
      problem = errno;
      continue;
    }
    file made(descriptor);
    problem = open(made, *each);
    if (problem == 0) return made;
  }
  fail(problem, about(what, host, port));
}

}  // namespace

file listen(const std::string& host, std::uint16_t port) {
  return first_that_opens(
      "listen on", host, port, AI_PASSIVE, [](const file& made, const addrinfo& at) {
        set(made, SOL_SOCKET, SO_REUSEADDR);
        const bool listens = bind(made.descriptor(), at.ai_addr, at.ai_addrlen) == 0 &&
                             ::listen(made.descriptor(), backlog) == 0;
        return listens ? 0 : errno;
      });
}

std::uint16_t port_of(const file& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(socket.descriptor(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    fail(errno, "the port of a socket");
  if (address.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

file connect(const std::string& host, std::uint16_t port) {
  return first_that_opens("connect to", host, port, 0, [](file& made, const addrinfo& at) {
    int problem = ::connect(made.descriptor(), at.ai_addr, at.ai_addrlen) == 0 ? 0 : errno;
    if (problem == EINPROGRESS) {
      made.writable_within(~std::uint64_t{0});
      problem = outcome_of(made);
    }
    if (problem == 0) set(made, IPPROTO_TCP, TCP_NODELAY);
    return problem;
  });
}

std::pair<file, file> pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) fail(errno, "pipe");
  file read_end(ends[0]);
  return {std::move(read_end), file(ends[1])};
}

}  // namespace terrane::io
