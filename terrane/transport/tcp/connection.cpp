// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/connection.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "terrane/base/clock.hpp"

namespace terrane {

connection::connection(handshake greeting, const carries& limits)
    : greeting_(std::move(greeting)),
      in_(limits.frame_bytes_max, limits.large_bytes_max),
      began_ns_(monotonic_ns()) {}

connection connection::call(const identity& mine, admissions& admitted, node_id peer,
                            const address& where, const carries& limits) {
  connection made(handshake::call(mine, admitted, peer), limits);
  auto socket = begin_call(where);
  if (!socket) {
    made.give_up(refusal::closed);
    made.problem_ = socket.problem();
    return made;
  }
  made.socket_ = stream_socket(std::move(socket).value());
  if (mine.tls) made.socket_.secure(*mine.tls, tls_session::side::caller);
  made.state_ = state::calling;
  return made;
}

connection connection::answer(const identity& mine, admissions& admitted, descriptor socket,
                              const carries& limits) {
  connection made(handshake::answer(mine, admitted), limits);
  made.socket_ = stream_socket(std::move(socket));
  if (mine.tls) made.socket_.secure(*mine.tls, tls_session::side::callee);
  return made;
}

void connection::close(std::string problem, bool damaged) {
  if (state_ == state::closed) return;
  damaged_ = damaged;
  state_ = state::closed;
  problem_ = std::move(problem);
  if (socket_) shutdown(socket_.number(), SHUT_RDWR);
}

void connection::give_up(refusal why) {
  greeting_.give_up(why);
  close(greeting_.sentence());
}

// --- the handshake ---

/// The socket has reported an error.
void connection::broken_off() {
  const std::string how = socket_.problem(errno);
  give_up(refusal::closed);
  problem_ += ": it " + how;
}

/// True if nothing is left to send.
bool connection::send_greeting() {
  while (!greeting_.to_send().empty()) {
    const auto bytes = greeting_.to_send();
    const iovec piece{const_cast<unsigned char*>(bytes.data()), bytes.size()};
    const ssize_t sent = socket_.write({&piece, 1});
    if (sent < 0 && errno == EAGAIN) return false;
    if (sent < 0) return broken_off(), false;
    greeting_.sent(static_cast<std::size_t>(sent));
  }
  return true;
}

void connection::end_greeting() {
  if (!send_greeting()) return;
  if (greeting_.now() == handshake::state::refused)
    close(greeting_.sentence());
  else if (greeting_.now() == handshake::state::done)
    state_ = state::open;
}

void connection::greet() {
  if (state_ == state::calling) {
    pollfd called{socket_.number(), POLLOUT, 0};
    if (poll(&called, 1, 0) <= 0) return;
    if (const int problem = call_error(socket_); problem != 0) {
      const std::string why = std::strerror(problem);
      give_up(refusal::closed);
      problem_ += ": " + why;
      return;
    }
    state_ = state::greeting;
  }
  while (state_ == state::greeting) {
    end_greeting();
    if (state_ != state::greeting || greeting_.now() != handshake::state::running) return;
    unsigned char bytes[4096];
    const iovec room{bytes, sizeof bytes};
    const ssize_t got = socket_.read({&room, 1});
    if (got < 0 && errno == EAGAIN) return;
    if (got < 0) return broken_off();
    if (got == 0) return give_up(refusal::closed);
    const std::span<const unsigned char> come(bytes, static_cast<std::size_t>(got));
    in_.take(come.subspan(greeting_.take(come)));
  }
}

// --- frames ---

bool connection::read() {
  if (state_ != state::open) return false;
  const auto room = in_.room();
  if (room.empty()) return false;
  const ssize_t got = socket_.read(room);
  if (got > 0) {
    std::size_t most = 0;
    for (const iovec& each : room) most += each.iov_len;
    drained_ = !socket_.is_secured() && static_cast<std::size_t>(got) < most;
    in_.got(static_cast<std::size_t>(got));
    return true;
  }
  if (got < 0 && errno == EAGAIN) return false;
  close(got == 0 ? "was closed by the other side" : socket_.problem(errno));
  return false;
}

}  // namespace terrane
