// SPDX-License-Identifier: Apache-2.0
// pipeline.hpp: items that pass through stages, several of them at a time.
//
//   pipeline(8, serial_in_order([&] { return read_line(file); }),      // nothing: the end
//               parallel([](std::string line) { return compressed(line); }),
//               serial_in_order([&](std::string packed) { write(out, packed); }));
//
// Purpose     The first stage makes items, std::optional<T>, until it returns nothing; the last one
//             returns nothing. A serial stage works on one item at a time: serial_in_order in the
//             order in which the items were made, serial in the order in which they come.
// Invariants  At most `under_way_max` items are between the first stage and the end of the last.
//             An item is carried through the stages by one task, until it comes to a serial stage
//             that is not ready for it; it waits there, and the task that leaves the stage makes a
//             task for it.
// Errors      An exception that leaves a stage ends the pipeline: items that wait go no further.
// Cost        A serial stage: two locks of a mutex for each item.
// Source      oneTBB's parallel_pipeline has the same stages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "terrane/thread/mutex.hpp"
#include "terrane/thread/task_group.hpp"

namespace terrane {

enum class stage_order : std::uint8_t { any, one_at_a_time, in_order };

/// A stage of a pipeline: what it does, and to how many items at a time.
template <stage_order Order, class F>
struct pipeline_stage {
  static constexpr stage_order order = Order;
  F work;
};
template <class F>
auto parallel(F&& work) {
  return pipeline_stage<stage_order::any, std::decay_t<F>>{std::forward<F>(work)};
}
template <class F>
auto serial(F&& work) {
  return pipeline_stage<stage_order::one_at_a_time, std::decay_t<F>>{std::forward<F>(work)};
}
template <class F>
auto serial_in_order(F&& work) {
  return pipeline_stage<stage_order::in_order, std::decay_t<F>>{std::forward<F>(work)};
}

namespace detail {

/// Who may enter a serial stage. Items that may not enter yet wait here.
template <stage_order Order, class Item>
class stage_gate {
 public:
  /// The item, if it may enter now; else it is kept, and nothing is returned.
  std::optional<Item> enter(Item item) {
    const std::lock_guard hold(inside_);
    const std::uint64_t number = Order == stage_order::in_order ? item.number : came_++;
    if (busy_ || number != next_) {
      waiting_.emplace(number, std::move(item));
      return std::nullopt;
    }
    busy_ = true;
    return item;
  }
  /// Ends the work on an item. Returns the item that enters after it, if it waits already.
  std::optional<Item> leave() {
    const std::lock_guard hold(inside_);
    ++next_;
    const auto first = waiting_.begin();
    busy_ = first != waiting_.end() && first->first == next_;
    if (!busy_) return std::nullopt;
    std::optional<Item> item(std::move(first->second));
    waiting_.erase(first);
    return item;
  }

 private:
  mutex inside_;
  bool busy_ = false;
  std::uint64_t next_ = 0, came_ = 0;
  std::map<std::uint64_t, Item> waiting_;
};
template <class Item>
class stage_gate<stage_order::any, Item> {};

/// What the stages after the first take, one after the other.
template <class Value>
struct numbered {
  std::uint64_t number;
  Value value;
};
template <class Value, class... Stages>
struct gates_for;
template <class Value>
struct gates_for<Value> {
  using type = std::tuple<>;
  static_assert(std::is_void_v<Value>, "the last stage of a pipeline returns nothing");
};
template <class Value, class First, class... Rest>
struct gates_for<Value, First, Rest...> {
  static_assert(!std::is_void_v<Value>, "only the last stage of a pipeline returns nothing");
  using result = std::invoke_result_t<decltype(First::work)&, Value>;
  using type = decltype(std::tuple_cat(
      std::declval<std::tuple<std::unique_ptr<stage_gate<First::order, numbered<Value>>>>>(),
      std::declval<typename gates_for<result, Rest...>::type>()));
};

template <class Source, class... Stages>
class running_pipeline {
  static_assert(Source::order != stage_order::any,
                "the first stage of a pipeline makes one item at a time: serial or "
                "serial_in_order");
  using made_item = typename std::invoke_result_t<decltype(Source::work)&>::value_type;

 public:
  running_pipeline(std::size_t under_way_max, Source& source, Stages&... rest)
      : source_(source), rest_(rest...), room_(under_way_max != 0 ? under_way_max : 1) {
    std::apply([](auto&... gate) { (make(gate), ...); }, gates_);
  }
  void run() {
    group_.run([this] { make_item(); });
    group_.wait();
  }

 private:
  template <class Gate>
  static void make(std::unique_ptr<Gate>& gate) {
    gate = std::make_unique<Gate>();
  }

  /// Makes an item and carries it. While this works, source_busy_ is set; the next item is another
  /// task's.
  void make_item() {
    std::optional<made_item> made = source_.work();
    std::uint64_t number = 0;
    {
      const std::lock_guard hold(inside_);
      source_busy_ = made && --room_ != 0;
      if (!made) {
        ended_ = true;
        return;
      }
      number = made_++;
      if (source_busy_) group_.run([this] { make_item(); });
    }
    pass<0>(numbered<made_item>{number, std::move(*made)});
  }
  void item_ended() {
    const std::lock_guard hold(inside_);
    ++room_;
    if (source_busy_ || ended_) return;
    source_busy_ = true;
    group_.run([this] { make_item(); });
  }

  /// Carries an item through the stages from number I on.
  template <std::size_t I, class Value>
  void pass(numbered<Value> one) {
    if constexpr (stage<I>::order == stage_order::any) {
      work<I>(std::move(one));
    } else {
      auto& gate = *std::get<I>(gates_);
      if (auto entered = gate.enter(std::move(one))) work_and_leave<I>(std::move(*entered));
    }
  }
  template <std::size_t I, class Value>
  void work_and_leave(numbered<Value> one) {
    work<I>(std::move(one), [this] {
      auto next = std::get<I>(gates_)->leave();
      if (next)
        group_.run(
            [this, waited = std::move(*next)]() mutable { work_and_leave<I>(std::move(waited)); });
    });
  }
  /// Does the work of stage I, calls `left`, and carries the result on.
  template <std::size_t I, class Value, class Left>
  void work(numbered<Value> one, const Left& left) {
    auto& does = std::get<I>(rest_).work;
    if constexpr (I + 1 == sizeof...(Stages)) {
      does(std::move(one.value));
      left();
      item_ended();
    } else {
      using result = std::invoke_result_t<decltype(stage<I>::work)&, Value>;
      numbered<result> next{one.number, does(std::move(one.value))};
      left();
      pass<I + 1>(std::move(next));
    }
  }
  template <std::size_t I, class Value>
  void work(numbered<Value> one) {
    work<I>(std::move(one), [] {});
  }
  template <std::size_t I>
  using stage = std::tuple_element_t<I, std::tuple<Stages...>>;

  Source& source_;
  std::tuple<Stages&...> rest_;
  typename gates_for<made_item, Stages...>::type gates_;
  mutex inside_;
  // --- under inside_ ---
  std::size_t room_;  // how many items more may be under way
  std::uint64_t made_ = 0;
  bool source_busy_ = true, ended_ = false;
  task_group group_;  // last: its destructor waits for tasks that use the rest
};

}  // namespace detail

/// Runs items through the stages until the first stage returns nothing, and all have left the last.
template <class Source, class... Stages>
void pipeline(std::size_t under_way_max, Source source, Stages... stages) {
  static_assert(sizeof...(Stages) > 0, "a pipeline has a first and a last stage");
  detail::running_pipeline<Source, Stages...>(under_way_max, source, stages...).run();
}

}  // namespace terrane
