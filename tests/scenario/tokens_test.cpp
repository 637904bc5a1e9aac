// SPDX-License-Identifier: Apache-2.0
// tokens_test.cpp: what a token and an invocation carry arrives whole, wherever and however the
// activation is started.
#include <array>
#include <cstring>
#include <vector>

#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

template <std::size_t Bytes>
struct cargo {
  unsigned char byte[Bytes];

  static cargo of(int seed) {
    cargo made;
    for (std::size_t i = 0; i < Bytes; ++i)
      made.byte[i] = static_cast<unsigned char>(static_cast<std::size_t>(seed) * 3 + i);
    return made;
  }
  bool operator==(const cargo& other) const { return !std::memcmp(byte, other.byte, Bytes); }
};

}  // namespace

template <std::size_t Bytes>
inline constexpr bool position_independent<cargo<Bytes>> = true;

namespace {

class tokens : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, tokens, small_machines(), machine_name);

template <std::size_t Bytes>
struct carrier : threaded<carrier<Bytes>> {
  step start(int seed, cargo<Bytes> load, reply<int> to) {
    to.send(load == cargo<Bytes>::of(seed) ? seed : -1);
    return threaded<carrier>::done;
  }
};

/// A hundred tokens, some run at once, some queued, some moved; and an invocation everywhere.
template <std::size_t Bytes>
struct shipper : threaded<shipper<Bytes>> {
  using self = shipper;
  int* faults;
  std::array<int, 100> arrived;
  std::array<int, small_machine_processors_max> invoked;
  join all = self::template on<&self::finish>();

  step start(int* count) {
    faults = count;
    *faults = 0;
    for (std::uint32_t i = 0; i < processors(); ++i) {
      const int seed = 1000 + static_cast<int>(i);
      self::template invoke<carrier<Bytes>>(i, seed, cargo<Bytes>::of(seed), all.into(invoked[i]));
    }
    for (int i = 0; i < 100; ++i)
      self::template spawn<carrier<Bytes>>(i, cargo<Bytes>::of(i),
                                           all.into(arrived[static_cast<std::size_t>(i)]));
    return self::await(all);
  }
  step finish() {
    for (int i = 0; i < 100; ++i) *faults += arrived[static_cast<std::size_t>(i)] != i;
    for (std::uint32_t i = 0; i < processors(); ++i)
      *faults += invoked[i] != 1000 + static_cast<int>(i);
    return self::done;
  }
};

TEST_P(tokens, arguments_of_any_size_arrive_whole_in_the_token_or_spilled) {
  expect_no_faults<shipper<1>>();
  expect_no_faults<shipper<35>>();
  expect_no_faults<shipper<36>>();  // with the number and the reply just what a token holds
  expect_no_faults<shipper<37>>();
  expect_no_faults<shipper<300>>();
  expect_no_faults<shipper<4000>>();
}

enum class colour : std::uint8_t { red, green };
struct mixed : threaded<mixed> {
  step start(bool flag, char letter, std::int16_t small, double real, colour tint, float narrow,
             std::uint64_t large, reply<bool> to) {
    to.send(flag && letter == 'x' && small == -7 && real == 2.5 && tint == colour::green &&
            narrow == 0.25f && large == 0xfedcba9876543210u);
    return done;
  }
};
struct mixed_root : threaded<mixed_root> {
  int* faults;
  std::array<bool, small_machine_processors_max * 2> right;
  join all = on<&mixed_root::finish>();

  step start(int* count) {
    faults = count;
    *faults = 0;
    for (std::uint32_t i = 0; i < processors(); ++i) {
      invoke<mixed>(i, true, 'x', -7, 2.5, colour::green, 0.25f, 0xfedcba9876543210u,
                    all.into(right[2 * i]));
      spawn<mixed>(true, 'x', -7, 2.5, colour::green, 0.25f, 0xfedcba9876543210u,
                   all.into(right[2 * i + 1]));
    }
    return await(all);
  }
  step finish() {
    for (std::uint32_t i = 0; i < 2 * processors(); ++i) *faults += !right[i];
    return done;
  }
};

TEST_P(tokens, arguments_of_many_types_keep_their_values) { expect_no_faults<mixed_root>(); }

/// A token that carries nothing: the only sign that it ran is that the program continues.
struct plain : threaded<plain> {
  step start() { return done; }
};
struct plain_root : threaded<plain_root> {
  slot pause = on<&plain_root::finish>(1);
  step start(int* faults) {
    *faults = 0;
    for (std::uint32_t i = 0; i < processors(); ++i) invoke<plain>(i);
    for (int i = 0; i < 50; ++i) spawn<plain>();
    after(20'000'000, ref(pause));
    return wait;
  }
  step finish() { return done; }
};

TEST_P(tokens, a_threaded_function_may_take_no_arguments) { expect_no_faults<plain_root>(); }

struct census {
  std::uint32_t processor, node, processors, nodes;
};

}  // namespace

template <>
inline constexpr bool position_independent<census> = true;

namespace {

struct counter_of_heads : threaded<counter_of_heads> {
  step start(reply<census> to) {
    const std::uint32_t mine = this_processor();
    to.send({mine, node_of(mine), processors(), nodes()});
    return done;
  }
};
struct census_root : threaded<census_root> {
  int* faults;
  std::array<census, small_machine_processors_max> heads;
  join all = on<&census_root::finish>();

  step start(int* count) {
    faults = count;
    *faults = this_processor() != 0;
    for (std::uint32_t i = 0; i < processors(); ++i)
      invoke<counter_of_heads>(i, all.into(heads[i]));
    return await(all);
  }
  step finish() {
    const std::uint32_t each = processors() / nodes();
    for (std::uint32_t i = 0; i < processors(); ++i) {
      *faults += heads[i].processor != i || heads[i].node != i / each;
      *faults += heads[i].processors != processors() || heads[i].nodes != nodes();
    }
    return done;
  }
};

TEST_P(tokens, an_invocation_runs_on_the_processor_it_names) {
  expect_no_faults<census_root>();
  int faults = 0;
  const auto outcome = run_machine<census_root>(machine(1), &faults);
  EXPECT_EQ(outcome.statistics.per_processor.size(), static_cast<std::size_t>(processors()));
}

/// Frames with resources: every one is made and ended, those in the middle of waiting too.
struct owner : threaded<owner> {
  std::vector<int> memory;
  reply<int> to;
  int below;
  join child = on<&owner::finish>();

  step start(int depth, reply<int> out) {
    memory.assign(100, depth);
    to = out;
    if (depth == 0) {
      to.send(memory[99]);
      return done;
    }
    spawn<owner>(depth - 1, child.into(below));
    return await(child);
  }
  step finish() {
    to.send(below + memory[99]);
    return done;
  }
};
struct owner_root : threaded<owner_root> {
  int* faults;
  std::array<int, 20> sums;
  join all = on<&owner_root::finish>();

  step start(int* count) {
    faults = count;
    *faults = 0;
    for (int& each : sums) spawn<owner>(50, all.into(each));
    return await(all);
  }
  step finish() {
    for (const int each : sums) *faults += each != 50 * 51 / 2;
    return done;
  }
};

TEST_P(tokens, what_a_frame_owns_is_given_back_when_it_ends) { expect_no_faults<owner_root>(); }

/// A root that does not wait for what it spawned.
struct abandoned : threaded<abandoned> {
  step start(cargo<300>) { return done; }
};
struct hasty_root : threaded<hasty_root> {
  step start(int) {
    for (int i = 0; i < 200; ++i) spawn<abandoned>(cargo<300>::of(i));
    return done;
  }
};

TEST_P(tokens, what_never_ran_is_counted_and_given_back) {
  run_options options = machine(1);
  options.enough = node_view::enough_all;
  const auto outcome = run_machine<hasty_root>(options, 0);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_FALSE(outcome.deadlock);
  EXPECT_EQ(outcome.left.frames, 0u);
  // The root counts as one fiber that was run, each token that ran as another.
  const std::uint64_t seen = outcome.statistics.fibers_executed - 1 + outcome.tokens_left;
  if (GetParam().world == "local")
    EXPECT_EQ(seen, 200u);
  else
    EXPECT_LE(seen, 200u);  // others may have been on their way
}

/// A tree that is much deeper than any stack.
struct deep : threaded<deep> {
  reply<int> to;
  int below;
  join child = on<&deep::finish>();

  step start(int depth, reply<int> out) {
    to = out;
    if (depth == 0) {
      to.send(0);
      return done;
    }
    spawn<deep>(depth - 1, child.into(below));
    return await(child);
  }
  step finish() {
    to.send(below + 1);
    return done;
  }
};
struct deep_root : threaded<deep_root> {
  static constexpr int depth = 200'000;
  int* faults;
  int found;
  join all = on<&deep_root::finish>();
  step start(int* count) {
    faults = count;
    *faults = 0;
    spawn<deep>(depth, all.into(found));
    return await(all);
  }
  step finish() {
    *faults += found != depth;
    return done;
  }
};

TEST_P(tokens, a_chain_of_children_may_be_deeper_than_the_stack) { expect_no_faults<deep_root>(); }

}  // namespace
}  // namespace terrane
