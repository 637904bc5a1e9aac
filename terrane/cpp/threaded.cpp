// SPDX-License-Identifier: Apache-2.0
#include "terrane/cpp/threaded.hpp"

#include <cstring>
#include <mutex>
#include <unordered_set>

#include "terrane/core/failure.hpp"

namespace terrane {

namespace {

struct fiber_registry {
  std::mutex lock;
  std::unordered_set<const void*> known;
};
fiber_registry& registry() {
  static fiber_registry all;
  return all;
}

}  // namespace

void register_fiber(const terrane_fiber& fiber, const std::source_location& where) {
  fiber_registry& all = registry();
  const std::lock_guard hold(all.lock);
  if (!all.known.insert(&fiber).second) return;
  auto& described = const_cast<terrane_fiber&>(fiber);  // a C++ fiber's description is not const
  described.file = where.file_name();
  TERRANE_STORE_RELAXED(&described.line, where.line());
}

bool is_fiber_of(const void* candidate, const terrane_function& function) {
  for (auto each = function.fibers; each && *each; ++each)
    if (*each == candidate) return true;
  fiber_registry& all = registry();
  const std::lock_guard hold(all.lock);
  // A root and an ordinary activation of one type have two descriptions under one name.
  return all.known.contains(candidate) &&
         std::strcmp(static_cast<const terrane_fiber*>(candidate)->function->name, function.name) ==
             0;
}

void require_slots_in_reach(const terrane_frame& frame) {
  const auto* start = reinterpret_cast<const char*>(&frame);
  for (std::size_t at = TERRANE_SLOT_REACH; at + 16 <= frame.function->frame_bytes; at += 16) {
    const auto& candidate = *reinterpret_cast<const terrane_slot*>(start + at);
    if (is_fiber_of(candidate.fiber, *frame.function))
      fail(run_time_error::slot_out_of_reach,
           "the slot of %s::%s lies %zu bytes into its frame: declare slots before large members, "
           "in the first %d bytes",
           frame.function->name, candidate.fiber->name, at, TERRANE_SLOT_REACH);
  }
}

void exception_left_fiber(const terrane_function& function, const char* fiber) {
  try {
    throw;
  } catch (const std::exception& problem) {
    fail(run_time_error::exception_in_fiber, "an exception left %s::%s: %s", function.name, fiber,
         problem.what());
  } catch (...) {
    fail(run_time_error::exception_in_fiber, "an exception left %s::%s", function.name, fiber);
  }
}

}  // namespace terrane
