// SPDX-License-Identifier: Apache-2.0
// crew.hpp: three threads of a phase, which send, compute and receive at once: made once, and met
// by a mutex and conditions.
#pragma once

#include <array>
#include <functional>
#include <mutex>

#include "terrane/chant.hpp"

namespace terrane::pic {

class crew {
 public:
  crew() {
    constexpr const char* names[] = {"sends", "computes", "receives"};
    for (std::size_t i = 0; i < 3; ++i)
      threads_[i] = thread::create({.name = names[i]}, [this, i] { serve(i); });
  }
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;
  ~crew() {
    run({}, {}, {});
    for (thread& each : threads_) {
      each.join();
      charge(pic_particle, 0);
    }
  }

  /// The thread that receives.
  thread_id receiver() const { return {threads_[2].name()}; }
  /// Each in its thread; returns when all have ended. Without functions the threads end.
  void run(std::function<void()> sends, std::function<void()> computes,
           std::function<void()> receives) {
    charge(pic_particle, 0);
    const std::lock_guard hold(inside_);
    jobs_ = {std::move(sends), std::move(computes), std::move(receives)};
    left_ = 3;
    ++round_;
    changed_.notify_all();
    changed_.wait(inside_, [this] { return costs_nothing(left_ == 0); });
  }

 private:
  /// To wait is no work of the program's.
  static bool costs_nothing(bool is_over) {
    charge(pic_particle, 0);
    return is_over;
  }
  void serve(std::size_t which) {
    for (int round = 1;; ++round) {
      std::function<void()> job;
      charge(pic_particle, 0);
      {
        const std::lock_guard hold(inside_);
        changed_.wait(inside_, [&] { return costs_nothing(round_ == round); });
        job = jobs_[which];
      }
      if (job) job();
      charge(pic_particle, 0);
      const std::lock_guard hold(inside_);
      charge(pic_particle, 0);
      --left_;
      changed_.notify_all();
      if (!job) return;
    }
  }

  mutex inside_;
  condition changed_;
  std::array<std::function<void()>, 3> jobs_;
  int round_ = 0, left_ = 0;
  std::array<thread, 3> threads_;  // the last: they use what is above
};

}  // namespace terrane::pic
