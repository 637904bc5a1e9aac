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

#endif

namespace terrane {

#ifdef TERRANE_HAVE_OPENSSL
/// The functions of libcrypto and libssl that the runtime calls, under their own names.
struct openssl_library {
  // libcrypto
  decltype(&::HMAC) HMAC = nullptr;
  decltype(&::EVP_sha256) EVP_sha256 = nullptr;
  decltype(&::CRYPTO_memcmp) CRYPTO_memcmp = nullptr;
  decltype(&::BIO_new) BIO_new = nullptr;
  decltype(&::BIO_s_mem) BIO_s_mem = nullptr;
  decltype(&::BIO_free) BIO_free = nullptr;
  decltype(&::BIO_read) BIO_read = nullptr;
  decltype(&::BIO_write) BIO_write = nullptr;
  decltype(&::BIO_ctrl) BIO_ctrl = nullptr;
  decltype(&::ERR_get_error) ERR_get_error = nullptr;
  decltype(&::ERR_reason_error_string) ERR_reason_error_string = nullptr;
  decltype(&::ERR_clear_error) ERR_clear_error = nullptr;
  // libssl
  decltype(&::TLS_method) TLS_method = nullptr;
  decltype(&::SSL_CTX_new) SSL_CTX_new = nullptr;
  decltype(&::SSL_CTX_free) SSL_CTX_free = nullptr;
  decltype(&::SSL_CTX_ctrl) SSL_CTX_ctrl = nullptr;
  decltype(&::SSL_CTX_set_options) SSL_CTX_set_options = nullptr;
  decltype(&::SSL_set_verify) SSL_set_verify = nullptr;
  decltype(&::SSL_CTX_set_ciphersuites) SSL_CTX_set_ciphersuites = nullptr;
  decltype(&::SSL_CTX_set_psk_use_session_callback) SSL_CTX_set_psk_use_session_callback = nullptr;
  decltype(&::SSL_CTX_set_psk_find_session_callback) SSL_CTX_set_psk_find_session_callback =
      nullptr;
  decltype(&::SSL_CTX_set_num_tickets) SSL_CTX_set_num_tickets = nullptr;
  decltype(&::SSL_new) SSL_new = nullptr;
  decltype(&::SSL_free) SSL_free = nullptr;
  decltype(&::SSL_set_bio) SSL_set_bio = nullptr;
  decltype(&::SSL_set_accept_state) SSL_set_accept_state = nullptr;
  decltype(&::SSL_set_connect_state) SSL_set_connect_state = nullptr;
  decltype(&::SSL_set_ex_data) SSL_set_ex_data = nullptr;
  decltype(&::SSL_get_ex_data) SSL_get_ex_data = nullptr;
  decltype(&::SSL_read_ex) SSL_read_ex = nullptr;
  decltype(&::SSL_write_ex) SSL_write_ex = nullptr;
  decltype(&::SSL_get_error) SSL_get_error = nullptr;
  decltype(&::SSL_is_init_finished) SSL_is_init_finished = nullptr;
  decltype(&::SSL_session_reused) SSL_session_reused = nullptr;
  decltype(&::SSL_CIPHER_find) SSL_CIPHER_find = nullptr;
  decltype(&::SSL_SESSION_new) SSL_SESSION_new = nullptr;
  decltype(&::SSL_SESSION_free) SSL_SESSION_free = nullptr;
  decltype(&::SSL_SESSION_set1_master_key) SSL_SESSION_set1_master_key = nullptr;
  decltype(&::SSL_SESSION_set_cipher) SSL_SESSION_set_cipher = nullptr;
  decltype(&::SSL_SESSION_set_protocol_version) SSL_SESSION_set_protocol_version = nullptr;
};

/// The library; aborts where `openssl_problem` names a problem. Any thread may call it.
const openssl_library& openssl();
#endif

/// Why there is no OpenSSL, and what to do: one sentence; empty if there is one. The first call
/// opens it.
const std::string& openssl_problem();

}  // namespace terrane
