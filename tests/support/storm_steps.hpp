// SPDX-License-Identifier: Apache-2.0
// storm_steps.hpp: what the threads of a storm do (storm_of_ends.hpp): they wander, exchange items
// with numbers, and read what is lent.
#pragma once

#include <array>
#include <cstdint>

#include "terrane/base/random.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/alt.hpp"
#include "terrane/thread/lent.hpp"
#include "terrane/thread/migration.hpp"

namespace terrane::storms {

using out_end = channel_out<std::uint64_t>;
using in_end = channel_in<std::uint64_t>;
constexpr std::size_t item_words_max = 40, ends_max = 6;
constexpr int fault = 1'000'000;

/// Where a network is: on some nodes, or on all if none is named.
struct region {
  std::array<node_id, 4> nodes{};
  std::uint32_t count = 0;

  node_id any(random_stream& dice) const {
    return count == 0 ? dice.below(terrane_nodes()) : nodes[dice.below(count)];
  }
};

/// One thread's share of the network.
struct share {
  std::uint64_t seed = 0;
  region where;
  std::uint32_t number = 0, outs = 0, ins = 0;
  std::array<out_end, ends_max> out{};
  std::array<in_end, ends_max> in{};
  std::array<std::uint32_t, ends_max> items{}, accepts{};  // sent over an out; received from an in
};

inline constexpr operation step_work{"storm_step", 1000};
/// Some work, declared so that a run under `sim` is repeatable.
inline void works(random_stream& dice) { charge(step_work, dice.below(2u << dice.below(16))); }

/// Now and then the thread moves or yields; the node that it goes to may refuse it.
inline void wander(random_stream& dice, const region& where) {
  works(dice);
  switch (dice.below(6)) {
    case 0:
    case 1: {
      constexpr stack_form forms[] = {stack_form::best, stack_form::packed, stack_form::wiped};
      const stack_form form = forms[dice.below(3)];
      this_thread::push_self(where.any(dice), form);
      break;
    }
    case 2: this_thread::yield(); break;
    default: break;
  }
  works(dice);
}

/// The words of an item: its number, then some that follow from it.
struct item {
  std::array<std::uint64_t, item_words_max> words;
  static std::size_t size_of(std::uint64_t number) { return 1 + number * 7 % item_words_max; }
  static std::uint64_t word(std::uint64_t number, std::size_t at) { return number + (at << 32); }
};

inline bool send_numbered(const out_end& out, std::uint64_t number) {
  item next;
  const std::size_t size = item::size_of(number);
  for (std::size_t i = 0; i < size; ++i) next.words[i] = item::word(number, i);
  return out.send_all({next.words.data(), size});
}

enum class got { item, end, wrong };
inline got receive_numbered(const in_end& in, std::uint64_t number) {
  item next{};
  const auto size = in.receive_all(next.words);
  if (!size) return got::end;
  bool right = *size == item::size_of(number);
  for (std::size_t i = 0; i < *size; ++i) right = right && next.words[i] == item::word(number, i);
  return right ? got::item : got::wrong;
}

/// Reads what is lent, and is told what the least is that it may find.
struct lent_reader {
  std::uint64_t seed;
  region where;
  std::uint32_t number;
  lent<std::uint64_t> from;
  in_end told;

  int run() const {
    random_stream dice(seed, number);
    std::uint64_t least = 0;
    alt any{alt::by_priority, told, skip()};
    for (unsigned polls = 0;; ++polls) {
      wander(dice, where);
      if (any.wait() == 0 || polls > 12) {  // it does not poll for ever
        const auto next = told.receive();
        if (!next) return 0;
        least = *next;
        polls = 0;
      }
      for (unsigned reads = dice.below(6); reads != 0; --reads) {
        const std::uint64_t found = from[dice.below(static_cast<std::uint32_t>(from.size()))];
        works(dice);
        if (found >= least) continue;
        told.close();
        return fault;
      }
    }
  }
};

}  // namespace terrane::storms
