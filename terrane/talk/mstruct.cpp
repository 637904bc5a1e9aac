// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/mstruct.hpp"

#include <deque>
#include <unordered_map>

#include "terrane/talk/element_array.hpp"

namespace terrane {

namespace {

struct take_request {
  answer_place answer;
  std::uint32_t index, unused = 0;
};

class mstruct_object final : public object {
 public:
  static constexpr char called[] = "M-structure";
  enum : std::uint32_t { take, put, free };

  mstruct_object(std::uint32_t elements, std::uint32_t element_bytes)
      : elements_(elements, element_bytes) {}

  void operate(const operation_request& asked) override {
    switch (asked.what) {
      case take: take_or_wait(asked.as<take_request>()); break;
      case put: fill_or_hand_over(asked); break;
      case free: free_unawaited(*this); break;
    }
  }
  std::size_t waiting() const override { return waiting_; }

 private:
  void take_or_wait(const take_request& asked) {
    if (!elements_.full(asked.index)) {
      takers_[asked.index].push_back(asked.answer);
      ++waiting_;
      return;
    }
    elements_.empty(asked.index);
    asked.answer.send(elements_[asked.index]);
  }

  void fill_or_hand_over(const operation_request& asked) {
    const auto index = asked.as<std::uint32_t>();
    if (elements_.full(index))
      fail(run_time_error::element_written_twice,
           "processor %u put a value into element %u of an M-structure, which was full: take it "
           "first",
           asked.from, index);
    const auto first = takers_.find(index);
    if (first == takers_.end()) return elements_.fill(index, asked.body.data);
    first->second.front().send(asked.body);
    first->second.pop_front();
    --waiting_;
    if (first->second.empty()) takers_.erase(first);
  }

  element_array elements_;
  std::unordered_map<std::uint32_t, std::deque<answer_place>> takers_;  // of empty elements
  std::size_t waiting_ = 0;
};

}  // namespace

}  // namespace terrane

using namespace terrane;

void terrane_mstruct_new(terrane_mstruct* made, uint32_t elements, uint32_t element_bytes,
                         terrane_slot_ref ready) {
  require_element_bytes(element_bytes, "an M-structure");
  *made = {make_object<mstruct_object>(elements, element_bytes).name(), elements, element_bytes};
  signal_if(ready);
}
void terrane_mstruct_take(terrane_mstruct from, uint32_t index, terrane_global to,
                          terrane_slot_ref done) {
  require_element(from, index, "an M-structure");
  ask<mstruct_object>(from.object, mstruct_object::take, take_request{{to, done}, index});
}
void terrane_mstruct_put(terrane_mstruct to, uint32_t index, const void* value) {
  require_element(to, index, "an M-structure");
  ask<mstruct_object>(to.object, mstruct_object::put, index, {value, to.element_bytes});
}
void terrane_mstruct_free(terrane_mstruct freed) {
  ask<mstruct_object>(freed.object, mstruct_object::free);
}
