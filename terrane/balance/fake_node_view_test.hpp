// SPDX-License-Identifier: Apache-2.0
// fake_node_view_test.hpp: a node that a policy can be tried on by itself: scripted loads and
// random nodes, and a record of everything the policy does.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "terrane/base/random.hpp"
#include "terrane/core/balancer.hpp"

namespace terrane {

/// What a node of the ring sends that asks for a token (ring_request.hpp).
constexpr note request_of(node_id asker) { return {1, asker, 0}; }

class fake_node_view final : public node_view {
 public:
  fake_node_view(node_id number, std::uint32_t nodes) : number_(number), nodes_(nodes) {}

  // the script
  int tokens = 0;                  // queued on this node
  int out_of_reach = 0;            // of those: in private stacks, not to be given
  bool waits = false;              // for data, since it began its last token
  std::map<node_id, int> known;    // loads of others
  std::map<node_id, int> seen;     // and of those whose memory we share
  std::map<node_id, int> offered;  // of those seen: in their pools
  std::deque<node_id> drawn;       // what random_other gives; then really random ones

  // the record
  struct told {
    node_id to;
    note what;
  };
  struct given {
    node_id to;
    int how_many;
    bool newest = false;
  };
  std::vector<told> notes;
  std::vector<given> gifts;  // that went
  struct passed {
    node_id to, origin;
  };
  std::vector<passed> passes;
  std::vector<decision> logs;
  std::vector<int> surplus_marks, enough_marks;
  std::vector<std::uint64_t> periods;
  std::uint64_t time = 0;

  void forget() {
    notes.clear();
    gifts.clear();
    passes.clear();
    logs.clear();
  }

  node_id me() const override { return number_; }
  std::uint32_t nodes() const override { return nodes_; }
  node_id random_other() override {
    if (!drawn.empty()) {
      const node_id next = drawn.front();
      drawn.pop_front();
      return next;
    }
    const node_id other = random_.below(nodes_ - 1);
    return other < number_ ? other : other + 1;
  }

  int load() const override { return tokens; }
  bool waits_for_data() const override { return waits; }
  int known_load(node_id other) const override {
    const auto found = known.find(other);
    return found == known.end() ? 0 : found->second;
  }

  int give_oldest(node_id to, int how_many) override {
    const int went = std::clamp(tokens - out_of_reach, 0, how_many);
    tokens -= went;
    if (went > 0) gifts.push_back({to, went});
    return went;
  }
  bool give_newest(node_id to) override {
    if (tokens - out_of_reach <= 0) return false;
    --tokens;
    gifts.push_back({to, 1, true});
    return true;
  }
  bool pass_oldest(node_id to, node_id origin) override {
    if (tokens - out_of_reach <= 0) return false;
    --tokens;
    passes.push_back({to, origin});
    return true;
  }
  std::optional<int> look(node_id other) override {
    const auto found = seen.find(other);
    if (found == seen.end()) return {};
    return known[other] = found->second;
  }
  int take_oldest(node_id from, int how_many) override {
    const int came = std::clamp(seen.contains(from) ? offered[from] : 0, 0, how_many);
    offered[from] -= came;
    seen[from] -= came;
    tokens += came;
    return came;
  }
  void tell(node_id to, const note& what) override { notes.push_back({to, what}); }

  void set_surplus(int mark) override { surplus_marks.push_back(mark); }
  void set_enough(int mark) override { enough_marks.push_back(mark); }
  void every(std::uint64_t nanoseconds) override { periods.push_back(nanoseconds); }

  std::uint64_t now() const override { return time; }
  void log(const decision& what) override { logs.push_back(what); }

  // of what it measures, and of threads
  std::map<metric, double> loads;
  std::map<node_id, std::uint64_t> sent;
  std::vector<metric_choice> measures;
  std::vector<std::string> lines;  // of its log
  struct moved {
    terrane_slot_ref thread;
    node_id to;
  };
  std::vector<moved> moves;
  bool asks_for_threads = false;
  void measure(const metric_choice& what) override { measures.push_back(what); }
  std::optional<double> measured(metric what) const override {
    const auto found = loads.find(what);
    return found == loads.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::uint64_t> messages_to(node_id other) const override {
    const auto found = sent.find(other);
    return found == sent.end() ? 0 : found->second;
  }
  void write_log(std::string_view line) override { lines.emplace_back(line); }
  void ask_threads(bool asks) override { asks_for_threads = asks; }
  void move(terrane_slot_ref thread, node_id to) override { moves.push_back({thread, to}); }

 private:
  const node_id number_;
  const std::uint32_t nodes_;
  random_stream random_{1};
};

}  // namespace terrane
