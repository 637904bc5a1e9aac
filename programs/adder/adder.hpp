// SPDX-License-Identifier: Apache-2.0
// adder.hpp: the program adder: an asynchronous adder of 8 bits, each element a thread.
#pragma once

#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include "programs/adder/netlist.hpp"
#include "programs/arguments.hpp"
#include "programs/placement.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/alt.hpp"
#include "terrane/thread/par.hpp"

namespace terrane::programs {

/// How many elements of each kind it has passed on its way.
struct delay_record {
  std::array<std::uint32_t, 4> passed{};

  std::uint32_t total() const { return passed[0] + passed[1] + passed[2] + passed[3]; }
  delay_record past(element_kind kind) const {
    delay_record next = *this;
    ++next.passed[static_cast<std::size_t>(kind)];
    return next;
  }
};

}  // namespace terrane::programs

template <>
inline constexpr bool terrane::position_independent<terrane::programs::delay_record> = true;

namespace terrane::programs {

inline constexpr operation adder_firing{"adder_firing", 50'000};

/// What an operation of a channel came to, which may have waited: what follows has no other cost.
template <class Result>
Result waited(Result came) {
  charge(adder_firing, 0);
  return came;
}

using record_out = channel_out<delay_record>;
using record_in = channel_in<delay_record>;

/// One element with its ends. A wire to the element itself is no channel: it fires again.
struct gate {
  static constexpr std::uint8_t none = 255;
  element which = P;
  std::uint8_t inputs = 0;
  std::array<record_in, 3> in{};
  std::array<std::array<record_out, 2>, 4> out{};
  std::array<std::uint8_t, 4> outs{};
  std::array<std::uint8_t, 4> back_to{none, none, none, none};
};

/// A gate at work, until one of its channels is closed; then it closes the others.
class working_gate {
 public:
  explicit working_gate(const gate& made) : its_(made) {}
  int run() {
    if (kind_of_element(its_.which) == element_kind::muller)
      meet();
    else
      choose();
    for (std::uint8_t i = 0; i < its_.inputs; ++i)
      if (its_.in[i].raw() != 0) its_.in[i].close();
    for (std::size_t out = 0; out < its_.outs.size(); ++out)
      for (std::uint8_t i = 0; i < its_.outs[out]; ++i) its_.out[out][i].close();
    return firings_;
  }

 private:
  void choose() {
    std::array<choice, 3> guards;
    for (std::size_t i = 0; i < guards.size(); ++i)
      guards[i] = when(its_.in[i].raw() != 0, its_.in[i]);
    alt any(guards);
    while (!ended_) {
      const auto pin = static_cast<std::uint8_t>(waited(any.wait()));
      const auto taken = waited(its_.in[pin].receive());
      if (!taken) return;
      fire(pin, *taken);
    }
  }
  /// A Muller element waits for both inputs, and keeps the record of the longer way.
  void meet() {
    while (!ended_) {
      const auto first = waited(its_.in[0].receive());
      const auto second = first ? waited(its_.in[1].receive()) : std::nullopt;
      if (!second) return;
      ++firings_;  // it fires once for each input
      fire(0, first->total() >= second->total() ? *first : *second);
    }
  }
  void fire(std::uint8_t pin, const delay_record& came) {
    charge(adder_firing, 1);
    ++firings_;
    const element_kind kind = kind_of_element(its_.which);
    const delay_record next = came.past(kind);
    switch (kind) {
      case element_kind::keller:
        if (pin != 2) state_ = pin == 0 ? 1 : 0;
        return send(pin != 2 ? pin : state_ == 0 ? 2 : 3, next);
      case element_kind::call:
        if (pin != 2) state_ = pin;
        return send(pin != 2 ? 0 : static_cast<std::uint8_t>(1 + state_), next);
      case element_kind::muller:
      case element_kind::merge: return send(0, next);
    }
  }
  void send(std::uint8_t out, const delay_record& what) {
    for (std::uint8_t i = 0; i < its_.outs[out]; ++i)
      ended_ = !waited(its_.out[out][i].send(what)) || ended_;
    if (its_.back_to[out] != gate::none) fire(its_.back_to[out], what);
  }

  const gate its_;
  std::uint8_t state_ = 0;
  bool ended_ = false;
  int firings_ = 0;
};

struct adder_outcome {
  std::array<std::uint64_t, 4> passed{};
  std::uint32_t least = ~0u, most = 0;
  std::uint64_t fnv = 1469598103934665603u, firings = 0;
  bool right = true;

  void count(std::uint32_t sum, const delay_record& last) {
    for (std::size_t i = 0; i < passed.size(); ++i) passed[i] += last.passed[i];
    least = last.total() < least ? last.total() : least;
    most = last.total() > most ? last.total() : most;
    hash(sum);
    for (const std::uint32_t each : last.passed) hash(each);
  }

 private:
  void hash(std::uint32_t value) { fnv = (fnv ^ value) * 1099511628211u; }
};

}  // namespace terrane::programs

template <>
inline constexpr bool terrane::position_independent<terrane::programs::adder_outcome> = true;

namespace terrane::programs {

/// What surrounds the elements: it injects operands bit by bit, and takes the bits of the sum.
class adder_environment {
 public:
  int a_end, b_end;
  channel_out<adder_outcome> outcome{};
  std::array<record_out, 5> out{};
  std::array<record_in, 4> in{};

  void operator()() const {
    charge(adder_firing, 0);
    adder_outcome all;
    add_all(all);
    close();
    waited(outcome.send(all));
  }

 private:
  void add_all(adder_outcome& all) const {
    alt sum{in[sum_is_0], in[sum_is_1]};
    for (int a = 0; a < a_end; ++a)
      for (int b = 0; b < b_end; ++b) {
        delay_record last;
        std::uint32_t result = 0;
        for (int bit = 0; bit < 9; ++bit)
          result |= add_bit(a >> bit & 1, b >> bit & 1, sum, last) << bit;
        all.right = all.right && result == static_cast<std::uint32_t>(a + b);
        all.count(result, last);
      }
  }
  void close() const {
    for (const record_out& each : out) each.close();
    for (const record_in& each : in) each.close();
  }
  std::uint32_t add_bit(int a, int b, alt& sum, delay_record& way) const {
    waited(out[a ? a_is_1 : a_is_0].send(way));
    way = waited(in[a_taken].receive()).value();
    waited(out[b ? b_is_1 : b_is_0].send(way));
    const auto bit = static_cast<std::uint32_t>(waited(sum.wait()));
    way = waited(in[bit ? sum_is_1 : sum_is_0].receive()).value();
    waited(out[has_sum].send(way));
    way = waited(in[all_done].receive()).value();
    return bit;
  }
};

/// Adds all pairs below a_end and b_end. The environment begins where one more element would.
inline adder_outcome run_adder(int a_end, int b_end,
                               const placement& start = placement(placement::in_turn)) {
  std::array<gate, elements> gates;
  adder_environment around{a_end, b_end};
  for (std::uint8_t i = 0; i < elements; ++i) gates[i].which = static_cast<element>(i);
  for (const wire& each : netlist) {
    if (each.from == each.to) {
      gates[each.from].back_to[each.out] = each.in;
      gates[each.to].inputs = 3;
      continue;
    }
    const auto made = channel_ends<delay_record>::make();
    if (each.from == environment) {
      around.out[each.out] = made.out;
    } else {
      gate& its = gates[each.from];
      its.out[each.out][its.outs[each.out]++] = made.out;
    }
    if (each.to == environment) {
      around.in[each.in] = made.in;
    } else {
      gate& its = gates[each.to];
      its.in[each.in] = made.in;
      if (its.inputs <= each.in) its.inputs = static_cast<std::uint8_t>(each.in + 1);
    }
  }
  const auto answer = channel_ends<adder_outcome>::make();
  around.outcome = answer.out;
  adder_outcome outcome;
  par_branches all(elements + 2u);
  const auto collect = [&] {
    charge(adder_firing, 0);
    outcome = waited(answer.in.receive()).value();
  };
  all.add(collect);
  all.add(on(start.node_of(environment), around));
  for (const gate& each : gates)
    all.add(on(start.node_of(each.which), [each] {
      charge(adder_firing, 0);
      const int firings = working_gate(each).run();
      charge(adder_firing, 0);
      this_thread::exit(firings);
    }));
  for (const int firings : all.join()) outcome.firings += static_cast<std::uint64_t>(firings);
  return outcome;
}

inline void print(int a_end, int b_end, const adder_outcome& all) {
  std::printf("adder(%d, %d) = %016" PRIx64 ", counts %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
              ", least %u, most %u, firings %" PRIu64 "%s\n",
              a_end, b_end, all.fnv, all.passed[0], all.passed[1], all.passed[2], all.passed[3],
              all.least, all.most, all.firings, all.right ? "" : ", WRONG");
}

inline int adder_main(int argc, char** argv) {
  program_arguments given(argc, argv);
  const int a_end = given.number("A", {.otherwise = 8, .least = 1, .most = 256});
  const int b_end = given.number("B", {.otherwise = 8, .least = 1, .most = 256});
  const placement start = placement::read(given);
  if (!given.complete()) return 2;
  take_slices();
  const adder_outcome all = run_adder(a_end, b_end, start);
  print(a_end, b_end, all);
  return all.right ? 0 : 1;
}

}  // namespace terrane::programs
