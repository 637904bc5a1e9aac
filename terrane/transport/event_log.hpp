// SPDX-License-Identifier: Apache-2.0
// event_log.hpp: hashes every event of a simulated run and, on request, writes a line for each.
//
// Format      A line holds the time in nanoseconds, the kind of event, where it happened, and two
//             numbers. `turn` happens at a processor; its numbers are the time to which the turn
//             charged, and how many fibers the processor has run so far. `message` happens at a
//             processor, `note` and `token` at a node; their numbers are the sender and the bytes.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

namespace terrane {

/// The number is FNV-1a over the events' fields.
struct event_log {
  enum what : std::uint64_t { turn, message, note, token };

  std::uint64_t hash = 0xcbf29ce484222325u, events = 0;
  std::FILE* file = nullptr;
  int problem = 0;  // errno of the first line that was lost

  event_log() = default;
  event_log(const event_log&) = delete;
  event_log& operator=(const event_log&) = delete;
  ~event_log() { close(); }
  /// Closes the file, if there is one; later events are only hashed. If the file is incomplete, a
  /// line on stderr says why.
  void close() {
    if (!file) return;
    if (std::fclose(std::exchange(file, nullptr)) != 0 && problem == 0) problem = errno;
    if (problem != 0)
      std::fprintf(stderr, "terrane: the event log is not complete: %s\n", std::strerror(problem));
  }
  void add(what kind, std::uint64_t time, std::uint64_t who, std::uint64_t first,
           std::uint64_t second) {
    ++events;
    for (const std::uint64_t field : {static_cast<std::uint64_t>(kind), time, who, first, second})
      hash = (hash ^ field) * 0x100000001b3u;
    if (file) write(kind, time, who, first, second);
  }
  void write(what kind, std::uint64_t time, std::uint64_t who, std::uint64_t first,
             std::uint64_t second) {
    static constexpr const char* names[] = {"turn", "message", "note", "token"};
    const int written = std::fprintf(
        file, "%llu %s %llu %llu %llu\n", static_cast<unsigned long long>(time), names[kind],
        static_cast<unsigned long long>(who), static_cast<unsigned long long>(first),
        static_cast<unsigned long long>(second));
    if (written < 0 && problem == 0) problem = errno;
  }
};

}  // namespace terrane
