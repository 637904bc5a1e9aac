// SPDX-License-Identifier: Apache-2.0
// decoded_ends.hpp: checks the ends of all channels of a run against the table of
// states_of_ends.hpp, and what they say of one another.
//
// Order       An end is used in one stay after the other, each on one processor, or at rest at home
//             after it. So the events' own numbers put them in order, and no clock is trusted.
// Checked     Each end alone: the table. Two ends: an item leaves one as it reaches the other,
//             once; what is heard was told; who meets is there. Threads: an end is where its thread
//             is.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "terrane/c/names.h"
#include "tests/decoded/decoded_moves.hpp"

namespace terrane::decoded {

class decoded_ends {
 public:
  explicit decoded_ends(const traced_ends& all) : moves_(all) {
    faults_ = moves_.faults();
    std::map<std::uint64_t, std::vector<placed>> of;
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> resting;  // end, source: stay
    for (const end_event& each : all.ends)
      if (each.what == did::taken || each.what == did::came)
        stays_[{each.end, each.stay}] = each.source;
    for (const end_event& each : all.ends) {
      const auto key = std::pair(each.end, each.source);
      if (each.what == did::made || each.what == did::rests) resting[key] = each.stay;
      const auto at_rest = resting.find(key);
      const bool rests = at_rest != resting.end() && at_rest->second == each.stay;
      // A thread may give up where it has not used the end.
      const auto used = stays_.find({each.end, each.stay});
      const bool left_later =
          each.what == did::left && used != stays_.end() && used->second != each.source;
      of[each.end].push_back({each, rests ? 2 : left_later ? 1 : 0, of[each.end].size()});
    }
    for (auto& [end, events] : of) follow(end, events);
    compare();
  }

  /// What the tables do not accept, a sentence each.
  const std::vector<std::string>& faults() const { return faults_; }
  /// How often each row of the table was taken.
  const std::array<std::uint64_t, rows>& taken() const { return taken_; }

 private:
  struct placed {
    end_event its;
    int part;            // of the stay: 0 in use; 1 given up elsewhere; 2 at rest
    std::size_t number;  // as it was read
  };
  /// Item `number` of a channel, as one of its ends has seen it.
  struct item {
    bool is_copied;
    std::uint64_t bytes, stay;
    std::uint32_t source;
  };
  using item_name = std::pair<std::uint64_t, std::uint64_t>;                   // channel, number
  using said = std::tuple<std::uint64_t, news, std::uint64_t, std::uint64_t>;  // end, item, stay

  static std::uint64_t channel_of(std::uint64_t end) {
    return end & ~std::uint64_t{TERRANE_NAME_SLOTS};
  }
  static bool is_sender(std::uint64_t end) {
    return (end & TERRANE_NAME_SLOTS) == std::uint64_t{1} << 16;
  }
  static std::uint64_t other(std::uint64_t end) {
    return channel_of(end) | std::uint64_t{is_sender(end) ? 2u : 1u} << 16;
  }
  void complain(const end_event& seen, std::string_view why) {
    faults_.push_back(fmt::format("end {:#x}, stay {}: {} of item {}, {}", seen.end, seen.stay,
                                  event_names[static_cast<std::size_t>(seen.what)], seen.item,
                                  why));
  }

  void follow(std::uint64_t end, std::vector<placed>& events) {
    std::ranges::sort(events, {}, [](const placed& one) {
      return std::tuple(one.its.stay, one.part, one.number);
    });
    half one{.way = is_sender(end) ? side::sender : side::receiver};
    if (events.front().its.what != did::made)
      return complain(events.front().its, "but was not made");
    stays_[{end, 0}] = events.front().its.source;
    for (std::size_t i = 1; i < events.size(); ++i) {
      const end_event& seen = events[i].its;
      const state before = one.at;
      const std::size_t taken = take(one, seen);
      if (taken == rows)
        return complain(seen,
                        fmt::format("in state {}, after {} items",
                                    state_names[static_cast<std::size_t>(before)], one.count));
      ++taken_[taken];
      keep(seen);
    }
    if (one.at != state::rests && one.at != state::over)
      complain(events.back().its, fmt::format("after which it stays in state {}",
                                              state_names[static_cast<std::size_t>(one.at)]));
  }

  void keep(const end_event& seen) {
    const std::uint64_t channel = channel_of(seen.end);
    switch (seen.what) {
      case did::taken:
      case did::came:
        if (moves_.node_of(seen.thread, seen.departure) != seen.node)
          complain(seen, "but its thread is elsewhere");
        return;
      case did::copied:
      case did::arrived:
      case did::sent: {
        auto& side = is_sender(seen.end) ? left_ : reached_;
        const std::uint64_t stay = seen.what == did::sent ? seen.partner : seen.stay;
        side[{channel, seen.item}] = {seen.what == did::copied, seen.bytes, stay, seen.source};
        return;
      }
      case did::waits:
        ++near_[{other(seen.end), is_sender(seen.end) ? news::focus : news::rtr, seen.item,
                 seen.stay}];
        return;
      case did::meets:
        if (seen.says != news::advert) --near_[{seen.end, seen.says, seen.item, seen.partner}];
        met_.push_back(seen);
        return;
      case did::tells: ++told_[{other(seen.end), seen.says, seen.item, seen.stay}]; return;
      case did::closed: ++told_[{other(seen.end), news::closed, seen.item, seen.stay}]; return;
      case did::hears: --told_[{seen.end, seen.says, seen.item, seen.partner}]; return;
      default: return;
    }
  }

  void compare() {
    for (const auto& [name, one] : left_) {
      const auto there = reached_.find(name);
      const bool is_same =
          there != reached_.end() && there->second.is_copied == one.is_copied &&
          there->second.bytes == one.bytes &&
          (one.is_copied ? there->second.source == one.source : there->second.stay == one.stay);
      if (!is_same)
        faults_.push_back(
            fmt::format("item {} of channel {:#x} left one end and did not reach the "
                        "other as it left",
                        name.second, name.first));
    }
    for (const auto& [name, one] : reached_)
      if (!left_.contains(name))
        faults_.push_back(
            fmt::format("item {} of channel {:#x} came from nowhere", name.second, name.first));
    for (const auto& [what, balance] : told_)
      if (balance < 0)
        faults_.push_back(fmt::format("end {:#x} heard of item {} what nobody had told",
                                      std::get<0>(what), std::get<2>(what)));
    for (const auto& [what, balance] : near_)
      if (balance != 0)
        faults_.push_back(
            fmt::format("end {:#x} and its partner differ about who waits for item {}",
                        std::get<0>(what), std::get<2>(what)));
    for (const end_event& each : met_) {
      const std::pair partner{other(each.end), each.partner};
      const auto there = stays_.find(partner);
      if (there == stays_.end() || there->second != each.source)
        complain(each, "but its partner is not there");
    }
  }

  const decoded_moves moves_;
  std::vector<std::string> faults_;
  std::array<std::uint64_t, rows> taken_{};
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> stays_;  // end, stay: source
  std::map<item_name, item> left_, reached_;
  std::map<said, int> told_, near_;
  std::vector<end_event> met_;
};

}  // namespace terrane::decoded
