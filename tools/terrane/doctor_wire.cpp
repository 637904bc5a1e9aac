// SPDX-License-Identifier: Apache-2.0
#include "tools/terrane/doctor_wire.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace terrane {

namespace {

constexpr std::chrono::seconds patience{3};
constexpr int pings = 10;
constexpr std::uint32_t block_bytes_first = 1 << 18, block_bytes_max = 1 << 26;
constexpr std::chrono::milliseconds block_time{50};
constexpr char echo_mark = 'e', block_mark = 'b';

/// Closes at the end.
class open_socket {
 public:
  explicit open_socket(int number) : number_(number) {}
  open_socket(const open_socket&) = delete;
  open_socket& operator=(const open_socket&) = delete;
  ~open_socket() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  const int number_;
};

bool wait_for(int socket, short what, doctor_clock::time_point until) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(until - doctor_clock::now());
  pollfd one{socket, what, 0};
  if (left.count() <= 0 || poll(&one, 1, static_cast<int>(left.count()) + 1) == 0)
    return errno = ETIMEDOUT, false;
  return true;
}

bool write_all(int socket, const void* bytes, std::size_t size, doctor_clock::time_point until) {
  const auto* from = static_cast<const unsigned char*>(bytes);
  while (size != 0) {
    const ssize_t sent = send(socket, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (sent < 0 && !wait_for(socket, POLLOUT, until)) return false;
    if (sent > 0) from += sent, size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool read_all(int socket, void* bytes, std::size_t size, doctor_clock::time_point until) {
  auto* to = static_cast<unsigned char*>(bytes);
  while (size != 0) {
    const ssize_t got = recv(socket, to, size, MSG_DONTWAIT);
    if (got == 0) return errno = ECONNRESET, false;
    if (got < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (got < 0 && !wait_for(socket, POLLIN, until)) return false;
    if (got > 0) to += got, size -= static_cast<std::size_t>(got);
  }
  return true;
}

/// Goes through the handshake. Its messages end where those of the doctor begin, and the other side
/// sends the latter only when asked, so reading ahead takes nothing away.
bool shake_hands(handshake& with, int socket) {
  const auto until = doctor_clock::now() + patience;
  for (;;) {
    const auto bytes = with.to_send();
    if (!bytes.empty() && !write_all(socket, bytes.data(), bytes.size(), until)) break;
    with.sent(bytes.size());
    if (with.now() != handshake::state::running) return with.now() == handshake::state::done;
    unsigned char one;
    if (!read_all(socket, &one, 1, until)) break;
    with.take({&one, 1});
  }
  with.give_up(errno == ETIMEDOUT ? refusal::late : refusal::closed);
  return false;
}

struct numeric_address {
  sockaddr_storage storage{};
  socklen_t size = 0;
  sockaddr* raw() { return reinterpret_cast<sockaddr*>(&storage); }
};

result<numeric_address> read_address(const std::string& digits, std::uint16_t port) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_flags = AI_NUMERICHOST;
  wanted.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(digits.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0)
    return error{fmt::format("'{}' is no address", digits)};
  numeric_address read;
  read.size = found->ai_addrlen;
  std::memcpy(&read.storage, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return read;
}

void send_at_once(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

std::string problem_in_words(int problem, const std::string& address, std::uint16_t port) {
  const std::string where =
      fmt::format("TCP {} port {}: {}", address, port, std::strerror(problem));
  if (problem == ETIMEDOUT || problem == EHOSTUNREACH || problem == EACCES || problem == EPERM)
    return where + " (a firewall?)";
  return where;
}

/// An echo of 8 bytes; its time.
result<std::uint64_t> ping(int socket) {
  std::array<char, 9> out{echo_mark, 1, 2, 3, 4, 5, 6, 7, 8};
  std::array<char, 8> in{};
  const auto start = doctor_clock::now(), until = start + patience;
  if (!write_all(socket, out.data(), out.size(), until) ||
      !read_all(socket, in.data(), in.size(), until))
    return error{fmt::format("an echo did not come back: {}", std::strerror(errno))};
  if (!std::equal(in.begin(), in.end(), out.begin() + 1)) return error{"an echo came back changed"};
  return static_cast<std::uint64_t>((doctor_clock::now() - start).count());
}

/// How long a block takes until its arrival is confirmed.
result<double> seconds_for(int socket, const std::vector<char>& block, std::uint32_t bytes) {
  const auto start = doctor_clock::now(), until = start + 3 * patience;
  char answer = 0;
  std::array<char, 5> head{block_mark};
  std::memcpy(head.data() + 1, &bytes, sizeof bytes);
  if (!write_all(socket, head.data(), head.size(), until) ||
      !write_all(socket, block.data(), bytes, until) || !read_all(socket, &answer, 1, until))
    return error{
        fmt::format("a block of {} bytes did not arrive (does every part of the way take "
                    "packets of that size?): {}",
                    bytes, std::strerror(errno))};
  return std::chrono::duration<double>(doctor_clock::now() - start).count();
}

}  // namespace

// --- the side that is called ---

result<std::unique_ptr<doctor_listener>> doctor_listener::listen(const identity& mine,
                                                                 node_id nodes,
                                                                 const std::string& address) {
  auto where = read_address(address, 0);
  if (!where) return error{where.problem()};
  numeric_address& at = where.value();
  const int socket = ::socket(at.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool listens = socket >= 0 && bind(socket, at.raw(), at.size) == 0 &&
                       ::listen(socket, 64) == 0 && getsockname(socket, at.raw(), &at.size) == 0;
  if (!listens) {
    const int problem = errno;
    if (socket >= 0) close(socket);
    return error{fmt::format("cannot listen at {}: {}", address, std::strerror(problem))};
  }
  const auto port = at.storage.ss_family == AF_INET
                        ? reinterpret_cast<sockaddr_in*>(at.raw())->sin_port
                        : reinterpret_cast<sockaddr_in6*>(at.raw())->sin6_port;
  return std::unique_ptr<doctor_listener>(new doctor_listener(mine, nodes, socket, ntohs(port)));
}

doctor_listener::doctor_listener(const identity& mine, node_id nodes, int socket,
                                 std::uint16_t port)
    : mine_(mine), nodes_(nodes), socket_(socket), port_(port) {
  accepts_ = std::thread([this] { accept_calls(); });
}

doctor_listener::~doctor_listener() {
  over_ = true;
  shutdown(socket_, SHUT_RDWR);  // wakes accept
  accepts_.join();
  for (auto& each : served_) each.join();
  close(socket_);
}

void doctor_listener::accept_calls() {
  while (!over_) {
    const int socket = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket >= 0) served_.emplace_back([this, socket] { serve(socket); });
    if (socket < 0 && errno != EINTR && errno != ECONNABORTED) return;
  }
}

void doctor_listener::serve(int number) {
  const open_socket socket(number);
  send_at_once(number);
  admissions admitted(mine_.self, nodes_);
  handshake with = handshake::answer(mine_, admitted);
  if (!shake_hands(with, number)) return;
  std::vector<char> room;
  char mark = 0;
  while (!over_ && read_all(number, &mark, 1, doctor_clock::now() + patience)) {
    const auto until = doctor_clock::now() + 3 * patience;
    std::uint32_t bytes = 8;
    if (mark == block_mark && !read_all(number, &bytes, sizeof bytes, until)) return;
    if ((mark != block_mark && mark != echo_mark) || bytes > block_bytes_max) return;
    room.resize(std::max<std::size_t>(room.size(), bytes));
    if (!read_all(number, room.data(), bytes, until)) return;
    if (!write_all(number, room.data(), mark == echo_mark ? 8 : 1, until)) return;
  }
}

// --- the side that calls ---

result<wire_measures> measure_wire(const identity& mine, node_id nodes, node_id peer,
                                   const std::string& address, std::uint16_t port, bool bandwidth) {
  auto where = read_address(address, port);
  if (!where) return error{where.problem()};
  numeric_address& to = where.value();
  const open_socket socket(
      ::socket(to.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const auto until = doctor_clock::now() + patience;
  int problem = 0;
  socklen_t size = sizeof problem;
  if (connect(socket.number(), to.raw(), to.size) != 0) {
    if (errno != EINPROGRESS || !wait_for(socket.number(), POLLOUT, until))
      return error{problem_in_words(errno, address, port)};
    getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &problem, &size);
    if (problem != 0) return error{problem_in_words(problem, address, port)};
  }
  send_at_once(socket.number());
  admissions admitted(mine.self, nodes);
  admitted.begin_call(peer);
  handshake with = handshake::call(mine, admitted, peer);
  if (!shake_hands(with, socket.number()))
    return error{fmt::format("TCP {} port {}: {}", address, port, with.sentence())};

  wire_measures measures;
  for (int i = 0; i < pings; ++i) {
    const auto took = ping(socket.number());
    if (!took) return error{took.problem()};
    measures.round_trip_ns = i == 0 ? took.value() : std::min(measures.round_trip_ns, took.value());
  }
  size = sizeof measures.mtu;
  const bool v6 = to.storage.ss_family == AF_INET6;
  getsockopt(socket.number(), v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_MTU : IP_MTU, &measures.mtu,
             &size);
  if (!bandwidth) return measures;
  const std::vector<char> block(block_bytes_max, 'x');
  for (std::uint32_t bytes = block_bytes_first; bytes <= block_bytes_max; bytes *= 4) {
    const auto took = seconds_for(socket.number(), block, bytes);
    if (!took) return error{took.problem()};
    measures.bytes_per_second = bytes / took.value();
    if (took.value() >= std::chrono::duration<double>(block_time).count()) break;
  }
  return measures;
}

}  // namespace terrane
