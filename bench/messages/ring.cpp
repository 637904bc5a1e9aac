// SPDX-License-Identifier: Apache-2.0
// ring.cpp: the lower bound: a ring with one writer and one reader in memory that two processes
// share.
//
// Method      A record is a word with its number, and its bytes, in lines of 64 bytes. All records
//             of a run are equally long. Therefore the words always lie in the same places, and a
//             number is never confused with that of the previous lap. Bytes are copied into the
//             ring and out of it. Large messages are sent in pieces. For the rate, seven small
//             messages share a line, which is published when it is full.
// Argument    The writer stores the number with release after the bytes; the reader's acquire load
//             of the number pairs with that store. The reader stores `taken` with release after its
//             copy; the writer's acquire load pairs with it before the writer reuses these lines.
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <new>
#include <vector>

#include "bench/messages/figure.h"

namespace {

constexpr const char* library = "ring";
constexpr int piece_bytes = 8192;
constexpr int words_a_line = 7;

void pause_core() { __builtin_ia32_pause(); }

class ring {
 public:
  static constexpr std::size_t room_bytes = std::size_t{1} << 16;

  /// Sets the bytes of every record. Called by one process, before the other uses the ring.
  void shape(std::size_t record_bytes) {
    stride_ = (record_bytes + sizeof(std::uint64_t) + 63) / 64 * 64;
    records_ = room_bytes / stride_;
  }

  // --- the writer ---
  template <class Write>
  void put(Write&& write) {
    while (written_ == taken_seen_ + records_) {
      taken_seen_ = taken_.load(std::memory_order_acquire);
      if (written_ == taken_seen_ + records_) pause_core();
    }
    unsigned char* const at = room_ + write_at_;
    write(at + sizeof(std::uint64_t));
    number(at).store(++written_, std::memory_order_release);
    write_at_ = next(write_at_);
  }
  // --- the reader ---
  template <class Read>
  void take(Read&& read) {
    unsigned char* const at = room_ + read_at_;
    while (number(at).load(std::memory_order_acquire) != read_ + 1) pause_core();
    read(at + sizeof(std::uint64_t));
    read_at_ = next(read_at_);
    if (++read_ - told_ < records_ / 4) return;
    told_ = read_;
    taken_.store(read_, std::memory_order_release);
  }

 private:
  std::size_t next(std::size_t at) const {
    return at + stride_ == records_ * stride_ ? 0 : at + stride_;
  }
  static std::atomic<std::uint64_t>& number(unsigned char* at) {
    return *reinterpret_cast<std::atomic<std::uint64_t>*>(at);
  }

  std::size_t stride_ = 64, records_ = room_bytes / 64;
  alignas(64) std::uint64_t written_ = 0, taken_seen_ = 0;
  std::size_t write_at_ = 0;
  alignas(64) std::uint64_t read_ = 0, told_ = 0;
  std::size_t read_at_ = 0;
  alignas(64) std::atomic<std::uint64_t> taken_{0};
  alignas(64) unsigned char room_[room_bytes] = {};
};

/// One of the two processes: one measures, the other answers.
struct side {
  const message_figure& figure;
  ring &out, &in;
  bool measures;
  std::vector<unsigned char> buffer = std::vector<unsigned char>(message_bytes_max);

  void send() {
    const std::size_t bytes = static_cast<std::size_t>(figure.bytes);
    for (std::size_t at = 0; at < bytes; at += piece_bytes)
      out.put([&](unsigned char* room) {
        std::memcpy(room, buffer.data() + at, std::min<std::size_t>(piece_bytes, bytes - at));
      });
  }
  void receive() {
    const std::size_t bytes = static_cast<std::size_t>(figure.bytes);
    for (std::size_t at = 0; at < bytes; at += piece_bytes)
      in.take([&](const unsigned char* record) {
        std::memcpy(buffer.data() + at, record, std::min<std::size_t>(piece_bytes, bytes - at));
      });
  }
  void receive_number(std::uint64_t number, bool whole) {
    receive();
    if (whole)
      message_check(library, buffer.data(), figure.bytes, number);
    else
      message_check_number(library, buffer.data(), number);
  }
  void send_number(std::uint64_t number, bool whole) {
    if (whole)
      message_fill(buffer.data(), figure.bytes, number);
    else
      message_number(buffer.data(), number);
    send();
  }

  /// Sends messages to and fro: each side sends every second number.
  void play(std::uint64_t first, std::uint64_t count, bool whole) {
    for (std::uint64_t number = first; number < first + count; number += 2) {
      if (measures) send_number(number, whole);
      receive_number(measures ? number + 1 : number, whole);
      if (!measures) send_number(number + 1, whole);
    }
  }
  double one_way() {
    play(0, message_checked, true);
    const double start = bench_now();
    play(message_checked, static_cast<std::uint64_t>(figure.messages), false);
    return bench_now() - start;
  }

  /// Sends the same bytes each time, as the windows of the peers do.
  double bandwidth() {
    play(0, message_checked, true);
    if (measures) message_fill(buffer.data(), figure.bytes, message_checked);
    const double start = bench_now();
    for (int i = 0; i < figure.messages; ++i) measures ? send() : receive();
    if (!measures) message_check(library, buffer.data(), figure.bytes, message_checked);
    await_end();
    return bench_now() - start;
  }
  void await_end() {
    if (measures)
      in.take([](const unsigned char*) {});
    else
      out.put([](unsigned char*) {});
  }

  double rate() {
    const auto messages = static_cast<std::uint64_t>(figure.messages);
    const double start = bench_now();
    for (std::uint64_t number = 0; number < messages; number += words_a_line) {
      const std::uint64_t end = std::min<std::uint64_t>(number + words_a_line, messages);
      if (measures)
        out.put([&](unsigned char* room) {
          for (std::uint64_t each = number; each < end; ++each, room += 8)
            message_number(room, each);
        });
      else
        in.take([&](const unsigned char* record) {
          for (std::uint64_t each = number; each < end; ++each, record += 8)
            message_check_number(library, record, each);
        });
    }
    await_end();
    return bench_now() - start;
  }

  double measure() {
    if (message_is(&figure, "one_way")) return one_way();
    return message_is(&figure, "rate") ? rate() : bandwidth();
  }
};

struct both_ways {
  ring there, back;
};

/// A side that finds a wrong message reports it and exits. This handler then ends the other side,
/// which would otherwise wait for ever.
void end_with_the_other(int) {
  int status = 0;
  if (waitpid(-1, &status, WNOHANG) > 0 && status != 0) _exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr const char* known[] = {"one_way", "bandwidth", "rate", nullptr};
  const message_figure figure = message_arguments(argc, argv, library, known);
  if (message_is(&figure, "rate") && figure.bytes != 8) {
    std::fprintf(stderr, "messages/ring: the rate is one of messages of 8 bytes\n");
    return 2;
  }
  void* memory =
      mmap(nullptr, sizeof(both_ways), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("messages/ring: no shared memory");
    return 1;
  }
  auto& shared = *new (memory) both_ways;
  const std::size_t record = static_cast<std::size_t>(
      message_is(&figure, "rate") ? words_a_line * 8 : std::min(figure.bytes, piece_bytes));
  shared.there.shape(record);
  shared.back.shape(record);

  std::signal(SIGCHLD, end_with_the_other);
  const pid_t other = fork();
  if (other < 0) {
    std::perror("messages/ring: no second process");
    return 1;
  }
  message_pin(other == 0 ? 1 : 0);
  if (other == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    side{figure, shared.back, shared.there, false}.measure();
    return 0;
  }
  const double seconds = side{figure, shared.there, shared.back, true}.measure();
  message_report(&figure, seconds);
}
