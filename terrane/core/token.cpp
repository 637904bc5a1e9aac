// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/token.hpp"

#include <cstdlib>
#include <cstring>

#include "terrane/core/failure.hpp"

namespace terrane {

const terrane_function taken_token{
    "a token that was taken", nullptr, 0, 0, 0, 0, nullptr, nullptr, nullptr, kept_by_owner};
const terrane_function dead_token{"no token", nullptr, 0,       0,       0,
                                  0,          nullptr, nullptr, nullptr, kept_by_owner};

void* spill(const terrane_function& function, const void* args) {
  void* block = std::malloc(function.args_bytes);
  if (!block)
    fail(run_time_error::out_of_memory, "no memory for the arguments of %s", function.name);
  return std::memcpy(block, args, function.args_bytes);
}

void* spilled_block(const terrane_token& token) {
  void* block;
  std::memcpy(&block, token.args, sizeof block);
  return block;
}

terrane_token make_token(const terrane_function& function, const void* args) {
  terrane_token token;
  token.function = &function;
  if (spilled(function)) {
    void* block = spill(function, args);
    std::memcpy(token.args, &block, sizeof block);
  } else if (function.args_bytes != 0) {
    std::memcpy(token.args, args, function.args_bytes);
  }
  return token;
}

void drop_token(const terrane_token& token) {
  if (spilled(*token.function)) std::free(spilled_block(token));
}

}  // namespace terrane
