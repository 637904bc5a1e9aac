// SPDX-License-Identifier: Apache-2.0
// par.hpp: occam's PAR: runs its branches as threads, and returns when all have ended.
//
//   par([&] { left(); }, on(2, [=] { right(in); }), anywhere([=] { third(out); }));
//   par(16, [&](int i) { work(i); });
//
// Where       A plain branch runs in a thread of this processor, and may use what the caller has.
//             on(node, f) begins on that node, anywhere(f) where there is room: what f captures is
//             copied as bytes. Both may move (migration.hpp) where the world allows it.
// Ends        Of channels that the caller owned belong to nobody meanwhile: branches take them.
// Data        Branches read what the caller lends (lent.hpp), until the par has ended. The caller
//             does not move meanwhile.
// Errors      par throws the first exception, in the order of its branches, once all have ended.
// Codes       this_thread::exit(code) ends a branch; par returns the codes, 0 for the others.
// Source      [TESTBED §2.1.1, §2.1.3].
#pragma once

#include <exception>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

#include "terrane/cpp/slot.hpp"
#include "terrane/thread/migration.hpp"
#include "terrane/thread/thread.hpp"

namespace terrane {

/// Thrown by this_thread::exit; a thread that is no branch of a par passes it to whoever joins.
class thread_exit final : public std::exception {
 public:
  explicit thread_exit(int with) : code(with) {}
  const char* what() const noexcept override { return "this_thread::exit"; }
  const int code;
};

namespace this_thread {
/// Ends this thread. The par that it is a branch of gathers the code.
[[noreturn]] void exit(int code);
/// occam's STOP: the thread never goes on. Who waits for it waits too; the report of the deadlock
/// names this line.
[[noreturn]] void stop(std::source_location where = std::source_location::current());
}  // namespace this_thread
/// occam's HALT: ends the run with R-286, that sentence, and exit code 122.
[[noreturn]] void halt(const char* sentence);

template <class F>
struct placed_branch {
  node_id node;
  F call;
};
template <class F>
struct roaming_branch {
  F call;
};
template <class F>
placed_branch<F> on(node_id node, const F& call) {
  return {node, call};
}
template <class F>
roaming_branch<F> anywhere(const F& call) {
  return {call};
}

/// The branches of one par, and how they end.
class par_branches {
 public:
  explicit par_branches(std::size_t count);
  par_branches(const par_branches&) = delete;
  par_branches& operator=(const par_branches&) = delete;
  ~par_branches() { journey::has_children(me_, -1); }

  template <class F>
  void add(const F& call) {
    int* const code = &codes_[threads_.size()];
    threads_.push_back(thread::create({.name = "branch"}, [&call, code] { *code = run(call); }));
  }
  template <class F>
  void add(const roaming_branch<F>& branch) {
    threads_.push_back(
        thread::create_migratable({.name = "branch"}, remote(branch.call, next_code())));
  }
  template <class F>
  void add(const placed_branch<F>& branch) {
    using known = starter<reported<F>>;
    static_cast<void>(&known::registered);
    const start_request<reported<F>> asked{remote(branch.call, next_code()), next_name()};
    threads_.emplace_back();
    start_on(branch.node, known::function, &asked);
  }
  /// Returns when all have ended.
  std::vector<int> join();

 private:
  /// Calls it, and returns the code with which it ended.
  template <class F>
  static int run(const F& call) {
    try {
      call();
    } catch (const thread_exit& ended) { return ended.code; }
    return 0;
  }
  /// A branch that may end elsewhere: it sends its code.
  template <class F>
  struct reported {
    F call;
    reply<int> code;
    void operator()() const {
      struct report {
        reply<int> to;
        int code = 0;
        ~report() { to.send(code); }
      } last{code};
      last.code = run(call);
    }
  };
  template <class F>
  static reported<F> remote(const F& call, reply<int> code) {
    static_assert(std::is_trivially_copyable_v<F>,
                  "what a branch on another node captures is copied as bytes: capture values, and "
                  "ends of channels, that are trivially copyable");
    return {call, code};
  }
  template <class F>
  struct start_request {
    F call;
    reply<terrane_slot_ref> name;
  };
  template <class F>
  struct starter {
    static void start(terrane_processor*, const void* args) {
      here().pay_nothing();
      const auto& asked = *static_cast<const start_request<F>*>(args);
      asked.name.send(begin_journey({.name = "branch"}, asked.call, true).name());
    }
    static constexpr terrane_function function{
        "branch", nullptr, 0, 0, 0, sizeof(start_request<F>), start, nullptr, nullptr, 0};
    static inline const registration registered{function};
  };

  reply<int> next_code();
  reply<terrane_slot_ref> next_name();
  static void start_on(node_id node, const terrane_function& function, const void* args);

  thread_block& me_;
  std::vector<thread> threads_;
  std::vector<int> codes_;
  std::vector<terrane_slot_ref> names_;  // of those that began elsewhere; 0: none
};

/// Runs all branches, and returns the codes with which they ended.
template <class... F>
  requires(sizeof...(F) > 0 && !(std::is_integral_v<std::decay_t<F>> || ...))
std::vector<int> par(const F&... branches) {
  par_branches all(sizeof...(F));
  (all.add(branches), ...);
  return all.join();
}
/// The same for f(0) ... f(n - 1).
template <class F>
std::vector<int> par(int n, const F& call) {
  par_branches all(static_cast<std::size_t>(n < 0 ? 0 : n));
  struct numbered {
    const F* call;
    int i;
    void operator()() const { (*call)(i); }
  };
  std::vector<numbered> each;
  each.reserve(static_cast<std::size_t>(n < 0 ? 0 : n));
  for (int i = 0; i < n; ++i) all.add(each.emplace_back(numbered{&call, i}));
  return all.join();
}

}  // namespace terrane
