// SPDX-License-Identifier: Apache-2.0
// wator.hpp: the program wator: a sea on a torus, in regions that are threads. Each exchanges the
// cells at its borders with four others, twice a step.
#pragma once

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <span>
#include <vector>

#include "programs/arguments.hpp"
#include "programs/placement.hpp"
#include "programs/wator/region.hpp"
#include "terrane/thread/channel_end.hpp"
#include "terrane/thread/par.hpp"
#include "terrane/thread/thread_heap.hpp"

namespace terrane::programs {

/// What a run comes to.
struct sea_outcome {
  std::vector<sea_count> every_ten_steps;
  std::uint64_t fnv = 1469598103934665603u;

  void hash(std::span<const sea_cell> sea) {
    for (const sea_cell& each : sea)
      for (const std::uint8_t value : {each.kind, each.age, each.energy})
        fnv = (fnv ^ value) * 1099511628211u;
  }
  void print() const {
    for (std::size_t i = 0; i < every_ten_steps.size(); ++i) {
      const sea_count& one = every_ten_steps[i];
      std::printf("step %3zu fish %5" PRId64 " sharks %5" PRId64 "  fish by region %" PRId64
                  " %" PRId64 " %" PRId64 " %" PRId64 "\n",
                  10 * i, one.all_fish(), one.sharks, one.fish_in[0], one.fish_in[1],
                  one.fish_in[2], one.fish_in[3]);
    }
    std::printf("fnv %016" PRIx64 "\n", fnv);
  }
};

/// The regions of a sea: a grid as square as their number allows.
struct sea_grid {
  std::uint64_t seed;
  int side, rows, columns;

  sea_grid(std::uint64_t of, int whole, int regions) : seed(of), side(whole), rows(1), columns(0) {
    for (int each = 1; each * each <= regions; ++each)
      if (regions % each == 0) rows = each;
    columns = regions / rows;
  }
  /// A region needs three cells for its neighbours.
  bool is_possible() const { return side / columns >= sea_region::halo; }
  sea_place place(int row, int column) const {
    const int top = row * side / rows, left = column * side / columns;
    return {
        seed, side, top, left, (row + 1) * side / rows - top, (column + 1) * side / columns - left};
  }
};

/// The thread of a region.
struct sea_thread {
  enum way : std::uint8_t { west, east, north, south };

  sea_place place;
  int steps;
  std::array<int, 2> position, grid;  // across, down
  std::array<channel_out<sea_cell>, 4> out;
  std::array<channel_in<sea_cell>, 4> in;
  channel_out<sea_count> counts;
  channel_out<sea_cell> last;

  void operator()() const {
    thread_heap& heap = this_thread::heap();
    sea_region sea(place, heap.allocate(sea_region::bytes(place), alignof(sea_cell)));
    const int border =
        sea_region::halo * std::max(place.rows, place.columns + 2 * sea_region::halo);
    const std::span<sea_cell> sends = room(heap, std::max(border, place.rows * place.columns));
    const std::span<sea_cell> receives = room(heap, border);
    for (int step = 0; step <= steps; ++step) {
      if (step % 10 == 0) counts.send(sea.count());
      if (step == steps) break;
      for (const creature kind : {fish, shark}) {
        for (const way each : {west, east, north, south}) shift(sea, each, sends, receives);
        sea.move_all(kind, step);
        charge(wator_cell, 0);
      }
      this_thread::yield();
      charge(wator_cell, 0);
    }
    last.send_all(sends.first(copy(sea, {0, place.rows, 0, place.columns}, sends, true)));
    charge(wator_cell, 0);
  }

 private:
  static std::span<sea_cell> room(thread_heap& heap, int cells) {
    const auto size = static_cast<std::size_t>(cells);
    void* const got = heap.allocate(size * sizeof(sea_cell), alignof(sea_cell));
    return {static_cast<sea_cell*>(got), size};
  }
  struct part {
    int top, bottom, left, right;  // bottom and right excluded
  };
  static std::size_t copy(sea_region& sea, const part& of, std::span<sea_cell> room, bool out) {
    std::size_t n = 0;
    for (int y = of.top; y < of.bottom; ++y)
      for (int x = of.left; x < of.right; ++x, ++n)
        if (out)
          room[n] = sea.at(y, x);
        else
          sea.at(y, x) = room[n];
    return n;
  }
  /// Sends the cells at one border that way, and receives those that come to the other.
  void shift(sea_region& sea, way to, std::span<sea_cell> sends,
             std::span<sea_cell> receives) const {
    constexpr int h = sea_region::halo;
    const int rows = place.rows, columns = place.columns;
    const std::array<part, 4> borders{{{0, rows, 0, h},
                                       {0, rows, columns - h, columns},
                                       {0, h, -h, columns + h},
                                       {rows - h, rows, -h, columns + h}}};
    const std::array<part, 4> halos{{{0, rows, columns, columns + h},
                                     {0, rows, -h, 0},
                                     {rows, rows + h, -h, columns + h},
                                     {-h, 0, -h, columns + h}}};
    const std::size_t size = copy(sea, borders[to], sends, true);
    const std::size_t axis = to / 2;
    if (grid[axis] == 1) {
      copy(sea, halos[to], sends, false);
      return;
    }
    // Every other one receives first: so no ring of them can wait for itself.
    const bool sends_first = position[axis] % 2 == 0;
    if (sends_first) out[to].send_all(sends.first(size));
    in[to].receive_all(receives);
    if (!sends_first) out[to].send_all(sends.first(size));
    charge(wator_cell, 0);
    copy(sea, halos[to], receives, false);
  }
};

inline sea_outcome run_wator(const sea_grid& grid, int steps, const placement& start) {
  const auto number = [&](int row, int column) {
    return static_cast<std::size_t>((row + grid.rows) % grid.rows * grid.columns +
                                    (column + grid.columns) % grid.columns);
  };
  std::vector<sea_thread> all(static_cast<std::size_t>(grid.rows * grid.columns));
  std::vector<channel_in<sea_count>> counts;
  std::vector<channel_in<sea_cell>> last;
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column) {
      sea_thread& one = all[number(row, column)];
      one.place = grid.place(row, column);
      one.steps = steps;
      one.position = {column, row};
      one.grid = {grid.columns, grid.rows};
      const std::array<std::size_t, 4> neighbours{number(row, column - 1), number(row, column + 1),
                                                  number(row - 1, column), number(row + 1, column)};
      for (std::size_t way = 0; way < 4; ++way) {
        const auto made = channel_ends<sea_cell>::make();
        one.out[way] = made.out;
        all[neighbours[way]].in[way] = made.in;
      }
      const auto count = channel_ends<sea_count>::make();
      const auto cells = channel_ends<sea_cell>::make();
      one.counts = count.out;
      one.last = cells.out;
      counts.push_back(count.in);
      last.push_back(cells.in);
    }

  sea_outcome outcome;
  const auto collect = [&] {
    for (int step = 0; step <= steps; step += 10) {
      sea_count sum;
      for (const auto& each : counts) sum.add(each.receive().value());
      charge(wator_cell, 0);
      outcome.every_ten_steps.push_back(sum);
    }
    const auto side = static_cast<std::size_t>(grid.side);
    std::vector<sea_cell> sea(side * side), part(sea.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      last[i].receive_all(part);
      charge(wator_cell, 0);
      const sea_place& place = all[i].place;
      const auto columns = static_cast<std::size_t>(place.columns);
      for (int y = 0; y < place.rows; ++y) {
        const auto from = part.begin() + static_cast<std::ptrdiff_t>(y) * place.columns;
        std::copy_n(
            from, columns,
            sea.begin() + static_cast<std::ptrdiff_t>(place.top + y) * grid.side + place.left);
      }
    }
    outcome.hash(sea);
  };
  par_branches branches(all.size() + 1);
  branches.add(collect);
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const sea_place& its = all[i].place;
    const bool below = its.top + its.rows / 2 >= grid.side / 2;
    const bool beside = its.left + its.columns / 2 >= grid.side / 2;
    const std::uint32_t quadrant = (below ? 2u : 0u) + (beside ? 1u : 0u);
    branches.add(on(start.node_of(start.is_in_turn() ? quadrant : i), all[i]));
  }
  branches.join();
  return outcome;
}

inline int wator_main(int argc, char** argv) {
  program_arguments given(argc, argv);
  const int seed = given.number("SEED", {.otherwise = 1, .least = 0, .most = 1'000'000});
  const int steps = given.number("STEPS", {.otherwise = 100, .least = 0, .most = 1'000'000});
  const int threads = given.number("THREADS", {.otherwise = 16, .least = 1, .most = 1024});
  const int side = given.number("SIDE", {.otherwise = 100, .least = 6, .most = 4000});
  const placement start = placement::read(given);
  if (!given.complete()) return 2;
  const sea_grid grid(static_cast<std::uint64_t>(seed), side, threads);
  if (!grid.is_possible()) {
    std::fprintf(stderr,
                 "wator: %d threads are %d by %d regions, and a sea of %d by %d has fewer than 3 "
                 "cells for each: take fewer threads, or a larger SIDE\n",
                 threads, grid.rows, grid.columns, side, side);
    return 2;
  }
  take_slices();
  run_wator(grid, steps, start).print();
  return 0;
}

}  // namespace terrane::programs
