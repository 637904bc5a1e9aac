// SPDX-License-Identifier: Apache-2.0
// dormant_frames_test.cpp: how much memory activations take that only wait.
#include <cstdio>
#include <vector>

#include "tests/support/resident.hpp"
#include "tests/support/run_machine.hpp"

namespace terrane {
namespace {

struct dormant_one : threaded<dormant_one> {
  reply<void> woken;
  slot alarm = on<&dormant_one::wake>(1, 0);

  step start(reply<slot_ref> alarm_at, reply<void> tell) {
    woken = tell;
    alarm_at.send(ref(alarm));
    return wait;
  }
  step wake() {
    woken.send();
    return done;
  }
};

constexpr int many = 1'000'000;

/// Makes them, and wakes them once all of them sleep.
struct bedroom : threaded<bedroom> {
  long* taken;
  long before;
  std::vector<slot_ref> alarms;
  join all_sleep = on<&bedroom::wake_all>();
  join all_woke = on<&bedroom::finish>();

  step start(long* mib) {
    taken = mib;
    alarms.resize(many);
    before = resident_mib();
    for (slot_ref& each : alarms) spawn<dormant_one>(all_sleep.into(each), all_woke.into());
    return await(all_sleep);
  }
  step wake_all() {
    *taken = resident_mib() - before;
    for (const slot_ref each : alarms) each.signal();
    return await(all_woke);
  }
  step finish() { return done; }
};

TEST(dormant_frames, a_million_take_less_than_300_mib) {
  long taken = 0;
  const auto outcome = run_machine<bedroom>(run_options{}, &taken);
  EXPECT_EQ(outcome.exit_code, 0);
  std::printf("1,000,000 dormant frames take %ld MiB\n", taken);
  EXPECT_GT(taken, 0);
  EXPECT_LT(taken, memory_is_ours_alone() ? 300 : 3000);
}

}  // namespace
}  // namespace terrane
