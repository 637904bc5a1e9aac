// SPDX-License-Identifier: Apache-2.0
// tcp.cpp: the lower bound over a network: two processes and one connection of TCP over loopback.
//
// Method      Both sides spin on a non-blocking socket (TCP_NODELAY) for one_way, and block in the
//             kernel for all else, as others that only send or wait do. For the rate, messages of 8
//             bytes are written 8192 at a time, as they lie.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "bench/messages/figure.h"

namespace {

constexpr const char* library = "tcp";
constexpr std::uint64_t at_once = 8192;

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  _exit(1);
}

struct side {
  const message_figure& figure;
  int socket;
  bool measures;
  std::vector<unsigned char> buffer = std::vector<unsigned char>(message_bytes_max);

  void write_all(const unsigned char* from, std::size_t bytes, int how) const {
    while (bytes > 0) {
      const ssize_t sent = send(socket, from, bytes, how | MSG_NOSIGNAL);
      if (sent < 0 && errno != EAGAIN && errno != EINTR) fail("messages/tcp: send");
      if (sent <= 0) continue;
      from += sent;
      bytes -= static_cast<std::size_t>(sent);
    }
  }
  void read_all(unsigned char* to, std::size_t bytes, int how) const {
    while (bytes > 0) {
      const ssize_t got = recv(socket, to, bytes, how);
      if (got == 0) _exit(1);  // the other side has said why
      if (got < 0 && errno != EAGAIN && errno != EINTR) fail("messages/tcp: recv");
      if (got < 0) continue;
      to += got;
      bytes -= static_cast<std::size_t>(got);
    }
  }
  std::size_t size() const { return static_cast<std::size_t>(figure.bytes); }

  /// Sends messages to and fro: each side sends every second number.
  void play(std::uint64_t first, std::uint64_t count, bool whole) {
    const bool parked = message_is(&figure, "parked");
    const int how = parked ? 0 : MSG_DONTWAIT;
    const auto send_number = [&](std::uint64_t number) {
      if (parked) message_pause();
      if (whole)
        message_fill(buffer.data(), figure.bytes, number);
      else
        message_number(buffer.data(), number);
      write_all(buffer.data(), size(), how);
    };
    for (std::uint64_t number = first; number < first + count; number += 2) {
      if (measures) send_number(number);
      read_all(buffer.data(), size(), how);
      const std::uint64_t expected = measures ? number + 1 : number;
      if (whole)
        message_check(library, buffer.data(), figure.bytes, expected);
      else
        message_check_number(library, buffer.data(), expected);
      if (!measures) send_number(number + 1);
    }
  }
  double one_way() {
    play(0, message_checked, true);
    const double start = bench_now();
    play(message_checked, static_cast<std::uint64_t>(figure.messages), false);
    const double pauses = message_is(&figure, "parked") ? figure.messages * message_pause_s : 0;
    return bench_now() - start - pauses;
  }

  void await_end() {
    unsigned char over = 0;
    if (measures)
      read_all(&over, 1, 0);
    else
      write_all(&over, 1, 0);
  }
  double bandwidth() {
    play(0, message_checked, true);
    message_fill(buffer.data(), figure.bytes, message_checked);
    const double start = bench_now();
    for (int i = 0; i < figure.messages; ++i)
      measures ? write_all(buffer.data(), size(), 0) : read_all(buffer.data(), size(), 0);
    if (!measures) message_check(library, buffer.data(), figure.bytes, message_checked);
    await_end();
    return bench_now() - start;
  }
  double rate() {
    const auto messages = static_cast<std::uint64_t>(figure.messages);
    const double start = bench_now();
    for (std::uint64_t number = 0; number < messages; number += at_once) {
      const std::uint64_t count = std::min(at_once, messages - number);
      if (measures) {
        for (std::uint64_t i = 0; i < count; ++i) message_number(buffer.data() + 8 * i, number + i);
        write_all(buffer.data(), 8 * count, 0);
      } else {
        read_all(buffer.data(), 8 * count, 0);
        for (std::uint64_t i = 0; i < count; ++i)
          message_check_number(library, buffer.data() + 8 * i, number + i);
      }
    }
    await_end();
    return bench_now() - start;
  }
  double measure() {
    if (message_is(&figure, "one_way") || message_is(&figure, "parked")) return one_way();
    return message_is(&figure, "rate") ? rate() : bandwidth();
  }
};

int connected(int listener, const sockaddr_in& where, bool calls) {
  const int made = calls ? socket(AF_INET, SOCK_STREAM, 0) : accept(listener, nullptr, nullptr);
  if (made < 0) fail("messages/tcp: no socket");
  if (calls && connect(made, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0)
    fail("messages/tcp: connect");
  const int on = 1;
  setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr const char* known[] = {"one_way", "parked", "bandwidth", "rate", nullptr};
  const message_figure figure = message_arguments(argc, argv, library, known);
  if (message_is(&figure, "rate") && figure.bytes != 8) {
    std::fprintf(stderr, "messages/tcp: the rate is one of messages of 8 bytes\n");
    return 2;
  }
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof where;
  auto* const raw = reinterpret_cast<sockaddr*>(&where);
  if (bind(listener, raw, size) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, raw, &size) != 0)
    fail("messages/tcp: cannot listen");
  const pid_t other = fork();
  if (other < 0) fail("messages/tcp: no second process");
  message_pin(other == 0 ? 1 : 0);
  if (other == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    side{figure, connected(listener, where, true), false}.measure();
    return 0;
  }
  message_report(&figure, side{figure, connected(listener, where, false), true}.measure());
}
