// SPDX-License-Identifier: Apache-2.0
// local.hpp: the world in which nodes are groups of threads of this process.
//
// Purpose     Messages go through one ring per processor; what does not fit waits with its sender,
//             in order, and is sent on at the sender's next poll. Notes and tokens between nodes
//             are handed over by a direct call in the sender's thread, so that no node must run to
//             be robbed.
// Idleness    An idle processor spins for some microseconds (not at all when there are more
//             processors than cores), then yields, then sleeps on its parker until a message, a
//             token or a timer.
// Invariants  A sender pushes first and wakes second; see parker.hpp for why no wake-up is lost.
#pragma once

#include <pthread.h>

#include <memory>
#include <vector>

#include "terrane/base/inbox_ring.hpp"
#include "terrane/base/parker.hpp"
#include "terrane/core/transport.hpp"

namespace terrane {

struct local_options {
  std::uint32_t processors = 1;
  bool spin = true;                   // there is a core for every processor
  std::vector<int> cpu_of_processor;  // to pin each to; empty: do not
  std::size_t stack_bytes = std::size_t{8} << 20;
  double rare = 0;         // share of rare branches taken early (base/rare.hpp)
  std::uint64_t seed = 1;  // of the dice for that
};

class local_transport final : public transport {
 public:
  explicit local_transport(local_options);
  ~local_transport() override;

  void attach(std::span<node* const> nodes) override { nodes_ = nodes; }
  std::uint64_t now() override;
  void send(processor& from, processor_id to, entry kind, bytes_view head,
            bytes_view body) override;
  void poll(processor& here) override;
  void post_note(node& from, node_id to, const note& what, int load) override;
  void post_token(node& from, node_id to, const terrane_token& token, int load) override;
  bool wake(processor& sleeper) override;
  void describe(world_statistics& to) const override;
  void run(std::span<processor* const> processors) override;

 private:
  struct cell;
  struct place;  // one processor's inbox, parker and unsent messages

  bool push(processor_id to, const cell& filled);
  void flush(place& mine);
  void deliver(processor& here, const cell& filled);
  void run_one(processor& self);
  void idle(processor& self);

  const local_options options_;
  std::uint64_t start_;  // of the run: when every thread was there
  pthread_barrier_t all_there_;
  std::vector<std::unique_ptr<place>> places_;
  std::span<node* const> nodes_;
  std::span<processor* const> processors_;
};

}  // namespace terrane
