// SPDX-License-Identifier: Apache-2.0
// ucx_network.hpp: the wires of one node to the others by UCX, in a run that another network brings
// together.
//
// Purpose     The world has wires of its own (sockets, an MPI). Over these the nodes tell each
//             other once where UCX reaches them; from then on messages go by UCX (../carried/).
//             The world's wires stay for what they say of nodes that end.
// Invariants  The first message that another node sends over the world's wires is its address in
//             UCX, and the only one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "terrane/transport/carried/carried_network.hpp"
#include "terrane/transport/ucx/ucx_table.h"
#include "terrane/transport/wired_world.hpp"

namespace terrane {

class ucx_network final : public wired_network, private network_user {
 public:
  /// world_wires: makes the network that brings the nodes together.
  ucx_network(const terrane_ucx_table& ucx, const network_maker& world_wires,
              const network_shape& shape, network_user& user);
  ~ucx_network() override;

  void send(node_id there, std::uint16_t to, packed_head about, bytes_view head,
            bytes_view body) override {
    messages_->send(there, to, about, head, body);
  }
  void flush() override { messages_->flush(); }
  std::uint64_t unsent() const override { return messages_->unsent(); }
  bool all_sent() override { return messages_->all_sent(); }
  void lose(node_id which) override;
  bool turn() override;
  bool is_stalled() const override { return messages_->is_stalled(); }
  bool wants_turn() const override { return messages_->wants_turn(); }
  bool is_moving() const override { return messages_->is_moving(); }
  std::uint64_t turns() const override { return messages_->turns(); }
  int descriptor_to_wait_on() const override { return -1; }
  result<void> connect_all() override;
  void close() override;
  std::vector<wire_statistics> figures() const override { return messages_->figures(); }

 private:
  // network_user, of the world's wires
  bool deliver(std::uint16_t to, const unsigned char* record, std::size_t bytes) override;
  void broken(node_id with, const std::string& how) override { user_.broken(with, how); }

  error problem(const char* what, int code) const;

  const terrane_ucx_table& ucx_;
  const network_shape shape_;
  network_user& user_;
  const std::unique_ptr<wired_network> world_wires_;
  std::vector<std::string> addresses_;  // by node; empty: it has not come
  std::uint32_t missing_ = 0;
  terrane_carrier_handle among_{};
  std::optional<carried_network> messages_;
};

}  // namespace terrane
