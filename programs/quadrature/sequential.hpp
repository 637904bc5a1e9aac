// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: quadrature in plain C++: halves an interval until the function is smooth enough.
//
// Source  [ACTIVE §8.2]. Its criterion (3) as printed never holds, or holds at once;
//         docs/programs.md has the one that is used here.
#pragma once

#include <cmath>
#include <cstdint>

namespace terrane::programs {

struct quadrature_answer {
  double integral = 0;
  std::uint64_t evaluations = 0;

  quadrature_answer& operator+=(const quadrature_answer& other) {
    integral += other.integral;
    evaluations += other.evaluations;
    return *this;
  }
};

/// Integrates 10 sin(1 / (0.00001 + 1000 sin 20x)) from 0 to 2 to 1e-5, in equal parts.
class quadrature {
 public:
  /// smallest: no interval of that length or less is halved.
  explicit quadrature(double smallest) : smallest_(smallest) {}

  /// The part `which` of `parts`.
  quadrature_answer part(int which, int parts) {
    evaluations_ = 0;
    const double low = length * which / parts, high = length * (which + 1) / parts;
    const double integral = refine(low, high, {f(low), f(0.5 * (low + high)), f(high)});
    return {integral, evaluations_};
  }

 private:
  static constexpr double length = 2, tolerance = 1e-5;

  struct values {
    double low, middle, high;
  };

  double f(double x) {
    ++evaluations_;
    return 10 * std::sin(1 / (0.00001 + 1000 * std::sin(20 * x)));
  }

  /// Simpson's rule, if it agrees with the trapezoidal rule within the error for this interval.
  double refine(double low, double high, const values& at) {
    const double step = high - low, middle = 0.5 * (low + high);
    const double difference = std::abs(4 * at.middle - 2 * at.low - 2 * at.high) * step / 6;
    if (difference < tolerance * step / length || step <= smallest_)
      return step / 6 * (at.low + 4 * at.middle + at.high);
    const double left = f(0.5 * (low + middle)), right = f(0.5 * (middle + high));
    return refine(low, middle, {at.low, left, at.middle}) +
           refine(middle, high, {at.middle, right, at.high});
  }

  double smallest_;
  std::uint64_t evaluations_ = 0;
};

/// All parts, one after another.
inline quadrature_answer quadrature_sequential(int parts, double smallest) {
  quadrature whole(smallest);
  quadrature_answer all;
  for (int i = 0; i < parts; ++i) all += whole.part(i, parts);
  return all;
}

}  // namespace terrane::programs
