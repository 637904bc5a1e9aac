// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: tomcatv in plain C++: phase by phase over whole meshes.
//
// Source  docs/programs.md. The order of operations is fixed: answers agree to the last digit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <vector>

namespace terrane::programs {

struct tomcatv_answer {
  double x_residual, y_residual;  // the largest of the last iteration
  double x_sum, y_sum;
};

class tomcatv_mesh {
 public:
  /// A distorted square of n by n points.
  explicit tomcatv_mesh(std::size_t n)
      : n_(n), x_(n * n), y_(n * n), rx_(n * n), ry_(n * n), aa_(n * n), d_(n * n) {
    const double pi = std::numbers::pi, step = static_cast<double>(n) - 1;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double u = static_cast<double>(i) / step, v = static_cast<double>(j) / step;
        x_[at(i, j)] = u + 0.05 * std::sin(3 * pi * v) * u * (1 - u) * 4;
        y_[at(i, j)] = v + 0.05 * std::sin(2 * pi * u);
      }
  }

  void iterate() {
    answer_ = {0, 0, 0, 0};
    for (std::size_t i = 1; i + 1 < n_; ++i)
      for (std::size_t j = 1; j + 1 < n_; ++j) set_up(i, j);
    for (std::size_t i = 1; i + 1 < n_; ++i) solve(i);
    for (std::size_t i = 1; i + 1 < n_; ++i)
      for (std::size_t j = 1; j + 1 < n_; ++j) {
        x_[at(i, j)] += rx_[at(i, j)];
        y_[at(i, j)] += ry_[at(i, j)];
      }
  }

  tomcatv_answer answer() const {
    return {answer_.x_residual, answer_.y_residual, sum(x_), sum(y_)};
  }

 private:
  using mesh = std::vector<double>;

  static double sum(const mesh& all) {
    return static_cast<double>(std::accumulate(all.begin(), all.end(), 0.0L));
  }

  std::size_t at(std::size_t i, std::size_t j) const { return i * n_ + j; }

  void set_up(std::size_t i, std::size_t j) {
    const std::size_t here = at(i, j), up = here - n_, down = here + n_;
    const auto second = [&](const mesh& m, std::size_t low, std::size_t high) {
      return m[high] - 2 * m[here] + m[low];
    };
    const auto cross = [&](const mesh& m) {
      return m[down + 1] - m[down - 1] - m[up + 1] + m[up - 1];
    };
    const double xx = x_[down] - x_[up], yx = y_[down] - y_[up];
    const double xy = x_[here + 1] - x_[here - 1], yy = y_[here + 1] - y_[here - 1];
    const double a = 0.25 * (xy * xy + yy * yy), b = 0.25 * (xx * xx + yx * yx);
    const double c = 0.125 * (xx * xy + yx * yy);
    const auto residual = [&](const mesh& m) {
      return a * second(m, up, down) + b * second(m, here - 1, here + 1) - c * cross(m);
    };
    aa_[here] = -b;
    d_[here] = b + b + a * (2 / 0.98);
    rx_[here] = residual(x_);
    ry_[here] = residual(y_);
    answer_.x_residual = std::max(answer_.x_residual, std::abs(rx_[here]));
    answer_.y_residual = std::max(answer_.y_residual, std::abs(ry_[here]));
  }

  void solve(std::size_t i) {
    const std::size_t first = at(i, 1), last = at(i, n_ - 2);
    d_[first] = 1 / d_[first];
    for (std::size_t j = first + 1; j <= last; ++j) {
      const double r = aa_[j] * d_[j - 1];
      d_[j] = 1 / (d_[j] - aa_[j - 1] * r);
      rx_[j] -= rx_[j - 1] * r;
      ry_[j] -= ry_[j - 1] * r;
    }
    rx_[last] *= d_[last];
    ry_[last] *= d_[last];
    for (std::size_t j = last; j-- > first;) {
      rx_[j] = (rx_[j] - aa_[j] * rx_[j + 1]) * d_[j];
      ry_[j] = (ry_[j] - aa_[j] * ry_[j + 1]) * d_[j];
    }
  }

  std::size_t n_;
  mesh x_, y_, rx_, ry_, aa_, d_;
  tomcatv_answer answer_{};
};

inline tomcatv_answer tomcatv_sequential(int n, int iterations) {
  tomcatv_mesh mesh(static_cast<std::size_t>(n));
  for (int i = 0; i < iterations; ++i) mesh.iterate();
  return mesh.answer();
}

}  // namespace terrane::programs
