// SPDX-License-Identifier: Apache-2.0
// clock_alignment.hpp: how far the clock of another host is from this one's, from stamps that they
// exchanged.
//
// Method      An exchange says: sent here, stamped there, received here. So the other clock showed
//             `there` at some moment between `sent` and `received`: in the middle, but for half
//             the round trip at most, however unequal the two ways are. Exchanges that follow each
//             other within a second are a burst, of which the one with the least round trip counts.
//             Between two bursts the offset moves evenly; before the first and after the last as
//             between all.
// Bound       The half round trips of the bursts on either side, what the line between them may
//             miss if the rate of a clock wanders, and beyond the bursts the drift that is not
//             known. It holds if clocks wander no more than said here.
// Source      F. Cristian, "Probabilistic clock synchronization", 1989.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace terrane {

/// Nanoseconds of two clocks.
struct clock_exchange {
  std::int64_t sent, there, received;
};

class clock_alignment {
 public:
  static constexpr std::int64_t burst_gap_ns = 1'000'000'000;
  static constexpr double wander = 1e-6;      // of a clock's rate, from its mean between two bursts
  static constexpr double drift_most = 1e-3;  // of two clocks, while nothing says how much it is

  clock_alignment() = default;
  /// In any order. An exchange that cannot have been is left out.
  explicit clock_alignment(std::vector<clock_exchange> exchanges) {
    std::erase_if(exchanges, [](const clock_exchange& it) {
      return it.received < it.sent || it.sent < -most || it.received > most || it.there < -most ||
             it.there > most;
    });
    std::sort(exchanges.begin(), exchanges.end(),
              [](const clock_exchange& a, const clock_exchange& b) { return a.sent < b.sent; });
    std::int64_t last = 0;
    for (const clock_exchange& each : exchanges) {
      const point found = point_of(each);
      const bool new_burst = points_.empty() || each.sent - last > burst_gap_ns;
      if (new_burst)
        points_.push_back(found);
      else if (found.error < points_.back().error)
        points_.back() = found;
      last = each.sent;
    }
  }

  bool is_known() const { return !points_.empty(); }
  /// What the other clock shows when this one shows `here`.
  std::int64_t there_at(std::int64_t here) const {
    if (points_.empty()) return here;
    return here + static_cast<std::int64_t>(offset_at(here));
  }
  /// How far that may be from the truth, either way.
  std::int64_t error_at(std::int64_t here) const {
    if (points_.empty()) return 0;
    const point &low = before(here), &high = after(here);
    const auto near = static_cast<double>(std::min(distance(here, low), distance(here, high)));
    double error = static_cast<double>(std::max(low.error, high.error)) + wander * near;
    if (is_outside(here)) error += near * drift_error();
    return static_cast<std::int64_t>(error) + 1;
  }
  /// How much faster the other clock goes than this one; 0 if one burst alone was exchanged.
  double drift() const {
    if (points_.size() < 2) return 0;
    const point &first = points_.front(), &last = points_.back();
    return static_cast<double>(last.offset - first.offset) /
           static_cast<double>(std::max<std::int64_t>(1, last.here - first.here));
  }
  /// Its distance at the first exchange; 0 if there was none.
  std::int64_t first_offset() const { return points_.empty() ? 0 : points_.front().offset; }
  /// True if the two may be one clock: nothing that was exchanged says otherwise.
  bool may_be_equal() const {
    return std::all_of(points_.begin(), points_.end(), [](const point& it) {
      return it.offset <= it.error && -it.offset <= it.error;
    });
  }

 private:
  static constexpr std::int64_t most = std::int64_t{1} << 61;  // so that no sum overflows
  struct point {
    std::int64_t here, offset, error;
  };
  static point point_of(const clock_exchange& it) {
    const std::int64_t round = it.received - it.sent, here = it.sent + round / 2;
    return {here, it.there - here, (round + 1) / 2};
  }
  static std::int64_t distance(std::int64_t here, const point& from) {
    return here > from.here ? here - from.here : from.here - here;
  }
  bool is_outside(std::int64_t here) const {
    return here < points_.front().here || here > points_.back().here;
  }
  const point& after(std::int64_t here) const {
    const auto found =
        std::lower_bound(points_.begin(), points_.end(), here,
                         [](const point& a, std::int64_t at) { return a.here < at; });
    return found == points_.end() ? points_.back() : *found;
  }
  const point& before(std::int64_t here) const {
    const auto found =
        std::upper_bound(points_.begin(), points_.end(), here,
                         [](std::int64_t at, const point& a) { return at < a.here; });
    return found == points_.begin() ? points_.front() : *(found - 1);
  }
  double offset_at(std::int64_t here) const {
    const point &low = before(here), &high = after(here);
    const auto past = static_cast<double>(here - low.here);
    if (low.here == high.here) return static_cast<double>(low.offset) + past * drift();
    return static_cast<double>(low.offset) + past * static_cast<double>(high.offset - low.offset) /
                                                 static_cast<double>(high.here - low.here);
  }
  /// How much the drift between all bursts may be wrong.
  double drift_error() const {
    if (points_.size() < 2) return drift_most;
    const point &first = points_.front(), &last = points_.back();
    return wander + static_cast<double>(first.error + last.error) /
                        static_cast<double>(std::max<std::int64_t>(1, last.here - first.here));
  }

  std::vector<point> points_;  // of each burst, in order
};

}  // namespace terrane
