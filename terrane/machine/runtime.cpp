// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/runtime.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "terrane/base/atomic.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/machine/placement.hpp"
#include "terrane/machine/worlds.hpp"
#include "terrane/thread/blocking.hpp"
#include "terrane/thread/mutex.hpp"
#include "terrane/thread/run_detached.hpp"
#include "terrane/thread/thread.hpp"

namespace terrane {

namespace {

/// Set while a runtime exists; any thread exchanges it. seq_cst: it is far from any hot path.
atomic<bool> exists{false};

using jobs = std::deque<std::unique_ptr<runtime::job>>;

/// What is submitted by threads outside, and taken by the server within.
class inbox {
 public:
  void add(std::unique_ptr<runtime::job> one) {
    const std::lock_guard hold(lock_);
    waiting_.push_back(std::move(one));
    changed_.notify_one();
  }
  void close() {
    const std::lock_guard hold(lock_);
    closed_ = true;
    changed_.notify_one();
  }
  /// Waits for jobs; none: the inbox is closed, and empty.
  jobs take() {
    std::unique_lock hold(lock_);
    changed_.wait(hold, [this] { return closed_ || !waiting_.empty(); });
    return std::exchange(waiting_, {});
  }

 private:
  std::mutex lock_;  // of OS threads; the server takes it on a helper OS thread
  std::condition_variable changed_;
  jobs waiting_;
  bool closed_ = false;
};

/// The main thread of the machine: starts what is submitted until the inbox is closed, and then
/// waits for what it has started.
void serve(inbox& from) {
  mutex lock;
  condition changed;
  std::size_t under_way = 0;
  while (true) {
    jobs come = blocking([&from] { return from.take(); });
    if (come.empty()) break;
    {
      const std::lock_guard hold(lock);
      under_way += come.size();
    }
    for (auto& each : come)
      detail::run_detached([&, mine = std::move(each)]() mutable {
        mine->run();
        mine.reset();
        const std::lock_guard hold(lock);
        if (--under_way == 0) changed.notify_one();
      });
  }
  const std::lock_guard hold(lock);
  changed.wait(lock, [&] { return under_way == 0; });
}

struct server : threaded<server> {
  thread running;
  join over = on<&server::finish>();
  step start(inbox* from) {
    running = thread::create({.name = "runtime"}, [from] { serve(*from); });
    running.signal_at_end(over.one());
    return await(over);
  }
  step finish() {
    running.join();
    return done;
  }
};

}  // namespace

class runtime::inside {
 public:
  explicit inside(int processors) {
    run_options options;
    options.processors = processors;
    const auto world = find_world(options.world);
    if (!world) throw std::runtime_error(world.problem());
    auto placed = place(options, *world.value());
    if (!placed) throw std::runtime_error(placed.problem());
    processors_ = options.processors;
    auto made = machine::make(options, placed.value());
    if (!made) throw std::runtime_error(made.problem());
    machine_ = std::move(made).value();
    runs_ = std::thread([this] {
      using root = activation<server, true>;
      root::packed args{};
      root::convert(
          &server::start, [&](auto... converted) { args = root::pack(converted...); }, &inbox_);
      machine_->run(root::function, &args);
    });
  }
  ~inside() {
    inbox_.close();
    runs_.join();
  }
  void add(std::unique_ptr<job> one) { inbox_.add(std::move(one)); }
  int processors() const { return processors_; }

 private:
  int processors_ = 0;
  inbox inbox_;
  std::unique_ptr<machine> machine_;
  std::thread runs_;
};

runtime::runtime(int processors) {
  if (exists.exchange(true, memory_order_seq_cst))
    throw std::logic_error("a terrane::runtime exists already: a process has one at a time");
  try {
    inside_ = std::make_unique<inside>(processors);
  } catch (...) {
    exists.store(false, memory_order_seq_cst);
    throw;
  }
}

runtime::~runtime() {
  inside_.reset();
  exists.store(false, memory_order_seq_cst);
}

void runtime::add(std::unique_ptr<job> one) { inside_->add(std::move(one)); }

int runtime::processors() const { return inside_->processors(); }

}  // namespace terrane
