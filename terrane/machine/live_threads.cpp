// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/live_threads.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <iterator>
#include <mutex>

#include "terrane/base/plural.hpp"
#include "terrane/core/node.hpp"
#include "terrane/thread/channel_half.hpp"
#include "terrane/thread/thread_block.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "terrane/thread/thread_id.hpp"
#include "terrane/thread/thread_switch.hpp"

namespace terrane {

namespace {

using namespace std::chrono_literals;

/// The last look at them is that of who waits: all lists are there then.
class lists_to_come {
 public:
  void one_more() {
    const std::lock_guard hold(lock_);
    ++awaited_;
  }
  void one_came() {
    const std::lock_guard hold(lock_);
    --awaited_;
    came_.notify_all();
  }
  template <class Time>
  bool all_came_within(Time time) {
    std::unique_lock hold(lock_);
    return came_.wait_for(hold, time, [this] { return awaited_ == 0; });
  }

 private:
  std::mutex lock_;
  std::condition_variable came_;
  int awaited_ = 0;
};

std::string state_of(const joinable& one, const processor& at) {
  if (one.ended()) return "has ended, and was not joined yet";
  if (at.thread() == &one) return "runs";
  if (const char* const what = one.waits_for()) return fmt::format("waits for {}", what);
  return one.started() ? "is ready" : "has not begun";
}

std::string end_of(const channel_half& one) {
  std::string text =
      fmt::format("{} channel {}: {}", one.way == outwards ? "sends on" : "receives from",
                  printed_name(one.channel), plural(one.count, "item"));
  if (one.ends_at != channel_half::never) return text + ", closed by its partner";
  if (one.partner.known())
    fmt::format_to(std::back_inserter(text), ", partner at processor {}", one.partner.at);
  return one.is_asked() ? text + ", which waits" : text;
}

class list_of_threads final : public inspection {
 public:
  explicit list_of_threads(lists_to_come& waits) : waits_(waits) {}
  void look(processor& at) override {
    std::size_t left_out = 0, listed = 0;
    at.frames().for_each_live([&](terrane_frame& frame) {
      const joinable* const one = thread_in(frame);
      if (!one || one->is_away()) return;  // a thread elsewhere is listed there
      if (++listed <= threads_listed)
        describe(*one, at);
      else
        ++left_out;
    });
    if (left_out != 0)
      text += fmt::format("node {}, processor {}: and {}\n", at.home().number(), at.number,
                          plural(left_out, "more thread"));
    waits_.one_came();
  }

  std::string text;

 private:
  void describe(const joinable& one, const processor& at) {
    text += fmt::format("node {}, processor {}: thread {} {}\n", at.home().number(), at.number,
                        one.thread_name(), state_of(one, at));
    const auto* const block = dynamic_cast<const thread_block*>(&one);
    const thread_heap* const heap = block && !one.ended() ? block->heap_or_null() : nullptr;
    for (const channel_half* each = heap ? heap->ends : nullptr; each; each = each->next)
      text += fmt::format("  it {}\n", end_of(*each));
  }

  lists_to_come& waits_;
};

}  // namespace

std::string describe_threads(const std::vector<processor*>& processors, const atomic<bool>& over) {
  lists_to_come waits;
  std::vector<list_of_threads> lists(processors.size(), list_of_threads(waits));
  for (std::size_t i = 0; i < processors.size(); ++i) {
    waits.one_more();
    if (!processors[i]->let_look(lists[i])) waits.one_came();
  }
  for (const auto until = std::chrono::steady_clock::now() + 1s;
       !waits.all_came_within(10ms) && !over.load(memory_order_relaxed) &&
       std::chrono::steady_clock::now() < until;) {}
  std::string text;
  for (std::size_t i = 0; i < processors.size(); ++i) {
    const processor& each = *processors[i];
    if (processors[i]->spare_look(lists[i])) {
      text += fmt::format("node {}, processor {}: is within a long step, and does not answer\n",
                          each.home().number(), each.number);
      waits.one_came();
    }
  }
  while (!waits.all_came_within(1s)) {}  // what has begun to look ends soon
  for (const list_of_threads& each : lists) text += each.text;
  return text;
}

}  // namespace terrane
