// SPDX-License-Identifier: Apache-2.0
// quadrature.hpp: the program quadrature: a thread for each part, made on one node and moved by the
// balancer.
#pragma once

#include <cmath>
#include <cstdio>
#include <vector>

#include "programs/arguments.hpp"
#include "programs/quadrature/sequential.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/migration.hpp"

namespace terrane::programs {

/// Work in world `sim`, as on a current core: the function at one point.
constexpr operation quadrature_evaluation{"quadrature_evaluation", 50.0};

}  // namespace terrane::programs

template <>
inline constexpr bool terrane::position_independent<terrane::programs::quadrature_answer> = true;

namespace terrane::programs {

/// A part each, and a thread that goes where there is room.
inline thread quadrature_part(int which, int parts, double smallest, reply<quadrature_answer> to) {
  return thread::create_migratable({.name = "part", .stack_bytes = 64 << 10}, [=] {
    const quadrature_answer answer = quadrature(smallest).part(which, parts);
    charge(quadrature_evaluation, answer.evaluations);
    to.send(answer);
  });
}

struct quadrature_main : threaded<quadrature_main> {
  std::vector<quadrature_answer> answers;
  std::vector<thread> threads;
  join all = on<&quadrature_main::print>();

  step start(int argc, char** argv) {
    charge(quadrature_evaluation, 0);
    program_arguments given(argc, argv);
    const int parts = given.number("N", {.otherwise = 16, .least = 1, .most = 20'000});
    const int digits = given.number("H", {.otherwise = 9, .least = 1, .most = 12});
    if (!given.complete()) return done;
    answers.resize(static_cast<std::size_t>(parts));
    for (int i = 0; i < parts; ++i) {
      threads.push_back(quadrature_part(i, parts, std::pow(10.0, -digits),
                                        all.into(answers[static_cast<std::size_t>(i)])));
      threads.back().signal_at_end(all.one());
    }
    return await(all);
  }
  step print() {
    charge(quadrature_evaluation, 0);
    threads.clear();
    quadrature_answer sum;  // added in order: equal to the last digit
    for (const quadrature_answer& each : answers) sum += each;
    std::printf("quadrature(%zu) = %.12f, %llu evaluations\n", answers.size(), sum.integral,
                static_cast<unsigned long long>(sum.evaluations));
    return done;
  }
};

}  // namespace terrane::programs
