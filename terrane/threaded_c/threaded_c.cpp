// SPDX-License-Identifier: Apache-2.0
// threaded_c.cpp: the functions of threaded_c.h that are not on the hot path.
#include "terrane/threaded_c.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "terrane/core/entries.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/core/graph_probes.hpp"
#include "terrane/core/node.hpp"

using terrane::fail;
using terrane::run_time_error;

uint64_t terrane_value_entry(TFUNC value) { return value ? terrane::entry_of(value->function) : 0; }
TFUNC terrane_value_at(uint64_t entry) {
  if (entry == 0) return nullptr;
  const terrane_function* found = terrane::function_at(entry);
  if (!found)
    fail(run_time_error::unknown_function,
         "a TFUNC arrived that names no threaded function of this process");
  return reinterpret_cast<TFUNC>(found);  // its first member
}

void terrane_require_arguments(TFUNC value, const char* types, size_t bytes) {
  if (!value) fail(run_time_error::wrong_arguments, "a TFUNC that names no function was started");
  if (std::strcmp(value->arguments, types) != 0 || value->function.args_bytes != bytes)
    fail(run_time_error::wrong_arguments,
         "%s(%s) was started through a TFUNC with arguments of other types: (%s)",
         value->function.name, value->arguments, types);
}

void terrane_require_together(terrane_global one, terrane_global other) {
  if (one == 0 || other == 0) return;
  const uint32_t here = terrane_owner_of(one), there = terrane_owner_of(other);
  if (here != there)
    fail(run_time_error::different_nodes,
         "handles of processor %u and processor %u were compared or subtracted: that means "
         "something on one processor only",
         here, there);
}

void terrane_slot_expired_at(terrane_processor* here, terrane_frame* frame, terrane_slot* slot,
                             const terrane_source_place* at) {
  if (slot->count < 0) terrane_doing = at;
  terrane_slot_expired(here, frame, slot);
}

void terrane_token_start(terrane_processor* here, const terrane_function* function,
                         const void* args) {
  if (terrane_spawn_slow(here)) return function->run(here, args);
  if (function->args_bytes > TERRANE_TOKEN_ARGS)
    return terrane_token_push_spilled(here, function, args);
  std::memcpy(terrane_token_push(here, function), args, function->args_bytes);
}

void terrane_go_on(terrane_processor* here, terrane_frame* frame, terrane_step step,
                   const terrane_function* function) {
  terrane_proceed(here, frame, step, function);
}

bool terrane_slot_fires(terrane_slot* slot, int32_t held, int64_t count, int64_t reset,
                        const terrane_fiber* fiber) {
  const auto refuse = [&](const char* what, int64_t number) {
    fail(run_time_error::count_out_of_range,
         "the %s of %s::%s (%s:%u) came out as %lld: it is at least 0 and at most %d", what,
         fiber->function->name, fiber->name, fiber->file, fiber->line,
         static_cast<long long>(number), INT32_MAX);
  };
  if (count < 0 || count > INT32_MAX) refuse("count", count);
  if (reset < 0 || reset > INT32_MAX) refuse("reset", reset);
  const bool fires = count == 0 && held == 0;
  terrane_slot_set(slot, fires ? static_cast<int32_t>(reset) : held + static_cast<int32_t>(count),
                   static_cast<int32_t>(reset), fiber);
  return fires;
}

void terrane_fiber_ready(terrane_frame* frame, const terrane_fiber* fiber) {
  terrane::processor& here = terrane::here();
  if (TERRANE_UNLIKELY(here.records(terrane::event_class::graph)))
    terrane::graph_made_ready(here, *frame, *fiber);
  here.make_ready(*frame, *fiber);
}

void terrane_no_count(const terrane_slot* slot, int64_t more) {
  fail(run_time_error::count_out_of_range,
       "INCR_SYNC of %s::%s by %lld: a count grows by 0 or more, to at most %d",
       slot->fiber->function->name, slot->fiber->name, static_cast<long long>(more), INT32_MAX);
}

void terrane_no_slot(int64_t index, size_t elements) {
  fail(run_time_error::no_such_slot,
       "slot %lld of an array of %zu slots, which are numbered from 0",
       static_cast<long long>(index), elements);
}

namespace {

/// The arguments of MAIN, kept for every node of this process; written before the run.
struct kept_arguments {
  std::vector<std::string> words;
  std::vector<char*> places;
  terrane_root_args shown{};
};
kept_arguments& kept() {
  static kept_arguments all;
  return all;
}

}  // namespace

void terrane_publish_arguments(int argc, char** argv) {
  kept_arguments& all = kept();
  all.words.assign(argv, argv + argc);
  all.places.clear();
  for (std::string& each : all.words) all.places.push_back(each.data());
  all.places.push_back(nullptr);
  all.shown = {argc, all.places.data()};
}
const terrane_root_args* terrane_program_arguments() { return &kept().shown; }

void* terrane_frame_block(size_t bytes) {
  void* block = std::calloc(1, bytes ? bytes : 1);
  if (!block)
    fail(run_time_error::out_of_memory, "no memory for a variable array of %zu bytes", bytes);
  return block;
}
void terrane_frame_unblock(void* block) { std::free(block); }
