// SPDX-License-Identifier: Apache-2.0
// reduction_test.cpp: every operation on every type, functions of the program's, and barriers.
#include "terrane/talk/reduction.hpp"

#include <cstdint>
#include <limits>

#include "terrane/talk/barrier.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

class reductions : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, reductions, small_machines(), machine_name);

constexpr int puts_each = 6;

template <class T>
struct putter : threaded<putter<T>> {
  step start(reduction<T> to, T first) {
    for (int i = 0; i < puts_each; ++i) to.put(static_cast<T>(first + static_cast<T>(i)));
    return putter::done;
  }
};

/// All processors put numbers; their first one is the processor's number less two.
template <class T, terrane_reduction_operation Operation>
struct reduces : threaded<reduces<T, Operation>> {
  using self = reduces;
  int* faults;
  T result{};
  slot over = self::template on<&self::finish>(1, 0);
  reduction<T> whole = reduction<T>::make(Operation, puts_each* static_cast<int>(processors()),
                                          to_global(result), self::ref(over));

  step start(int* count) {
    faults = count;
    for (std::uint32_t i = 0; i < processors(); ++i)
      self::template invoke<putter<T>>(i, whole, first_of(i));
    return self::wait;
  }
  static T first_of(std::uint32_t i) { return static_cast<T>(static_cast<int>(i) - 2); }
  step finish() {
    T expected{};
    bool first = true;
    for (std::uint32_t i = 0; i < processors(); ++i)
      for (int j = 0; j < puts_each; ++j, first = false)
        add(expected, static_cast<T>(first_of(i) + static_cast<T>(j)), first);
    *faults = result != expected;
    whole.free();
    return self::done;
  }
  static void add(T& into, T value, bool first) {
    if (first) {
      into = value;
      return;
    }
    if constexpr (Operation == TERRANE_SUM) into += value;
    if constexpr (Operation == TERRANE_MINIMUM) into = value < into ? value : into;
    if constexpr (Operation == TERRANE_MAXIMUM) into = value > into ? value : into;
    if constexpr (Operation == TERRANE_PRODUCT) into *= value;
  }
};

TEST_P(reductions, sums_are_those_of_all_values) {
  expect_no_faults<reduces<std::int32_t, TERRANE_SUM>>();
  expect_no_faults<reduces<std::int64_t, TERRANE_SUM>>();
  expect_no_faults<reduces<double, TERRANE_SUM>>();
}
TEST_P(reductions, minima_and_maxima_are_those_of_all_values) {
  expect_no_faults<reduces<std::int32_t, TERRANE_MINIMUM>>();
  expect_no_faults<reduces<std::int64_t, TERRANE_MINIMUM>>();
  expect_no_faults<reduces<double, TERRANE_MINIMUM>>();
  expect_no_faults<reduces<std::int32_t, TERRANE_MAXIMUM>>();
  expect_no_faults<reduces<std::int64_t, TERRANE_MAXIMUM>>();
  expect_no_faults<reduces<double, TERRANE_MAXIMUM>>();
}

/// Products of which no factor is zero, for every type.
template <class T>
struct multiplies : threaded<multiplies<T>> {
  using self = multiplies;
  int* faults;
  T result{};
  slot over = self::template on<&self::finish>(1, 0);
  reduction<T> whole =
      reduction<T>::make(TERRANE_PRODUCT, puts_each, to_global(result), self::ref(over));
  step start(int* count) {
    faults = count;
    self::template invoke<putter<T>>(processors() - 1, whole, T{2});
    return self::wait;
  }
  step finish() {
    *faults = result != 2 * 3 * 4 * 5 * 6 * 7;
    whole.free();
    return self::done;
  }
};

TEST_P(reductions, products_are_those_of_all_values) {
  expect_no_faults<multiplies<std::int32_t>>();
  expect_no_faults<multiplies<std::int64_t>>();
  expect_no_faults<multiplies<double>>();
}

// --- a function of the program's ---

struct extent {
  long least, most, count;
};

}  // namespace

template <>
inline constexpr bool position_independent<extent> = true;

namespace {

void widen(extent& into, const extent& value) {
  into.least = std::min(into.least, value.least);
  into.most = std::max(into.most, value.most);
  into.count += value.count;
}

struct extent_putter : threaded<extent_putter> {
  step start(reduction<extent> to) {
    const long mine = this_processor();
    for (long i = 0; i < puts_each; ++i) to.put({10 * mine - i, 10 * mine + i, 1});
    return done;
  }
};
struct widens : threaded<widens> {
  int* faults;
  extent result{};
  slot over = on<&widens::finish>(1, 0);
  reduction<extent> whole = reduction<extent>::make<widen>(
      puts_each * static_cast<int>(processors()), to_global(result), ref(over));
  step start(int* count) {
    faults = count;
    for (std::uint32_t i = 0; i < processors(); ++i) invoke<extent_putter>(i, whole);
    return wait;
  }
  step finish() {
    const long n = processors();
    *faults = result.least != 1 - puts_each;
    *faults += result.most != 10 * (n - 1) + puts_each - 1;
    *faults += result.count != puts_each * n;
    whole.free();
    return done;
  }
};

TEST_P(reductions, values_may_be_combined_by_a_function_of_the_program) {
  expect_no_faults<widens>();
}

/// A sum beyond the largest number wraps around, as the machine's addition does.
struct overflows : threaded<overflows> {
  int* faults;
  std::int64_t result = 0;
  slot over = on<&overflows::finish>(1, 0);
  step start(int* count) {
    faults = count;
    const auto whole = reduction<std::int64_t>::make(TERRANE_SUM, 2, to_global(result), ref(over));
    whole.put(std::numeric_limits<std::int64_t>::max());
    whole.put(1);
    return wait;
  }
  step finish() {
    *faults = result != std::numeric_limits<std::int64_t>::min();
    return done;
  }
};

TEST_P(reductions, a_sum_wraps_around) { expect_no_faults<overflows>(); }

// --- misuse ---

struct nobodys_reduction : threaded<nobodys_reduction> {
  long result = 0;
  slot over = on<&nobodys_reduction::never>(1);
  step start(int) {
    reduction<long>::make(TERRANE_SUM, 0, to_global(result), ref(over));
    return done;
  }
  step never() { return done; }
};
struct nobodys_barrier : threaded<nobodys_barrier> {
  step start(int) {
    barrier::make(0);
    return done;
  }
};
struct freed_barrier : threaded<freed_barrier> {
  slot go = on<&freed_barrier::never>(1);
  step start(int) {
    const barrier all = barrier::make(2);
    all.wait(ref(go));
    all.free();
    return wait;
  }
  step never() { return done; }
};
struct puts_to_the_freed : threaded<puts_to_the_freed> {
  long result = 0;
  step start(int) {
    const auto sum = reduction<long>::make(TERRANE_SUM, 2, to_global(result), {});
    sum.free();
    sum.put(1);
    return done;
  }
};

using reduction_errors = run_to_failure;

TEST_F(reduction_errors, a_reduction_or_a_barrier_of_nobody_is_r266) {
  expect_failure<patient<nobodys_reduction>>(machine_of(1), "R-266: a reduction of 0 values", 0);
  expect_failure<patient<nobodys_barrier>>(machine_of(1), "R-266: a barrier of 0", 0);
}
TEST_F(reduction_errors, freeing_a_barrier_at_which_somebody_waits_is_r265) {
  expect_failure<patient<freed_barrier>>(machine_of(2), "R-265: the barrier was freed", 0);
}
TEST_F(reduction_errors, a_value_for_a_reduction_that_was_freed_is_r261) {
  expect_failure<patient<puts_to_the_freed>>(machine_of(2), "R-261: the reduction that", 0);
}

}  // namespace
}  // namespace terrane
