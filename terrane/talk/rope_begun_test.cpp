// SPDX-License-Identifier: Apache-2.0
// rope_begun_test.cpp: collectives that are begun and waited for later, several at once, and beside
// blocking ones; probes by rank.
#include <array>
#include <numeric>
#include <vector>

#include "terrane/talk/rope.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class ropes_that_begin : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, ropes_that_begin, small_machines(), machine_name);

constexpr terrane_operation begun_work{"rope_begun_test", 1000};
void begun_works() { terrane_charge(&begun_work, 1); }

/// Runs code(rope) in 5 members, which counts its faults.
template <class F>
void in_five(faults& wrong, const F& code) {
  const thread_id me = this_thread::id();
  started_rope all = rope::create(5, rope_mapping::cyclic(), [me, code] {
    const int faults = code(this_rope());
    begun_works();
    send(me, 1, faults);
  });
  begun_works();
  for (int i = 0; i < 5; ++i) {
    wrong.unless(recv<int>(any_source, 1) == 0);
    begun_works();
  }
  all.join();
  begun_works();
}

TEST_P(ropes_that_begin, combine_values_later) {
  expect([](faults& wrong) {
    in_five(wrong, [](rope us) {
      const int me = us.rank();
      int bad = 0, sum = -1, at_root = -1, upto = -1, before = -1;
      std::array<int, 5> ranks{};
      request all[] = {us.iallreduce(me, sum),
                       us.ireduce(me + 1, at_root, 2),
                       us.iscan(me, upto),
                       us.iexscan(me, before),
                       us.iallgather(me * me, std::span<int>(ranks)),
                       us.ibarrier()};
      begun_works();
      wait_all(all);
      begun_works();
      bad += sum != 10 || (me == 2 && at_root != 15) || (me != 2 && at_root != -1);
      bad += upto != me * (me + 1) / 2 || before != me * (me - 1) / 2;
      for (int i = 0; i < 5; ++i) bad += ranks[static_cast<std::size_t>(i)] != i * i;
      return bad;
    });
  });
}

TEST_P(ropes_that_begin, share_out_and_gather_later) {
  expect([](faults& wrong) {
    in_five(wrong, [](rope us) {
      const int me = us.rank();
      int bad = 0;
      const std::array<std::size_t, 5> lengths{3, 0, 2, 1, 4};
      const std::array<int, 2> pair{me, -me};
      std::array<int, 10> pairs{}, others{}, own{}, uneven{}, uneven_everywhere{};
      std::iota(own.begin(), own.end(), 10 * me);
      std::vector<int> mine(lengths[static_cast<std::size_t>(me)], me + 100), back(mine.size());
      auto one = us.igather(std::span<const int>(pair), std::span<int>(pairs), 3);
      auto two = us.igather(std::span<const int>(mine), std::span<int>(uneven), 1, lengths);
      auto three =
          us.iallgather_all(std::span<const int>(mine), std::span<int>(uneven_everywhere), lengths);
      auto four = us.ialltoall(std::span<const int>(own), std::span<int>(others));
      begun_works();
      for (auto* each : {&one, &two, &three, &four}) {
        wait_all(*each);
        begun_works();
      }
      for (int i = 0; i < 10; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (me == 3) bad += pairs[at] != (i % 2 == 0 ? i / 2 : -(i / 2));
        bad += others[at] != 10 * (i / 2) + 2 * me + i % 2;
      }
      std::size_t at = 0;
      for (int from = 0; from < 5; ++from)
        for (std::size_t k = 0; k < lengths[static_cast<std::size_t>(from)]; ++k, ++at) {
          bad += uneven_everywhere[at] != from + 100;
          if (me == 1) bad += uneven[at] != from + 100;
        }
      auto five =
          us.iscatter(std::span<const int>(uneven_everywhere), std::span<int>(back), 4, lengths);
      begun_works();
      wait_all(five);
      begun_works();
      bad += back != mine;
      // A begun one of some members is a blocking one of others.
      if (me % 2 == 0) {
        auto six = us.igather(std::span<const int>(pair), std::span<int>(pairs), 1);
        begun_works();
        wait_all(six);
      } else {
        const std::vector<int> got = us.gatherv(std::vector<int>{me, -me}, 1, nullptr);
        if (me == 1) bad += got != std::vector<int>{0, 0, 1, -1, 2, -2, 3, -3, 4, -4};
      }
      begun_works();
      return bad;
    });
  });
}

TEST_P(ropes_that_begin, find_messages_by_rank) {
  expect([](faults& wrong) {
    in_five(wrong, [](rope us) {
      const int me = us.rank(), right = (me + 1) % 5, left = (me + 4) % 5;
      int bad = us.iprobe(any_rank, 8).has_value();
      request going = us.isend(right, 7, me);
      us.barrier();
      begun_works();
      bad += us.probe(left, any_tag).tag != 7;
      begun_works();
      const auto seen = us.iprobe(any_rank, 7);
      bad += !seen || seen->source != left || seen->tag != 7 || seen->count<int>() != 1;
      found_message found = us.mprobe(any_rank, 7);
      begun_works();
      bad += us.ranked(found.what()).source != left || us.iprobe(left, 7).has_value();
      int got = -1;
      found.recv(got);
      begun_works();
      bad += got != left;
      going.wait();
      begun_works();
      return bad;
    });
  });
}

}  // namespace
}  // namespace terrane
