// SPDX-License-Identifier: Apache-2.0
// reader_fuzz.cpp: any bytes as a text of Threaded-C: messages or C, and never a breakdown.
//
//   cmake --preset fuzz && ninja -C build/fuzz reader_fuzz
//   mkdir -p build/corpus && cp programs/*/*.tc tests/threaded_c/*/*.tc build/corpus
//   TERRANE_CC=build/bin/terrane-cc build/fuzz/tests/reader_fuzz -timeout=20 build/corpus
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "compiler/compile.hpp"
#include "compiler/driver/surroundings.hpp"

using namespace terrane::compiler;

namespace {

read_options options;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* command = std::getenv("TERRANE_CC");
  const auto around = find_surroundings({}, command ? command : "build/bin/terrane-cc");
  if (!around) {
    std::fprintf(stderr, "reader_fuzz: %s; name a terrane-cc in TERRANE_CC\n",
                 around.problem().c_str());
    std::exit(2);
  }
  options.builtin_headers = around.value().builtin_headers;
  options.system_include_folders = around.value().system_include_folders;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  if (text.find('\0') != std::string::npos) return -1;  // refused by the driver
  const compilation made = compile({"fuzzed.tc", text, true}, options);
  const bool broken = made.rendered.find("the compiler broke down") != std::string::npos;
  const bool silent = made.errors == 0 ? made.c.empty() : made.messages.empty();
  if (broken || silent) std::abort();
  return 0;
}
