// SPDX-License-Identifier: Apache-2.0
// io.hpp: reading and writing files of the system, and connections: a thread that has to wait lets
// its processor go on.
//
//   io::file listener = io::listen("127.0.0.1", 7000);
//   while (true)
//     thread([](io::file caller) {
//       char text[4096];
//       while (const std::size_t got = caller.read(text, sizeof text)) caller.write(text, got);
//     }, listener.accept()).detach();
//
// Purpose     Ten thousand connections are ten thousand threads.
// Invariants  A file belongs to this process, to one io::file, which closes it. While a thread
//             waits for a file, it stays on its node. Several threads may use one file; each read
//             and each accept is one of the system's.
// Cost        A call is tried at once; only one that would block waits, without a further system
//             call (base/file_watch.hpp). A file that the system does not watch, as an ordinary
//             file, is read and written as blocking() does it.
// Errors      std::system_error with the system's number: of a file that was stopped
//             std::errc::operation_canceled, of one that is not open, or of another process, to
//             which the thread has moved, std::errc::bad_file_descriptor. R-281 outside a thread.
// World sim   One OS thread is the whole machine: a wait asks the system again and again, in
//             virtual time; such a run is not repeatable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "terrane/base/file_watch.hpp"
#include "terrane/thread/how_long.hpp"

namespace terrane::io {

class file {
 public:
  file() = default;
  /// Takes a descriptor over, and makes it non-blocking for all who share it.
  explicit file(int descriptor);
  file(file&& other) noexcept { swap(other); }
  file& operator=(file&& other) noexcept {
    file(std::move(other)).swap(*this);
    return *this;
  }
  ~file();

  bool is_open() const { return descriptor_ >= 0; }
  /// For calls of the system that are not here; -1: it is not open.
  int descriptor() const { return descriptor_; }
  /// Closes it; no other thread may use it any more.
  void close() { file().swap(*this); }
  /// Ends all waits for it, now and later, with std::errc::operation_canceled. Any thread may call
  /// it; the file stays open.
  void stop();

  /// Reads at most so many bytes, as soon as there are some. 0: the end.
  std::size_t read(void* into, std::size_t bytes);
  /// Reads so many bytes. False: the end came first.
  bool read_all(void* into, std::size_t bytes);
  /// Writes all of it.
  void write(const void* from, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// The next connection of a listener.
  file accept();

  /// Wait until a read, or a write, would not wait; false: that took longer.
  bool readable_within(how_long time) { return ready_within(watched_file::reading, time); }
  bool writable_within(how_long time) { return ready_within(watched_file::writing, time); }

  void swap(file& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(process_, other.process_);
    watched_.swap(other.watched_);
  }

 private:
  template <class Try>
  auto repeat(const char* name, watched_file::side which, Try&& attempt) -> decltype(attempt());
  void require_open(const char* name) const;
  bool ready_within(watched_file::side which, how_long time);

  int descriptor_ = -1;
  int process_ = 0;              // which opened it
  watched_file::owner watched_;  // null: always ready
};

/// A listener for TCP on the address of that host; port 0: one that is free.
file listen(const std::string& host, std::uint16_t port);
/// The port of this end of a connection, or of a listener.
std::uint16_t port_of(const file& socket);
/// A connection over TCP. The name is looked up outside (thread/blocking.hpp).
file connect(const std::string& host, std::uint16_t port);
/// The end that is read, and the end that is written.
std::pair<file, file> pipe();

}  // namespace terrane::io
