// SPDX-License-Identifier: Apache-2.0
// socket.hpp: sockets of TCP and their addresses.
//
// Invariants  Every socket is non-blocking, is closed on exec, and sends at once what it is given
//             (TCP_NODELAY).
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <utility>

#include "terrane/base/result.hpp"

namespace terrane {

/// A file descriptor with an owner.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() { close(); }
  void close();
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// A descriptor that a node cannot run without. If the system has refused it (below 0), ends the
/// process with a sentence.
descriptor needed(int number);

class address {
 public:
  address() = default;
  /// host: a name, or an address in digits. An error names it and says what the system says.
  static result<address> find(const std::string& host, std::uint16_t port);
  /// The local end of a socket.
  static address local_of(const descriptor& socket);

  const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const { return size_; }
  int family() const { return storage_.ss_family; }
  /// In digits, without the port.
  std::string host() const;
  std::uint16_t port() const;
  std::string to_text() const;

 private:
  sockaddr_storage storage_{};
  socklen_t size_ = 0;
};

/// Listens at that address; port 0: the system chooses one. waiting_max: calls that wait to be
/// accepted.
result<descriptor> listen_at(const address& where, int waiting_max);
/// The address of this host, with port 0, from which the system would call that address.
result<address> own_address_towards(const address& there);
/// Accepts a call; no descriptor if none waits.
descriptor accept_call(const descriptor& listener);
/// Begins to call. The socket becomes writable when that has succeeded or failed.
result<descriptor> begin_call(const address& where);
/// The error of a call that has ended; 0: it succeeded.
int call_error(const descriptor& socket);

/// What the kernel has measured of a connection.
struct wire_figures {
  std::uint64_t round_trip_ns = 0, round_trip_min_ns = 0, resent = 0;
};
wire_figures figures_of(const descriptor& socket);

}  // namespace terrane
