// SPDX-License-Identifier: Apache-2.0
// refine.cpp: a cell of the grid becomes four as long as its corners differ much. How deep that
// goes differs from cell to cell, so that no distribution made beforehand fits: each cell is a
// token, and the ranks that have nothing to do get some.
#include "examples/mpi/refine.h"

#include <algorithm>
#include <array>
#include <vector>

#include "terrane/mpi.hpp"

namespace {

using terrane::reply;
using terrane::step;
using terrane::threaded;

struct cell {
  std::array<double, 4> corners;  // of the lower edge, then of the upper
  double area;
  int depth;

  /// Between the heights of its corners, bent, so that refining it tells something new.
  double middle_of(int a, int b) const {
    const double mean = (corners[a] + corners[b]) / 2;
    return mean + (corners[a] - corners[b]) * (corners[a] - corners[b]) / 16;
  }
  std::array<cell, 4> quarters() const {
    const double low = middle_of(0, 1), high = middle_of(2, 3), left = middle_of(0, 2),
                 right = middle_of(1, 3), centre = (low + high) / 2;
    const double its = area / 4;
    return {cell{{corners[0], low, left, centre}, its, depth + 1},
            cell{{low, corners[1], centre, right}, its, depth + 1},
            cell{{left, centre, corners[2], high}, its, depth + 1},
            cell{{centre, right, high, corners[3]}, its, depth + 1}};
  }
  bool is_steep() const {
    const auto [least, most] = std::minmax_element(corners.begin(), corners.end());
    return depth < 12 && *most - *least > 0.004;
  }
  double integral() const { return area * (corners[0] + corners[1] + corners[2] + corners[3]) / 4; }
};

}  // namespace

template <>
inline constexpr bool terrane::position_independent<cell> = true;

namespace {

struct refine : threaded<refine> {
  reply<double> out;
  std::array<double, 4> parts;
  terrane::join all = on<&refine::sum>();

  step start(cell of, reply<double> to) {
    if (!of.is_steep()) {
      to.send(of.integral());
      return done;
    }
    out = to;
    const auto quarters = of.quarters();
    for (int i = 0; i < 4; ++i) spawn<refine>(quarters[i], all.into(parts[i]));
    return await(all);
  }
  step sum() {
    out.send(parts[0] + parts[1] + parts[2] + parts[3]);
    return done;
  }
};

/// The phase: a token for each cell of the grid.
struct refine_all : threaded<refine_all> {
  std::vector<double>* parts;
  double* answer;
  terrane::join all = on<&refine_all::sum>();

  step start(const double* heights, int side, std::vector<double>* room, double* to) {
    parts = room;
    answer = to;
    const double area = 1.0 / ((side - 1) * (side - 1));
    for (int y = 0; y + 1 < side; ++y)
      for (int x = 0; x + 1 < side; ++x) {
        const double* const at = heights + y * side + x;
        spawn<refine>(cell{{at[0], at[1], at[side], at[side + 1]}, area, 0},
                      all.into((*parts)[static_cast<std::size_t>(y * (side - 1) + x)]));
      }
    return await(all);
  }
  step sum() {
    *answer = 0;
    for (const double each : *parts) *answer += each;
    return done;
  }
};

}  // namespace

double refined_integral(MPI_Fint communicator, const double* heights, int side) {
  double answer = 0;
  std::vector<double> parts(static_cast<std::size_t>((side - 1) * (side - 1)));
  terrane::run_on<refine_all>(MPI_Comm_f2c(communicator), heights, side, &parts, &answer);
  return answer;
}
