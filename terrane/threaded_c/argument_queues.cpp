// SPDX-License-Identifier: Apache-2.0
// argument_queues.cpp: the object behind c/arguments.h.
#include <cstring>
#include <deque>
#include <vector>

#include "terrane/c/arguments.h"
#include "terrane/core/object.hpp"
#include "terrane/core/processor.hpp"

namespace terrane {

namespace {

class argument_queues final : public object {
 public:
  static constexpr char called[] = "arguments of a fiber";

  argument_queues(std::uint32_t queues, terrane_slot_ref complete)
      : queues_(queues), complete_(complete) {}

  /// A value has arrived for the queue `asked.what`.
  void operate(const operation_request& asked) override {
    const auto* bytes = static_cast<const unsigned char*>(asked.body.data);
    queues_[asked.what].emplace_back(bytes, bytes + asked.body.size);
    announce();
  }

  void take(std::uint32_t queue, void* to, std::size_t bytes) {
    if (!announced_)
      fail(
          run_time_error::unarmed_slot,
          "a fiber with arguments was enabled by signals alone: one of its arguments has not come");
    std::memcpy(to, queues_[queue].front().data(), bytes);
    queues_[queue].pop_front();
    if (queue + 1 < queues_.size()) return;
    announced_ = false;
    announce();
  }

 private:
  /// Complete sets are signalled one at a time.
  void announce() {
    if (announced_) return;
    for (const auto& each : queues_)
      if (each.empty()) return;
    announced_ = true;
    terrane_signal(complete_);
  }

  std::vector<std::deque<std::vector<unsigned char>>> queues_;
  const terrane_slot_ref complete_;
  bool announced_ = false;
};

argument_queues& own(terrane_arguments of) {
  return static_cast<argument_queues&>(*find_object(kind_of<argument_queues>::kind, of.object));
}

}  // namespace

}  // namespace terrane

using namespace terrane;

void terrane_arguments_new(terrane_arguments* made, uint32_t queues, terrane_slot_ref complete) {
  made->object = make_object<argument_queues>(queues, complete).name();
}
void terrane_arguments_free(terrane_arguments freed) { free_object(own(freed)); }
void terrane_argument_send(terrane_argument_ref to, const void* value, size_t bytes) {
  ask<argument_queues>(to & ~terrane_argument_ref{TERRANE_NAME_SLOTS},
                       static_cast<std::uint32_t>((to & TERRANE_NAME_SLOTS) >> 16), {value, bytes});
}
void terrane_argument_take(terrane_arguments from, uint32_t queue, void* to, size_t bytes) {
  own(from).take(queue, to, bytes);
}
