// SPDX-License-Identifier: Apache-2.0
// threaded_c.cpp: the cold half of threaded_c.h.
#include "terrane/threaded_c.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "terrane/core/entries.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"

__thread const terrane_source_place* terrane_doing;

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

namespace {

/// What MAIN is given, kept for every node of this process: written before the run.
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
