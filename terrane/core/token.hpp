// SPDX-License-Identifier: Apache-2.0
// token.hpp: what a token carries: its arguments, in its own cache line or in a block that it owns.
//
// The `traits` of a function say what its tokens and frames have in common beyond terrane.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "terrane/core/place.hpp"
#include "terrane/terrane.h"

namespace terrane {

/// True if the arguments lie in a block of their own, whose address the token carries.
inline bool spilled(const terrane_function& function) {
  return function.args_bytes > TERRANE_TOKEN_ARGS;
}
/// Allocates that block, with a copy of args. std::free frees it.
void* spill(const terrane_function& function, const void* args);
void* spilled_block(const terrane_token& token);

/// Makes a token with a copy of these arguments; their size is the function's args_bytes.
terrane_token make_token(const terrane_function& function, const void* args);
/// Its arguments, wherever they lie.
inline const void* arguments_of(const terrane_token& token) {
  return spilled(*token.function) ? spilled_block(token) : token.args;
}
/// Frees the memory that a token owns beside its line, for a token that will never run.
void drop_token(const terrane_token& token);

// --- traits ---

enum trait : std::uint8_t {
  /// Its frames hold an object (object.hpp), not an activation.
  holds_object = 1,
  /// The processor that pushed its token will ask for it where it was pushed (token_stack.hpp), and
  /// has already counted it as a fiber. The function is a kept_kind.
  kept_by_owner = 2,
  /// Its token has memory of its own beside its line. The function is a carrying_kind.
  carries_memory = 4,
  /// Only the node that made its token can run it.
  stays_in_node = 8,
};
inline bool has(const terrane_function& function, trait which) {
  return (function.traits & which) != 0;
}

class object;

/// A function with kept_by_owner. Before its token leaves the processor that pushed it, `leave`
/// writes into the token where the answer goes, and returns the object that waits for the answer.
struct kept_kind : terrane_function {
  object* (*leave)(terrane_token& token);
};
inline bool is_kept(const terrane_token& token) { return has(*token.function, kept_by_owner); }

/// A function with carries_memory. `weight`: how many bytes would travel over a network.
struct carrying_kind : terrane_function {
  std::size_t (*weight)(const terrane_token&);
  /// Sends what the token stands for to a node that shares no memory with this one, and invokes it
  /// there, in place of the token. Called on a processor's thread.
  void (*send)(const terrane_token&, node_id to);
};
/// How many bytes a token takes along beside its line.
inline std::size_t weight_of(const terrane_token& token) {
  const terrane_function& function = *token.function;
  return has(function, carries_memory) ? static_cast<const carrying_kind&>(function).weight(token)
                                       : 0;
}

inline bool may_leave_node(const terrane_token& token) {
  return !has(*token.function, stays_in_node);
}

/// The `function` of a place in a token stack that holds no token. taken_token: the token that was
/// kept there has been taken; args begin with the address of the object that waits for its answer.
/// dead_token: nobody will ask for the place.
extern const terrane_function taken_token, dead_token;

}  // namespace terrane
