// SPDX-License-Identifier: Apache-2.0
// activation_graph.hpp: random graphs of activations that keep and pass on the names of slots.
//
// Purpose     Frames of many sizes are full of names of slots of all processors: kept in arrays,
//             carried by tokens, handed to children. Each name that is handed out is an errand: the
//             activation that holds it in the end owes one signal, or one value and a signal. So a
//             test sees a signal that is taken for another processor's, lost or doubled, and a word
//             of a frame that another activation overwrites.
// Invariants  What a graph does depends on its seed alone. Every slot is one-shot: a signal too
//             many is R-203, one too few a deadlock. A frame's names are compared with what was
//             written whenever one of its fibers runs.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "terrane/base/random.hpp"
#include "terrane/terrane.hpp"

namespace terrane::graphs {

/// What the holder owes: a signal to the slot; if there is an address, a value before the signal.
using errand = reply<std::uint64_t>;

/// The value that an errand brings: its owner can compute it without knowing who brings it.
inline std::uint64_t brought_by(const errand& it) {
  return random_stream(it.raw.slot, reinterpret_cast<std::uintptr_t>(it.raw.to)).next();
}
inline void run_errand(const errand& it) {
  if (it.raw.to)
    it.send(brought_by(it));
  else
    slot_ref{it.raw.slot}.signal();
}

/// Errands on their way to a child.
struct bag {
  static constexpr unsigned room = 6;
  std::uint32_t count = 0;
  std::array<errand, room> of{};
  bool add(const errand& one) {
    if (count == room) return false;
    of[count++] = one;
    return true;
  }
};

}  // namespace terrane::graphs

template <>
inline constexpr bool terrane::position_independent<terrane::graphs::bag> = true;

namespace terrane::graphs {

/// What the seed alone decides about an activation, independent of what it is handed.
struct plan {
  static constexpr unsigned children_max = 3, signals_max = 3;
  unsigned children = 0, plain, filled, echoes;
  struct child {
    std::uint64_t seed;
    unsigned size;
    bool invoked;
  };
  std::array<child, children_max> of{};

  plan(std::uint64_t seed, int depth) {
    random_stream dice(seed, 1);
    plain = 1 + dice.below(signals_max);
    filled = 1 + dice.below(signals_max);
    echoes = 1 + dice.below(2);
    if (depth > 0) children = 1 + dice.below(children_max);
    for (unsigned i = 0; i < children; ++i)
      of[i] = {dice.next(), dice.below(8), dice.below(2) == 0};
  }
};

/// Activations and signals below and with that one: what the graph answers.
inline std::uint64_t work_of(std::uint64_t seed, int depth) {
  const plan mine(seed, depth);
  std::uint64_t all = 1 + mine.plain + mine.filled + mine.echoes;
  for (unsigned i = 0; i < mine.children; ++i) all += work_of(mine.of[i].seed, depth - 1);
  return all;
}

/// Names that fill a frame, `Lines` cache lines of them.
template <unsigned Lines>
struct kept_names {
  static constexpr unsigned count = Lines * 4;
  std::array<errand, count> of;
  std::uint64_t sum;

  /// Those of `all`, again and again.
  template <class Errands>
  void fill(const Errands& all, unsigned how_many) {
    for (unsigned i = 0; i < count; ++i) of[i] = all[i % how_many];
    sum = added_up();
  }
  void expect_untouched() const {
    EXPECT_EQ(added_up(), sum) << "names that a frame keeps were overwritten";
  }

 private:
  std::uint64_t added_up() const {
    std::uint64_t all = count;
    for (const errand& each : of)
      all = (all ^ each.raw.slot) * 0x9e3779b97f4a7c15u +
            reinterpret_cast<std::uintptr_t>(each.raw.to);
    return all;
  }
};

/// Signals once, from a frame that is full of two names: that one and another.
template <unsigned Lines>
struct echo : threaded<echo<Lines>> {
  kept_names<Lines> kept;
  step start(slot_ref to, slot_ref other) {
    const std::array<errand, 2> known{errand{{to.raw, nullptr}}, errand{{other.raw, nullptr}}};
    kept.fill(known, 2);
    to.signal();
    kept.expect_untouched();
    return echo::done;
  }
};

template <unsigned Lines>
struct vertex;

/// Calls `use` with the number of lines that a size means.
template <class Use>
void with_lines(unsigned size, Use&& use) {
  switch (size) {
    case 0: return use(std::integral_constant<unsigned, 0>{});
    case 1: return use(std::integral_constant<unsigned, 1>{});
    case 2: return use(std::integral_constant<unsigned, 2>{});
    case 3: return use(std::integral_constant<unsigned, 3>{});
    case 4: return use(std::integral_constant<unsigned, 5>{});
    case 5: return use(std::integral_constant<unsigned, 9>{});
    case 6: return use(std::integral_constant<unsigned, 14>{});
    default: return use(std::integral_constant<unsigned, 40>{});
  }
}

/// One activation of the graph: it hands out the names of its slots, distributes what it was
/// handed, and answers when all its signals have come and its children have answered.
template <unsigned Lines>
struct vertex : threaded<vertex<Lines>> {
  using base = threaded<vertex<Lines>>;

  reply<std::uint64_t> out;
  std::uint64_t work = 1;
  unsigned children = 0, filled = 0, echoes = 0, later = 0, parts = 3;
  std::array<std::uint64_t, plan::children_max> answers;
  std::array<std::uint64_t, plan::signals_max> values;
  std::array<unsigned, 8> later_at;
  slot plain_slot = base::template unarmed<&vertex::signals_came>();
  slot filled_slot = base::template unarmed<&vertex::values_came>();
  slot echo_slot = base::template unarmed<&vertex::echoes_came, 2>();
  join answered = base::template on<&vertex::children_answered>();
  kept_names<Lines> kept;

  step start(std::uint64_t seed, int depth, bag given, reply<std::uint64_t> to) {
    out = to;
    const plan mine(seed, depth);
    children = mine.children;
    filled = mine.filled;
    work += mine.plain + mine.filled + mine.echoes;
    plain_slot.arm(static_cast<std::int32_t>(mine.plain), 0);
    filled_slot.arm(static_cast<std::int32_t>(mine.filled), 0);
    echo_slot.arm(static_cast<std::int32_t>(mine.echoes), 0);

    std::array<errand, bag::room + 2 * plan::signals_max> owed;
    unsigned count = 0;
    for (; count < given.count; ++count) owed[count] = given.of[count];
    for (unsigned i = 0; i < mine.plain; ++i)
      owed[count++] = {{this->ref(plain_slot).raw, nullptr}};
    for (unsigned i = 0; i < filled; ++i) owed[count++] = to_be_filled(i);
    kept.fill(owed, count);

    random_stream dice(seed, 2);
    std::array<bag, plan::children_max> bags{};
    for (unsigned i = 0; i < count; ++i) distribute(owed[i], i, bags, dice);
    for (unsigned i = 0; i < mine.echoes; ++i) start_echo(slot_ref{owed[0].raw.slot}, dice);
    for (unsigned i = 0; i < children; ++i)
      start_child(mine.of[i], depth - 1, bags[i], answers[i], dice);
    if (children == 0) return base::wait;
    ++parts;
    return base::await(answered);
  }

  step signals_came() { return part_is_done(); }
  step values_came() {
    for (unsigned i = 0; i < filled; ++i) EXPECT_EQ(values[i], brought_by(to_be_filled(i)));
    return part_is_done();
  }
  step echoes_came() {
    for (unsigned i = 0; i < later; ++i) run_errand(kept.of[later_at[i]]);
    return part_is_done();
  }
  step children_answered() {
    for (unsigned i = 0; i < children; ++i) work += answers[i];
    return part_is_done();
  }

 private:
  errand to_be_filled(unsigned i) { return {{this->ref(filled_slot).raw, &values[i]}}; }

  /// At once, once the echoes have come, or by a child.
  void distribute(const errand& one, unsigned number, std::array<bag, plan::children_max>& bags,
                  random_stream& dice) {
    const unsigned way = dice.below(4);
    if (way == 1 && number < kept.count && later < later_at.size())
      later_at[later++] = number;
    else if (way < 2 || children == 0 || !bags[dice.below(children)].add(one))
      run_errand(one);
  }
  void start_echo(slot_ref other, random_stream& dice) {
    const slot_ref to = this->ref(echo_slot);
    const std::uint32_t where = dice.below(terrane_processors());
    with_lines(dice.below(8), [&](auto lines) {
      base::template invoke<echo<decltype(lines)::value>>(where, to, other);
    });
  }
  void start_child(const plan::child& child, int depth, const bag& given, std::uint64_t& answer,
                   random_stream& dice) {
    const std::uint32_t where = dice.below(terrane_processors());
    with_lines(child.size, [&](auto lines) {
      using next = vertex<decltype(lines)::value>;
      if (child.invoked)
        base::template invoke<next>(where, child.seed, depth, given, answered.into(answer));
      else
        base::template spawn<next>(child.seed, depth, given, answered.into(answer));
    });
  }
  step part_is_done() {
    kept.expect_untouched();
    if (--parts != 0) return base::wait;
    out.send(work);
    return base::done;
  }
};

/// The whole graph of a seed; it writes the work that it did to `answer`.
struct graph : threaded<graph> {
  std::uint64_t work = 0, *said;
  join came = on<&graph::end>();
  step start(std::uint64_t seed, int depth, std::uint64_t* answer) {
    said = answer;
    spawn<vertex<2>>(seed, depth, bag{}, came.into(work));
    return await(came);
  }
  step end() {
    *said = work;
    return done;
  }
};

}  // namespace terrane::graphs
