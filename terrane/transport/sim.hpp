// SPDX-License-Identifier: Apache-2.0
// sim.hpp: the world in which nodes are objects on one thread under a virtual clock.
//
// Purpose     The same processors, balancers and protocols as in every world, with time that is
//             charged: declared work at the prices of a network_costs, the runtime's own work
//             likewise, messages by its network. One seed, one schedule, bit for bit.
// Method      A queue of events in order of (time, order of making). A processor's event is one
//             turn of its loop; what it charges is when its next one comes. Messages become visible
//             at their arrival, notes and tokens of a node at the next turn of one of its
//             processors.
// Invariants  Nothing here reads the real clock, but for work that a program did not declare: that
//             costs its measured time, and the run then says that it is not repeatable.
// Cost        A heap operation and a turn per event; idle processors cost events only at the
//             growing intervals at which they ask their balancer.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "terrane/core/transport.hpp"
#include "terrane/transport/network.hpp"

namespace terrane {

struct sim_options {
  std::uint32_t nodes = 1, processors_per_node = 1;
  std::uint64_t seed = 1;
  network_costs costs{};
  std::string log_file{};  // one line an event; empty: none
};

class sim_transport final : public transport {
 public:
  explicit sim_transport(sim_options);
  ~sim_transport() override;

  void attach(std::span<node* const> nodes) override;
  std::uint64_t now() override;
  void send(processor& from, processor_id to, entry kind, bytes_view head,
            bytes_view body) override;
  void poll(processor& here) override;
  void post_note(node& from, node_id to, const note& what, int load) override;
  void post_token(node& from, node_id to, const terrane_token& token, int load) override;
  bool wake(processor& sleeper) override;
  void run(std::span<processor* const> processors) override;
  bool charges() const override { return true; }
  void charge(const terrane_operation& operation, std::uint64_t count) override;
  void describe(world_statistics& to) const override;

 private:
  struct agent;      // a processor as its events see it
  struct site;       // a node: what has arrived for it and waits for a turn
  struct arrival;    // a message, note or token
  struct scheduled;  // an event
  struct event_log;

  void schedule_turn(agent& whose, std::uint64_t when);
  void post(node_id from, node_id to, arrival what);
  void arrive(const scheduled& what);
  void turn(agent& whose);
  void take_arrivals(agent& whose);
  void pay_for_turn(agent& whose, std::uint64_t fibers, std::uint64_t tokens, bool declared,
                    std::uint64_t real_ns);

  const sim_options options_;
  network network_;
  std::span<node* const> nodes_;
  std::vector<std::unique_ptr<agent>> agents_;
  std::vector<std::unique_ptr<site>> sites_;
  std::vector<scheduled> queue_;  // a heap
  std::vector<arrival> in_flight_;
  std::vector<std::uint32_t> free_in_flight_;
  agent* current_ = nullptr;
  std::uint64_t clock_ = 0, order_ = 0;
  std::uint64_t messages_ = 0, bytes_ = 0;
  bool declared_ = false, repeatable_ = true;
  std::unique_ptr<event_log> log_;
};

}  // namespace terrane
