// SPDX-License-Identifier: Apache-2.0
// token.hpp: what a token carries: its arguments, in its own line or spilled to a block it owns.
#pragma once

#include "terrane/terrane.h"

namespace terrane {

/// The arguments lie in a block of their own, whose address the token carries.
inline bool spilled(const terrane_function& function) {
  return function.args_bytes > TERRANE_TOKEN_ARGS;
}
/// That block, with a copy of args; std::free gives it back.
void* spill(const terrane_function& function, const void* args);
void* spilled_block(const terrane_token& token);

/// A token with a copy of these arguments: args_bytes of the function.
terrane_token make_token(const terrane_function& function, const void* args);
/// Its arguments, wherever they lie.
inline const void* arguments_of(const terrane_token& token) {
  return spilled(*token.function) ? spilled_block(token) : token.args;
}
/// Frees what a token owns beside its line, when it will never run.
void drop_token(const terrane_token& token);

}  // namespace terrane
