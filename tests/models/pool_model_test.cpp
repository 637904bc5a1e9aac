// SPDX-License-Identifier: Apache-2.0
// pool_model_test.cpp: a node's pool and its lock: an idle processor is woken for a token, or finds
// it.
#include <gtest/gtest.h>

#include "terrane/base/parker.hpp"
#include "terrane/base/spin_lock.hpp"
#include "terrane/core/token_pool.hpp"

namespace terrane::model {
namespace {

void expect_sound(const verdict& found) {
  EXPECT_EQ(found.fault, "") << "in execution " << found.executions;
  EXPECT_TRUE(found.complete) << found.executions;
}

TEST(spin_lock_model, one_holds_it_at_a_time_and_sees_what_the_last_one_wrote) {
  const auto found = explore({}, [](execution& run) {
    auto& lock = run.make<spin_lock>();
    auto& data = run.make<plain<int>>();
    for (int i = 0; i < 2; ++i)
      run.thread([&] {
        lock.lock();
        data.write(data.read() + 1);
        lock.unlock();
      });
    run.finally([&] { run.require(data.read() == 2, "none is lost"); });
  });
  expect_sound(found);
}

TEST(token_window_model, who_idles_is_woken_for_a_token_or_finds_it) {
  const auto found = explore({}, [](execution& run) {
    auto& pool = run.make<token_pool>(8u);
    auto& sleep = run.make<parker>();
    run.thread([&] {
      sleep.listen();
      for (terrane_token token; !pool.take_oldest(token);) {
        sleep.prepare();
        if (pool.size() != 0)
          sleep.listen();
        else
          sleep.sleep(-1);
      }
    });
    run.thread([&] {
      pool.put_newest(terrane_token{});
      sleep.wake();
    });
  });
  expect_sound(found);
}

}  // namespace
}  // namespace terrane::model
