// SPDX-License-Identifier: Apache-2.0
// openssl.hpp: OpenSSL, opened at run time by whoever needs it.
//
// Purpose     A program that links the runtime links no OpenSSL: its libraries are opened when a
//             run asks for a secret, and only then cost time and memory. A system without them
//             runs every world that needs none.
// Invariants  What was opened stays open until the process ends, since its own threads' data may
//             outlive whoever asked. All functions below are there, or nothing is.
#pragma once

#include <string>

#ifdef TERRANE_HAVE_OPENSSL
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>

// The functions that are called, by library.
#define TERRANE_CRYPTO_FUNCTIONS(use)                                                           \
  use(HMAC) use(EVP_sha256) use(CRYPTO_memcmp) use(OPENSSL_cleanse) use(BIO_new) use(BIO_s_mem) \
      use(BIO_free) use(BIO_read) use(BIO_write) use(BIO_ctrl) use(ERR_get_error)               \
          use(ERR_error_string_n) use(ERR_clear_error)
#define TERRANE_SSL_FUNCTIONS(use)                                                                 \
  use(TLS_method) use(SSL_CTX_new) use(SSL_CTX_free) use(SSL_CTX_ctrl) use(SSL_CTX_set_options)    \
      use(SSL_CTX_set_ciphersuites) use(SSL_CTX_set_psk_use_session_callback)                      \
          use(SSL_CTX_set_psk_find_session_callback) use(SSL_CTX_set_num_tickets)                  \
              use(SSL_CTX_set_max_early_data) use(SSL_new) use(SSL_free) use(SSL_ctrl)             \
                  use(SSL_set_bio) use(SSL_set_accept_state) use(SSL_set_connect_state)            \
                      use(SSL_set_ex_data) use(SSL_get_ex_data) use(SSL_do_handshake)              \
                          use(SSL_read_ex) use(SSL_write_ex) use(SSL_get_error) use(SSL_version)   \
                              use(SSL_session_reused) use(SSL_get_current_cipher)                  \
                                  use(SSL_CIPHER_find) use(SSL_SESSION_new) use(SSL_SESSION_free)  \
                                      use(SSL_SESSION_set1_master_key) use(SSL_SESSION_set_cipher) \
                                          use(SSL_SESSION_set_protocol_version) use(SSL_shutdown)
#endif

namespace terrane {

#ifdef TERRANE_HAVE_OPENSSL
/// The functions of libcrypto and libssl that the runtime calls, under their own names.
struct openssl_library {
#define TERRANE_FUNCTION(name) decltype(&::name) name = nullptr;
  TERRANE_CRYPTO_FUNCTIONS(TERRANE_FUNCTION)
  TERRANE_SSL_FUNCTIONS(TERRANE_FUNCTION)
#undef TERRANE_FUNCTION
};

/// The library; aborts where `openssl_problem` names a problem. Any thread may call it.
const openssl_library& openssl();
#endif

/// Why there is no OpenSSL, and what to do: one sentence; empty if there is one. The first call
/// opens it.
const std::string& openssl_problem();

}  // namespace terrane
