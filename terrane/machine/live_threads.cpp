// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/live_threads.hpp"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <iterator>
#include <utility>

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
      text_ += fmt::format("node {}, processor {}: and {}\n", at.home().number(), at.number,
                           plural(left_out, "more thread"));
    whole_.set_value(std::move(text_));
  }
  std::future<std::string> text() { return whole_.get_future(); }

 private:
  void describe(const joinable& one, const processor& at) {
    text_ += fmt::format("node {}, processor {}: thread {} {}\n", at.home().number(), at.number,
                         one.thread_name(), state_of(one, at));
    const auto* const block = dynamic_cast<const thread_block*>(&one);
    const thread_heap* const heap = block && !one.ended() ? block->heap_or_null() : nullptr;
    for (const channel_half* each = heap ? heap->ends : nullptr; each; each = each->next)
      text_ += fmt::format("  it {}\n", end_of(*each));
  }

  std::string text_;
  std::promise<std::string> whole_;
};

}  // namespace

std::string describe_threads(const std::vector<processor*>& processors, const atomic<bool>& over) {
  std::vector<list_of_threads> lists(processors.size());
  for (std::size_t i = 0; i < processors.size(); ++i) processors[i]->let_look(lists[i]);
  const auto until = std::chrono::steady_clock::now() + 1s;
  std::string text;
  for (std::size_t i = 0; i < processors.size(); ++i) {
    processor& each = *processors[i];
    auto its = lists[i].text();
    const auto has_come = [&] { return its.wait_for(10ms) == std::future_status::ready; };
    while (!has_come() && !over.load(memory_order_relaxed) &&
           std::chrono::steady_clock::now() < until) {}
    // It looks now, or has looked, unless it can be spared that: then its text comes soon.
    text += each.spare_look(lists[i])
                ? fmt::format("node {}, processor {}: is within a long step, and does not answer\n",
                              each.home().number(), each.number)
                : its.get();
  }
  return text;
}

}  // namespace terrane
