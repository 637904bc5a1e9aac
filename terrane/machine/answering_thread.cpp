// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/answering_thread.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string_view>
#include <utility>

#include "terrane/base/signals_blocked.hpp"

namespace terrane {

namespace {

constexpr timeval patience_of_answers{2, 0};
constexpr std::chrono::milliseconds until_there_is_room(100);

void send_answer(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace

answering_thread::answering_thread(int listener, std::function<std::string(int)> answer)
    : listener_(listener), answer_(std::move(answer)) {
  const signals_blocked while_it_starts;
  thread_ = std::thread([this] { serve(); });
}

answering_thread::~answering_thread() {
  {
    const std::lock_guard hold(lock_);
    over_ = true;
    if (asker_ >= 0) shutdown(asker_, SHUT_RDWR);
  }
  shutdown(listener_, SHUT_RDWR);  // ends accept()
  thread_.join();
  close(listener_);
}

void answering_thread::serve() {
  for (;;) {
    const int asker = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (asker < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (asker < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
      std::this_thread::sleep_for(until_there_is_room);  // the program holds all it may
      continue;
    }
    if (asker < 0) return;
    setsockopt(asker, SOL_SOCKET, SO_RCVTIMEO, &patience_of_answers, sizeof patience_of_answers);
    setsockopt(asker, SOL_SOCKET, SO_SNDTIMEO, &patience_of_answers, sizeof patience_of_answers);
    if (begin(asker)) send_answer(asker, answer_(asker));
    end();
    close(asker);
  }
}

bool answering_thread::begin(int asker) {
  const std::lock_guard hold(lock_);
  if (over_) return false;
  asker_ = asker;
  return true;
}

void answering_thread::end() {
  const std::lock_guard hold(lock_);
  asker_ = -1;
}

}  // namespace terrane
