// SPDX-License-Identifier: Apache-2.0
// storm_of_ends.hpp: random networks of threads and channels whose ends move, are handed over and
// closed, and are chosen among; and data that is lent, and renewed while others read it.
//
// Purpose     Each item has a number, so that one that is lost, doubled or overtaken is found.
//             Threads move at random, to nodes that may refuse them, in all forms, and yield to
//             balancers.
// Invariants  What the network is, and what each thread does, depends on the seed alone. A thread
//             sends only to threads of higher numbers, and waits for all of its inputs at once: so
//             no network can wait for ever. The answer of a run is 0: what all threads have sent
//             less what they have received, and 1,000,000 for each thread that found a fault.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "terrane/base/random.hpp"
#include "terrane/core/node.hpp"
#include "terrane/node_data/node_local.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/alt.hpp"
#include "terrane/thread/handlers.hpp"
#include "terrane/thread/lent.hpp"
#include "terrane/thread/migration.hpp"
#include "terrane/thread/par.hpp"
#include "tests/support/storm_steps.hpp"

namespace terrane::storms {

/// A thread with any number of inputs and outputs.
class member {
 public:
  explicit member(const share& mine) : mine_(mine), dice_(mine.seed, mine.number) {}
  int run() {
    for (std::uint32_t i = 0; i < mine_.ins; ++i) open_ |= 1u << i;
    for (std::uint32_t i = 0; i < mine_.outs; ++i) unsent_ |= 1u << i;
    while ((open_ | unsent_) != 0 && !wrong_) {
      wander(dice_, mine_.where);
      if (unsent_ != 0 && (open_ == 0 || dice_.below(2) == 0))
        send_one();
      else
        receive_some();
    }
    return wrong_ ? fault : sent_ - received_;
  }

 private:
  void send_one() {
    std::uint32_t which = dice_.below(mine_.outs);
    while ((unsent_ >> which & 1) == 0) which = (which + 1) % mine_.outs;
    std::uint32_t& done = sent_over_[which];
    const bool taken = done != mine_.items[which] && send_numbered(mine_.out[which], done);
    if (taken) {
      ++done, ++sent_;
    } else {
      if (done == mine_.items[which]) mine_.out[which].close();
      unsent_ &= ~(1u << which);
    }
  }
  void receive_some() {
    if ((open_ & (open_ - 1)) == 0 && dice_.below(2) == 0)
      return receive_from(static_cast<std::uint32_t>(__builtin_ctz(open_)));
    std::vector<choice> guards;
    for (std::uint32_t i = 0; i < mine_.ins; ++i)
      guards.push_back(when((open_ >> i & 1) != 0, mine_.in[i]));
    choose(guards);
  }
  /// Several choices by one alt, with moves between them.
  void choose(std::vector<choice>& guards) {
    const bool timed = dice_.below(4) == 0;
    if (timed) guards.push_back(after(1 + dice_.below(5000)));
    alt any(guards, dice_.below(2) == 0);
    guards = {};  // memory of this node must not be alive during a move
    guards.shrink_to_fit();
    for (unsigned left = 1 + dice_.below(6); left != 0 && open_ != 0 && !wrong_; --left) {
      wander(dice_, mine_.where);
      const std::size_t which = any.wait();
      works(dice_);
      if (which == mine_.ins) continue;
      receive_from(static_cast<std::uint32_t>(which));
      if ((open_ >> which & 1) == 0) any.enable(which, false);
    }
  }
  void receive_from(std::uint32_t which) {
    std::uint32_t& done = received_from_[which];
    if (done == mine_.accepts[which]) {
      mine_.in[which].close();
      open_ &= ~(1u << which);
      return;
    }
    switch (receive_numbered(mine_.in[which], done)) {
      case got::item: ++done, ++received_; break;
      case got::end: open_ &= ~(1u << which); break;
      case got::wrong: wrong_ = true;
    }
  }

  share mine_;
  random_stream dice_;
  std::uint32_t open_ = 0, unsent_ = 0;
  std::array<std::uint32_t, ends_max> sent_over_{}, received_from_{};
  int sent_ = 0, received_ = 0;
  bool wrong_ = false;
};

/// An end with the number of its next item, as it is handed from thread to thread.
template <class End>
struct baton {
  End end;
  std::uint64_t next;
};

}  // namespace terrane::storms

template <class End>
inline constexpr bool terrane::position_independent<terrane::storms::baton<End>> = true;
template <class End>
struct terrane::ends_in<terrane::storms::baton<End>> {
  static void give_up(const terrane::storms::baton<End>& one) { one.end.give_up(); }
};

namespace terrane::storms {

/// One of two threads that use an end in turn, some items each. The first begins with it.
template <class End>
struct relay {
  std::uint64_t seed;
  region where;
  std::uint32_t number, items;
  bool first;
  End end;
  channel_out<baton<End>> give;
  channel_in<baton<End>> take;

  int run() const {
    random_stream dice(seed, number);
    int sum = 0;
    baton<End> mine{end, 0};
    for (bool has = first;; has = false) {
      if (!has) {
        wander(dice, where);
        const auto handed = take.receive();
        works(dice);
        if (!handed) return sum;
        mine = *handed;
      }
      for (unsigned left = 1 + dice.below(4); left != 0; --left) {
        wander(dice, where);
        const int done = step(mine);
        if (done == fault) return fault;
        if (done == 0) return give.close(), sum;
        sum += done;
        ++mine.next;
      }
      wander(dice, where);
      if (!give.send(mine)) return fault;
    }
  }

 private:
  /// 1: sent; -1: received; 0: the channel has ended.
  int step(const baton<End>& mine) const {
    if constexpr (std::is_same_v<End, out_end>) {
      if (mine.next == items) {
        mine.end.close();
        return 0;
      }
      return send_numbered(mine.end, mine.next) ? 1 : 0;
    } else {
      switch (receive_numbered(mine.end, mine.next)) {
        case got::item: return -1;
        case got::end: return 0;
        default: return fault;
      }
    }
  }
};

/// Refuses some threads.
struct moody final : migration_events {
  random_stream dice{1, 1};
  bool accepts(node_id) override { return dice.below(5) != 0; }
};
inline node_local<moody> moods[2];  // one for each processor of a node
inline void be_moody(reply<void> done) {
  set_migration_events(&moods[terrane_here->number % 2].get());
  done.send();
}

inline void make_channel(reply<terrane_slot_ref> to) { to.send(channel_desk::here().make()); }

/// The network of a seed, on those nodes.
class network {
 public:
  explicit network(std::uint64_t seed, const region& where = {})
      : seed_(seed), where_(where), dice_(seed, 1 << 20) {
    members_.resize(3 + dice_.below(6));
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      members_[i].seed = seed;
      members_[i].where = where;
      members_[i].number = i;
    }
    const auto last = static_cast<std::uint32_t>(members_.size() - 1);
    for (std::uint32_t to = 1; to <= last; ++to) link(dice_.below(to), to);
    for (std::uint32_t more = dice_.below(2 * last); more != 0; --more) {
      const std::uint32_t to = 1 + dice_.below(last);
      link(dice_.below(to), to);
    }
    for (std::uint32_t more = dice_.below(3); more != 0; --more) relay_from(dice_.below(last + 1));
    for (std::uint32_t more = dice_.below(3); more != 0; --more) relay_to(dice_.below(last + 1));
  }

  /// Runs it, and returns 0 if each item came, once and in order, and nobody read what was old.
  /// lends: data is lent, too, and written while others read it, which is for worlds where nodes
  /// share no memory.
  int run(bool lends) {
    for (std::uint32_t each = 0; each < terrane_processors(); ++each) {
      if (!is_of_it(each)) continue;
      charge(step_work, 0);
      this_thread::await([&](slot_ref done) { post<be_moody>(each, reply<void>{{done.raw, 0}}); });
      works(dice_);
    }
    std::vector<std::uint64_t> data(lends ? 1 + dice_.below(700) : 0);
    const auto shared = lend(data);
    std::vector<out_end> tells;
    std::vector<lent_reader> readers;
    for (std::uint32_t i = lends ? dice_.below(4) : 0; i != 0; --i) {
      const auto told = made<std::uint64_t>();
      tells.push_back(told.out);
      readers.push_back({seed_, where_, 2000 + i, shared, told.in});
    }
    const auto renew = [&] {
      random_stream dice(seed_, 1999);
      for (std::uint64_t round = 1 + dice.below(12); round != 0; --round) {
        works(dice);
        for (std::uint64_t& each : data) ++each;
        shared.renew();
        works(dice);
        for (const out_end& each : tells) each.send(data[0]);
      }
      for (const out_end& each : tells) each.close();
      charge(step_work, 0);
    };
    par_branches all(members_.size() + ins_.size() + outs_.size() + readers.size() + 1);
    if (!readers.empty()) all.add(renew);
    for (const lent_reader& each : readers) start(all, each);
    for (const share& each : members_) start(all, each);
    for (const auto& each : ins_) start(all, each);
    for (const auto& each : outs_) start(all, each);
    int sum = 0;
    for (const int code : all.join()) sum += code;
    return sum;
  }

 private:
  static int code_of(const share& one) { return member(one).run(); }
  static int code_of(const lent_reader& one) { return one.run(); }
  template <class End>
  static int code_of(const relay<End>& one) {
    return one.run();
  }
  /// One: what a branch runs, which ends with its code.
  template <class One>
  void start(par_branches& all, const One& one) {
    const auto call = [one] {
      const int code = code_of(one);
      charge(step_work, 0);
      this_thread::exit(code);
    };
    if (dice_.below(2) == 0)
      all.add(anywhere(call));
    else
      all.add(on(where_.any(dice_), call));
  }
  bool is_of_it(processor_id one) const {
    const auto last = where_.nodes.begin() + where_.count;
    return where_.count == 0 || std::find(where_.nodes.begin(), last, terrane_node_of(one)) != last;
  }
  processor_id any_processor() {
    processor_id one = dice_.below(terrane_processors());
    while (!is_of_it(one)) one = dice_.below(terrane_processors());
    return one;
  }
  /// A channel whose home is anywhere.
  template <class T>
  channel_ends<T> made() {
    terrane_slot_ref channel = 0;
    const std::uint32_t home = any_processor();
    charge(step_work, 0);
    this_thread::await([&](slot_ref done) {
      post<make_channel>(home, reply<terrane_slot_ref>{{done.raw, &channel}});
    });
    works(dice_);
    return channel_ends<T>::of(channel);
  }
  bool add_out(std::uint32_t from, const out_end& out) {
    share& its = members_[from];
    if (its.outs == ends_max) return false;
    its.items[its.outs] = dice_.below(25);
    its.out[its.outs++] = out;
    return true;
  }
  bool add_in(std::uint32_t to, const in_end& in) {
    share& its = members_[to];
    if (its.ins == ends_max) return false;
    its.accepts[its.ins] = dice_.below(6) == 0 ? dice_.below(10) : 1000;
    its.in[its.ins++] = in;
    return true;
  }
  void link(std::uint32_t from, std::uint32_t to) {
    if (members_[from].outs == ends_max || members_[to].ins == ends_max) return;
    const auto channel = made<std::uint64_t>();
    add_out(from, channel.out);
    add_in(to, channel.in);
  }
  template <class End>
  void add_relay(std::vector<relay<End>>& to, const End& end) {
    const auto there = made<baton<End>>(), back = made<baton<End>>();
    const std::uint32_t items = dice_.below(25);
    const std::uint32_t number = 1000 + 2 * static_cast<std::uint32_t>(ins_.size() + outs_.size());
    to.push_back({seed_, where_, number, items, true, end, there.out, back.in});
    to.push_back({seed_, where_, number + 1, items, false, {}, back.out, there.in});
  }
  void relay_from(std::uint32_t member) {
    const auto channel = made<std::uint64_t>();
    if (add_out(member, channel.out)) add_relay(ins_, channel.in);
  }
  void relay_to(std::uint32_t member) {
    const auto channel = made<std::uint64_t>();
    if (add_in(member, channel.in)) add_relay(outs_, channel.out);
  }

  const std::uint64_t seed_;
  const region where_;
  random_stream dice_;
  std::vector<share> members_;
  std::vector<relay<in_end>> ins_;
  std::vector<relay<out_end>> outs_;
};

}  // namespace terrane::storms
