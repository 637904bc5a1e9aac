// SPDX-License-Identifier: Apache-2.0
// connection.hpp: one connection of TCP between two processes of a run, and what it brings: the
// handshake first, then frames.
//
// Purpose     Nodes among themselves and nodes with their launcher use the same connections. What
//             is to be sent goes through a frame_sender.
// Invariants  Frames are read only after the handshake is done. Nothing blocks.
// Threads     One at a time. The socket stays valid until the connection is destroyed, so that
//             another thread may write to it meanwhile.
#pragma once

#include <cstdint>
#include <string>

#include "terrane/transport/tcp/frame_reader.hpp"
#include "terrane/transport/tcp/handshake.hpp"
#include "terrane/transport/tcp/stream_socket.hpp"

namespace terrane {

/// What a connection may bring.
struct carries {
  std::size_t frame_bytes_max;
  std::uint64_t large_bytes_max;
};
inline constexpr carries carries_messages{messages_bytes_max, std::uint64_t{1} << 40};
inline constexpr carries carries_control{control_bytes_max, 0};

/// A handshake that takes longer is given up.
inline constexpr std::uint64_t greeting_ns_max = 6'000'000'000;

class connection {
 public:
  enum class state { calling, greeting, open, closed };

  /// Calls a process; admitted.begin_call has said that it may.
  static connection call(const identity& mine, admissions& admitted, node_id peer,
                         const address& where, const carries& limits);
  /// A call that was accepted.
  static connection answer(const identity& mine, admissions& admitted, descriptor socket,
                           const carries& limits);

  state now() const { return state_; }
  bool is_open() const { return state_ == state::open; }
  bool is_closed() const { return state_ == state::closed; }
  /// Known once the connection is open.
  node_id peer() const { return greeting_.peer(); }
  const node_facts& facts() const { return greeting_.peer_facts(); }
  /// The other side turned us away because both called each other.
  bool is_crossed() const {
    return greeting_.why() == refusal::crossed || (greeting_.why() == refusal::turned_away &&
                                                   greeting_.why_turned_away() == refusal::crossed);
  }
  const stream_socket& socket() const { return socket_; }
  /// Why it is closed: a whole sentence if the handshake failed, else it completes "the connection
  /// ...".
  const std::string& problem() const { return problem_; }
  /// While it greets: whether it waits to be writable.
  bool wants_to_write() const {
    return state_ == state::calling ||
           (state_ == state::greeting && socket_.wants_to_write(!greeting_.to_send().empty()));
  }
  /// monotonic_ns of its beginning.
  std::uint64_t began_ns() const { return began_ns_; }

  /// Goes on with a call or a handshake as far as possible.
  void greet();
  /// Reads once what has come; the frames are then in in(). False if nothing has come, or the
  /// connection has ended.
  bool read();
  /// The last read took all that had come by then; what comes later, its end too, the socket tells.
  bool is_drained() const { return drained_; }
  frame_reader& in() { return in_; }
  /// Something can be read of which the socket will not tell.
  bool has_unread() const { return is_open() && socket_.has_unread(); }

  /// From here on the other side sees the end, and nothing is read. damaged: it brought what no
  /// runtime sends.
  void close(std::string problem, bool damaged = false);
  bool is_damaged() const { return damaged_; }
  /// Ends a handshake that is not done.
  void give_up(refusal why);

 private:
  connection(handshake greeting, const carries& limits);
  bool send_greeting();
  void broken_off();
  void end_greeting();

  stream_socket socket_;
  state state_ = state::greeting;
  handshake greeting_;
  frame_reader in_;
  std::string problem_;
  bool damaged_ = false, drained_ = false;
  std::uint64_t began_ns_;
};

}  // namespace terrane
