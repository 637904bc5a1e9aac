// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/tls_session.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "terrane/base/check.hpp"
#include "terrane/base/openssl.hpp"

namespace terrane {

#ifdef TERRANE_HAVE_OPENSSL

namespace {

constexpr std::size_t tls_record_bytes = 16384;  // the most that TLS puts into one record
constexpr std::size_t records_at_once = 8;       // encrypted before they are sent
constexpr std::size_t input_bytes = 65536;
constexpr int own_data = 0;                              // of a session's extra data
constexpr unsigned char cipher_number[] = {0x13, 0x01};  // its hash is that of our key
constexpr const char* cipher_name = "TLS_AES_128_GCM_SHA256";

}  // namespace

tls_setup::tls_setup(const job_secret& secret) : key_(secret.key_for("terrane tls")) {
  for (const unsigned char each : secret.job()) {
    name_ += "0123456789abcdef"[each >> 4];
    name_ += "0123456789abcdef"[each & 15];
  }
  const openssl_library& ssl = openssl();
  SSL_CTX* const made = ssl.SSL_CTX_new(ssl.TLS_method());
  TERRANE_CHECK(made);
  context_ = made;
  TERRANE_CHECK(ssl.SSL_CTX_ctrl(made, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_3_VERSION, nullptr));
  TERRANE_CHECK(ssl.SSL_CTX_set_ciphersuites(made, cipher_name) == 1);
  ssl.SSL_CTX_set_psk_use_session_callback(made, tls_session::find_key_as_caller);
  ssl.SSL_CTX_set_psk_find_session_callback(made, tls_session::find_key_as_callee);
  ssl.SSL_CTX_set_options(made, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  ssl.SSL_CTX_set_num_tickets(made, 0);
  ssl.SSL_CTX_ctrl(made, SSL_CTRL_MODE, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, nullptr);
}

tls_setup::~tls_setup() {
  openssl().SSL_CTX_free(static_cast<SSL_CTX*>(context_));
  wipe(key_);
}

tls_session::tls_session(const tls_setup& shared, side which) : shared_(shared), in_(input_bytes) {
  const openssl_library& ssl = openssl();
  record_.reserve(tls_record_bytes);
  session_ = ssl.SSL_new(static_cast<SSL_CTX*>(shared.context_));
  encrypted_in_ = ssl.BIO_new(ssl.BIO_s_mem());
  encrypted_out_ = ssl.BIO_new(ssl.BIO_s_mem());
  TERRANE_CHECK(session_ && encrypted_in_ && encrypted_out_);
  ssl.SSL_set_bio(session_, encrypted_in_, encrypted_out_);
  ssl.SSL_set_ex_data(session_, own_data, this);
  if (which == side::callee) {
    ssl.SSL_set_accept_state(session_);
    return;
  }
  ssl.SSL_set_connect_state(session_);
  // No certificate of anybody is ever good enough: the list of those who may sign is empty.
  ssl.SSL_set_verify(session_, SSL_VERIFY_PEER, nullptr);
}

tls_session::~tls_session() { openssl().SSL_free(session_); }

// --- the key ---

/// The key in the form in which TLS takes one.
SSL_SESSION* tls_session::key_session() const {
  const openssl_library& ssl = openssl();
  SSL_SESSION* const made = ssl.SSL_SESSION_new();
  const SSL_CIPHER* const cipher = ssl.SSL_CIPHER_find(session_, cipher_number);
  const bool right =
      made && cipher &&
      ssl.SSL_SESSION_set1_master_key(made, shared_.key_.data(), shared_.key_.size()) == 1 &&
      ssl.SSL_SESSION_set_cipher(made, cipher) == 1 &&
      ssl.SSL_SESSION_set_protocol_version(made, TLS1_3_VERSION) == 1;
  TERRANE_CHECK(right);
  return made;
}

int tls_session::find_key_as_caller(SSL* of, const EVP_MD*, const unsigned char** name,
                                    std::size_t* name_bytes, SSL_SESSION** found) {
  const auto* const me = static_cast<tls_session*>(openssl().SSL_get_ex_data(of, own_data));
  *name = reinterpret_cast<const unsigned char*>(me->shared_.name_.data());
  *name_bytes = me->shared_.name_.size();
  *found = me->key_session();
  return 1;
}

int tls_session::find_key_as_callee(SSL* of, const unsigned char* name, std::size_t name_bytes,
                                    SSL_SESSION** found) {
  const auto* const me = static_cast<tls_session*>(openssl().SSL_get_ex_data(of, own_data));
  const std::string& ours = me->shared_.name_;
  const bool same = name_bytes == ours.size() && std::memcmp(name, ours.data(), name_bytes) == 0;
  *found = same ? me->key_session() : nullptr;
  return 1;
}

// --- both directions ---

ssize_t tls_session::fail(int problem) {
  failed_ = problem;
  errno = problem;
  return -1;
}

/// Of what SSL_read_ex or SSL_write_ex has returned.
tls_session::answer tls_session::judge(int returned) {
  const openssl_library& ssl = openssl();
  if (returned == 1) {
    // A connection that rests on anything but our key is none.
    if (!proven_ && ssl.SSL_session_reused(session_) != 1) {
      problem_ = "was secured by something else than this run's secret";
      failed_ = EPROTO;  // also what has been decrypted is not ours
      return answer::failed;
    }
    proven_ = true;
    return answer::done;
  }
  const int why = ssl.SSL_get_error(session_, returned);
  if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) return answer::wants_input;
  const unsigned long code = ssl.ERR_get_error();
  const char* const reason = code != 0 ? ssl.ERR_reason_error_string(code) : nullptr;
  if (why == SSL_ERROR_ZERO_RETURN)
    problem_ = "was closed by the other side";
  else
    problem_ = std::string("failed in TLS: ") + (reason ? reason : "bytes that make no sense");
  return answer::failed;
}

/// Sends what TLS wants to be sent. True if the socket has taken all.
bool tls_session::send_encrypted(int socket) {
  const openssl_library& ssl = openssl();
  for (;;) {
    if (sent_ == out_.size()) {
      out_.resize(ssl.BIO_ctrl(encrypted_out_, BIO_CTRL_PENDING, 0, nullptr));
      sent_ = 0;
      if (out_.empty()) return true;
      const int got = ssl.BIO_read(encrypted_out_, out_.data(), static_cast<int>(out_.size()));
      TERRANE_CHECK(got == static_cast<int>(out_.size()));
    }
    const ssize_t sent =
        send(socket, out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0)
      sent_ += static_cast<std::size_t>(sent);
    else if (errno != EINTR)
      return false;
  }
}

/// As recv.
ssize_t tls_session::receive_encrypted(int socket) {
  for (;;) {
    const ssize_t got = recv(socket, in_.data(), in_.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got > 0) {
      const int taken = openssl().BIO_write(encrypted_in_, in_.data(), static_cast<int>(got));
      TERRANE_CHECK(taken == got);
    }
    return got;
  }
}

bool tls_session::wants_to_write(bool has_bytes) const {
  const bool unsent =
      sent_ != out_.size() || openssl().BIO_ctrl(encrypted_out_, BIO_CTRL_PENDING, 0, nullptr) != 0;
  return unsent || (has_bytes && openssl().SSL_is_init_finished(session_) == 1);
}

// --- writing ---

/// False: not now, or never (failed_).
bool tls_session::encrypt_record(int socket, const unsigned char* bytes, std::size_t size) {
  for (;;) {
    std::size_t written = 0;
    openssl().ERR_clear_error();
    switch (judge(openssl().SSL_write_ex(session_, bytes, size, &written))) {
      case answer::done: return true;
      case answer::failed: return fail(EPROTO), false;
      case answer::wants_input: break;
    }
    // The first messages are not done yet.
    if (!send_encrypted(socket) && errno != EAGAIN) return fail(errno), false;
    const ssize_t got = receive_encrypted(socket);
    if (got == 0) return fail(ECONNRESET), false;
    if (got < 0) return errno != EAGAIN && fail(errno), false;
  }
}

/// Encrypts from the beginning of the pieces. Small ones share records. Returns how many bytes.
std::size_t tls_session::encrypt(int socket, std::span<const iovec> pieces) {
  std::size_t done = 0;
  const auto write_gathered = [&] {
    if (record_.empty()) return true;
    if (!encrypt_record(socket, record_.data(), record_.size())) return false;
    done += record_.size();
    record_.clear();
    return true;
  };
  record_.clear();
  for (const iovec& each : pieces) {
    const auto* from = static_cast<const unsigned char*>(each.iov_base);
    for (std::size_t left = each.iov_len; left != 0;) {
      const std::size_t some = std::min(left, tls_record_bytes - record_.size());
      if (some == tls_record_bytes) {
        if (!encrypt_record(socket, from, some)) return done;
        done += some;
      } else {
        record_.insert(record_.end(), from, from + some);
        if (record_.size() == tls_record_bytes && !write_gathered()) return done;
      }
      from += some;
      left -= some;
      if (done >= records_at_once * tls_record_bytes) return done;
    }
  }
  write_gathered();
  return done;
}

ssize_t tls_session::write(int socket, std::span<const iovec> pieces) {
  const std::lock_guard hold(using_);
  if (failed_ != 0) return fail(failed_);
  if (unconfirmed_ == 0) unconfirmed_ = encrypt(socket, pieces);
  const bool all = send_encrypted(socket);
  if (!all && errno != EAGAIN) return fail(errno);
  if (failed_ != 0) return fail(failed_);
  if (!all || unconfirmed_ == 0) {
    errno = EAGAIN;
    return -1;
  }
  const auto confirmed = static_cast<ssize_t>(unconfirmed_);
  unconfirmed_ = 0;
  return confirmed;
}

// --- reading ---

ssize_t tls_session::read(int socket, std::span<const iovec> room) {
  const std::lock_guard hold(using_);
  if (failed_ != 0) return fail(failed_);
  std::size_t total = 0;
  unread_ = false;
  for (const iovec& each : room)
    for (std::size_t filled = 0; filled < each.iov_len;) {
      std::size_t got = 0;
      openssl().ERR_clear_error();
      const answer how =
          judge(openssl().SSL_read_ex(session_, static_cast<unsigned char*>(each.iov_base) + filled,
                                      each.iov_len - filled, &got));
      filled += got;
      total += got;
      if (how == answer::done) continue;
      send_encrypted(socket);  // what TLS itself has to say; if it does not go now, write sends it
      if (failed_ != 0) return fail(failed_);
      if (how == answer::failed) {
        if (total != 0) return unread_ = true, static_cast<ssize_t>(total);
        return problem_ == "was closed by the other side" ? 0 : fail(EPROTO);
      }
      if (total != 0) return static_cast<ssize_t>(total);
      const ssize_t come = receive_encrypted(socket);
      if (come < 0 && errno != EAGAIN) return fail(errno);
      if (come <= 0) return come;
    }
  unread_ = true;  // the room is full
  return static_cast<ssize_t>(total);
}

#else

tls_setup::tls_setup(const job_secret&) {
  check_failed(openssl_problem().c_str(), __FILE__, __LINE__);
}
tls_setup::~tls_setup() = default;
tls_session::tls_session(const tls_setup& shared, side) : shared_(shared) {}
tls_session::~tls_session() = default;
bool tls_session::wants_to_write(bool) const { return false; }
ssize_t tls_session::write(int, std::span<const iovec>) { return fail(ENOSYS); }
ssize_t tls_session::read(int, std::span<const iovec>) { return fail(ENOSYS); }
ssize_t tls_session::fail(int problem) {
  errno = problem;
  return -1;
}

#endif

}  // namespace terrane
