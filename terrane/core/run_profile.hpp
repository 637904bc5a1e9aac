// SPDX-License-Identifier: Apache-2.0
// run_profile.hpp: what every run knows about itself, in constant space: where the time of a
// processor went, bin by bin, and how long things take.
//
// Cost        Nothing on the way of a fiber or token. A processor writes here when it looks up
//             (once in up to 1,024 turns) and when it stops being idle, a policy when an answer
//             comes.
// Memory      Bins and counts are made when they are first needed: most processors of a large
//             simulated machine use few.
// Invariants  One thread at a time writes, any thread may read at any time and may see a bin that
//             is about to be folded: numbers for people.
// Source      Bins that double their width: the summaries of Projections.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "terrane/base/atomic.hpp"
#include "terrane/base/on_demand.hpp"
#include "terrane/core/counters.hpp"
#include "terrane/terrane.h"

namespace terrane {

/// A number that one thread changes and others read.
class shared_count {
 public:
  std::uint64_t get() const { return value_.load(memory_order_relaxed); }
  void set(std::uint64_t to) { value_.store(to, memory_order_relaxed); }
  void add(std::uint64_t more) { set(get() + more); }

 private:
  atomic<std::uint64_t> value_{0};
};

/// Counts of durations by powers of two of nanoseconds.
class duration_counts {
 public:
  static constexpr std::uint32_t places = 40;  // the last: 9 minutes and more
  void add(std::uint64_t ns) {
    counts_[std::min<std::uint32_t>(static_cast<std::uint32_t>(std::bit_width(ns)), places - 1)]
        .add(1);
    sum_.add(ns);
  }
  /// Of place i: durations from 2^(i-1) to below 2^i nanoseconds.
  std::uint64_t at(std::uint32_t i) const { return counts_[i].get(); }
  std::uint64_t sum_ns() const { return sum_.get(); }

 private:
  std::array<shared_count, places> counts_;
  shared_count sum_;
};

/// What a processor did in a stretch of time.
struct profile_bin {
  shared_count run, balance, poll, idle;  // nanoseconds; together the stretch, as far as it is over
  shared_count queued, looks;             // tokens and ready fibers, summed over so many looks
  shared_count tokens_in, tokens_out;     // of the node, at its first processor
};

class run_profile {
 public:
  static constexpr std::uint32_t bins = 64, functions = 16;
  static constexpr std::uint64_t first_width_ns = 1'000'000;

  // --- the owner ---

  /// What there is to see of a processor. tokens_in, tokens_out: since the run began.
  struct sight {
    const time_split& split;
    std::uint64_t queued = 0;  // tokens and ready fibers that it holds
    std::uint64_t tokens_in = 0, tokens_out = 0;
  };
  /// Since the last call the processor did what `split` says now, the rest was the program's.
  void look(std::uint64_t now, const sight& seen);
  /// A fiber of that function took so long: one of those that were timed.
  void fiber_took(const terrane_function& function, std::uint64_t ns);
  void was_idle(std::uint64_t ns) { idle_.make().add(ns); }
  /// Fibers that become ready now wait so long, by Little's law.
  void waits(std::uint64_t ns) { waits_.make().add(ns); }
  /// A thread came that left its node so long ago.
  void thread_came(std::uint64_t ns) { moves_.make().add(ns); }

  // --- any thread ---

  std::uint64_t bin_ns() const { return width_.get(); }
  const profile_bin& bin(std::uint32_t i) const { return groups_[i / group].get()[i % group]; }
  std::uint64_t until() const { return until_.get(); }
  const duration_counts& idle() const { return idle_.get(); }
  const duration_counts& waits() const { return waits_.get(); }
  const duration_counts& moves() const { return moves_.get(); }
  struct timed {
    atomic<const terrane_function*> function{nullptr};
    duration_counts took;
  };
  /// Of up to `functions` functions, those met first; null ones are free.
  const timed& of_function(std::uint32_t i) const { return timed_[i].get(); }
  const duration_counts& of_others() const { return others_.get(); }

 private:
  static constexpr std::uint32_t group = 4;  // so many bins are made at once
  profile_bin& own_bin(std::uint64_t i) { return groups_[i / group].make()[i % group]; }
  void fold();
  void spread(std::uint64_t from, std::uint64_t until, shared_count profile_bin::* what,
              std::uint64_t ns);

  shared_count width_, until_;
  time_split last_;
  std::uint64_t last_in_ = 0, last_out_ = 0;
  std::array<on_demand<std::array<profile_bin, group>>, bins / group> groups_;
  on_demand<duration_counts> idle_, waits_, moves_, others_;
  std::array<on_demand<timed>, functions> timed_;
};

}  // namespace terrane
