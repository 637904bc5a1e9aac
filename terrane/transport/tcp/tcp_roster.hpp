// SPDX-License-Identifier: Apache-2.0
// tcp_roster.hpp: the roster of world tcp: a connection to each node (control.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "terrane/transport/roster.hpp"
#include "terrane/transport/tcp/control.hpp"

namespace terrane {

struct tcp_roster_options {
  std::uint32_t nodes = 1;
  std::string host = "localhost";       // this host's name, for people
  std::string interface = "127.0.0.1";  // the address at which nodes call
  std::string build;                    // of the executable
  std::uint64_t heartbeat_ms = 1000;
  bool secured = false;              // --tls
  bool watched = false;              // the run's progress is shown
  bool by_hand = false;              // people start the nodes
  std::vector<std::string> hosts{};  // where each node is to be, if not all on this host
};

class tcp_roster final : public roster {
 public:
  static result<std::unique_ptr<tcp_roster>> make(const tcp_roster_options& options);

  const job_secret& secret() const { return secret_; }
  /// Where nodes call.
  const address& where() const { return where_; }

  std::uint32_t nodes() const override { return options_.nodes; }
  std::uint64_t began_ns() const override { return began_ns_; }
  life_signs signs_of(node_id n) const override { return nodes_[n].signs; }
  std::string host_of(node_id n) const override;
  int process_of(node_id n) const override;
  bool has_come(node_id n) const override { return nodes_[n].line != nullptr; }
  bool are_started_by_hand() const override { return options_.by_hand; }
  bool is_watched() const override { return options_.watched; }
  void lose(node_id n) override;
  void leave_to_node() override;
  void add_waits(std::vector<pollfd>& to) const override;
  void look() override;
  bool may_say_more(node_id n) const override;
  const std::string& share_of(node_id n) const override { return nodes_[n].share; }
  std::vector<roster_trouble> troubles() override;

 private:
  struct node_state {
    std::unique_ptr<control_link> line;
    life_signs signs;
    std::string share;
    bool ready = false, finished = false, lost = false;
  };
  tcp_roster(const tcp_roster_options& options, job_secret secret, address where,
             descriptor listener);
  void accept_calls();
  void greet_callers();
  bool take(node_id from, const frame_head& head, const unsigned char* data);
  void tell_members();
  void tell_all(frame_kind kind, bytes_view data = {});
  template <class Condition>
  bool all(Condition&& is) const;

  const tcp_roster_options options_;
  job_secret secret_;
  const address where_;
  descriptor listener_;
  const identity who_;
  admissions admitted_;
  std::vector<std::unique_ptr<control_link>> callers_;  // not known yet
  std::vector<node_state> nodes_;
  std::vector<roster_trouble> troubles_;
  bool told_members_ = false, told_to_leave_ = false;
  std::uint64_t began_ns_ = 0, said_alive_ns_ = 0;
};

}  // namespace terrane
