// SPDX-License-Identifier: Apache-2.0
// domain.hpp: particles in cells: a part of the grid and a part of the particles, and what a step
// computes of them.
//
// Model       NP particles in a periodic square of G x G cells, charges shared among the four
//             corners (cloud in cell), 40 Jacobi sweeps for the potential, centred differences for
//             the field, a leapfrog step of 0.1.
// Invariants  A cell adds what its particles bring in the order of their numbers, and every
//             expression is evaluated as it stands: so all divisions have the same bits.
// Source      [CHANT §3.2]; the three tables are those of Lubeck and Faber.
#pragma once

#include <cstdint>
#include <vector>

#include "terrane/terrane.hpp"

namespace terrane::pic {

struct problem {
  int particles = 1024, grid = 32, steps = 50, members = 2, seed = 2024;
};

struct particle {
  double x, y, vx, vy;
};
/// A particle as others see it, and the force on it as its owner gets it.
struct numbered_place {
  std::uint64_t number;
  double x, y;
};
struct numbered_force {
  std::uint64_t number;
  double x, y;
};

inline constexpr operation pic_particle{"pic_particle", 20}, pic_cell{"pic_cell", 2};
inline constexpr int sweeps = 40;

/// All particles as they begin.
std::vector<particle> first_particles(const problem& about);

/// Share `which` of `shares` of a whole: from begin() to end().
struct share {
  int whole, shares, which;
  int begin() const { return static_cast<int>(static_cast<long>(whole) * which / shares); }
  int end() const { return static_cast<int>(static_cast<long>(whole) * (which + 1) / shares); }
};

class domain {
 public:
  domain(const problem& about, int rank, int members);

  int rank() const { return rows_.which; }
  int members() const { return rows_.shares; }
  int grid() const { return about_.grid; }

  // --- the particles that this domain owns ---
  /// Sorts them into tables: own and here, and for each other domain what it must see.
  void sort();
  const std::vector<numbered_place>& away(int to) const {
    return away_[static_cast<std::size_t>(to)];
  }
  /// Of another domain, and here.
  void add_foreign(const numbered_place* first, std::size_t count);
  /// The charges of all that is here.
  void deposit();
  /// |sum of the charges| of the rows of this domain.
  double charge_sum() const;

  // --- the field: rows of G values; row 0 is the first of this domain ---
  int rows() const { return rows_.end() - rows_.begin(); }
  double* potential(int row) { return potential_.data() + offset(row); }
  void sweep(int from_row, int to_row);
  /// The new potential becomes the potential.
  void end_sweep() { potential_.swap(next_); }
  void differentiate();
  /// Two rows behind one another: the field of this domain's first row, and of the next one's.
  double* first_field() { return field_.data(); }
  double* next_field() { return field_.data() + 2 * offset(rows() - 1); }
  std::size_t field_row() const { return 2 * static_cast<std::size_t>(about_.grid); }

  // --- the push ---
  /// The forces on all that is here; those on others' particles, by their owner.
  void compute_forces();
  const std::vector<numbered_force>& forces_for(int owner) const {
    return forces_[static_cast<std::size_t>(owner)];
  }
  void push(const numbered_force* first, std::size_t count);
  const std::vector<particle>& own() const { return own_; }

 private:
  std::size_t offset(int row) const {
    return static_cast<std::size_t>(row + 1) * static_cast<std::size_t>(about_.grid);
  }
  int owner_of_row(int row) const;
  int owner_of_particle(std::uint64_t number) const;
  double force(const numbered_place& at, int component) const;

  const problem about_;
  const share rows_, numbers_;
  std::vector<particle> own_;
  std::vector<numbered_place> here_;  // own and here, then foreign and here
  std::vector<std::vector<numbered_place>> away_;
  std::vector<std::vector<numbered_force>> forces_;
  std::vector<double> charges_, potential_, next_;  // one row more on each side
  std::vector<double> field_;                       // x and y of each row; one row more at the end
};

struct totals {
  std::uint64_t hash = 0, sends = 0, receives = 0;
  double kinetic = 0, worst_charge = 0;
};

}  // namespace terrane::pic
