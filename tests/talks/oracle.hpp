// SPDX-License-Identifier: Apache-2.0
// oracle.hpp: which message a receive may take, judged by the plan.
//
// Rules       (1) A message is taken once, in its context, by a receive that accepts its sender and
//             tag. (2) No message overtakes: it is not taken while an earlier one of the same
//             sender, receiver and context is left that the same receive accepts. (3) Of receives
//             posted together, the one posted first is served first. So in the order of posting
//             each has the first message that is left of its sender and that it accepts.
#pragma once

#include <algorithm>
#include <optional>

#include "tests/talks/plan.hpp"

namespace terrane::talks {

constexpr int any = -1;

/// A receive: from whom, with which tag.
struct wanted {
  context in;
  int from = any, tag = any;
  bool takes(const planned& one) const {
    return one.in == in && (from == any || one.from == from) && (tag == any || one.tag == tag);
  }
};
struct got {
  int from, tag;
  std::size_t bytes;
};

class oracle {
 public:
  /// The messages that are for that member, in the order of sending of each sender.
  oracle(const plans& all, int member) : left_(all.get_allocator()) {
    for (const planned& each : all)
      if (each.to == member) left_.push_back(each);
  }
  const plans& left() const { return left_; }

  /// The message that a receive has taken, if what it says is allowed.
  std::optional<planned> take(const wanted& by, const got& what) {
    const auto first = first_of(by, what.from);
    if (first == left_.end() || first->tag != what.tag || first->bytes != what.bytes) return {};
    const planned taken = *first;
    left_.erase(first);
    return taken;
  }
  /// The same without taking it: of a probe.
  std::optional<planned> find(const wanted& by, const got& what) {
    const auto first = first_of(by, what.from);
    if (first == left_.end() || first->tag != what.tag || first->bytes != what.bytes) return {};
    return *first;
  }

 private:
  plans::iterator first_of(const wanted& by, int from) {
    return std::find_if(left_.begin(), left_.end(),
                        [&](const planned& each) { return each.from == from && by.takes(each); });
  }
  plans left_;
};

/// False: the oracle itself would let something pass.
inline bool oracle_bites() {
  plans all{{0, 1, 0, 5, 10, plain, usual},
            {1, 1, 0, 6, 20, plain, usual},
            {2, 1, 0, 5, 30, plain, usual},
            {3, 2, 0, 5, 40, of_rope, usual}};
  oracle judge(all, 0);
  const wanted whatever{plain}, exact{plain, 1, 5};
  if (judge.take(whatever, {1, 6, 20})) return false;         // 0 is overtaken
  if (judge.take(exact, {1, 5, 30})) return false;            // likewise
  if (judge.take(whatever, {2, 5, 40})) return false;         // of another context
  if (judge.take({plain, 2, any}, {1, 5, 10})) return false;  // of another sender
  if (judge.take(whatever, {1, 5, 11})) return false;         // not whole
  if (!judge.take({plain, any, 6}, {1, 6, 20})) return false;
  if (!judge.find(exact, {1, 5, 10}) || !judge.take(exact, {1, 5, 10})) return false;
  if (judge.take(exact, {1, 5, 10})) return false;  // a second time
  return judge.take(whatever, {1, 5, 30}).has_value() && judge.left().size() == 1;
}

}  // namespace terrane::talks
