// SPDX-License-Identifier: Apache-2.0
// node_local.hpp: C++ objects that exist once per node.
//
//   node_local<int> hits{0};                         // at namespace scope
//   node_local<std::vector<int>> seen;
//   ++*hits; seen->push_back(3);                     // in a fiber: this node's
//
// Purpose     What TERRANE_NODE_DATA is to C, for types whose constructors and destructors must
//             run: at the start of each run every node's objects are made, in the order in which
//             the node_locals were, and destroyed at its end.
// Invariants  Shared by the processors of one node without any lock. Made before a run, on the
//             thread that starts it. Alignment up to 64 bytes.
// Cost        An access: the node's block is loaded, a distance of this object's added.
// Source      docs/threaded-c-rules.md §7.
#pragma once

#include <cstddef>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "terrane/terrane.h"

namespace terrane {

class node_local_base {
 public:
  node_local_base(const node_local_base&) = delete;
  node_local_base& operator=(const node_local_base&) = delete;

  /// All of the program, in the order in which they were made.
  static const std::vector<node_local_base*>& registered() { return all(); }
  /// Gives each its place in a node's block; the bytes of a block.
  static std::size_t lay_out();

  virtual void construct(char* block) const = 0;
  virtual void destroy(char* block) const = 0;

 protected:
  node_local_base(std::size_t bytes, std::size_t alignment);
  ~node_local_base();
  std::size_t offset() const { return offset_; }

 private:
  static std::vector<node_local_base*>& all();
  static void require_no_run();

  const std::size_t bytes_, alignment_;
  std::size_t offset_ = 0;  // of the object in a node's block
};

template <class T>
class node_local final : public node_local_base {
  static_assert(alignof(T) <= 64, "a node's objects are aligned to 64 bytes at most");

 public:
  /// Every node's T is made of copies of these.
  template <class... A>
  explicit node_local(A... initial)
      : node_local_base(sizeof(T), alignof(T)),
        make_([initial...](void* at) { ::new (at) T(initial...); }) {}

  /// This node's. In fibers and what they call.
  T& get() const {
    return *std::launder(reinterpret_cast<T*>(terrane_here->node_objects + offset()));
  }
  T& operator*() const { return get(); }
  T* operator->() const { return &get(); }

  void construct(char* block) const override { make_(block + offset()); }
  void destroy(char* block) const override { reinterpret_cast<T*>(block + offset())->~T(); }

 private:
  const std::function<void(void*)> make_;
};

}  // namespace terrane
