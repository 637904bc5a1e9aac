// SPDX-License-Identifier: Apache-2.0
// how_long.hpp: a length of time as an argument: nanoseconds, or a std::chrono::duration.
//
//   this_thread::sleep_for(1'000'000);
//   this_thread::sleep_for(1ms);
//
// Purpose     Everything that waits takes both, and does not include <chrono>, which is slow to
//             compile: a duration is known by what it has.
#pragma once

#include <concepts>
#include <cstdint>

namespace terrane {

template <class T>
concept chrono_duration = requires(const T& some) {
  typename T::rep;
  { T::period::num } -> std::convertible_to<std::intmax_t>;
  { T::period::den } -> std::convertible_to<std::intmax_t>;
  some.count();
};
template <class T>
concept chrono_time_point = requires(const T& some) {
  { some.time_since_epoch() } -> chrono_duration;
  { T::clock::now() } -> std::convertible_to<T>;
};

class how_long {
 public:
  /// In nanoseconds; a negative time is 0.
  template <std::integral Number>
  how_long(Number nanoseconds)
      : nanoseconds_(nanoseconds < Number{} ? 0 : static_cast<std::uint64_t>(nanoseconds)) {}
  template <chrono_duration Duration>
  how_long(const Duration& time) : nanoseconds_(of(time)) {}

  std::uint64_t nanoseconds() const { return nanoseconds_; }

  /// From now on, by the clock of the time point (which is not that of a simulated machine).
  template <chrono_time_point Time>
  static how_long until(const Time& when) {
    return when - Time::clock::now();
  }

 private:
  /// Rounded up, and at most about 580 years, which is for ever.
  template <class Duration>
  static std::uint64_t of(const Duration& time) {
    const auto ticks = static_cast<long double>(time.count());
    long double all = ticks * Duration::period::num / Duration::period::den * 1e9L;
    if constexpr (std::floating_point<typename Duration::rep>)
      all = static_cast<double>(all);  // digits that it never had must not round it up
    if (!(all > 0)) return 0;
    if (all >= 18446744073709551615.0L) return ~std::uint64_t{0};
    const auto down = static_cast<std::uint64_t>(all);
    return down + (static_cast<long double>(down) < all);
  }
  std::uint64_t nanoseconds_;
};

}  // namespace terrane
