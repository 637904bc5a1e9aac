// SPDX-License-Identifier: Apache-2.0
// tls_session.hpp: TLS 1.3 on one connection of a run (--tls).
//
// Purpose     Nobody between two nodes can read what they send, or change it unnoticed. There are
//             no certificates: both sides derive the same key from the job's secret, and TLS proves
//             by it that the other side has it too (an external PSK, with fresh Diffie-Hellman keys
//             for each connection). The handshake of handshake.hpp then runs inside.
// Interface   write and read behave as sendmsg and readv on a non-blocking socket do, so what
//             stands above need not know. One difference: read may take more from the socket than
//             it returns, and `has_unread` says so.
// Invariants  What write has not accepted, it is offered again, first and unchanged, as for a
//             socket: it may have been encrypted already.
// Threads     One that writes and one that reads at a time; they may be two.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "terrane/transport/tcp/job_secret.hpp"

// OpenSSL's, of which no other header needs to know.
struct ssl_st;
struct ssl_session_st;
struct bio_st;
struct evp_md_st;

namespace terrane {

/// What all TLS connections of one process share. OpenSSL must be there (`openssl_problem`).
class tls_setup {
 public:
  explicit tls_setup(const job_secret& secret);
  tls_setup(const tls_setup&) = delete;
  tls_setup& operator=(const tls_setup&) = delete;
  ~tls_setup();

 private:
  friend class tls_session;
  hash_bytes key_;
  std::string name_;         // of the key, as both sides say it: the job's
  void* context_ = nullptr;  // SSL_CTX
};

class tls_session {
 public:
  enum class side { caller, callee };

  /// Of a socket that stays the owner's. The setup outlives the session.
  tls_session(const tls_setup& shared, side which);
  tls_session(const tls_session&) = delete;
  tls_session& operator=(const tls_session&) = delete;
  ~tls_session();

  /// How many bytes from the beginning of `pieces` have been written; -1 and errno otherwise, for
  /// instance EAGAIN: nothing yet. EPROTO: TLS has failed, `problem` says how.
  ssize_t write(int socket, std::span<const iovec> pieces);
  /// How many bytes were read; 0: the other side has ended; -1 and errno, as for write.
  ssize_t read(int socket, std::span<const iovec> room);
  /// The last read left something that needs no news from the socket: read again.
  bool has_unread() const { return unread_; }
  /// During the first messages of TLS: whether there is something that the socket has not taken.
  /// Until those messages are done, news from the socket is what write waits for, too.
  bool wants_to_write(bool has_bytes) const;
  /// Completes "the connection ...".
  const std::string& problem() const { return problem_; }

 private:
  friend class tls_setup;
  static int find_key_as_caller(ssl_st*, const evp_md_st*, const unsigned char** name,
                                std::size_t* name_bytes, ssl_session_st** found);
  static int find_key_as_callee(ssl_st*, const unsigned char* name, std::size_t name_bytes,
                                ssl_session_st** found);
  ssl_session_st* key_session() const;

  enum class answer { done, wants_input, failed };
  answer judge(int returned);
  std::size_t encrypt(int socket, std::span<const iovec> pieces);
  bool encrypt_record(int socket, const unsigned char* bytes, std::size_t size);
  bool send_encrypted(int socket);
  ssize_t receive_encrypted(int socket);
  ssize_t fail(int problem);

  const tls_setup& shared_;
  std::mutex using_;
  ssl_st* session_ = nullptr;
  bio_st *encrypted_in_ = nullptr, *encrypted_out_ = nullptr;  // belong to the session
  std::vector<unsigned char> out_;                             // what the socket has not taken yet
  std::size_t sent_ = 0;                                       // of out_
  std::size_t unconfirmed_ = 0;  // bytes of the caller's that are encrypted, but not all sent
  std::vector<unsigned char> record_, in_;
  bool unread_ = false, proven_ = false;
  int failed_ = 0;  // errno
  std::string problem_;
};

}  // namespace terrane
