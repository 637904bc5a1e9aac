// SPDX-License-Identifier: Apache-2.0
// thread_id.hpp: the name of a thread, which stays valid wherever the thread moves.
//
//   const thread_id me = this_thread::id();      // travels wherever values do
//
// Invariants  The id names what is joined (joinable.hpp), at the processor that made the thread. It
//             is valid until the thread has ended and was joined; afterwards no other thread has it
//             (c/names.h).
// Source      [CHANT §2] (<context, thread>); decision 0022.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

#include "terrane/cpp/wire_value.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

/// The number of a name on its processor, as it is printed.
constexpr std::uint64_t number_in(terrane_slot_ref name) {
  constexpr std::uint64_t first = processor::frames_offset / 64, frames = (1u << 26) - 1;
  return ((name >> 26) & frames) - first;
}
/// `<2,17>`: number 17 of processor 2.
std::string printed_name(terrane_slot_ref name);

struct thread_id {
  terrane_slot_ref name = 0;  // 0: no thread

  processor_id home() const { return processor_of(name); }
  std::string text() const { return printed_name(name); }
  auto operator<=>(const thread_id&) const = default;
};
template <>
inline constexpr bool position_independent<thread_id> = true;
inline constexpr thread_id no_thread{};

namespace this_thread {
inline thread_id id() { return {thread_block::current("id").id()}; }
}  // namespace this_thread

}  // namespace terrane

template <>
struct std::hash<terrane::thread_id> {
  std::size_t operator()(const terrane::thread_id& one) const noexcept {
    return static_cast<std::size_t>(one.name * 0x9e3779b97f4a7c15u);
  }
};
