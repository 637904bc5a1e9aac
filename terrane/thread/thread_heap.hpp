// SPDX-License-Identifier: Apache-2.0
// thread_heap.hpp: a thread's own memory: taken by the piece, given back as a whole at its end.
//
// Invariants  It lies in the pool that the stacks come from, so that it may move with its thread to
//             the same addresses elsewhere. What per_thread keeps is destroyed at the thread's end,
//             the last made first.
// Source      003_788ae17f2db477ca.txt section 4.1 (thread local storage).
#pragma once

#include <cstddef>
#include <memory_resource>
#include <new>
#include <utility>
#include <vector>

#include "terrane/thread/stack_pool.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

/// A memory resource for standard containers too; single pieces are not given back.
class thread_heap final : public std::pmr::memory_resource {
 public:
  explicit thread_heap(stack_pool& pool) : pool_(pool) {}
  ~thread_heap() override;

  /// The object of that key; null: none yet.
  void* find(const void* key) const;
  void keep(const void* key, void* object, void (*destroy)(void*)) {
    objects_.push_back({key, object, destroy});
  }

 private:
  struct kept {
    const void* key;
    void* object;
    void (*destroy)(void*);
  };
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  stack_pool& pool_;
  std::vector<stack> areas_;
  std::size_t used_ = 0;  // of the last
  std::vector<kept> objects_;
};

namespace this_thread {
/// Memory that lives as long as this thread.
inline thread_heap& heap() { return thread_block::current("heap").heap(); }
}  // namespace this_thread

/// A variable that each thread has for itself, made when the thread first asks for it:
///   per_thread<std::vector<int>> scratch;
///   scratch->push_back(1);
template <class T>
class per_thread {
 public:
  per_thread() = default;
  per_thread(const per_thread&) = delete;
  per_thread& operator=(const per_thread&) = delete;

  T& operator*() const {
    thread_heap& heap = this_thread::heap();
    if (void* const known = heap.find(this)) return *static_cast<T*>(known);
    T* const made = ::new (heap.allocate(sizeof(T), alignof(T))) T();
    heap.keep(this, made, [](void* object) { static_cast<T*>(object)->~T(); });
    return *made;
  }
  T* operator->() const { return &**this; }
};

}  // namespace terrane
