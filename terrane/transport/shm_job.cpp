// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/shm_job.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "terrane/core/processor.hpp"
#include "terrane/transport/moving_stacks.hpp"
#include "terrane/transport/rings.hpp"

namespace terrane {

namespace {

constexpr std::uint64_t job_magic = 0x7465'7272'616e'6532u;
// Below those of the stacks (moving_stacks.hpp), and as safe.
constexpr std::uintptr_t job_address = 0x7b00'0000'0000u;
constexpr std::uintptr_t processors_base = 0x7b10'0000'0000u;
constexpr std::size_t processor_stride = TERRANE_ARENA_BYTES + shm_job::heap_bytes;
static_assert(processors_base % TERRANE_ARENA_BYTES == 0);
static_assert(processors_base + shm_processors_max * processor_stride <= moving_stacks_base);
static_assert(shm_processors_max <= moving_stacks_processors_max);

constexpr std::size_t rounded(std::size_t bytes) { return (bytes + 65535) & ~std::size_t{65535}; }

constexpr std::size_t windows_offset(std::uint32_t nodes) {
  return rounded(sizeof(job_head) + nodes * sizeof(job_node));
}
std::size_t window_bytes(std::uint32_t nodes, std::uint32_t each) {
  return token_window::bytes_for(pool_target(nodes, each));
}
std::size_t places_offset(std::uint32_t nodes, std::uint32_t each) {
  return rounded(windows_offset(nodes) + nodes * window_bytes(nodes, each));
}
std::size_t common_bytes(std::uint32_t nodes, std::uint32_t each) {
  return rounded(places_offset(nodes, each) + nodes * each * rings::place_bytes);
}
std::size_t head_offset(std::uint32_t nodes, std::uint32_t each, processor_id p) {
  return common_bytes(nodes, each) +
         p * (processor::head_bytes + shm_job::heap_bytes + shm_job::stacks_bytes);
}

constexpr int fixed = MAP_NORESERVE | MAP_FIXED_NOREPLACE;

/// Maps at exactly that address; null, with errno set, if that fails.
void* map_at(std::uintptr_t address, std::size_t bytes, int flags, int descriptor,
             std::size_t offset) {
  void* got = mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE, flags,
                   descriptor, static_cast<off_t>(offset));
  return got == MAP_FAILED ? nullptr : got;
}

// Address space for the stacks of a node's OS threads, and for what it allocates at its start.
constexpr std::size_t bytes_besides(std::uint32_t each) { return (std::size_t{each} + 2) << 24; }

error no_addresses(processor_id p) {
  return error{fmt::format(
      "no address space for processor {}: each needs 10 GiB of it (is there a limit set with "
      "ulimit -v?)",
      p)};
}

error no_memory(const char* what) {
  if (errno == ENOMEM) return no_addresses(0);
  return error{fmt::format("world shm could not map {}: {}{}", what, std::strerror(errno),
                           errno == EFBIG ? " (is there a limit set with ulimit -f?)" : "")};
}

}  // namespace

result<shm_job> shm_job::make(std::uint32_t nodes, std::uint32_t processors_per_node) {
  const std::uint32_t processors = nodes * processors_per_node;
  const int descriptor = memfd_create("terrane", MFD_CLOEXEC);
  if (descriptor < 0) return no_memory("its shared memory");
  const std::size_t bytes = common_bytes(nodes, processors_per_node);
  void* memory = nullptr;
  if (ftruncate(descriptor,
                static_cast<off_t>(head_offset(nodes, processors_per_node, processors))) == 0)
    memory = map_at(job_address, bytes, MAP_SHARED | fixed, descriptor, 0);
  if (!memory) {
    const error why = no_memory("its shared memory");
    close(descriptor);
    return why;
  }
  shm_job made(memory, bytes, descriptor);
  made.head().nodes = nodes;
  made.head().processors_per_node = processors_per_node;
  for (auto& cpu : made.head().cpu_of_processor) cpu = -1;
  rings::make_places(made.places(), processors);
  made.head().magic = job_magic;
  return made;
}

result<shm_job> shm_job::join(int descriptor) {
  job_head first{};
  struct stat file{};
  const std::size_t head_bytes = sizeof first;
  const bool whole = pread(descriptor, static_cast<void*>(&first), head_bytes, 0) ==
                         static_cast<ssize_t>(head_bytes) &&
                     first.magic == job_magic && fstat(descriptor, &file) == 0;
  const std::uint64_t nodes = first.nodes, each = first.processors_per_node;
  if (!whole || nodes == 0 || each == 0 || nodes * each > shm_processors_max ||
      static_cast<std::size_t>(file.st_size) !=
          head_offset(first.nodes, first.processors_per_node,
                      first.nodes * first.processors_per_node))
    return error{fmt::format("file descriptor {} is not the memory of a run", descriptor)};
  const std::size_t bytes = common_bytes(first.nodes, first.processors_per_node);
  void* const memory = map_at(job_address, bytes, MAP_SHARED | fixed, descriptor, 0);
  if (!memory) return no_memory("the shared memory of the run");
  return shm_job(memory, bytes, descriptor);
}

shm_job::shm_job(shm_job&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)),
      bytes_(other.bytes_),
      descriptor_(other.descriptor_),
      mapped_(other.mapped_) {}

shm_job::~shm_job() {
  if (!memory_) return;
  unmap_processors();
  munmap(memory_, bytes_);
  close(descriptor_);
}

void shm_job::unmap_processors() {
  for (processor_id p = 0; p < mapped_; ++p) {
    munmap(arena(p), processor_stride);
    munmap(stacks(p), stacks_bytes);
  }
  mapped_ = 0;
}

token_window* shm_job::window(node_id n) const {
  const job_head& about = head();
  unsigned char* const first = static_cast<unsigned char*>(memory_) + windows_offset(about.nodes);
  return reinterpret_cast<token_window*>(first +
                                         n * window_bytes(about.nodes, about.processors_per_node));
}

unsigned char* shm_job::places() const {
  return static_cast<unsigned char*>(memory_) +
         places_offset(head().nodes, head().processors_per_node);
}

void* shm_job::arena(processor_id p) {
  return reinterpret_cast<void*>(processors_base + p * processor_stride);
}
unsigned char* shm_job::heap(processor_id p) {
  return static_cast<unsigned char*>(arena(p)) + TERRANE_ARENA_BYTES;
}

bool shm_job::is_in_heap(const void* address) const {
  const std::uintptr_t from_first = reinterpret_cast<std::uintptr_t>(address) - processors_base;
  return from_first < processors() * processor_stride &&
         from_first % processor_stride >= TERRANE_ARENA_BYTES;
}

char* shm_job::stacks(processor_id p) { return moving_stacks_of(p); }

result<void> shm_job::map_processors(node_id mine) {
  const std::uint32_t each = head().processors_per_node;
  for (processor_id p = 0; p < processors(); ++p) {
    const auto at = reinterpret_cast<std::uintptr_t>(arena(p));
    const auto frames = at + processor::head_bytes;
    constexpr std::size_t frames_bytes = TERRANE_ARENA_BYTES - processor::head_bytes;
    const std::size_t offset = head_offset(head().nodes, each, p);
    const bool ours = p / each == mine;
    mapped_ = p + 1;
    if ((ours && !map_at(frames, frames_bytes, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0)) ||
        !map_at(at, processor::head_bytes, MAP_SHARED | fixed, descriptor_, offset) ||
        !map_at(at + TERRANE_ARENA_BYTES, heap_bytes, MAP_SHARED | fixed, descriptor_,
                offset + processor::head_bytes) ||
        !map_at(reinterpret_cast<std::uintptr_t>(stacks(p)), stacks_bytes, MAP_SHARED | fixed,
                descriptor_, offset + processor::head_bytes + heap_bytes))
      return errno == ENOMEM ? no_addresses(p) : no_memory("a processor");
    if (ours) madvise(reinterpret_cast<void*>(frames), frames_bytes, MADV_NOHUGEPAGE);
  }
  return {};
}

result<void> shm_job::try_to_map_processors() {
  auto mapped = map_processors(0);
  if (mapped) {
    const std::size_t besides = bytes_besides(head().processors_per_node);
    void* const room =
        mmap(nullptr, besides, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
      mapped = no_addresses(processors() - 1);
    else
      munmap(room, besides);
  }
  unmap_processors();
  return mapped;
}

}  // namespace terrane
