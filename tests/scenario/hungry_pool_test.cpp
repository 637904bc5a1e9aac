// SPDX-License-Identifier: Apache-2.0
// hungry_pool_test.cpp: a working processor gives a future's token to one that has nothing to do,
// although the processor that emptied the pool only took back its own token.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "terrane/thread/future.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

// What the two processors have come to: one process, real threads.
std::atomic<bool> worker_began, pool_is_full, worker_knows_it, pool_is_empty, helped;

/// Waits, and the thread keeps its processor meanwhile. False: `what` did not come true in time.
bool wait_for(const std::atomic<bool>& what, void (*meanwhile)() = std::this_thread::yield) {
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!what) {
    if (std::chrono::steady_clock::now() > late) return false;
    meanwhile();
  }
  return true;
}

void nothing() {}
void help() { helped = true; }
void look_up() { spawn<nothing>().join(); }

/// Touches the pool only when it spawns.
bool work(slot_ref began) {
  worker_began = true;
  // The probe for the program's end comes from the other one, which sleeps, and stays here: later
  // it would make this processor look.
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  began.signal();
  if (!wait_for(pool_is_full)) return false;
  look_up();
  worker_knows_it = true;
  if (!wait_for(pool_is_empty)) return false;
  auto part = spawn<help>();
  auto more = spawn<nothing>();
  const bool was_helped = wait_for(helped, look_up);
  more.join();
  part.join();
  return was_helped;
}

TEST(hungry_pool, is_told_to_the_others_by_whoever_finds_nothing_to_do) {
  for (int round = 0; round < 3; ++round) {
    for (auto* each : {&worker_began, &pool_is_full, &worker_knows_it, &pool_is_empty, &helped})
      *each = false;
    run_options two;
    two.processors = 2;
    int count = -1;
    run_machine<in_a_thread>(two, &count, thread_code{[](faults& wrong) {
                               future<bool> working;
                               this_thread::await([&](slot_ref began) {
                                 working = spawn<work>(began);
                                 wrong.unless(wait_for(worker_began));
                               });
                               std::vector<decltype(spawn<nothing>())> mine;
                               for (int i = 0; i < 16; ++i) mine.push_back(spawn<nothing>());
                               pool_is_full = true;
                               wrong.unless(wait_for(worker_knows_it));
                               while (!mine.empty()) {
                                 mine.back().join();
                                 mine.pop_back();
                               }
                               pool_is_empty = true;
                               wrong.unless(working.join());
                             }});
    EXPECT_EQ(count, 0);
  }
}

}  // namespace
}  // namespace terrane
