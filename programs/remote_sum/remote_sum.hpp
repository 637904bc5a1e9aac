// SPDX-License-Identifier: Apache-2.0
// remote_sum.hpp: the threaded functions of the program remote_sum: two owners of a number, and a
// token that fetches both.
//
// Invariants  An owner's number lives as long as its activation, so MAIN keeps both owners until
//             the sum is there, and ends when both have gone.
#pragma once

#include <cstdio>

#include "programs/arguments.hpp"
#include "terrane/terrane.hpp"

namespace terrane::programs {

/// Where a number lies, and the slot that lets its owner go.
struct owned_number {
  global<int> place;
  slot_ref release;
};

}  // namespace terrane::programs

template <>
inline constexpr bool terrane::position_independent<terrane::programs::owned_number> = true;

namespace terrane::programs {

/// Work in world `sim`: an addition, as on a current core. The other fibers do none.
constexpr operation remote_sum_addition{"remote_sum_addition", 0.25};

struct number_owner : threaded<number_owner> {
  int number;
  reply<void> gone;
  slot released = on<&number_owner::leave>(1);

  step start(int value, reply<owned_number> here, reply<void> when_gone) {
    charge(remote_sum_addition, 0);
    number = value;
    gone = when_gone;
    here.send({to_global(number), ref(released)});
    return wait;
  }
  step leave() {
    charge(remote_sum_addition, 0);
    gone.send();
    return done;
  }
};

struct remote_sum : threaded<remote_sum> {
  reply<int> out;
  int x, y;
  join both = on<&remote_sum::sum>();

  step start(global<int> place_of_x, global<int> place_of_y, reply<int> to) {
    charge(remote_sum_addition, 0);
    out = to;
    get(place_of_x, x, both.one());
    get(place_of_y, y, both.one());
    return await(both);  // neither x nor y is here yet
  }
  step sum() {
    charge(remote_sum_addition);
    out.send(x + y);
    return done;
  }
};

struct remote_sum_main : threaded<remote_sum_main> {
  owned_number x, y;
  int result;
  join found = on<&remote_sum_main::fetch>();
  join answer = on<&remote_sum_main::let_go>();
  join gone = on<&remote_sum_main::print>();

  step start(int argc, char** argv) {
    charge(remote_sum_addition, 0);
    program_arguments given(argc, argv);
    if (!given.complete()) return done;
    invoke<number_owner>(1 % processors(), 20, found.into(x), gone.into());
    invoke<number_owner>(2 % processors(), 22, found.into(y), gone.into());
    return await(found);
  }
  step fetch() {
    charge(remote_sum_addition, 0);
    spawn<remote_sum>(x.place, y.place, answer.into(result));
    return await(answer);
  }
  step let_go() {
    charge(remote_sum_addition, 0);
    x.release.signal();
    y.release.signal();
    return await(gone);
  }
  step print() {
    charge(remote_sum_addition, 0);
    std::printf("%d\n", result);
    return done;
  }
};

}  // namespace terrane::programs
