// SPDX-License-Identifier: Apache-2.0
// token.hpp: what a token carries: its arguments, in its own line or spilled to a block it owns.
//
// What tokens and frames of a function have in common beyond terrane.h, its `traits` say.
#pragma once

#include <cstddef>
#include <cstdint>

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

// --- traits ---

enum trait : std::uint8_t {
  /// Its frames hold an object (object.hpp), no activation.
  holds_object = 1,
  /// Whoever pushed its token will ask for it where it lies (token_stack.hpp), and has counted it
  /// as a fiber already. A kept_kind.
  kept_by_owner = 2,
  /// Its token has memory of its own beside its line. A carrying_kind.
  carries_memory = 4,
  /// Only its own node can run it.
  stays_in_node = 8,
};
inline bool has(const terrane_function& function, trait which) {
  return (function.traits & which) != 0;
}

class object;

/// kept_by_owner: its token is told before it leaves the processor that pushed it where its answer
/// goes. Returns who waits for that.
struct kept_kind : terrane_function {
  object* (*leave)(terrane_token& token);
};
inline bool is_kept(const terrane_token& token) { return has(*token.function, kept_by_owner); }

/// carries_memory: the bytes that would travel over a network.
struct carrying_kind : terrane_function {
  std::size_t (*weight)(const terrane_token&);
};
/// Bytes that it takes along beside its line.
inline std::size_t weight_of(const terrane_token& token) {
  const terrane_function& function = *token.function;
  return has(function, carries_memory) ? static_cast<const carrying_kind&>(function).weight(token)
                                       : 0;
}

inline bool may_leave_node(const terrane_token& token) {
  return !has(*token.function, stays_in_node);
}

/// What a place in a token stack says when no token lies there: that which was kept there has been
/// taken, and args begin with the address of the object that waits for its answer; or nobody wants
/// it.
extern const terrane_function taken_token, dead_token;

}  // namespace terrane
