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
#define TERRANE_FIND(name) find(crypto, #name, functions.name);
    TERRANE_CRYPTO_FUNCTIONS(TERRANE_FIND)
#undef TERRANE_FIND
#define TERRANE_FIND(name) find(ssl, #name, functions.name);
    TERRANE_SSL_FUNCTIONS(TERRANE_FIND)
#undef TERRANE_FIND
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
