// SPDX-License-Identifier: Apache-2.0
// thread_heap.hpp: memory of a thread: allocated in pieces, freed as a whole when the thread ends.
//
// Layout      Areas from the pools of stacks. Each has a head that links to the area taken before
//             it; the thread_heap itself lies in the first. The areas of a thread that may move lie
//             in the same stretch as its stack, at the same addresses on every node. They move with
//             the thread, and addresses into them stay valid.
// Invariants  An area goes back to the processor whose pool it came from. per_thread variables are
//             destroyed on the node where the thread ends, the last made first. A variable that
//             holds addresses of one node pins the thread there.
// Source      [ACTIVE §4.1] (thread local storage), [ACTIVE §3.1] (a thread's heap).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>

#include "terrane/core/message.hpp"
#include "terrane/core/place.hpp"
#include "terrane/cpp/wire_value.hpp"
#include "terrane/thread/stack_pool.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

struct channel_half;
class lent_data;
class letter_box;

/// Also a memory resource for standard containers. Its own thread reuses a piece that it gives
/// back, for pieces of about that size; a piece that another thread gives back is freed only when
/// the heap's own thread ends.
class thread_heap final : public std::pmr::memory_resource {
 public:
  /// Makes a heap in its first area, from this processor. moves: its thread may move.
  static thread_heap* make(bool moves);
  /// Destroys the objects that it keeps, and gives all areas back, the one that it lies in too.
  void unmake();

  /// The object of that key; null: none yet.
  void* find(const void* key) const;
  /// Keeps an object until the thread ends. stays: the object holds addresses of this node.
  void keep(const void* key, void* object, void (*destroy)(void*), bool stays);
  /// True if its thread cannot leave this node.
  bool stays() const { return stays_; }

  /// Calls each(part) for the part in use of every area, the last taken first. The callback may
  /// overwrite the part.
  template <class Each>
  void for_each_part(Each&& each) const {
    for (const area* next = last_; next;) {
      const area* const one = next;
      next = one->before;
      each(bytes_view{one, one->used});
    }
  }
  bool holds(const void* address) const {
    bool found = false;
    for_each_part([&](bytes_view part) {
      const char* const low = static_cast<const char*>(part.data);
      found = found || (address >= low && address < low + part.size);
    });
    return found;
  }
  std::size_t bytes_used() const {
    std::size_t sum = 0;
    for_each_part([&](bytes_view part) { sum += part.size; });
    return sum;
  }

  channel_half* ends = nullptr;   // the ends of channels that its thread owns (channel_desk.hpp)
  lent_data* loans = nullptr;     // what its thread lends (lent_desk.hpp)
  letter_box* letters = nullptr;  // of a thread that has sent or received (thread_mail.hpp)
  bool is_cancelled = false;      // its thread is to end (talk/send_recv.hpp)
  std::uint32_t transfers = 0;    // of data that are being copied from or to its memory

 private:
  /// The head of an area, at its low end.
  struct alignas(16) area {
    area* before;
    stack its;
    processor_id owner;
    bool stays;
    std::size_t used;  // bytes in use, this head included
  };
  struct kept {
    kept* before;
    const void* key;
    void* object;
    void (*destroy)(void*);
  };
  thread_heap(area& first, bool moves) : last_(&first), moves_(moves), stays_(first.stays) {}
  static area& take_area(std::size_t bytes, bool moves);
  static void* take_from(area& from, std::size_t bytes, std::size_t alignment);
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* piece, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  /// Sizes of pieces: multiples of 16 to 1 KiB, then four between two powers of two, to 1 GiB.
  struct size_class {
    std::uint32_t number;
    std::size_t bytes;
  };
  static size_class class_of(std::size_t bytes);
  static constexpr std::uint32_t size_classes = 64 + 4 * 20;
  struct free_piece {
    free_piece* before;
  };

  area* last_;
  free_piece* free_[size_classes] = {};
  kept* objects_ = nullptr;
  const bool moves_;
  bool stays_;
};

namespace this_thread {
/// Memory that lives as long as this thread.
inline thread_heap& heap() { return thread_block::current("heap").heap(); }
}  // namespace this_thread

/// A variable of which each thread has its own object, made when the thread first uses it:
///   per_thread<std::vector<int>> scratch;
///   scratch->push_back(1);
/// A T that is position-independent (cpp/wire_value.hpp) moves with its thread; any other T pins
/// the thread.
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
    heap.keep(
        this, made, [](void* object) { static_cast<T*>(object)->~T(); }, !position_independent<T>);
    return *made;
  }
  T* operator->() const { return &**this; }
};

}  // namespace terrane
