// SPDX-License-Identifier: Apache-2.0
// handshake_fuzz.cpp: any bytes amid a handshake: nobody who does not know the secret gets through.
//
//   cmake --preset fuzz && ninja -C build/fuzz handshake_fuzz
//   build/fuzz/tests/handshake_fuzz -max_total_time=3600 build/corpus tests/fuzz/handshake
//
// The first byte chooses a message of the four, or facts; the rest is laid over its bytes.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "terrane/transport/tcp/handshake.hpp"

using namespace terrane;

namespace {

void require(bool so) {
  if (!so) std::abort();
}

const job_secret& secret() {
  static const job_secret once = [] {
    job_secret::line text;
    std::fill(text.text().begin(), text.text().end(), 'a');
    text.text()[job_secret::line_bytes - 1] = '\n';
    return std::move(job_secret::of_line(text).value());
  }();
  return once;
}

node_facts facts_of(const char* host) {
  node_facts facts;
  facts.build = "0123";
  facts.host = host;
  return facts;
}

std::vector<unsigned char> take_all(handshake& from) {
  const std::vector<unsigned char> bytes(from.to_send().begin(), from.to_send().end());
  from.sent(bytes.size());
  return bytes;
}

/// What can be decoded is what would be encoded: there is one block for each set of facts.
void try_facts(const std::uint8_t* bytes, std::size_t size) {
  node_facts::block block{};
  std::memcpy(block.data(), bytes, std::min(size, block.size()));
  if (const auto facts = node_facts::decode(block)) require(facts->encode() == block);
}

void try_message(int which, const std::uint8_t* over, std::size_t size) {
  static const identity one(1, secret(), facts_of("a")), two(2, secret(), facts_of("b"));
  admissions at_one(1, 4), at_two(2, 4);
  hash_bytes nonce_of_one{}, nonce_of_two{};
  nonce_of_one[0] = 1;
  nonce_of_two[0] = 2;
  at_one.begin_call(2);
  handshake caller = handshake::call(one, at_one, 2, nonce_of_one);
  handshake callee = handshake::answer(two, at_two, nonce_of_two);
  bool changed = false;
  for (int message = 0; message < 4; ++message) {
    handshake& from = message % 2 == 0 ? caller : callee;
    handshake& to = message % 2 == 0 ? callee : caller;
    std::vector<unsigned char> bytes = take_all(from);
    if (message == which)
      for (std::size_t i = 0; i < size; ++i) {
        if (i == bytes.size()) bytes.push_back(0);
        changed = changed || over[i] != 0;
        bytes[i] ^= over[i];
      }
    // In two parts, wherever the input says.
    const std::size_t first = size == 0 ? 0 : std::min<std::size_t>(over[0], bytes.size());
    const std::size_t taken = to.take(std::span(bytes).first(first));
    require(taken <= first);
    to.take(std::span(bytes).subspan(first));
    if (to.now() == handshake::state::refused) require(!to.sentence().empty());
  }
  const bool both =
      caller.now() == handshake::state::done && callee.now() == handshake::state::done;
  // What is behind a message belongs to the next one.
  constexpr std::size_t sizes[] = {handshake::hello_bytes, handshake::challenge_bytes,
                                   handshake::proof_bytes, handshake::verdict_bytes};
  if (size > sizes[which]) return;
  require(both != changed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  if (bytes[0] % 5 == 4)
    try_facts(bytes + 1, size - 1);
  else
    try_message(bytes[0] % 5, bytes + 1, size - 1);
  return 0;
}
