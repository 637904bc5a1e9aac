// SPDX-License-Identifier: Apache-2.0
// with_ropes_test.cpp: ropes: ranks, collectives, splits, members that move between rounds.
#include <cstring>
#include <numeric>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "terrane/core/node.hpp"
#include "terrane/talk/rope.hpp"
#include "tests/support/moving_threads.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class ropes : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, ropes, small_machines(), machine_name);

constexpr terrane_operation rope_work{"rope_test", 1000};
void works() { terrane_charge(&rope_work, 1); }

/// Runs code() in n members; each says how many faults it saw.
template <class F>
void in_members(faults& wrong, std::uint32_t n, const rope_mapping& mapping, const F& code) {
  const thread_id me = this_thread::id();
  started_rope all = rope::create(n, mapping, [me, code] {
    const int faults = code(this_rope());
    works();
    send(me, 1, faults);
  });
  works();
  for (std::uint32_t i = 0; i < n; ++i) {
    const int faults = recv<int>(any_source, 1);
    works();
    wrong.unless(faults == 0);
  }
  all.join();
  works();
}

TEST_P(ropes, have_ranks_and_talk_by_them) {
  expect([](faults& wrong) {
    for (const auto& mapping : {rope_mapping::block(), rope_mapping::cyclic()})
      in_members(wrong, 5, mapping, [](rope us) {
        const int me = us.rank(), n = us.size();
        int bad = n != 5;
        for (int round = 0; round < 10; ++round) {
          us.send((me + 1) % n, 3, 100 * me + round);
          works();
          int got = 0;
          const rank_status how = us.recv((me + n - 1) % n, 3, got);
          works();
          bad += got != 100 * ((me + n - 1) % n) + round || how.source != (me + n - 1) % n;
        }
        us.send(no_rank, 1, 1);
        return bad;
      });
  });
}

TEST_P(ropes, do_things_together) {
  expect([](faults& wrong) {
    for (const std::uint32_t members : {1u, 3u, 8u, 13u})
      in_members(wrong, members, members == 3 ? rope_mapping::cyclic() : rope_mapping::block(),
                 [](rope us) {
                   const long me = us.rank(), n = us.size();
                   const auto places = static_cast<std::size_t>(n);
                   int bad = 0;
                   us.barrier();
                   works();
                   long value = me == n - 1 ? 77 : 0;
                   us.bcast(value, static_cast<int>(n - 1));
                   works();
                   bad += value != 77;
                   bad += us.allreduce(me) != n * (n - 1) / 2;
                   works();
                   const long most = us.reduce(me, 0, std::multiplies<>());
                   works();
                   bad += most != 0;
                   bad += us.scan(me + 1) != (me + 1) * (me + 2) / 2;
                   works();
                   bad += us.exscan(me + 1) != me * (me + 1) / 2;
                   works();
                   const std::vector<long> all = us.allgather(3 * me);
                   works();
                   for (long i = 0; i < n; ++i) bad += all[static_cast<std::size_t>(i)] != 3 * i;
                   const std::vector<long> gathered = us.gather(me * me, 0);
                   works();
                   bad += gathered.size() != (me == 0 ? places : 0u);
                   std::vector<long> shares(2 * places);
                   std::iota(shares.begin(), shares.end(), 0);
                   const std::vector<long> mine = us.scatter(shares, 0);
                   works();
                   bad += mine != std::vector<long>{2 * me, 2 * me + 1};
                   std::vector<long> outgoing(places);
                   for (long i = 0; i < n; ++i) outgoing[static_cast<std::size_t>(i)] = 10 * me + i;
                   const std::vector<long> coming = us.alltoall(outgoing);
                   works();
                   for (long i = 0; i < n; ++i)
                     bad += coming[static_cast<std::size_t>(i)] != 10 * i + me;
                   const std::vector<long> chain =
                       us.allgatherv(std::vector<long>(static_cast<std::size_t>(me), me));
                   works();
                   bad += chain.size() != static_cast<std::size_t>(n * (n - 1) / 2);
                   request left = us.ibarrier();
                   long sum = 0;
                   request other = us.iallreduce(me, sum);
                   other.wait();
                   left.wait();
                   works();
                   bad += sum != n * (n - 1) / 2;
                   long mine_of_all = 0;
                   us.forall(0, 100, [&](long i) { mine_of_all += i; });
                   us.forall_cyclic(0, 100, [&](long i) { mine_of_all += i; });
                   us.forall_weighted(
                       0, 100, [](long i) { return 1.0 + static_cast<double>(i); },
                       [&](long i) { mine_of_all += i; });
                   works();
                   bad += us.allreduce(mine_of_all) != 3 * 4950;
                   works();
                   return bad;
                 });
  });
}

/// The bits of a sum of awkward numbers.
std::uint64_t bits_of_sum(std::uint32_t members, const rope_mapping& mapping) {
  const thread_id me = this_thread::id();
  started_rope all = rope::create(members, mapping, [me] {
    const rope us = this_rope();
    double sum = 0;
    for (int round = 0; round < 3; ++round) {
      this_thread::push_self(static_cast<node_id>(us.rank() + round) % terrane_nodes());
      works();
      sum = us.allreduce(1.0 / (3.0 + us.rank()) + 1e10 * (us.rank() % 3) + sum / 7);
      works();
    }
    if (us.rank() == 0) send(me, 1, sum);
  });
  works();
  const double sum = recv<double>(any_source, 1);
  works();
  all.join();
  works();
  std::uint64_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  return bits;
}

TEST_P(ropes, add_in_an_order_that_depends_on_the_number_of_members_alone) {
  expect([](faults& wrong) {
    // In the order of the tree, as one member after another would compute it.
    std::vector<double> values(11);
    double last = 0;
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 11; ++i)
        values[static_cast<std::size_t>(i)] = 1.0 / (3.0 + i) + 1e10 * (i % 3) + last / 7;
      std::vector<double> level = values;
      while (level.size() > 1) {
        std::vector<double> above;
        for (std::size_t i = 0; i < level.size(); i += 2)
          above.push_back(i + 1 < level.size() ? level[i] + level[i + 1] : level[i]);
        level = above;
      }
      last = level[0];
    }
    std::uint64_t expected;
    std::memcpy(&expected, &last, sizeof expected);
    wrong.unless(bits_of_sum(11, rope_mapping::block()) == expected);
    wrong.unless(bits_of_sum(11, rope_mapping::cyclic()) == expected);
    wrong.unless(bits_of_sum(11, rope_mapping::by([](std::uint32_t) {
                               return terrane_nodes() - 1;
                             })) == expected);
  });
}

TEST_P(ropes, split_into_ropes_that_do_not_hear_one_another) {
  expect([](faults& wrong) {
    in_members(wrong, 7, rope_mapping::block(), [](rope us) {
      const int me = us.rank();
      const rope half = us.split(me % 2, -me);
      works();
      int bad = half.size() != (me % 2 == 0 ? 4 : 3);
      bad += half.allreduce(me) != (me % 2 == 0 ? 12 : 9);
      works();
      if (half.rank() == 0) bad += me != (me % 2 == 0 ? 6 : 5);
      const rope same = us.dup();
      works();
      bad += same == us || same.rank() != me;
      same.send(me, 5, 1);
      us.send(me, 5, 2);
      bad += us.recv<int>(me, 5) != 2 || same.recv<int>(me, 5) != 1;
      works();
      return bad;
    });
  });
}

TEST_P(ropes, keep_their_members_variables_where_they_go) {
  expect([](faults& wrong) {
    in_members(wrong, 4, rope_mapping::cyclic(), [](rope us) {
      static const rope_local<long> own;
      *own = us.rank();
      for (int round = 0; round < 4; ++round) {
        this_thread::push_self(static_cast<node_id>(round) % terrane_nodes());
        works();
        *own += us.allreduce(1L);
        works();
      }
      return *own == us.rank() + 16 ? 0 : 1;
    });
  });
}

TEST_P(ropes, are_known_where_none_of_their_members_began) {
  expect([](faults& wrong) {
    const auto on_the_first = rope_mapping::by([](std::uint32_t) { return node_id{0}; });
    in_members(wrong, 4, on_the_first, [](rope us) {
      const int me = us.rank();
      this_thread::push_self(terrane_nodes() - 1);
      works();
      int bad = us.size() != 4 || us.rank_of(this_thread::id()) != me;
      works();
      us.send((me + 1) % 4, 3, me);
      works();
      bad += us.recv<int>((me + 3) % 4, 3) != (me + 3) % 4;
      works();
      bad += us.allgather(me) != std::vector<int>{0, 1, 2, 3};
      works();
      return bad;
    });
  });
}

TEST_P(ropes, pass_on_what_left_the_member_of_lowest_rank) {
  expect([](faults& wrong) {
    started_rope all = rope::create(6, rope_mapping::cyclic(), [] {
      const int me = this_rope().rank();
      works();
      if (me >= 2) throw std::runtime_error("member " + std::to_string(me));
    });
    try {
      all.join();
      wrong.unless(false);
    } catch (const std::exception& thrown) {
      wrong.unless(std::string(thrown.what()).find("member 2") != std::string::npos);
    }
    works();
  });
}

TEST_P(ropes, wait_at_a_barrier_of_a_thousand) {
  expect([](faults& wrong) {
    in_members(wrong, 1000, rope_mapping::block(), [](rope us) {
      int bad = 0;
      for (int round = 0; round < 3; ++round) {
        us.barrier();
        works();
      }
      bad += us.allreduce(1) != 1000;
      works();
      return bad;
    });
  });
}

/// Members that work unevenly, talk to their neighbours, and are placed anew now and then.
void balance_uneven(faults& wrong, std::uint32_t members) {
  in_members(wrong, members, rope_mapping::block(), [](rope us) {
    const int me = us.rank(), n = us.size();
    static const rope_local<long> own;
    *own = me;
    long sum = 0, expected = 0;
    for (int round = 0; round < 12; ++round) {
      terrane_charge(&rope_work, me < 3 ? 900'000 : 100'000);
      us.send((me + 1) % n, 3, me + round);
      sum += us.recv<int>((me + n - 1) % n, 3);
      expected += (me + n - 1) % n + round;
      works();
      if (round % 3 == 2) us.balance();
      works();
    }
    return sum == expected && *own == me && us.allreduce(1) == n ? 0 : 1;
  });
}

TEST_P(ropes, go_on_wherever_balance_puts_their_members) {
  expect([](faults& wrong) { balance_uneven(wrong, 8); });
}

class balanced_ropes : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(by, balanced_ropes, testing::Values("greedy", "refine", "neighbours"),
                         [](const auto& one) { return std::string(one.param); });

TEST_P(balanced_ropes, move_members_from_busy_processors_on_any_schedule) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    run_options options = machine_of(4, seed % 2 == 0 ? 1 : 2);
    options.world = "sim";
    options.seed = seed;
    options.rope_balancer = GetParam();
    options.faults = read_faults("delay=0.1,heavy=0.1,reorder=0.1").value();
    int count = 0;
    const auto outcome = run_machine<in_a_thread>(
        options, &count, +[](faults& wrong) { balance_uneven(wrong, 16); });
    EXPECT_EQ(count, 0) << seed;
    EXPECT_FALSE(outcome.deadlock) << seed;
    EXPECT_GT(outcome.statistics.members_moved, 0u) << seed;
  }
}

TEST(ropes_that_nobody_balances, stay_and_say_nothing) {
  run_options options = machine_of(4);
  options.world = "sim";
  options.rope_balancer = "none";
  int count = 0;
  const auto outcome =
      run_machine<in_a_thread>(options, &count, +[](faults& wrong) { balance_uneven(wrong, 8); });
  EXPECT_EQ(count, 0);
  EXPECT_EQ(outcome.statistics.members_moved, 0u);
}

/// Messages between nodes in so many barriers of 1,000 members, on 8 nodes of 2 processors.
template <int Rounds>
std::uint64_t messages_of_barriers() {
  run_options options = machine_of(8, 2);
  options.world = "sim";
  options.balancer = "nop";
  int count = 0;
  const auto outcome = run_machine<in_a_thread>(
      options, &count, +[](faults& wrong) {
        in_members(wrong, 1000, rope_mapping::block(), [](rope us) {
          for (int round = 0; round < Rounds; ++round) us.barrier();
          return 0;
        });
      });
  EXPECT_EQ(count, 0);
  const std::string said = outcome.statistics.of_world.report->to_json(1);
  std::smatch found;
  EXPECT_TRUE(std::regex_search(said, found, std::regex("\"network_messages\": ?([0-9]+)")))
      << said;
  return std::stoull(found[1]);
}

TEST(barriers_of_a_thousand, send_a_message_from_each_node_and_one_back) {
  const std::uint64_t few = messages_of_barriers<10>(), many = messages_of_barriers<110>();
  EXPECT_LE(many - few, 100u * 16) << "14, and the probes of those that look for the end meanwhile";
}

}  // namespace
}  // namespace terrane
