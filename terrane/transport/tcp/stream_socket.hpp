// SPDX-License-Identifier: Apache-2.0
// stream_socket.hpp: the socket of a connection, plain or with TLS on it.
//
// Purpose     What reads and writes frames does not know which of the two it is.
// Threads     One that writes and one that reads at a time.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <memory>
#include <span>
#include <string>

#include "terrane/transport/tcp/socket.hpp"
#include "terrane/transport/tcp/tls_session.hpp"

namespace terrane {

class stream_socket : public descriptor {
 public:
  stream_socket() = default;
  explicit stream_socket(descriptor plain) : descriptor(std::move(plain)) {}

  /// All bytes go through TLS from now on. Before the first byte.
  void secure(const tls_setup& shared, tls_session::side which) {
    tls_ = std::make_unique<tls_session>(shared, which);
  }

  bool is_secured() const { return tls_ != nullptr; }

  /// As sendmsg: how many bytes from the beginning were written, or -1 and errno. What was not
  /// written is offered again, first and unchanged.
  ssize_t write(std::span<const iovec> pieces) const;
  /// As readv.
  ssize_t read(std::span<const iovec> room) const;
  /// The last read left something of which the socket will not tell.
  bool has_unread() const { return tls_ && tls_->has_unread(); }
  /// During a handshake, if there are bytes for it to be sent: whether the socket is to tell when
  /// it takes more.
  bool wants_to_write(bool has_bytes) const {
    return tls_ ? tls_->wants_to_write(has_bytes) : has_bytes;
  }
  /// What -1 meant; completes "the connection ...".
  std::string problem(int problem_number) const;

 private:
  std::unique_ptr<tls_session> tls_;
};

}  // namespace terrane
