// SPDX-License-Identifier: Apache-2.0
// shis.hpp: spn with a memory: an idle node first asks the node that gave it a token last time.
//
// Transfer     receiver-initiated: an idle node asks; a rich one gives.
// Selection    the oldest token.
// Location     the node that the last token came from; if that has none, on from there round the
//              ring. At first the left neighbour.
// Information  the giver's number, which every token brings. It is kept until another node gives,
//              also after a request that failed, as in the paper.
// Parameters   rich: tokens; a node with more than these answers. Default 0. fails: what becomes of
//              a request that the remembered node cannot answer. 0: it goes on round the ring with
//              its asker's number. 1: it dies, and the asker asks the same node again when it has
//              been told 8 times that it is idle. 2: it dies, and the asker waits for a token.
//              3: it goes on without a number, as in dual:literal=1, and so does its answer.
//              Default 0.
// Source       [EARTH-LB §3] (Shis).
#pragma once

#include <optional>

#include "terrane/balance/ring_request.hpp"

namespace terrane::balance {

struct shis_options {
  ring_options ring;
  int fails = 0;
};

class shis final : public ring_request {
 public:
  explicit shis(const shis_options& options = {})
      : ring_request(options.ring), fails_(static_cast<failing>(options.fails)) {}

  void on_idle(node_view& node) override {
    if (fails_ == failing::goes_on || !remembered_) return ring_request::on_idle(node);
    if (fails_ == failing::dies) give_up_after(patience);
    if (asking_ || node.load() > 0) return;
    asking_ = true;
    node.tell(*remembered_, {direct, node.me(), 0});
  }

  void on_note(node_view& node, node_id from, const note& what) override {
    if (what.kind == request) return ring_request::on_note(node, from, what);
    if (what.kind == anonymous) {
      if (!is_rich(node) || node.give_oldest(node.right(), 1) == 0) node.tell(node.left(), what);
    } else if (!answer(node, what.about) && fails_ == failing::loses_its_number) {
      node.tell(node.left(), {anonymous, 0, 0});
    }
  }

  void on_token(node_view& node, node_id from, const load_hint& hint) override {
    const bool poor = asking_ && node.load() <= 1;  // this token alone
    asking_ = false;
    if (fails_ == failing::loses_its_number && !poor && hint.origin != node.me() &&
        node.pass_oldest(node.right(), hint.origin))
      return;
    ring_request::on_token(node, from, hint);
    remembered_ = fails_ == failing::loses_its_number ? hint.origin : from;
  }

 private:
  enum class failing { goes_on, dies, dies_for_good, loses_its_number };
  static constexpr std::uint32_t anonymous = 2, direct = 3;
  static constexpr int patience = 8;

  node_id first_asked(node_view& node) override { return remembered_.value_or(node.left()); }

  bool answer(node_view& node, node_id asker) override {
    if (!is_rich(node) || node.give_oldest(asker, 1) == 0) return false;
    node.log({"shis answers a request", asker, node.load(), 0});
    return true;
  }

  const failing fails_;
  std::optional<node_id> remembered_;
};

}  // namespace terrane::balance
