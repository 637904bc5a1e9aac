// SPDX-License-Identifier: Apache-2.0
// thread_crew_test.cpp: tests a crew's pollers. They are asked while a processor idles, and at
// intervals while it works; one of them may provide what the processor sleeps on.
#include "terrane/transport/thread_crew.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "terrane/base/atomic.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/terrane.hpp"
#include "terrane/transport/local.hpp"

namespace terrane {
namespace {

/// Arrivals are counted in an eventfd. Each signals a slot of processor 0, which sleeps on the
/// eventfd.
class counted_arrivals final : public poller, private sleeping_place {
 public:
  explicit counted_arrivals(bool is_slept_on) : is_slept_on_(is_slept_on) {}
  ~counted_arrivals() {
    close(news_);
    close(woken_);
  }

  // any thread
  void arrive() { add_to(news_); }
  void await_sleep() const {
    while (!asleep_.load(memory_order_acquire)) std::this_thread::yield();
  }
  void await_slot() const {
    while (!slot_is_known_.load(memory_order_acquire)) std::this_thread::yield();
  }
  // processor 0
  void signal_to(slot_ref slot) {
    slot_ = slot;
    slot_is_known_.store(true, memory_order_release);
  }
  atomic<int> wakes{0};
  // after the run
  int taken = 0;

  void take(processor& here) override {
    if (here.number != 0) return;
    for (; take_from(news_); ++taken) terrane_signal(slot_.raw);
  }
  bool has_news(const processor& here) override { return here.number == 0 && is_set(news_); }
  sleeping_place* sleeps_on(processor& here) override {
    return is_slept_on_ && here.number == 0 ? this : nullptr;
  }

 private:
  void sleep(std::int64_t nanoseconds) override {
    pollfd both[] = {{news_, POLLIN, 0}, {woken_, POLLIN, 0}};
    asleep_.store(true, memory_order_release);
    ::poll(both, 2, nanoseconds < 0 ? -1 : static_cast<int>(nanoseconds / 1'000'000));
    asleep_.store(false, memory_order_release);
    take_from(woken_);
  }
  void wake() override {
    wakes.fetch_add(1, memory_order_relaxed);
    add_to(woken_);
  }

  static void add_to(int descriptor) { ASSERT_EQ(eventfd_write(descriptor, 1), 0); }
  static bool take_from(int descriptor) {
    eventfd_t one;
    return eventfd_read(descriptor, &one) == 0;
  }
  static bool is_set(int descriptor) {
    pollfd one{descriptor, POLLIN, 0};
    return ::poll(&one, 1, 0) == 1;
  }

  const bool is_slept_on_;
  const int news_ = eventfd(0, EFD_NONBLOCK | EFD_SEMAPHORE), woken_ = eventfd(0, EFD_NONBLOCK);
  slot_ref slot_;
  atomic<bool> asleep_{false}, slot_is_known_{false};
};

constexpr std::uint64_t an_hour_ns = 3'600'000'000'000;

template <class Root>
run_outcome run_with(counted_arrivals& source, int processors) {
  using root = activation<Root, true>;
  run_options options;
  options.processors = processors;
  auto world = std::make_unique<local_world>(static_cast<std::uint32_t>(processors),
                                             crew_options{.spin = false});
  world->add(source);
  typename root::packed args;
  root::convert(&Root::start, [&](auto... converted) { args = root::pack(converted...); }, &source);
  return machine::make(options, std::move(world)).value()->run(root::function, &args);
}

/// Waits for three arrivals, then ends.
struct waits : threaded<waits> {
  slot came = on<&waits::finish>(3, 0);
  slot too_late = on<&waits::fail>(1, 0);
  step start(counted_arrivals* source) {
    source->signal_to(ref(came));
    after(an_hour_ns, ref(too_late));
    return wait;
  }
  step finish() { return done; }
  step fail() {
    set_exit_code(1);
    return done;
  }
};

TEST(thread_crew, sleeps_on_what_a_poller_provides_and_takes_what_comes_to_it) {
  counted_arrivals source(true);
  std::thread outside([&] {
    source.await_slot();
    for (int i = 0; i < 3; ++i) {
      source.await_sleep();
      source.arrive();
    }
  });
  EXPECT_EQ(run_with<waits>(source, 1).exit_code, 0);
  outside.join();
  EXPECT_EQ(source.taken, 3);
}

counted_arrivals* of_this_process = nullptr;

/// Processor 1 sends to processor 0 while that sleeps, until one of the messages has ended a sleep.
struct pokes : threaded<pokes> {
  step start(slot_ref poked, reply<int> to) {
    for (int i = 0; i < 10'000 && of_this_process->wakes.load(memory_order_relaxed) == 0; ++i) {
      of_this_process->await_sleep();
      terrane_signal(poked.raw);
    }
    to.send(5);
    return done;
  }
};
struct is_poked : threaded<is_poked> {
  int answer = 0;
  slot poked = on<&is_poked::look>(1);
  join told = on<&is_poked::finish>();
  step start(counted_arrivals* source) {
    of_this_process = source;
    invoke<pokes>(1, ref(poked), told.into(answer));
    return await(told);
  }
  step look() { return wait; }
  step finish() {
    set_exit_code(answer);
    return done;
  }
};

TEST(thread_crew, is_woken_by_a_message_where_it_sleeps_on_a_poller) {
  counted_arrivals source(true);
  EXPECT_EQ(run_with<is_poked>(source, 2).exit_code, 5);
  EXPECT_GE(source.wakes.load(memory_order_relaxed), 1);
}

/// Keeps its processor busy until it is told of an arrival.
struct works : threaded<works> {
  bool heard = false;
  slot came = on<&works::hear>(1, 0);
  slot next = on<&works::work>(1);
  step start(counted_arrivals* source) {
    source->signal_to(ref(came));
    source->arrive();
    terrane_signal(ref(next).raw);
    return wait;
  }
  step work() {
    if (heard) return done;
    terrane_signal(ref(next).raw);
    return wait;
  }
  step hear() {
    heard = true;
    return wait;
  }
};

TEST(thread_crew, asks_its_pollers_now_and_then_while_its_processor_works) {
  counted_arrivals source(false);
  EXPECT_EQ(run_with<works>(source, 1).exit_code, 0);
  EXPECT_EQ(source.taken, 1);
}

}  // namespace
}  // namespace terrane
