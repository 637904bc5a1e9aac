// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/openssl.hpp"

#include "terrane/base/check.hpp"

#ifdef TERRANE_HAVE_OPENSSL
#include <dlfcn.h>
#endif

namespace terrane {

#ifdef TERRANE_HAVE_OPENSSL

namespace {

#define TERRANE_TEXT_OF(number) #number
#define TERRANE_TEXT(number) TERRANE_TEXT_OF(number)
#define TERRANE_SONAME(library) library ".so." TERRANE_TEXT(OPENSSL_SHLIB_VERSION)

struct opened_library {
  openssl_library functions;
  std::string problem;

  opened_library() {
    void* const crypto = open(TERRANE_SONAME("libcrypto"));
    void* const ssl = crypto ? open(TERRANE_SONAME("libssl")) : nullptr;
    if (!ssl) return;
    find(crypto, "HMAC", functions.HMAC);
    find(crypto, "EVP_sha256", functions.EVP_sha256);
    find(crypto, "CRYPTO_memcmp", functions.CRYPTO_memcmp);
    find(crypto, "BIO_new", functions.BIO_new);
    find(crypto, "BIO_s_mem", functions.BIO_s_mem);
    find(crypto, "BIO_free", functions.BIO_free);
    find(crypto, "BIO_read", functions.BIO_read);
    find(crypto, "BIO_write", functions.BIO_write);
    find(crypto, "BIO_ctrl", functions.BIO_ctrl);
    find(crypto, "ERR_get_error", functions.ERR_get_error);
    find(crypto, "ERR_reason_error_string", functions.ERR_reason_error_string);
    find(crypto, "ERR_clear_error", functions.ERR_clear_error);
    find(ssl, "TLS_method", functions.TLS_method);
    find(ssl, "SSL_CTX_new", functions.SSL_CTX_new);
    find(ssl, "SSL_CTX_free", functions.SSL_CTX_free);
    find(ssl, "SSL_CTX_ctrl", functions.SSL_CTX_ctrl);
    find(ssl, "SSL_CTX_set_options", functions.SSL_CTX_set_options);
    find(ssl, "SSL_set_verify", functions.SSL_set_verify);
    find(ssl, "SSL_CTX_set_ciphersuites", functions.SSL_CTX_set_ciphersuites);
    find(ssl, "SSL_CTX_set_psk_use_session_callback",
         functions.SSL_CTX_set_psk_use_session_callback);
    find(ssl, "SSL_CTX_set_psk_find_session_callback",
         functions.SSL_CTX_set_psk_find_session_callback);
    find(ssl, "SSL_CTX_set_num_tickets", functions.SSL_CTX_set_num_tickets);
    find(ssl, "SSL_new", functions.SSL_new);
    find(ssl, "SSL_free", functions.SSL_free);
    find(ssl, "SSL_set_bio", functions.SSL_set_bio);
    find(ssl, "SSL_set_accept_state", functions.SSL_set_accept_state);
    find(ssl, "SSL_set_connect_state", functions.SSL_set_connect_state);
    find(ssl, "SSL_set_ex_data", functions.SSL_set_ex_data);
    find(ssl, "SSL_get_ex_data", functions.SSL_get_ex_data);
    find(ssl, "SSL_read_ex", functions.SSL_read_ex);
    find(ssl, "SSL_write_ex", functions.SSL_write_ex);
    find(ssl, "SSL_get_error", functions.SSL_get_error);
    find(ssl, "SSL_is_init_finished", functions.SSL_is_init_finished);
    find(ssl, "SSL_session_reused", functions.SSL_session_reused);
    find(ssl, "SSL_CIPHER_find", functions.SSL_CIPHER_find);
    find(ssl, "SSL_SESSION_new", functions.SSL_SESSION_new);
    find(ssl, "SSL_SESSION_free", functions.SSL_SESSION_free);
    find(ssl, "SSL_SESSION_set1_master_key", functions.SSL_SESSION_set1_master_key);
    find(ssl, "SSL_SESSION_set_cipher", functions.SSL_SESSION_set_cipher);
    find(ssl, "SSL_SESSION_set_protocol_version", functions.SSL_SESSION_set_protocol_version);
  }

 private:
  void* open(const char* name) {
    void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
    const char* const why = dlerror();
    problem = std::string("OpenSSL could not be opened (") + (why ? why : name) +
              "): install it; on Debian: apt-get install libssl3";
    return nullptr;
  }

  template <class Function>
  void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (!function && problem.empty())
      problem = std::string("OpenSSL on this machine has no ") + name +
                ": install a version from " OPENSSL_VERSION_STR " on";
  }
};

const opened_library& opened() {
  static const opened_library& once = *new opened_library;  // never destroyed: see the head
  return once;
}

}  // namespace

const openssl_library& openssl() {
  TERRANE_CHECK(opened().problem.empty());
  return opened().functions;
}

const std::string& openssl_problem() { return opened().problem; }

#else

const std::string& openssl_problem() {
  static const std::string why =
      "this terrane was built without OpenSSL: install its headers (on Debian: apt-get install "
      "libssl-dev), then build it again";
  return why;
}

#endif

}  // namespace terrane
