// SPDX-License-Identifier: Apache-2.0
// callers.cpp: many connections to an echo server from one thread (epoll), each with one message of
// 64 bytes under way.
//
//   callers PORT CONNECTIONS SECONDS     prints: messages a second, and the latency at the median
//                                        and at 99 % in microseconds
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr std::size_t message_bytes = 64;

std::int64_t now_ns() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

struct connection {
  int socket = -1;
  std::size_t heard = 0;
  std::int64_t sent_at = 0;
  std::uint64_t number = 0;

  void say() {
    std::array<char, message_bytes> text{};
    ++number;
    std::memcpy(text.data(), &number, sizeof number);
    sent_at = now_ns();
    if (::send(socket, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
      fail("send");
    heard = 0;
  }
  /// True: the whole answer is there.
  bool hear() {
    std::array<char, message_bytes> text;
    const ssize_t got = ::recv(socket, text.data(), text.size() - heard, 0);
    if (got <= 0) fail("recv");
    if (heard == 0 && got >= 8 && std::memcmp(text.data(), &number, sizeof number) != 0) {
      std::fprintf(stderr, "callers: another message came back\n");
      std::exit(1);
    }
    heard += static_cast<std::size_t>(got);
    return heard == message_bytes;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: callers PORT CONNECTIONS SECONDS\n");
    return 2;
  }
  const auto port = static_cast<std::uint16_t>(std::stoi(argv[1]));
  const auto count = static_cast<std::size_t>(std::stoul(argv[2]));
  const std::int64_t length_ns = static_cast<std::int64_t>(std::stod(argv[3]) * 1e9);

  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  const int list = epoll_create1(0);
  std::vector<connection> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    all[i].socket = socket(AF_INET, SOCK_STREAM, 0);
    if (all[i].socket < 0 || connect(all[i].socket, reinterpret_cast<sockaddr*>(&to), sizeof to))
      fail("connect");
    const int on = 1;
    setsockopt(all[i].socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    epoll_event about{};
    about.events = EPOLLIN;
    about.data.u64 = i;
    epoll_ctl(list, EPOLL_CTL_ADD, all[i].socket, &about);
  }

  for (connection& each : all) each.say();
  std::vector<std::int64_t> latencies;
  latencies.reserve(1 << 22);
  const std::int64_t began = now_ns();
  std::int64_t measured_from = began + length_ns / 5;  // the first part is for warming up
  std::array<epoll_event, 256> events;
  std::int64_t moment = began;
  while (moment < began + length_ns) {
    const int heard = epoll_wait(list, events.data(), events.size(), 1000);
    if (heard <= 0) fail("epoll_wait: no answer for a second");
    for (int i = 0; i < heard; ++i) {
      connection& one = all[events[static_cast<std::size_t>(i)].data.u64];
      if (!one.hear()) continue;
      moment = now_ns();
      if (moment >= measured_from) latencies.push_back(moment - one.sent_at);
      one.say();
    }
  }
  const double seconds = static_cast<double>(moment - measured_from) * 1e-9;
  std::sort(latencies.begin(), latencies.end());
  if (latencies.empty()) return 1;
  const auto at = [&](std::size_t percent) {
    return static_cast<double>(latencies[(latencies.size() - 1) * percent / 100]) * 1e-3;
  };
  std::printf("%.0f %.1f %.1f\n", static_cast<double>(latencies.size()) / seconds, at(50), at(99));
}
