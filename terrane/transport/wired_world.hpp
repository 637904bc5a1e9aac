// SPDX-License-Identifier: Apache-2.0
// wired_world.hpp: a world in which nodes are processes that share nothing but wires.
//
// Purpose     Between processors of one node messages go through rings (rings.hpp). To other nodes
//             they go through the network (wired_network.hpp), which puts what arrives into the
//             same rings. Notes and tokens are messages for any processor of a node; an idle one
//             gets them.
// Progress    poll      processors read and write sockets, between fibers and while they are idle
//             watchdog  the same, and a thread does so when no processor has for a while
//             modules   a thread that receives and a thread that sends; processors do neither
// Source      [EARTH-SMP §4]: RTS 1.2 polls, RTS 2.0 has modules.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "terrane/transport/mapped_memory.hpp"
#include "terrane/transport/network_threads.hpp"
#include "terrane/transport/rings.hpp"
#include "terrane/transport/tcp/socket_sleep.hpp"
#include "terrane/transport/wired_line.hpp"
#include "terrane/transport/wired_network.hpp"

namespace terrane {

inline constexpr int wired_processors_max = 1024;

struct wire_options {
  std::uint32_t processors_per_node = 1;
  progress_form progress = progress_form::watchdog;
  bool eager = true;               // all nodes are connected before the run begins
  network_watch* watch = nullptr;  // that outlives the world; null: it makes its own if need be
};

/// Makes the wires of a world, once it is known who is there.
using network_maker =
    std::function<std::unique_ptr<wired_network>(const network_shape&, network_user&)>;

class wired_world final : public world,
                          private rings,
                          private neighbours,
                          private losses,
                          private network_user {
 public:
  /// For the process of a node. Waits until all nodes are there. The line must outlive this object.
  static result<std::unique_ptr<wired_world>> make(wired_line& line, const network_maker& wires,
                                                   const wire_options& about, crew_options how);
  ~wired_world() override;

  void attach(std::span<node* const>) override {}
  bool holds(node_id n) const override { return n == me_; }
  void describe(world_statistics& to) const override;
  void failed(int exit_code) override { line_.fail(exit_code); }

 private:
  wired_world(wired_line& line, const network_maker& wires, const wire_options& about,
              crew_options how, own_places memory);

  // wire
  void send(processor& from, processor_id to, entry kind, bytes_view head,
            bytes_view body) override;
  void poll(processor& here) override;
  void post_note(processor* mover, node& from, node_id to, const note& what, int load) override;
  void post_token(processor* mover, node& from, node_id to, const terrane_token& token,
                  const load_hint& hint) override;
  memory_range owned(processor& here, const void* address, std::size_t bytes,
                     bool to_write) override;
  // neighbours
  std::span<char> moving_stacks(processor_id p) override { return line_.stacks_of(p); }
  const char* why_threads_stay() const override { return why_threads_stay_; }
  // losses
  bool is_lost(processor_id p) const override { return line_.is_lost(p / each_); }
  std::uint64_t round() const override { return line_.any_lost() ? line_.beats() + 1 : 0; }
  // rings
  void rouse(processor_id to) override { at(to).notice(); }
  void begin(std::span<processor* const> processors) override;
  // network_user
  bool deliver(std::uint16_t to, const unsigned char* record, std::size_t bytes) override;
  landing land(std::uint16_t to, packed_head about, bytes_view head,
               std::uint64_t body_bytes) override;
  void broken(node_id with, const std::string& how) override { line_.report(with, how); }

  /// The sockets, as a source of news.
  class sockets final : public poller {
   public:
    explicit sockets(wired_world& of) : of_(of) {}
    void take(processor& here) override { of_.take_and_answer(here); }
    bool has_news(const processor& here) override;
    bool prepare_sleep(processor& here) override;
    void end_sleep(processor& here) override;
    sleeping_place* sleeps_on(processor& here) override;
    bool finish(processor& here) override;
    void end() override { of_.threads_.reset(); }

   private:
    wired_world& of_;
  };

  void send_to_node(processor& from, node_id to, std::uint16_t target, entry kind, bytes_view head,
                    bytes_view body);
  void take_and_answer(processor& here);
  bool polls() const { return progress_ != progress_form::modules; }
  processor& at(processor_id p) const { return *processors_[p - first()]; }
  processor_id first() const { return me_ * each_; }
  std::uint64_t gather();
  const char* find_why_threads_stay() const;

  const own_places memory_;
  wired_line& line_;
  const std::vector<node_facts>& facts_;
  const wire_options about_;
  const node_id me_;
  const std::uint32_t each_;  // processors of a node
  std::span<processor* const> processors_;
  std::vector<mapped_memory> memories_;
  // by processor of this node; its own thread only
  struct alignas(64) sender {
    bool has_sent = false;  // since it last polled
  };
  std::vector<sender> senders_;
  std::vector<std::shared_ptr<sleeping_place>> sleeps_;
  const char* why_threads_stay_;
  sockets sockets_;
  thread_crew crew_;
  const std::unique_ptr<wired_network> network_;
  const progress_form progress_;
  std::optional<network_threads> threads_;
};

}  // namespace terrane
