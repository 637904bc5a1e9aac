// SPDX-License-Identifier: Apache-2.0
#include "tools/terrane/doctor_wire.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace terrane {

namespace {

constexpr std::chrono::seconds patience{3};
constexpr int pings = 10;
constexpr std::uint32_t block_bytes_first = 1 << 18, block_bytes_max = 1 << 26;
constexpr std::chrono::milliseconds block_time{50};
constexpr char echo_mark = 'e', block_mark = 'b';

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

std::string problem_in_words(int problem, const std::string& digits, std::uint16_t port) {
  const std::string where = fmt::format("TCP {} port {}: {}", digits, port, std::strerror(problem));
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
                                                                 const std::string& digits) {
  const auto where = address::find(digits, 0);
  if (!where) return error{where.problem()};
  auto made = listen_at(where.value(), 64);
  if (!made) return error{made.problem()};
  return std::unique_ptr<doctor_listener>(
      new doctor_listener(mine, nodes, std::move(made).value()));
}

doctor_listener::doctor_listener(const identity& mine, node_id nodes, descriptor socket)
    : mine_(mine), nodes_(nodes), socket_(std::move(socket)) {
  accepts_ = std::thread([this] { accept_calls(); });
}

doctor_listener::~doctor_listener() {
  over_ = true;
  shutdown(socket_.number(), SHUT_RDWR);  // wakes accept_calls
  accepts_.join();
  for (auto& each : served_) each.join();
}

void doctor_listener::accept_calls() {
  while (!over_) {
    pollfd called{socket_.number(), POLLIN, 0};
    poll(&called, 1, -1);
    descriptor socket = accept_call(socket_);
    if (socket)
      served_.emplace_back([this, its = std::move(socket)] { serve(its.number()); });
    else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
      return;
  }
}

void doctor_listener::serve(int number) {
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
                                   const std::string& digits, std::uint16_t port, bool bandwidth) {
  const auto where = address::find(digits, port);
  if (!where) return error{where.problem()};
  const auto called = begin_call(where.value());
  if (!called) return error{problem_in_words(errno, digits, port)};
  const int socket = called.value().number();
  if (!wait_for(socket, POLLOUT, doctor_clock::now() + patience))
    return error{problem_in_words(errno, digits, port)};
  if (const int problem = call_error(called.value()); problem != 0)
    return error{problem_in_words(problem, digits, port)};
  admissions admitted(mine.self, nodes);
  admitted.begin_call(peer);
  handshake with = handshake::call(mine, admitted, peer);
  if (!shake_hands(with, socket))
    return error{fmt::format("TCP {} port {}: {}", digits, port, with.sentence())};

  wire_measures measures;
  for (int i = 0; i < pings; ++i) {
    const auto took = ping(socket);
    if (!took) return error{took.problem()};
    measures.round_trip_ns = i == 0 ? took.value() : std::min(measures.round_trip_ns, took.value());
  }
  socklen_t size = sizeof measures.mtu;
  const bool v6 = where.value().family() == AF_INET6;
  getsockopt(socket, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_MTU : IP_MTU, &measures.mtu, &size);
  if (!bandwidth) return measures;
  const std::vector<char> block(block_bytes_max, 'x');
  for (std::uint32_t bytes = block_bytes_first; bytes <= block_bytes_max; bytes *= 4) {
    const auto took = seconds_for(socket, block, bytes);
    if (!took) return error{took.problem()};
    measures.bytes_per_second = bytes / took.value();
    if (took.value() >= std::chrono::duration<double>(block_time).count()) break;
  }
  return measures;
}

}  // namespace terrane
