// SPDX-License-Identifier: Apache-2.0
// shm_job.hpp: the memory that all processes of one run in world shm share.
//
// Layout      One file without a name (memfd), mapped at the same address in every process:
//               job_head | a job_node per node | a token_window per node | a ring_place and a ring
//               per processor (rings.hpp)
//             For each processor p, at processors_base + p * processor_stride:
//               its head, shared | its frames, private to its process | its heap, shared
//             In shared memory, too: the stacks of its threads that may move (moving_stacks.hpp).
//             A heap holds large messages. Heaps and stacks are committed on first touch.
// Invariants  The launcher makes the file, writes job_head, and forks the node processes, which
//             inherit the mapping. A process that starts the program anew maps the file again, by
//             its descriptor. The file has no name, so nothing remains when the processes end, no
//             matter how they end.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "terrane/base/atomic.hpp"
#include "terrane/base/result.hpp"
#include "terrane/core/place.hpp"
#include "terrane/core/token_pool.hpp"
#include "terrane/transport/moving_stacks.hpp"
#include "terrane/transport/roster.hpp"

namespace terrane {

inline constexpr int shm_processors_max = 256;

struct alignas(64) job_head {
  std::uint64_t magic;  // identifies the file
  std::uint32_t nodes, processors_per_node;
  bool spin;                                          // there is a core for every processor
  bool watched;                                       // the launcher shows the run's progress
  std::int16_t cpu_of_processor[shm_processors_max];  // CPU to pin each to; below 0: not pinned
  // any process
  atomic<std::uint32_t> gathered;  // processes that have started, + 1 at the end; a futex
  atomic<std::uint64_t> start_ns;  // of the run, by CLOCK_MONOTONIC
  // the launcher writes, after the process of a node has ended too early
  atomic<bool> any_lost;
  atomic<bool> lost[shm_processors_max];  // by node
};

/// One process, as the launcher watches it (shm_roster.hpp).
struct alignas(64) job_node {
  // the process writes before it gathers; all read after that
  pid_t process;
  std::uint64_t executable;  // the address at which the executable begins in this process
  std::uint64_t layout;      // of its code: base/code_layout.hpp
  // the process writes, the launcher reads
  atomic<node_phase> phase;
  atomic<std::uint64_t> beats;
  // likewise, if head().watched
  atomic<std::uint64_t> tokens;
  atomic<int> busy;  // busy processors
};

class shm_job {
 public:
  /// For the launcher.
  static result<shm_job> make(std::uint32_t nodes, std::uint32_t processors_per_node);
  /// For a node that was started anew and has only the descriptor. An error if the descriptor
  /// belongs to something else, or the memory cannot be mapped. The job closes the descriptor;
  /// after an error it stays open.
  static result<shm_job> join(int descriptor);
  shm_job(shm_job&& other) noexcept;
  shm_job& operator=(shm_job&&) = delete;
  ~shm_job();

  job_head& head() const { return *static_cast<job_head*>(memory_); }
  job_node& node(node_id n) const { return reinterpret_cast<job_node*>(&head() + 1)[n]; }
  token_window* window(node_id n) const;
  unsigned char* places() const;
  int descriptor() const { return descriptor_; }
  std::uint32_t processors() const { return head().nodes * head().processors_per_node; }

  /// For the process of node `mine`: maps the arenas of its processors, the heads of all others,
  /// and the heaps and movable stacks of all.
  result<void> map_processors(node_id mine);
  /// For the launcher, before it starts nodes: an error if there is no address space for
  /// map_processors or for the other memory of a node.
  result<void> try_to_map_processors();
  /// At the same address in every process.
  static void* arena(processor_id p);
  static unsigned char* heap(processor_id p);
  /// True if it lies in the heap of any processor.
  bool is_in_heap(const void* address) const;
  static constexpr std::size_t heap_bytes = std::size_t{4} << 30;
  static char* stacks(processor_id p);
  static constexpr std::size_t stacks_bytes = moving_stacks_bytes;

 private:
  void unmap_processors();
  shm_job(void* memory, std::size_t bytes, int descriptor)
      : memory_(memory), bytes_(bytes), descriptor_(descriptor) {}
  void* memory_;
  std::size_t bytes_;
  int descriptor_;
  std::uint32_t mapped_ = 0;  // processors
};

}  // namespace terrane
