// SPDX-License-Identifier: Apache-2.0
// region.hpp: a rectangle of the sea of WaTor, and one half of a step in it.
//
// Rules       Fish move to an empty neighbour, sharks to a fish, else to an empty cell. Of several
//             that want one cell the one with the smallest number drawn for it gets it, and the
//             others stay. Who moves and is old enough leaves a child. A shark that has not eaten
//             for three steps dies.
// Invariants  All that is drawn depends on seed, step and cell alone, and a cell on what lies
//             within three cells of it. So any partition gives the same sea.
// Source      [TESTBED §4.3.3]; its rules are not printed, these were made anew (docs/programs.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "terrane/cpp/wire_value.hpp"
#include "terrane/terrane.hpp"

namespace terrane::programs {

enum creature : std::uint8_t { nobody = 0, fish = 1, shark = 2 };

struct sea_cell {
  std::uint8_t kind = nobody, age = 0, energy = 0;
};

/// What is counted every ten steps.
struct sea_count {
  std::array<std::int64_t, 4> fish_in{};  // by quadrant
  std::int64_t sharks = 0;

  std::int64_t all_fish() const { return fish_in[0] + fish_in[1] + fish_in[2] + fish_in[3]; }
  void add(const sea_count& other) {
    for (std::size_t i = 0; i < fish_in.size(); ++i) fish_in[i] += other.fish_in[i];
    sharks += other.sharks;
  }
};

}  // namespace terrane::programs

template <>
inline constexpr bool terrane::position_independent<terrane::programs::sea_cell> = true;
template <>
inline constexpr bool terrane::position_independent<terrane::programs::sea_count> = true;

namespace terrane::programs {

/// The work for one animal, and that of looking at a cell.
inline constexpr operation wator_animal{"wator_animal", 60'000};
inline constexpr operation wator_cell{"wator_cell", 2'000};

/// Where a region lies.
struct sea_place {
  std::uint64_t seed;
  int side;       // of the whole sea
  int top, left;  // its first cell
  int rows, columns;
};

class sea_region {
 public:
  static constexpr int halo = 3;
  /// Bytes of memory that a region needs; the memory may move, but stays at its address.
  static std::size_t bytes(const sea_place& place) {
    return cells(place) * (2 * sizeof(sea_cell) + 1);
  }
  sea_region(const sea_place& place, void* memory)
      : place_(place),
        now_(static_cast<sea_cell*>(memory)),
        next_(now_ + cells(place)),
        target_(reinterpret_cast<std::uint8_t*>(next_ + cells(place))) {
    for (int y = -halo; y < place.rows + halo; ++y)
      for (int x = -halo; x < place.columns + halo; ++x) at(y, x) = first(number(y, x));
  }

  const sea_place& place() const { return place_; }
  /// Rows from -halo to rows + halo - 1, and columns likewise.
  sea_cell& at(int y, int x) { return now_[index(y, x)]; }

  /// The halo holds the neighbours' cells. Afterwards it is out of date.
  void move_all(creature kind, int step) {
    kind_ = kind;
    step_ = step;
    drawn_ = mix(mix(place_.seed) + static_cast<std::uint64_t>(step) * 4 + kind);
    decided_ = mix(mix(place_.seed) + static_cast<std::uint64_t>(step) * 4 + kind + 2);
    for (int y = -2; y < place_.rows + 2; ++y)
      for (int x = -2; x < place_.columns + 2; ++x) target_[index(y, x)] = choose(y, x);
    for (int y = 0; y < place_.rows; ++y) {
      charge(wator_cell, static_cast<std::uint64_t>(place_.columns));
      for (int x = 0; x < place_.columns; ++x) {
        if (at(y, x).kind == kind) charge(wator_animal, 1);
        next_[index(y, x)] = after(y, x);
      }
    }
    sea_cell* const last = now_;
    now_ = next_;
    next_ = last;
  }

  sea_count count() {
    sea_count found;
    for (int y = 0; y < place_.rows; ++y)
      for (int x = 0; x < place_.columns; ++x) {
        found.fish_in[quadrant(number(y, x))] += at(y, x).kind == fish;
        found.sharks += at(y, x).kind == shark;
      }
    return found;
  }

 private:
  static constexpr std::uint8_t none = 4;
  static constexpr int shark_energy = 3, shark_breeds = 8, fish_breeds = 3, season_steps = 25;
  static constexpr std::array<int, 4> down{-1, 0, 1, 0}, right{0, 1, 0, -1};

  static std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  static std::size_t cells(const sea_place& place) {
    return static_cast<std::size_t>(place.rows + 2 * halo) *
           static_cast<std::size_t>(place.columns + 2 * halo);
  }
  std::size_t index(int y, int x) const {
    return static_cast<std::size_t>((y + halo) * (place_.columns + 2 * halo) + x + halo);
  }
  /// The number of that cell in the whole sea.
  std::uint64_t number(int y, int x) const {
    const int side = place_.side;
    return static_cast<std::uint64_t>((place_.top + y + side) % side) *
               static_cast<std::uint64_t>(side) +
           static_cast<std::uint64_t>((place_.left + x + side) % side);
  }
  std::size_t quadrant(std::uint64_t cell) const {
    const auto side = static_cast<std::uint64_t>(place_.side);
    return (cell / side >= side / 2 ? 2u : 0u) + (cell % side >= side / 2 ? 1u : 0u);
  }
  sea_cell first(std::uint64_t cell) const {
    const std::uint64_t r = mix(mix(place_.seed) + cell);
    const std::uint64_t p = r % 10'000;
    if (p < 2000) return {fish, static_cast<std::uint8_t>((r >> 32) % fish_breeds), 0};
    if (p < 2400) return {shark, static_cast<std::uint8_t>((r >> 32) % shark_breeds), shark_energy};
    return {};
  }
  int breeds_at(std::uint64_t cell) const {
    if (kind_ == shark) return shark_breeds;
    static constexpr std::array<int, 4> later{0, 1, 3, 2}, season{0, -1, 0, 2};
    const int now = (step_ / season_steps + later[quadrant(cell)]) & 3;
    return fish_breeds + season[static_cast<std::size_t>(now)];
  }

  /// The direction in which that animal wants to go.
  std::uint8_t choose(int y, int x) {
    if (at(y, x).kind != kind_) return none;
    std::array<std::uint8_t, 4> wanted;
    unsigned found = 0;
    for (const creature what : {fish, nobody}) {
      if (what == fish && kind_ == fish) continue;
      for (std::uint8_t d = 0; d < 4; ++d)
        if (at(y + down[d], x + right[d]).kind == what) wanted[found++] = d;
      if (found != 0) break;
    }
    return found == 0 ? none : wanted[mix(drawn_ + number(y, x)) % found];
  }

  struct winner {
    int y = 0, x = 0;
    bool exists = false;
  };
  /// Who gets that cell.
  winner winner_of(int y, int x) const {
    winner best;
    std::uint64_t least = 0, its_number = 0;
    for (std::size_t d = 0; d < 4; ++d) {
      const int from_y = y - down[d], from_x = x - right[d];
      if (target_[index(from_y, from_x)] != d) continue;
      const std::uint64_t cell = number(from_y, from_x), draw = mix(decided_ + cell);
      if (best.exists && (draw > least || (draw == least && cell > its_number))) continue;
      best = {from_y, from_x, true};
      least = draw;
      its_number = cell;
    }
    return best;
  }

  struct outcome {
    sea_cell animal, child;  // where it is, and what stays where it was if it has moved
    bool starves = false;
  };
  outcome age(int y, int x, bool moves, bool eats) {
    outcome its{at(y, x), {}};
    if (its.animal.age < 255) ++its.animal.age;
    if (kind_ == shark) {
      its.animal.energy = eats ? shark_energy : static_cast<std::uint8_t>(its.animal.energy - 1);
      its.starves = its.animal.energy == 0;
    }
    if (moves && its.animal.age >= breeds_at(number(y, x))) {
      its.animal.age = 0;
      its.child = {kind_, 0, kind_ == shark ? std::uint8_t{shark_energy} : std::uint8_t{0}};
    }
    return its;
  }

  /// What that cell holds after all of a kind have moved.
  sea_cell after(int y, int x) {
    const sea_cell& now = at(y, x);
    if (now.kind == kind_) {
      const std::uint8_t d = target_[index(y, x)];
      bool moves = false, eats = false;
      if (d != none) {
        const winner gets = winner_of(y + down[d], x + right[d]);
        moves = gets.y == y && gets.x == x;
        eats = moves && at(y + down[d], x + right[d]).kind == fish;
      }
      const outcome its = age(y, x, moves, eats);
      return its.starves ? sea_cell{} : moves ? its.child : its.animal;
    }
    const winner comes = winner_of(y, x);
    if (!comes.exists) return now;
    const outcome its = age(comes.y, comes.x, true, now.kind == fish);
    return its.starves ? now : its.animal;
  }

  const sea_place place_;
  sea_cell *now_, *next_;
  std::uint8_t* target_;
  creature kind_ = fish;
  int step_ = 0;
  std::uint64_t drawn_ = 0, decided_ = 0;
};

}  // namespace terrane::programs
