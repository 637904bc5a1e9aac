// SPDX-License-Identifier: Apache-2.0
#include "terrane/node_data/node_data.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "terrane/base/atomic.hpp"
#include "terrane/c/node_data.h"
#include "terrane/core/failure.hpp"
#include "terrane/node_data/node_local.hpp"

// The linker makes these for the sections if the program has them; otherwise they are null. The
// shared library means those of the executable.
#if defined(__PIC__) && !defined(__PIE__)
#define TERRANE_OF_EXECUTABLE __attribute__((weak))
#else
#define TERRANE_OF_EXECUTABLE __attribute__((weak, visibility("hidden")))
#endif
extern "C" {
extern char __start_terrane_node_data[] TERRANE_OF_EXECUTABLE;
extern char __stop_terrane_node_data[] TERRANE_OF_EXECUTABLE;
extern char* __start_terrane_node_pointers[] TERRANE_OF_EXECUTABLE;
extern char* __stop_terrane_node_pointers[] TERRANE_OF_EXECUTABLE;
extern char* __start_terrane_machine_pointers[] TERRANE_OF_EXECUTABLE;
extern char* __stop_terrane_machine_pointers[] TERRANE_OF_EXECUTABLE;
}

namespace terrane {

namespace {

constexpr std::size_t copy_alignment = 64;

std::uintptr_t image_start() { return reinterpret_cast<std::uintptr_t>(__start_terrane_node_data); }
std::uintptr_t image_stop() { return reinterpret_cast<std::uintptr_t>(__stop_terrane_node_data); }
std::size_t image_bytes() { return image_stop() - image_start(); }

/// The image as it stood when the first run of this process began.
const std::vector<char>& pristine_image() {
  static const std::vector<char> kept(__start_terrane_node_data, __stop_terrane_node_data);
  return kept;
}

/// Set while a run uses the image and the registered objects. relaxed: it only finds misuse.
atomic<bool> in_use{false};

bool program_has_any() { return image_bytes() != 0 || !node_local_base::registered().empty(); }

/// Allocates a block of at least `bytes`, at a multiple of copy_alignment, that shares no cache
/// line with another block.
char* allocate_block(std::size_t bytes) {
  const std::size_t lines = (bytes + copy_alignment - 1) / copy_alignment;
  auto* made = static_cast<char*>(std::aligned_alloc(copy_alignment, lines * copy_alignment));
  if (!made)
    fail(run_time_error::out_of_memory, "no memory for the %zu bytes of a node's variables", bytes);
  return made;
}

/// The copy lies at the same offset from a multiple of the alignment as the image does.
std::size_t image_offset() { return image_start() % copy_alignment; }

/// A copy holds pointers into the image: this changes each to the same place in the copy.
void move_pointers(std::ptrdiff_t distance) {
  for (char** each = __start_terrane_node_pointers; each < __stop_terrane_node_pointers; ++each) {
    char* field = *each + distance;
    std::uintptr_t target;
    std::memcpy(&target, field, sizeof target);
    // The address one past the end of the image is valid: the end of an array that lies last in it.
    if (target < image_start() || target > image_stop()) continue;
    target += static_cast<std::uintptr_t>(distance);
    std::memcpy(field, &target, sizeof target);
  }
}

}  // namespace

void node_data::aligned_free::operator()(char* freed) const { std::free(freed); }

void move_machine_pointers(const terrane_processor& of_node) {
  for (char** each = __start_terrane_machine_pointers; each < __stop_terrane_machine_pointers;
       ++each) {
    char* field = *each + of_node.node_data;
    std::uintptr_t target;
    std::memcpy(&target, field, sizeof target);
    if (target == 0) continue;
    target += static_cast<std::uintptr_t>(of_node.to_node_0);
    std::memcpy(field, &target, sizeof target);
  }
}

node_data::node_data(std::uint32_t nodes) : used_(program_has_any()) {
  if (!used_) return;
  if (in_use.exchange(true, memory_order_relaxed))
    fail(run_time_error::node_variables_in_use,
         "a second run began in a process whose program has variables that exist once per node: "
         "end the first before");
  if (const std::size_t bytes = image_bytes(); bytes != 0) {
    std::memcpy(__start_terrane_node_data, pristine_image().data(), bytes);
    for (node_id n = 1; n < nodes; ++n) {
      images_.emplace_back(allocate_block(image_offset() + bytes));
      char* copy = images_.back().get() + image_offset();
      std::memcpy(copy, pristine_image().data(), bytes);
      move_pointers(copy - __start_terrane_node_data);
    }
  }
  const std::size_t bytes = node_local_base::lay_out();
  for (node_id n = 0; bytes != 0 && n < nodes; ++n) {
    objects_.emplace_back(allocate_block(bytes));
    for (const node_local_base* each : node_local_base::registered())
      each->construct(objects_.back().get());
  }
}

node_data::~node_data() {
  if (!used_) return;
  const auto& all = node_local_base::registered();
  for (; !objects_.empty(); objects_.pop_back())
    for (auto each = all.rbegin(); each != all.rend(); ++each)
      (*each)->destroy(objects_.back().get());
  in_use.store(false, memory_order_relaxed);
}

void node_data::attach(terrane_processor& to, node_id home) const {
  if (home != 0 && !images_.empty())
    to.node_data = images_[home - 1].get() + image_offset() - __start_terrane_node_data;
  if (!objects_.empty()) to.node_objects = objects_[home].get();
}

void node_local_base::require_no_run() {
  if (terrane_is_processor() || in_use.load(memory_order_relaxed))
    fail(run_time_error::node_variables_in_use,
         "a node_local was made during a run: declare it at namespace scope");
}

}  // namespace terrane
