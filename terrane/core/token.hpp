// SPDX-License-Identifier: Apache-2.0
// token.hpp: what a token carries: its arguments, in its own line or spilled to a block it owns.
//
// A future's token is one that somebody will join: whoever takes it from the private stack says so
// where it lay (token_stack.hpp), since its joiner looks there first.
#pragma once

#include <cstddef>

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

// --- tokens of futures ---

class object;

/// The kind of a future's token. `fibers` of all of them is fibers_of_futures.
struct future_kind : terrane_function {
  /// The token leaves the processor that pushed it: it is told where its answer goes. Returns who
  /// waits for that.
  object* (*leave)(terrane_token& token);
  bool stays;  // in its node: what it calls holds addresses
};
inline constexpr const terrane_fiber* fibers_of_futures[] = {nullptr};
inline bool is_future(const terrane_function& function) {
  return function.fibers == fibers_of_futures;
}

// --- tokens that are threads ---

/// The kind of a token that is a thread on its way: of that it holds the address. `fibers` of all
/// of them is fibers_of_travellers.
struct travelling_kind : terrane_function {
  std::size_t (*weight)(const terrane_token&);  // bytes that would travel over a network
  bool stays;                                   // in its node
};
inline constexpr const terrane_fiber* fibers_of_travellers[] = {nullptr};
inline bool is_traveller(const terrane_function& function) {
  return function.fibers == fibers_of_travellers;
}
/// Bytes that it takes along beside its line.
inline std::size_t weight_of(const terrane_token& token) {
  const terrane_function& function = *token.function;
  return is_traveller(function) ? static_cast<const travelling_kind&>(function).weight(token) : 0;
}

/// True for what only its own node can run.
inline bool stays_in_node(const terrane_function& function) {
  if (is_traveller(function)) return static_cast<const travelling_kind&>(function).stays;
  return is_future(function) && static_cast<const future_kind&>(function).stays;
}
inline bool may_leave_node(const terrane_token& token) { return !stays_in_node(*token.function); }

/// What a place in a token stack says when no token lies there: its future's token was taken, and
/// args begin with the address of the object that waits for the answer; or nobody wants it.
extern const terrane_function taken_token, dead_token;

}  // namespace terrane
