// SPDX-License-Identifier: Apache-2.0
// tagged_view.hpp: a node as one of several policies on it sees it: its notes carry its number, so
// that they reach the same policy on the other node, and its marks count while it is the one in
// force.
#pragma once

#include "terrane/core/balancer.hpp"

namespace terrane::balance {

class tagged_view final : public node_view {
 public:
  static constexpr std::uint32_t tag_shift = 24;  // a policy's own kinds stay below

  tagged_view(node_view& node, std::uint32_t number) : node_(node), number_(number) {}

  static std::uint32_t number_of(const note& what) { return what.kind >> tag_shift; }
  static note untagged(note what) {
    what.kind &= (1u << tag_shift) - 1;
    return what;
  }

  /// From now on, and until retire(), the marks of this policy are the node's.
  void take_over() {
    in_force_ = true;
    node_.set_surplus(surplus_);
    node_.set_enough(enough_);
    node_.every(period_);
  }
  void retire() { in_force_ = false; }

  node_id me() const override { return node_.me(); }
  std::uint32_t nodes() const override { return node_.nodes(); }
  node_id random_other() override { return node_.random_other(); }
  int load() const override { return node_.load(); }
  int known_load(node_id other) const override { return node_.known_load(other); }
  std::optional<int> look(node_id other) override { return node_.look(other); }
  int give_oldest(node_id to, int how_many) override { return node_.give_oldest(to, how_many); }
  bool give_newest(node_id to) override { return node_.give_newest(to); }
  bool pass_oldest(node_id to, node_id origin) override { return node_.pass_oldest(to, origin); }
  int take_oldest(node_id from, int how_many) override { return node_.take_oldest(from, how_many); }
  void tell(node_id to, const note& what) override {
    node_.tell(to, {what.kind | number_ << tag_shift, what.about, what.value});
  }
  void set_surplus(int tokens) override {
    surplus_ = tokens;
    if (in_force_) node_.set_surplus(tokens);
  }
  void set_enough(int tokens) override {
    enough_ = tokens;
    if (in_force_) node_.set_enough(tokens);
  }
  void every(std::uint64_t nanoseconds) override {
    period_ = nanoseconds;
    if (in_force_) node_.every(nanoseconds);
  }
  std::uint64_t now() const override { return node_.now(); }
  void log(const decision& what) override { node_.log(what); }

 private:
  node_view& node_;
  const std::uint32_t number_;
  bool in_force_ = false;
  int surplus_ = -1, enough_ = 1;
  std::uint64_t period_ = 0;
};

}  // namespace terrane::balance
