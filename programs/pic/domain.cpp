// SPDX-License-Identifier: Apache-2.0
#include "programs/pic/domain.hpp"

#include <algorithm>
#include <cmath>

namespace terrane::pic {

namespace {

class generator {
 public:
  explicit generator(std::uint64_t seed) : state_(seed) {}
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }

 private:
  std::uint64_t state_;
};

constexpr double time_step = 0.1;

double wrapped(double value, double period) {
  const double rest = std::fmod(value, period);
  return rest < 0 ? rest + period : rest;
}

/// Where a particle is: its cell, and how far behind the cell's corner.
struct cell_of {
  int i0, j0, i1, j1;
  double a, b;
  cell_of(double x, double y, int grid) {
    const double i = std::floor(x), j = std::floor(y);
    a = x - i;
    b = y - j;
    i0 = static_cast<int>(i) % grid;
    j0 = static_cast<int>(j) % grid;
    i1 = (i0 + 1) % grid;
    j1 = (j0 + 1) % grid;
  }
};

}  // namespace

std::vector<particle> first_particles(const problem& about) {
  generator random(static_cast<std::uint64_t>(about.seed));
  std::vector<particle> all(static_cast<std::size_t>(about.particles));
  for (particle& each : all) {
    each.x = random.next() * about.grid;
    each.y = random.next() * about.grid;
  }
  for (particle& each : all) {
    each.vx = random.next() - .5;
    each.vy = random.next() - .5;
  }
  return all;
}

domain::domain(const problem& about, int rank, int members)
    : about_(about),
      rows_{about.grid, members, rank},
      numbers_{about.particles, members, rank},
      away_(static_cast<std::size_t>(members)),
      forces_(static_cast<std::size_t>(members)) {
  const std::vector<particle> all = first_particles(about);
  own_.assign(all.begin() + numbers_.begin(), all.begin() + numbers_.end());
  charges_.resize(offset(rows() + 1));
  potential_.resize(offset(rows() + 1));
  next_.resize(offset(rows() + 1));
  field_.resize(2 * offset(rows()));
}

int domain::owner_of_row(int row) const {
  int owner = static_cast<int>((static_cast<long>(row) * members()) / about_.grid);
  while (share{about_.grid, members(), owner}.end() <= row) ++owner;
  return owner;
}

int domain::owner_of_particle(std::uint64_t number) const {
  const int which = static_cast<int>(number);
  int owner = static_cast<int>((static_cast<long>(which) * members()) / about_.particles);
  while (share{about_.particles, members(), owner}.end() <= which) ++owner;
  return owner;
}

void domain::sort() {
  here_.clear();
  for (auto& each : away_) each.clear();
  auto number = static_cast<std::uint64_t>(numbers_.begin());
  for (const particle& each : own_) {
    const numbered_place place{number++, each.x, each.y};
    const cell_of at(each.x, each.y, about_.grid);
    const int first = owner_of_row(at.i0), second = owner_of_row(at.i1);
    for (const int owner : {first, second}) {
      if (owner == rank())
        here_.push_back(place);
      else
        away_[static_cast<std::size_t>(owner)].push_back(place);
      if (second == first) break;
    }
  }
  charge(pic_particle, own_.size());
}

void domain::add_foreign(const numbered_place* first, std::size_t count) {
  here_.insert(here_.end(), first, first + count);
}

void domain::deposit() {
  std::sort(here_.begin(), here_.end(), [](const numbered_place& one, const numbered_place& other) {
    return one.number < other.number;
  });
  std::fill(charges_.begin(), charges_.end(), 0.0);
  const double q = 1.0 * about_.grid * about_.grid / about_.particles;
  const auto add = [&](int i, int j, double value) {
    if (i >= rows_.begin() && i < rows_.end())
      charges_[offset(i - rows_.begin()) + static_cast<std::size_t>(j)] += value;
  };
  for (const numbered_place& each : here_) {
    const cell_of at(each.x, each.y, about_.grid);
    const double a = at.a, b = at.b;
    add(at.i0, at.j0, q * (1 - a) * (1 - b));
    add(at.i1, at.j0, q * a * (1 - b));
    add(at.i0, at.j1, q * (1 - a) * b);
    add(at.i1, at.j1, q * a * b);
  }
  for (int row = 0; row < rows(); ++row)
    for (int j = 0; j < about_.grid; ++j)
      charges_[offset(row) + static_cast<std::size_t>(j)] -= 1.0;
  charge(pic_particle, here_.size());
}

double domain::charge_sum() const {
  double sum = 0;
  for (int row = 0; row < rows(); ++row)
    for (int j = 0; j < about_.grid; ++j)
      sum += charges_[offset(row) + static_cast<std::size_t>(j)];
  return sum;
}

void domain::sweep(int from_row, int to_row) {
  const auto g = static_cast<std::size_t>(about_.grid);
  for (int row = from_row; row < to_row; ++row) {
    const double *const above = potential_.data() + offset(row - 1),
                        *const mine = potential_.data() + offset(row),
                        *const below = potential_.data() + offset(row + 1),
                        *const rho = charges_.data() + offset(row);
    double* const out = next_.data() + offset(row);
    for (std::size_t j = 0; j < g; ++j)
      out[j] = 0.25 * (above[j] + below[j] + mine[(j + g - 1) % g] + mine[(j + 1) % g] + rho[j]);
  }
  charge(pic_cell, static_cast<std::uint64_t>(to_row - from_row) * g);
}

void domain::differentiate() {
  const auto g = static_cast<std::size_t>(about_.grid);
  for (int row = 0; row < rows(); ++row) {
    const double *const above = potential_.data() + offset(row - 1),
                        *const mine = potential_.data() + offset(row),
                        *const below = potential_.data() + offset(row + 1);
    double* const out = field_.data() + 2 * (offset(row) - g);
    for (std::size_t j = 0; j < g; ++j) {
      out[j] = 0.5 * (above[j] - below[j]);
      out[g + j] = 0.5 * (mine[(j + g - 1) % g] - mine[(j + 1) % g]);
    }
  }
  charge(pic_cell, static_cast<std::uint64_t>(rows()) * g);
}

double domain::force(const numbered_place& place, int component) const {
  const auto g = static_cast<std::size_t>(about_.grid);
  const cell_of at(place.x, place.y, about_.grid);
  const std::size_t row = static_cast<std::size_t>(at.i0 - rows_.begin());
  const double* const here = field_.data() + 2 * row * g + static_cast<std::size_t>(component) * g;
  const double* const next = here + 2 * g;
  const double a = at.a, b = at.b;
  const auto j0 = static_cast<std::size_t>(at.j0), j1 = static_cast<std::size_t>(at.j1);
  return here[j0] * (1 - a) * (1 - b) + next[j0] * a * (1 - b) + here[j1] * (1 - a) * b +
         next[j1] * a * b;
}

void domain::compute_forces() {
  for (auto& each : forces_) each.clear();
  for (const numbered_place& each : here_) {
    const int row = cell_of(each.x, each.y, about_.grid).i0;
    if (row < rows_.begin() || row >= rows_.end()) continue;
    forces_[static_cast<std::size_t>(owner_of_particle(each.number))].push_back(
        {each.number, force(each, 0), force(each, 1)});
  }
  charge(pic_particle, here_.size());
}

void domain::push(const numbered_force* first, std::size_t count) {
  for (const numbered_force* each = first; each != first + count; ++each) {
    particle& its = own_[each->number - static_cast<std::uint64_t>(numbers_.begin())];
    its.vx += time_step * each->x;
    its.vy += time_step * each->y;
    its.x = wrapped(its.x + time_step * its.vx, about_.grid);
    its.y = wrapped(its.y + time_step * its.vy, about_.grid);
  }
  charge(pic_particle, count);
}

}  // namespace terrane::pic
