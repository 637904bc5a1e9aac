// SPDX-License-Identifier: Apache-2.0
// page_test.cpp: the examples of docs/threads.md, as they stand there (tests/pages_test.py checks
// that), and what each of them must come to.
#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/node_data/node_local.hpp"
#include "terrane/thread/bundle_policies.hpp"
#include "terrane/thread/global_ptr.hpp"
#include "terrane/thread/hand_off.hpp"
#include "terrane/thread/handlers.hpp"
#include "terrane/thread/mutex.hpp"
#include "terrane/thread/select.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class page : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, page, small_machines(), machine_name);

const char* next_event(hand_off<int>& jobs, hand_off<int>& results, int& best, how_long patience) {
  const char* what = "";
  select(on_take(jobs, [&](std::optional<int> job) { what = job ? "a job" : "no more jobs"; }),
         on_send(results, best, [&] { what = "a result went out"; }),
         on_timeout(patience, [&] { what = "nothing"; }));
  return what;
}
TEST_P(page, next_event) {
  expect([](faults& wrong) {
    using namespace std::chrono_literals;
    hand_off<int> jobs(1), results(1);
    int best = 3;
    wrong.unless(next_event(jobs, results, best, 1h) == std::string_view("a result went out"));
    wrong.unless(next_event(jobs, results, best, 1ms) == std::string_view("nothing"));
    jobs.send(1);
    wrong.unless(next_event(jobs, results, best, 1h) == std::string_view("a job"));
    jobs.close();
    wrong.unless(next_event(jobs, results, best, 1h) == std::string_view("no more jobs"));
    wrong.unless(results.take() == 3 && best == 3);
  });
}

int sum_of_two_halves(const std::vector<int>& all) {
  long left = 0, right = 0;
  thread helper = thread::create([&] {
    for (std::size_t i = 0; i < all.size() / 2; ++i) left += all[i];
  });
  for (std::size_t i = all.size() / 2; i < all.size(); ++i) right += all[i];
  helper.join();  // others run here meanwhile; throws what left the thread
  return static_cast<int>(left + right);
}

struct inbox {
  mutex lock;
  condition changed;
  std::vector<std::string> items;

  void put(std::string item) {
    const std::lock_guard hold(lock);
    items.push_back(std::move(item));
    changed.notify_one();
  }
  std::string take() {
    const std::lock_guard hold(lock);
    changed.wait(lock, [&] { return !items.empty(); });
    std::string last = std::move(items.back());
    items.pop_back();
    return last;
  }
};

std::string first_line_within(std::chrono::milliseconds time, inbox& from) {
  std::unique_lock hold(from.lock);
  if (!from.changed.wait_for(hold, time, [&] { return !from.items.empty(); })) return "nothing";
  return from.items.front();
}

int squares_by_hand_off(int how_many) {
  hand_off<int> numbers(4);
  thread sender = thread::create([&] {
    for (int i = 1; i <= how_many; ++i) numbers.send(i * i);
    numbers.close();
  });
  int sum = 0;
  while (const auto each = numbers.take()) sum += *each;
  sender.join();
  return sum;
}

struct answers : threaded<answers> {
  step start(int question, reply<int> to) {
    to.send(2 * question);
    return done;
  }
};

int ask_a_fiber(int question) {
  int answer = 0;
  this_thread::await([&](slot_ref done) {
    activation<answers, false>::spawn(question, reply<int>{{done.raw, &answer}});
  });
  return answer;
}

/// The thread with the shortest name first.
class shortest_name : public bundle_policy {
 public:
  void on_thread_unblocked(thread_block& ready) override { ready_.push_back(&ready); }
  thread_block* on_processor_idle(bundle& asked) override {
    if (ready_.empty()) return asked.ask_children();
    const auto first = std::min_element(ready_.begin(), ready_.end(), shorter);
    thread_block* const next = *first;
    ready_.erase(first);
    return next;
  }

 private:
  static bool shorter(const thread_block* one, const thread_block* other) {
    return std::string_view(one->thread_name()).size() <
           std::string_view(other->thread_name()).size();
  }
  std::vector<thread_block*> ready_;
};

std::string in_order_of_names() {
  std::string order;
  bundle group(std::make_unique<shortest_name>());
  std::vector<thread> all;
  for (const char* name : {"three", "one", "four"})
    all.push_back(
        thread::create({.name = name, .in = &group}, [&] { order += this_thread::name()[0]; }));
  for (thread& each : all) each.join();
  return order;
}

long sum_of(global_ptr<const long> all, long count) {
  long sum = 0;
  for (long i = 0; i < count; ++i) sum += all[i];  // others run here until each has come
  return sum;
}

node_local<long> visits;

void visit(long times, reply<long> to) { to.send(*visits += times); }

long visit_processor(std::uint32_t processor) {
  long visits_there = 0;
  this_thread::await(
      [&](slot_ref done) { post<visit>(processor, 1L, reply<long>{{done.raw, &visits_there}}); });
  return visits_there;
}

TEST_P(page, says_what_is_true) {
  expect([](faults& wrong) {
    wrong.unless(sum_of_two_halves({1, 2, 3, 4, 5}) == 15);
    inbox letters;
    wrong.unless(first_line_within(std::chrono::milliseconds(1), letters) == "nothing");
    thread writer = thread::create([&] { letters.put("one"); });
    wrong.unless(letters.take() == "one");
    writer.join();
    wrong.unless(squares_by_hand_off(10) == 385);
    wrong.unless(ask_a_fiber(21) == 42);
    wrong.unless(in_order_of_names() == "oft");
    long odd[] = {1, 3, 5, 7};
    wrong.unless(sum_of(to_global_ptr(*odd), 4) == 16);
    const long each = here().processors_per_node();
    long visited = 0;
    for (std::uint32_t p = 0; p < terrane_processors(); ++p) visited += visit_processor(p);
    wrong.unless(visited == terrane_nodes() * each * (each + 1) / 2);
  });
}

}  // namespace
}  // namespace terrane
