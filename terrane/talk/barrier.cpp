// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/barrier.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "terrane/core/object.hpp"
#include "terrane/core/processor.hpp"

namespace terrane {

namespace {

constexpr std::uint32_t tree_degree = 4;

struct report {
  std::uint32_t arrived;
  bool more_than_expected;
};

/// One node's part of a barrier. The part on the node that made it is the root. See barrier.md.
class barrier_station final : public object {
 public:
  static constexpr char called[] = "barrier";
  enum : std::uint32_t { wait, reported, release, be_hasty, free };

  explicit barrier_station(int n)
      : whole_(name()), root_(true), expected_(static_cast<std::uint32_t>(n)) {}
  explicit barrier_station(branch_of whole);
  void operate(const operation_request& asked) override;
  /// Calls on this node; those on other nodes wait at their own stations.
  std::size_t waiting() const override { return local_; }

 private:
  struct arrival {
    terrane_slot_ref go = 0;  // of a local call, or
    processor_id child = 0;   // a count of this one's
    std::uint32_t count = 1;
    bool local = false;
  };

  void arrived(const arrival& who);
  void hurry_children();
  void go_on();
  void release_first(std::uint32_t count);
  void free_all();

  const terrane_slot_ref whole_;
  const bool root_;
  processor_id parent_ = 0;
  std::deque<arrival> arrivals_;
  std::map<processor_id, std::uint32_t> children_;  // that ever reported; released of each now
  std::uint32_t unsent_ = 0, sent_ = 0, expected_ = 0;
  std::uint32_t local_ = 0, local_expected_ = 0;
  bool hasty_ = false, children_hasty_ = false;
  bool surplus_below_ = false, surplus_reported_ = false;
};

/// Nodes are numbered from the root's on; the parent of i is (i - 1) / 4.
barrier_station::barrier_station(branch_of whole) : whole_(whole.whole), root_(false) {
  const processor& self = here();
  const std::uint32_t each = self.processors_per_node(), nodes = self.processors() / each;
  const node_id first = processor_of(whole_) / each;
  const node_id distance = (self.number / each + nodes - first) % nodes;
  parent_ = station_of(whole_, ((distance - 1) / tree_degree + first) % nodes);
}

void barrier_station::operate(const operation_request& asked) {
  switch (asked.what) {
    case wait:
      ++local_;
      arrived({.go = asked.as<terrane_slot_ref>(), .local = true});
      break;
    case reported: {
      const auto& what = asked.as<report>();
      children_.try_emplace(asked.from, 0);
      surplus_below_ |= what.more_than_expected;
      arrived({.child = asked.from, .count = what.arrived});
      break;
    }
    case release: release_first(asked.as<std::uint32_t>()); break;
    case be_hasty:
      hasty_ = true;
      hurry_children();
      break;
    case free: return free_all();
  }
  go_on();
}

void barrier_station::arrived(const arrival& who) {
  if (who.count == 0) return;
  arrivals_.push_back(who);
  unsent_ += who.count;
}

void barrier_station::hurry_children() {
  if (children_hasty_) return;
  children_hasty_ = true;
  for (const auto& [child, released] : children_) ask_at<barrier_station>(child, whole_, be_hasty);
}

/// Releases or reports, if there is something to release or report.
void barrier_station::go_on() {
  while (root_ && unsent_ >= expected_) release_first(expected_);
  if (surplus_below_ || local_ > local_expected_) hurry_children();
  if (root_) return;
  const bool surplus = sent_ + unsent_ > expected_ && !surplus_reported_;
  const bool due = unsent_ != 0 && (hasty_ || sent_ + unsent_ >= expected_);
  if (!surplus && !due) return;
  surplus_reported_ |= surplus;
  ask_at<barrier_station>(parent_, whole_, reported, report{unsent_, surplus});
  sent_ += unsent_;
  unsent_ = 0;
}

/// The first `count` arrivals go on; the same number is expected in the next round.
void barrier_station::release_first(std::uint32_t count) {
  hasty_ = children_hasty_ = surplus_reported_ = surplus_below_ = false;
  local_expected_ = 0;
  (root_ ? unsent_ : sent_) -= count;
  if (!root_) expected_ = count;
  while (count > 0) {
    arrival& oldest = arrivals_.front();
    const std::uint32_t taken = std::min(count, oldest.count);
    count -= taken;
    oldest.count -= taken;
    if (oldest.local) {
      ++local_expected_;
      signal_if(oldest.go);
    } else {
      children_[oldest.child] += taken;
    }
    if (oldest.count == 0) arrivals_.pop_front();
  }
  local_ -= local_expected_;
  for (auto& [child, released] : children_) {
    ask_at<barrier_station>(child, whole_, release, released);
    released = 0;
  }
}

void barrier_station::free_all() {
  require_nobody_waits(*this);
  for (const auto& [child, released] : children_) ask_at<barrier_station>(child, whole_, free);
  if (root_)
    free_object(*this);
  else
    free_branch(whole_);
}

}  // namespace

}  // namespace terrane

using namespace terrane;

void terrane_barrier_new(terrane_barrier* barrier, int n, terrane_slot_ref ready) {
  if (n < 1)
    fail(run_time_error::size_out_of_range, "a barrier of %d was asked for: 1 at least", n);
  barrier->object = make_object<barrier_station>(n).name();
  signal_if(ready);
}
void terrane_barrier_wait(terrane_barrier barrier, terrane_slot_ref go) {
  ask_at<barrier_station>(station_here(barrier.object), barrier.object, barrier_station::wait, go);
}
void terrane_barrier_free(terrane_barrier barrier) {
  ask<barrier_station>(barrier.object, barrier_station::free);
}
