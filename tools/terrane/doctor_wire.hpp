// SPDX-License-Identifier: Apache-2.0
// doctor_wire.hpp: connections by which `terrane doctor` finds out what a run would find.
//
// Purpose     The same handshake as in a run, and then an echo, or a block whose arrival is
//             confirmed. Everything waits, with a deadline.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/transport/tcp/handshake.hpp"
#include "terrane/transport/tcp/socket.hpp"

namespace terrane {

using doctor_clock = std::chrono::steady_clock;

/// What one side measured of a connection with another.
struct wire_measures {
  std::uint64_t round_trip_ns = 0;  // the best of a few
  int mtu = 0;                      // of the way there
  double bytes_per_second = 0;      // 0: not measured
};

/// Accepts calls of the doctor's processes until it is destroyed.
class doctor_listener {
 public:
  /// Listens at that address, at a port that the kernel chooses.
  static result<std::unique_ptr<doctor_listener>> listen(const identity& mine, node_id nodes,
                                                         const std::string& digits);
  doctor_listener(const doctor_listener&) = delete;
  doctor_listener& operator=(const doctor_listener&) = delete;
  ~doctor_listener();

  std::uint16_t port() const { return address::local_of(socket_).port(); }

 private:
  doctor_listener(const identity& mine, node_id nodes, descriptor socket);
  void accept_calls();
  void serve(int socket);

  const identity& mine_;
  const node_id nodes_;
  const descriptor socket_;
  std::atomic<bool> over_{false};
  std::vector<std::thread> served_;  // the accepting thread's own, until it has ended
  std::thread accepts_;
};

/// Calls the process that has that number, proves who both are, and measures. bandwidth: takes some
/// 0.1 s more. The error completes "A cannot reach B: ...".
result<wire_measures> measure_wire(const identity& mine, node_id nodes, node_id peer,
                                   const std::string& digits, std::uint16_t port, bool bandwidth);

}  // namespace terrane
