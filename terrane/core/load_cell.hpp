// SPDX-License-Identifier: Apache-2.0
// load_cell.hpp: what one writer of events counts for the load metrics of its node.
//
// Invariants  The thread that writes the events writes here, and any thread may read. All words are
//             atomics that are stored, never added to in place.
// Argument    metered_level uses its version as a sequence lock: odd while the owner changes it; a
//             reader that saw it odd or changed reads again. The owner stores each word in release
//             order after the odd version, and the reader acquires it: so whoever sees a new word
//             sees at least that version in its second look, which the acquiring loads keep behind
//             them.
// Time        In ticks of the writer: those of base/ticks.hpp, or nanoseconds of a simulated run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "terrane/base/atomic.hpp"
#include "terrane/base/check.hpp"
#include "terrane/base/metric.hpp"
#include "terrane/core/event.hpp"
#include "terrane/core/place.hpp"

namespace terrane {

/// Amounts by period, of the last periods alone, in one or more series.
class period_sums {
 public:
  /// width: of a period, in ticks. kept: how many periods.
  void begin(std::uint64_t width, std::uint32_t kept, std::uint32_t series = 1) {
    width_ = width;
    kept_ = kept;
    stride_ = series + 1;
    // Zeros that nobody has touched take no memory, and of many series few are ever used.
    words_.reset(static_cast<atomic<std::int64_t>*>(
        std::calloc(std::size_t{kept + 1} * stride_, sizeof(atomic<std::int64_t>))));
    TERRANE_CHECK(words_ != nullptr);
  }
  bool is_on() const { return kept_ != 0; }
  std::uint64_t width() const { return width_; }
  std::uint64_t period_of(std::uint64_t ticks) const { return ticks / width_; }

  /// The owner alone.
  void add(std::uint64_t period, std::uint32_t series, std::int64_t amount) {
    atomic<std::int64_t>* const place = place_of(period);
    if (place->load(memory_order_relaxed) != mark_of(period)) {
      for (std::uint32_t i = 1; i < stride_; ++i)
        if (place[i].load(memory_order_relaxed) != 0) place[i].store(0, memory_order_release);
      place->store(mark_of(period), memory_order_release);
    }
    increase(place[1 + series], amount);
    increase(words_[kept_ * stride_ + 1 + series], amount);
  }
  /// Adds `weight` for each tick of that time. The owner alone.
  void add_span(std::uint64_t from, std::uint64_t until, std::int64_t weight) {
    // Periods share their places with those that are `kept_` later: none before the last such.
    if (const std::uint64_t last = until / width_; last >= kept_)
      from = std::max(from, (last - kept_ + 1) * width_);
    while (from < until) {
      const std::uint64_t end = std::min(until, (from / width_ + 1) * width_);
      add(from / width_, 0, weight * static_cast<std::int64_t>(end - from));
      from = end;
    }
  }
  /// Any thread. 0 for a period that is not kept.
  std::int64_t of(std::uint64_t period, std::uint32_t series = 0) const {
    const atomic<std::int64_t>* const place = place_of(period);
    if (place->load(memory_order_acquire) != mark_of(period)) return 0;
    return place[1 + series].load(memory_order_acquire);
  }
  /// Any thread: of all periods.
  std::int64_t total(std::uint32_t series = 0) const {
    return words_[kept_ * stride_ + 1 + series].load(memory_order_acquire);
  }

 private:
  static std::int64_t mark_of(std::uint64_t period) {  // never 0
    return static_cast<std::int64_t>(period) + 1;
  }
  atomic<std::int64_t>* place_of(std::uint64_t period) const {
    return &words_[period % kept_ * stride_];
  }
  static void increase(atomic<std::int64_t>& word, std::int64_t amount) {
    word.store(word.load(memory_order_relaxed) + amount, memory_order_release);
  }
  struct free_words {
    void operator()(atomic<std::int64_t>* words) const { std::free(words); }
  };

  std::uint64_t width_ = 1;
  std::uint32_t kept_ = 0, stride_ = 2;
  // For each period its mark, then the series; last the totals.
  std::unique_ptr<atomic<std::int64_t>[], free_words> words_;
};

/// A number that changes with events, and its integral over time by period.
class metered_level {
 public:
  void begin(std::uint64_t now) { since_.store(now, memory_order_relaxed); }
  period_sums& sums() { return sums_; }
  const period_sums& sums() const { return sums_; }

  // the owner
  void change(std::uint64_t now, std::int64_t by) { set(now, value() + by); }
  void set(std::uint64_t now, std::int64_t to) {
    const change_under_way guard(version_);
    settle(now);
    value_.store(to, memory_order_release);
  }
  /// In that time, which ends now, the number was one less. It was not 0 then.
  void take_off(std::uint64_t ticks, std::uint64_t now) {
    const change_under_way guard(version_);
    settle(now);
    ticks = std::min(ticks, now);
    total_.store(total_.load(memory_order_relaxed) - static_cast<std::int64_t>(ticks),
                 memory_order_release);
    if (sums_.is_on()) sums_.add_span(now - ticks, now, -1);
  }

  // any thread
  std::int64_t value() const { return value_.load(memory_order_acquire); }
  /// The integral over whole periods, from the first one to before the second, as known at `now`.
  std::int64_t held(std::uint64_t first, std::uint64_t end, std::uint64_t now) const;
  /// The integral over all time up to now.
  std::int64_t total(std::uint64_t now) const;

 private:
  class change_under_way {
   public:
    explicit change_under_way(atomic<std::uint32_t>& version) : version_(version) {
      version_.store(version_.load(memory_order_relaxed) + 1, memory_order_relaxed);
    }
    ~change_under_way() {
      version_.store(version_.load(memory_order_relaxed) + 1, memory_order_release);
    }

   private:
    atomic<std::uint32_t>& version_;
  };
  void settle(std::uint64_t now) {
    const std::uint64_t since = since_.load(memory_order_relaxed);
    if (now <= since) return;
    const std::int64_t level = value();
    if (level != 0) {
      total_.store(
          total_.load(memory_order_relaxed) + level * static_cast<std::int64_t>(now - since),
          memory_order_release);
      if (sums_.is_on()) sums_.add_span(since, now, level);
    }
    since_.store(now, memory_order_release);
  }
  template <class Read>
  auto read_whole(Read&& read) const;

  atomic<std::uint32_t> version_{0};
  atomic<std::int64_t> value_{0}, total_{0};
  atomic<std::uint64_t> since_{0};
  period_sums sums_;
};

/// Calls `read` until no change came in between. Changes are short, and few readers ask.
template <class Read>
auto metered_level::read_whole(Read&& read) const {
  for (;;) {
    const std::uint32_t before = version_.load(memory_order_acquire);
    const auto found = read();
    if (before % 2 == 0 && version_.load(memory_order_relaxed) == before) return found;
  }
}

inline std::int64_t metered_level::held(std::uint64_t first, std::uint64_t end,
                                        std::uint64_t now) const {
  return read_whole([&] {
    std::int64_t sum = 0;
    for (std::uint64_t period = first; period < end; ++period) sum += sums_.of(period);
    const std::uint64_t since = std::max(since_.load(memory_order_acquire), first * sums_.width());
    const std::uint64_t until = std::min(now, end * sums_.width());
    if (until > since) sum += value() * static_cast<std::int64_t>(until - since);
    return sum;
  });
}

inline std::int64_t metered_level::total(std::uint64_t now) const {
  return read_whole([&] {
    const std::uint64_t since = since_.load(memory_order_acquire);
    const auto open = static_cast<std::int64_t>(now > since ? now - since : 0);
    return total_.load(memory_order_acquire) + value() * open;
  });
}

class load_cell {
 public:
  metered_level threads;  // that have begun here or come here, and not ended or left
  metered_level ready;    // fibers, those of threads among them
  metered_level program;  // 1 while a fiber runs
  period_sums sent;       // messages and tokens, by node
  // set before the run
  double ticks_per_ns = 1;
  std::uint32_t processors_per_node = 1;
  node_id node = 0;

  /// True if events of that kind say something here.
  static constexpr bool counts(event_id of) {
    return of == event_id::fiber_ready || of == event_id::fiber_unready ||
           of == event_id::token_started || of == event_id::fiber_started ||
           of == event_id::fiber_ended || of == event_id::polled || of == event_id::balanced ||
           of == event_id::message_sent || of == event_id::token_given;
  }
  /// The writer writes that event now; words: as event_ring.hpp says.
  template <event_id Id>
  void count(const std::uint64_t* words, std::uint64_t now) {
    if constexpr (Id == event_id::fiber_ready || Id == event_id::fiber_unready)
      ready.change(now, Id == event_id::fiber_ready ? 1 : -1);
    else if constexpr (Id == event_id::token_started || Id == event_id::fiber_started)
      program.set(now, 1);
    else if constexpr (Id == event_id::fiber_ended)
      program.set(now, 0);
    else if constexpr (Id == event_id::polled || Id == event_id::balanced)
      spent_elsewhere(words[0] >> 8, now);
    else if constexpr (Id == event_id::message_sent)
      count_sent(static_cast<node_id>((words[0] >> 8) / processors_per_node), now);
    else
      count_sent(static_cast<node_id>(words[1]), now);
  }

 private:
  /// Only what lies within a fiber was counted as the program's.
  void spent_elsewhere(std::uint64_t ns, std::uint64_t now) {
    if (program.value() == 0) return;
    program.take_off(static_cast<std::uint64_t>(static_cast<double>(ns) * ticks_per_ns), now);
  }
  void count_sent(node_id to, std::uint64_t now) {
    if (to == node || !sent.is_on()) return;
    sent.add(sent.period_of(now), to, 1);
  }
};

}  // namespace terrane
