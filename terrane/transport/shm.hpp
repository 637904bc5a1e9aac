// SPDX-License-Identifier: Apache-2.0
// shm.hpp: the world in which nodes are processes of one host.
//
// Purpose     Messages go through rings (rings.hpp) in memory that the processes share
//             (shm_job.hpp). Notes and tokens between nodes are messages too; they go to an idle
//             processor of the other node if there is one. A node takes the tokens that another
//             node offers without that node's help.
// Invariants  Of another process's processors, a process touches only the heads, and of these only
//             the fields that any thread may touch (processor.hpp). The heads lie at the same
//             address in every process.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "terrane/transport/mapped_memory.hpp"
#include "terrane/transport/rings.hpp"
#include "terrane/transport/shm_heap.hpp"
#include "terrane/transport/shm_job.hpp"
#include "terrane/transport/stray_address.hpp"

namespace terrane {

class shm_world final : public world, private rings, private neighbours, private losses {
 public:
  /// For the process of node `me`. The job must outlive this object.
  shm_world(const shm_job& job, node_id me, crew_options options);

  void attach(std::span<node* const>) override {}
  bool holds(node_id n) const override { return n == me_; }
  void describe(world_statistics& to) const override { to.probes = crew_.probes(); }

 private:
  // wire
  void post_note(processor* mover, node& from, node_id to, const note& what, int load) override;
  void post_token(processor* mover, node& from, node_id to, const terrane_token& token,
                  const load_hint& hint) override;
  memory_range owned(processor& here, const void* address, std::size_t bytes,
                     bool to_write) override;
#ifndef NDEBUG
  void send(processor& from, processor_id to, entry kind, bytes_view head,
            bytes_view body) override;
#endif
  // neighbours
  void* arena(processor_id p) override { return shm_job::arena(p); }
  std::span<char> moving_stacks(processor_id p) override {
    return {shm_job::stacks(p), shm_job::stacks_bytes};
  }
  bool stacks_are_shared() const override { return true; }
  const char* why_threads_stay() const override;
  void* window(node_id n) override { return job_.window(n); }
  std::optional<int> look(node_id other) override;
  bool take_oldest(processor* mover, node_id from, terrane_token& token) override;
  bool fetch(processor_id owner, const void* from, void* to, std::size_t bytes) override;
  std::size_t fetch_bytes_min() const override { return small_bytes_max; }
  void* take_block(processor& by, std::size_t bytes) override {
    return heaps_[by.number % heaps_.size()].take(bytes);
  }
  bool give_back_block(void* block) override {
    if (!job_.is_in_heap(block)) return false;
    shm_heap::give_back(static_cast<unsigned char*>(block));
    return true;
  }
  bool is_seen_by_all(const void* block) const override { return job_.is_in_heap(block); }
  // losses
  bool is_lost(processor_id p) const override {
    const job_head& head = job_.head();
    return head.lost[p / head.processors_per_node].load(memory_order_acquire);
  }
  std::uint64_t round() const override {
    // acquire pairs with the launcher's release in shm_roster::lose, after it saw the process end:
    // so all that the ended process wrote is visible here.
    if (!job_.head().any_lost.load(memory_order_acquire)) return 0;
    return job_.node(me_).beats.load(memory_order_relaxed) + 1;
  }
  // rings
  unsigned char* new_block(processor& from, std::size_t bytes) override;
  void block_read(const large_message& where) override;
  void rouse(processor_id to) override;
  std::uint64_t gather();
  void learn_of_others();

  static processor& at(processor_id p) { return *static_cast<processor*>(shm_job::arena(p)); }
  processor_id receiver_of(node_id to) const;

  const shm_job& job_;
  const node_id me_;
  // of this node's processors
  std::vector<shm_heap> heaps_;
  std::vector<mapped_memory> memories_;
  thread_crew crew_;
  // set by learn_of_others(), before any processor runs
  bool one_layout_ = true;
#ifndef NDEBUG
  std::vector<stray_address_watch> watches_;
  std::vector<std::map<node_id, mapped_memory>> others_;  // nodes that tokens were taken from
  void look_through(const processor& mover, const terrane_token& taken, node_id from);
#endif
};

}  // namespace terrane
