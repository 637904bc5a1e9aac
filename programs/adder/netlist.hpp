// SPDX-License-Identifier: Apache-2.0
// netlist.hpp: the 14 elements of the asynchronous adder, and the 38 wires between them and the
// environment.
//
// Source  [TESTBED §4.3.2, §A.7] names the elements; the drawing is lost, and this netlist was made
//         anew.
#pragma once

#include <array>
#include <cstdint>

namespace terrane::programs {

/// keller: in S, R, T; out S1, R1, T0, T1. call: in 1, 2, A; out R, A1, A2. muller and merge: in 1,
/// 2; out O.
enum class element_kind : std::uint8_t { keller, call, muller, merge };

enum element : std::uint8_t {
  P,
  Q,
  C,
  INC,
  SET,
  RST,
  MS,
  MR,
  MJ,
  Ginc,
  Ga,
  Gb,
  Gs,
  Gdone,
  elements,
  environment = elements
};

constexpr element_kind kind_of_element(element one) {
  return one <= C     ? element_kind::keller
         : one <= RST ? element_kind::call
         : one <= MJ  ? element_kind::muller
                      : element_kind::merge;
}

/// From an output of one element to an input of another; pins count from 0. Wires of one output
/// carry copies.
struct wire {
  element from;
  std::uint8_t out;
  element to;
  std::uint8_t in;
};

/// Pins of the environment. It sends: operands a and b, each by its bit; and that it has the sum.
enum environment_out : std::uint8_t { a_is_1, a_is_0, b_is_1, b_is_0, has_sum };
/// It receives: that a was taken, a bit of the sum, and that all is done.
enum environment_in : std::uint8_t { a_taken, sum_is_0, sum_is_1, all_done };

inline constexpr std::array<wire, 38> netlist{{
    {P, 2, SET, 0},
    {P, 3, RST, 0},
    {SET, 0, P, 0},
    {SET, 0, Q, 0},
    {P, 0, MS, 0},
    {Q, 0, MS, 1},
    {MS, 0, SET, 2},
    {RST, 0, P, 1},
    {RST, 0, Q, 1},
    {P, 1, MR, 0},
    {Q, 1, MR, 1},
    {MR, 0, RST, 2},
    {SET, 1, Ginc, 0},
    {RST, 1, C, 0},
    {C, 0, Ginc, 1},
    {Ginc, 0, INC, 2},
    {INC, 0, P, 2},
    {INC, 1, Ga, 1},
    {INC, 2, Gb, 1},
    {Ga, 0, environment, a_taken},
    {Gb, 0, Q, 2},
    {Q, 2, environment, sum_is_0},
    {Q, 2, Gs, 0},
    {Q, 3, environment, sum_is_1},
    {Q, 3, Gs, 1},
    {Gs, 0, C, 2},
    {C, 2, RST, 1},
    {C, 3, C, 1},
    {C, 1, SET, 1},
    {RST, 2, Gdone, 0},
    {SET, 2, Gdone, 1},
    {Gdone, 0, MJ, 0},
    {MJ, 0, environment, all_done},
    {environment, a_is_1, INC, 0},
    {environment, a_is_0, Ga, 0},
    {environment, b_is_1, INC, 1},
    {environment, b_is_0, Gb, 0},
    {environment, has_sum, MJ, 1},
}};

}  // namespace terrane::programs
