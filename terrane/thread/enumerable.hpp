// SPDX-License-Identifier: Apache-2.0
// enumerable.hpp: a value for each processor of the node, to be combined in the end.
//
//   enumerable<std::map<std::string, long>> counts;
//   terrane::for_each(words, [&](const std::string& word) { ++counts.local()[word]; });
//   counts.combine_each([&](const auto& each) { add(all, each); });
//
// Invariants  Threads of one processor share a value, and change places only where one waits or
//             yields: do not keep local() over such a point. The values are read when the threads
//             that write them have been joined.
// Cost        local(): an index and a test.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "terrane/core/processor.hpp"

namespace terrane {

template <class T>
class enumerable {
 public:
  enumerable() : enumerable([] { return T(); }) {}
  /// `make` makes a value where a processor first asks for one.
  template <class Make>
    requires std::is_invocable_r_v<T, Make&>
  explicit enumerable(Make make)
      : make_(std::move(make)),
        first_(terrane::here().number / of_node() * of_node()),
        values_(of_node()) {}
  enumerable(const enumerable&) = delete;
  enumerable& operator=(const enumerable&) = delete;

  /// This processor's value.
  T& local() {
    std::unique_ptr<T>& mine = values_[terrane::here().number - first_];
    if (!mine) mine = std::make_unique<T>(make_());
    return *mine;
  }
  /// combine(one, other) of all values; make() if there are none.
  template <class Combine>
  T combine(const Combine& combine) const {
    std::unique_ptr<T> all;
    for (const auto& each : values_) {
      if (!each) continue;
      all = std::make_unique<T>(all ? combine(std::move(*all), *each) : *each);
    }
    return all ? std::move(*all) : make_();
  }
  /// Calls body(value) for each value that was asked for.
  template <class Body>
  void combine_each(const Body& body) {
    for (const auto& each : values_)
      if (each) body(*each);
  }
  std::size_t size() const {
    std::size_t made = 0;
    for (const auto& each : values_) made += each != nullptr;
    return made;
  }

 private:
  static std::size_t of_node() { return terrane::here().processors_per_node(); }

  std::function<T()> make_;
  const std::size_t first_;
  std::vector<std::unique_ptr<T>> values_;
};

}  // namespace terrane
