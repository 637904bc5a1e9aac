// SPDX-License-Identifier: Apache-2.0
// bundle_policies.hpp: the library of bundle policies: each chooses among the ready threads.
//
// Source  [ACTIVE §4.2] (FIFO, LIFO, lazy stack allocation, processor locality); serial depth-first
//         order after Narlikar and Blelloch (docs/sources.md).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "terrane/thread/bundle.hpp"

namespace terrane {

/// Chooses the thread that has been ready longest.
class fifo : public bundle_policy {
 public:
  void on_thread_unblocked(thread_block& ready) override { ready_.push_back(&ready); }
  thread_block* on_processor_idle(bundle& asked) override;

 private:
  std::deque<thread_block*> ready_;
};

/// Chooses the thread that became ready last.
class lifo : public bundle_policy {
 public:
  void on_thread_unblocked(thread_block& ready) override { ready_.push_back(&ready); }
  thread_block* on_processor_idle(bundle& asked) override;

 private:
  std::vector<thread_block*> ready_;
};

/// Uses as few stacks as possible: no thread starts while a thread that has a stack is ready;
/// otherwise the newest starts.
class lazy_stack : public bundle_policy {
 public:
  void on_thread_unblocked(thread_block& ready) override {
    if (ready.started())
      started_.push_back(&ready);
    else
      fresh_.push_back(&ready);
  }
  thread_block* on_processor_idle(bundle& asked) override;

 private:
  std::deque<thread_block*> started_;
  std::vector<thread_block*> fresh_;
};

/// Chooses by thread_options::priority, then first come first served.
class by_priority : public bundle_policy {
 public:
  void on_thread_unblocked(thread_block& ready) override {
    ready_[ready.priority()].push_back(&ready);
  }
  thread_block* on_processor_idle(bundle& asked) override;

 private:
  std::map<int, std::deque<thread_block*>> ready_;  // no queue is empty
};

/// Threads that work on the same data (thread_options::about) run one after the other, while the
/// data is in the cache; then the threads run whose data has waited longest.
class affinity : public bundle_policy {
 public:
  void on_thread_unblocked(thread_block& ready) override;
  thread_block* on_processor_idle(bundle& asked) override;

 private:
  std::unordered_map<std::int64_t, std::deque<thread_block*>> ready_;  // no queue is empty
  std::deque<std::int64_t> turns_;  // the keys of ready_, the one that waited longest first
};

/// Runs threads in the order of a sequential run, children before the rest of their parent: this
/// needs hardly more memory than a sequential run.
class memory_conscious : public bundle_policy {
 public:
  void on_thread_created(thread_block& fresh) override;
  void on_thread_terminated(thread_block& ended) override { places_.erase(&ended); }
  void on_thread_unblocked(thread_block& ready) override;
  thread_block* on_processor_idle(bundle& asked) override;

 private:
  /// Where a thread stands in that order. path: the number of each ancestor among its siblings,
  /// from the topmost down, then the thread's own number. A child comes before the rest of its
  /// parent, so a path comes before each of its own prefixes.
  struct place {
    std::vector<std::uint32_t> path;
    std::uint32_t children = 0;
  };
  struct depth_first {
    bool operator()(const std::vector<std::uint32_t>& one,
                    const std::vector<std::uint32_t>& other) const;
  };
  std::unordered_map<thread_block*, place> places_;
  std::uint32_t strangers_ = 0;  // threads whose parents are in other bundles
  std::map<std::vector<std::uint32_t>, thread_block*, depth_first> ready_;
};

}  // namespace terrane
