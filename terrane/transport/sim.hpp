// SPDX-License-Identifier: Apache-2.0
// sim.hpp: the world in which nodes are objects on one thread under a virtual clock.
//
// Purpose     The same processors, balancers and protocols as in every world, but time is charged:
//             declared work and the runtime's own work at the prices of a network_costs, messages
//             by its network, and faults by a fault_plan. The same seed gives the same schedule,
//             bit for bit.
// Method      Events wait in a queue, ordered by (time, a number drawn from the seed, order of
//             making). A processor's event is one turn of its loop. The time that the turn charges
//             decides when the processor's next turn begins. A turn thus runs ahead of the other
//             events by what it charged. So its messages go to the network only when the clock has
//             reached the time at which it sent them, and the network receives all messages in
//             order of time. Messages become visible at their arrival, notes and tokens of a node
//             at the next turn of one of its processors.
// Invariants  Nothing here reads the real clock, except to measure work that a program did not
//             declare. That work costs its measured time, and the run then reports that it is not
//             repeatable. Messages from one processor to another keep their order under all faults:
//             messages of a pair that have the same time share one drawn number, and no fault lets
//             a later message overtake. Only a probe for quiescence, which needs no order, may be
//             overtaken: it takes at least 1 us, so the clock advances even if only probes are
//             under way.
// Limits      Processors of one node see changes of their pool at once, although one processor's
//             clock may be ahead of another's by the turn that it is in.
// Cost        A heap operation and a turn per event. Idle processors cost events only at the
//             growing intervals at which they ask their balancer.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "terrane/base/rare.hpp"
#include "terrane/base/result.hpp"
#include "terrane/core/world.hpp"
#include "terrane/transport/event_log.hpp"
#include "terrane/transport/event_queue.hpp"
#include "terrane/transport/faults.hpp"
#include "terrane/transport/interface_buffers.hpp"
#include "terrane/transport/network.hpp"
#include "terrane/transport/parcel.hpp"
#include "terrane/transport/price_list.hpp"
#include "terrane/transport/sim_statistics.hpp"
#include "terrane/transport/traffic.hpp"

namespace terrane {

struct sim_options {
  std::uint32_t nodes = 1, processors_per_node = 1;
  std::uint64_t seed = 1;
  network_costs costs{};
  fault_options faults{};
  std::string log_file{};  // gets one line per event; empty: no log
  /// More events at one time of the virtual clock are an error: the run would never end.
  std::uint64_t events_at_once_max = 50'000'000;
};

class sim_world final : public world, wire, crew, neighbours, prices {
 public:
  /// An error if the log file cannot be opened.
  static result<std::unique_ptr<sim_world>> make(sim_options options);
  ~sim_world() override;

  void attach(std::span<node* const> nodes) override;
  std::uint64_t now() override;
  void send(processor& from, processor_id to, entry kind, bytes_view head,
            bytes_view body) override;
  void poll(processor& here) override;
  void post_note(processor* mover, node& from, node_id to, const note& what, int load) override;
  void post_token(processor* mover, node& from, node_id to, const terrane_token& token,
                  const load_hint& hint) override;
  bool wake(processor& sleeper) override;
  void run(std::span<processor* const> processors) override;
  void charge(const terrane_operation& operation, std::uint64_t count) override;
  void serve(service what, std::size_t bytes) override;
  void send_as(service what, std::size_t bytes) override;
  bool senders_ask() const override { return options_.costs.senders_ask != 0; }
  void describe(world_statistics& to) const override;
  /// For a processor that has been idle for long: a sixteenth of that time. So the number of events
  /// grows with the work in a run, and not with the time in which there is nothing to do.
  std::uint64_t ask_ns_max() const override;

 private:
  struct agent;  // the simulation's data of a processor
  struct site;   // the simulation's data of a node, with what has arrived and waits for a turn

  explicit sim_world(sim_options);

  node_id node_of(processor_id processor) const { return processor / options_.processors_per_node; }
  std::uint64_t rank(std::uint64_t channel, std::uint64_t time);
  void schedule_turn(agent& whose, std::uint64_t when);
  void post(std::uint32_t place, node_id from, node_id to);
  const service_costs* priced(const parcel& what) const;
  void spend(agent& whose, std::uint64_t ns);
  std::uint64_t next_tick(node_id of, std::uint64_t after) const;
  void let_out(const agent& whose);
  void note_flight(processor& self, const parcel& what);
  void note_service(processor& self, service what, std::size_t bytes, std::uint64_t since,
                    std::uint64_t interrupted_before);
  void hand_over(std::uint32_t place);
  void arrive(std::uint32_t place);
  void look_ahead();
  bool wake_agent(agent& whose);
  void carry_out(const scheduled& event);
  void advance(std::uint64_t time);
  void turn(agent& whose);
  void take_arrivals(agent& whose);
  bool attend(node_id at);
  void look_again(node_id at, std::uint64_t when);
  void pay_for_turn(agent& whose, std::uint64_t fibers, std::uint64_t tokens,
                    std::uint64_t started);
  void stand_still(agent& whose);

  const sim_options options_;
  const service_costs free_probe_;
  network network_;
  fault_plan faults_;
  rare_dice dice_;
  price_list prices_;
  interface_buffers interfaces_;
  std::span<node* const> nodes_;
  std::vector<agent> agents_;
  std::vector<site> sites_;
  event_queue queue_;
  scheduled held_{};  // if `holds_`: the running processor's next turn, not yet in the queue
  bool holds_ = false;
  parcel_store parcels_;
  std::unordered_map<std::uint64_t, std::uint64_t> last_arrival_;  // by channel; only with faults
  agent* current_ = nullptr;
  std::size_t running_ = 0;
  std::uint64_t clock_ = 0, made_ = 0;
  std::uint64_t queue_opens_ = 0;     // when tokens may leave the queue of a node that runs a fiber
  std::uint64_t events_at_once_ = 0;  // since the clock last advanced
  service next_as_ = service::none;   // of the message that is sent next
  std::size_t next_bytes_ = 0;
  std::vector<std::uint32_t> outgoing_;  // parcels that leave when the turn that sent them ends
  std::uint64_t interrupted_ns_ = 0;     // what ticks have taken of all processors
  traffic traffic_;
  std::uint32_t measured_turns_ = 0;  // so many more turns read the real clock
  bool declared_ = false, repeatable_ = true;
  event_log log_;
};

}  // namespace terrane
