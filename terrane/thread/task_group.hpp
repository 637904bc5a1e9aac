// SPDX-License-Identifier: Apache-2.0
// task_group.hpp: any number of tasks, and one wait for all of them.
//
//   task_group group;
//   for (tree* child : node.children) group.run([child, &group] { visit(child, group); });
//   group.wait();                                   // for the tasks of the tasks, too
//
// Purpose     Tasks that are not known when the group is made: they may add tasks to it. A group is
//             waited for by the thread that made it; other threads of the node may add tasks.
// Invariants  A task that the owner's thread adds, or runs inline, is a future in the group's list,
//             and the owner joins it in wait(). A task that another processor took is a guest in a
//             thread of its own: what it adds is in its own list, and joined there before the guest
//             ends. What any other thread adds is detached, and counted. So every future is joined
//             by the thread that spawned it.
// Errors      The first exception that leaves a task cancels the group, and wait() throws it. Tasks
//             that have not begun then never begin; those that run may ask cancelled().
// Cost        run: a spawn, and 24 bytes in a list. wait: the joins, newest first.
#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/thread/future.hpp"
#include "terrane/thread/run_detached.hpp"
#include "terrane/thread/wait_queue.hpp"

namespace terrane {

namespace detail {

/// Futures in the order in which they were spawned; the first few need no memory of their own.
class future_list {
 public:
  future_list() = default;
  future_list(const future_list&) = delete;
  future_list& operator=(const future_list&) = delete;
  ~future_list() {
    while (!empty()) take_last();
  }
  bool empty() const { return few_ == 0; }
  void add(future<void> one) {
    if (few_ < few_max)
      ::new (place(few_++)) future<void>(std::move(one));
    else
      more_.push_back(std::move(one));
  }
  future<void> take_last() {
    if (!more_.empty()) {
      future<void> last = std::move(more_.back());
      more_.pop_back();
      return last;
    }
    auto* const kept = std::launder(static_cast<future<void>*>(place(--few_)));
    future<void> last = std::move(*kept);
    kept->~future<void>();
    return last;
  }

 private:
  static constexpr std::size_t few_max = 4;
  void* place(std::size_t which) { return places_ + which * sizeof(future<void>); }

  std::size_t few_ = 0;
  alignas(future<void>) unsigned char places_[few_max * sizeof(future<void>)];
  std::vector<future<void>> more_;
};

}  // namespace detail

class task_group {
 public:
  task_group() : owner_(&thread_block::current("a task_group")) {}
  /// A group whose tasks are cancelled with those of `outer`, too. `outer` outlives it.
  explicit task_group(const task_group* outer)
      : owner_(&thread_block::current("a task_group")), outer_(outer) {}
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;
  /// Waits; an exception of a task is lost.
  ~task_group();

  /// Adds a task. It may begin at once, later, or in wait().
  template <class F>
  void run(F&& task) {
    if (thread_block::current() == owner_)
      mine_.add(spawn(in_group<std::decay_t<F>>{this, std::forward<F>(task)}));
    else
      run_elsewhere(std::forward<F>(task));
  }
  /// Returns when all tasks have ended; throws the first exception that left one. Then the group is
  /// as new. R-290 in another thread than the one that made it.
  void wait() {
    if (TERRANE_UNLIKELY(thread_block::current() != owner_)) waited_by_another();
    while (!mine_.empty()) mine_.take_last().join();
    if (TERRANE_UNLIKELY(unusual_.load(memory_order_acquire) != 0)) end_of_wait();
  }
  template <class F>
  void run_and_wait(F&& task) {
    run(std::forward<F>(task));
    wait();
  }
  /// Tasks that have not begun never begin. May be called by any thread of the node.
  void cancel() { unusual_.fetch_or(was_cancelled, memory_order_seq_cst); }
  bool cancelled() const {
    return (unusual_.load(memory_order_relaxed) & was_cancelled) != 0 ||
           (outer_ && outer_->cancelled());
  }

 private:
  /// A thread that runs tasks which the owner does not run, and what these have added.
  struct guest {
    thread_block* who;
    guest* next;
    detail::future_list added;
  };

  /// A task as a future of the group.
  template <class F>
  struct in_group {
    task_group* group;
    F task;
    void operator()() {
      if (TERRANE_LIKELY(thread_block::current() == group->owner_))
        group->run_guarded(task);
      else
        group->run_as_guest([this] { group->run_guarded(task); });
    }
  };

  template <class F>
  [[gnu::always_inline]] void run_guarded(F& task) {
    if (TERRANE_UNLIKELY(cancelled())) return;
    try {
      task();
    } catch (...) { failed(std::current_exception()); }
  }
  /// A thread that is a guest already runs the task inline; else it is one while the task runs.
  template <class F>
  void run_as_guest(const F& task) {
    if (find_guest()) return task();
    guest mine{thread_block::current(), nullptr, {}};
    enter(mine);
    task();
    while (!mine.added.empty()) mine.added.take_last().join();
    leave(mine);
  }
  template <class F>
  void run_elsewhere(F&& task) {
    in_group<std::decay_t<F>> whole{this, std::forward<F>(task)};
    if (guest* const mine = find_guest()) return mine->added.add(spawn(std::move(whole)));
    add_detached();
    detail::run_detached([whole = std::move(whole)]() mutable {
      whole();
      whole.group->end_detached();
    });
  }

  guest* find_guest();
  void enter(guest& comes);
  void leave(guest& goes);
  void add_detached();
  void end_detached();
  [[gnu::cold]] void failed(std::exception_ptr what);
  [[gnu::cold]] void end_of_wait();
  [[noreturn, gnu::cold]] void waited_by_another() const;

  // What wait() must look at, as flags. Any thread of the node sets them; the owner reads them
  // with acquire, so that it sees what was written before.
  enum : unsigned { was_cancelled = 1, has_failed = 2, had_detached = 4 };
  atomic<unsigned> unusual_{0};
  thread_block* const owner_;
  const task_group* const outer_ = nullptr;
  detail::future_list mine_;  // touched by the owner's thread alone
  // --- under inside_ ---
  node_lock inside_;
  guest* guests_ = nullptr;
  std::size_t detached_ = 0;    // tasks that nobody joins, and that have not ended
  terrane_slot_ref waits_ = 0;  // signalled when there is none; 0: the owner does not wait
  std::exception_ptr failure_;
};

}  // namespace terrane
