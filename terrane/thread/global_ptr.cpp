// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/global_ptr.hpp"

#include <cstring>

#include "terrane/core/reach.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

namespace {

bool is_here(terrane_global place) {
  require_place(place, "what a global_ptr points to");
  return terrane_owner_of(place) == here().number;
}

}  // namespace

void read_place(terrane_global from, void* into, std::size_t bytes) {
  if (bytes == 0) return;
  if (is_here(from)) {
    std::memcpy(into, terrane_address_in(from), bytes);
    return;
  }
  thread_block& me = thread_block::current("reading through a global_ptr");
  terrane_get(from, bytes, terrane_to_global(into), me.expect());
  me.block("a value of another processor");
}

void write_place(terrane_global to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  if (is_here(to)) {
    std::memcpy(terrane_address_in(to), from, bytes);
    return;
  }
  thread_block& me = thread_block::current("writing through a global_ptr");
  terrane_put(from, bytes, to, me.expect());
  me.block("a value to be written on another processor");
}

std::int64_t add_at_place(terrane_global at, std::int64_t value) {
  std::int64_t old = 0;
  if (is_here(at)) {
    auto* const mine = static_cast<std::int64_t*>(terrane_address_in(at));
    old = *mine;
    *mine = old + value;
    return old;
  }
  thread_block& me = thread_block::current("fetch_add through a global_ptr");
  terrane_atomic_add(value, at, terrane_to_global(&old), me.expect());
  me.block("a value of another processor");
  return old;
}

}  // namespace terrane
