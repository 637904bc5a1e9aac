// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/outside_tasks.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace terrane {

namespace {
constexpr std::chrono::seconds idle_helper_stays{5};
}

struct outside_tasks::shared {
  struct task {
    void (*run)(void*);
    void* about;
    std::uint64_t name;
    std::shared_ptr<outside_signals::listener> told;
  };
  std::mutex lock;
  std::condition_variable more;
  // under lock
  bool wanted = true;  // the owner lives
  std::deque<task> waiting;
  int helpers = 0, free = 0;
};

outside_tasks::outside_tasks() : shared_(std::make_shared<shared>()) {}

outside_tasks::~outside_tasks() {
  const std::lock_guard hold(shared_->lock);
  shared_->wanted = false;
  shared_->more.notify_all();
}

void outside_tasks::run(void (*task)(void*), void* about, std::uint64_t name,
                        std::shared_ptr<outside_signals::listener> to) {
  const std::lock_guard hold(shared_->lock);
  shared_->waiting.push_back({task, about, name, std::move(to)});
  if (static_cast<std::size_t>(shared_->free) >= shared_->waiting.size() ||
      shared_->helpers == helpers_max)
    return shared_->more.notify_one();
  try {
    std::thread(help, shared_).detach();
    ++shared_->helpers;
  } catch (const std::system_error&) {  // no more OS threads: an existing helper will take it
    if (shared_->helpers == 0) throw;
  }
}

void outside_tasks::help(const std::shared_ptr<shared>& with) {
  std::unique_lock hold(with->lock);
  while (with->wanted) {
    if (with->waiting.empty()) {
      ++with->free;
      const auto woken = with->more.wait_for(hold, idle_helper_stays);
      --with->free;
      if (woken == std::cv_status::timeout && with->waiting.empty()) break;
      continue;
    }
    const shared::task next = std::move(with->waiting.front());
    with->waiting.pop_front();
    hold.unlock();
    next.run(next.about);
    next.told->say(next.name);
    hold.lock();
  }
  --with->helpers;
}

}  // namespace terrane
