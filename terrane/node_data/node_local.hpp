// SPDX-License-Identifier: Apache-2.0
// node_local.hpp: C++ objects that exist once per node.
//
//   node_local<int> hits{0};                         // at namespace scope
//   node_local<std::vector<int>> seen;
//   ++*hits; seen->push_back(3);                     // in a fiber: this node's objects
//
// Purpose     The counterpart of TERRANE_NODE_DATA for types whose constructors and destructors
//             must run. At the start of each run every node's objects are made, in the order in
//             which the node_locals were made; at the end of the run they are destroyed.
// Invariants  The processors of one node share its objects without any lock. Node_locals are made
//             before a run, on the thread that starts it. The alignment is at most 64 bytes.
// Cost        An access loads the address of the node's block and adds the object's offset.
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

  /// All node_locals of the program, in the order in which they were made.
  static const std::vector<node_local_base*>& registered() { return all(); }
  /// Assigns each node_local its offset in a node's block. Returns the bytes of a block.
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
  /// Every node's T is constructed from copies of these values.
  template <class... A>
  explicit node_local(A... initial)
      : node_local_base(sizeof(T), alignof(T)),
        make_([initial...](void* at) { ::new (at) T(initial...); }) {}

  /// This node's object. Call only in fibers and what they call.
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
