// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/guarded_balancer.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/machine/repeating_thread.hpp"

namespace terrane {

namespace {

constexpr int looks_a_second = 10;

/// The innermost call of this thread. Calls nest, since a policy's note may call the policy of
/// another node.
thread_local const policy_call* under_way = nullptr;

}  // namespace

/// The signal and exit handlers that act when the process ends inside a policy. There is one object
/// per process, since signal handlers belong to the process.
struct policy_faults {
  static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  struct sigaction before[std::size(signals)] = {};

  static policy_faults& of_process() {
    static policy_faults only;
    return only;
  }
  policy_faults() {
    std::atexit([] { of_process().on_exit(); });
    struct sigaction action{};
    action.sa_sigaction = [](int number, siginfo_t* about, void*) {
      of_process().on_signal(number, about->si_code > 0);
    };
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &action, &before[i]);
  }

  static void say(const char* did) {
    const policy_call& call = *under_way;
    char node[32] = "", text[1024];
    if (call.node_ >= 0) std::snprintf(node, sizeof node, " at node %d", call.node_);
    const int length =
        std::snprintf(text, sizeof text, "terrane: R-%d: the balancer %.600s %s in %s%s\n",
                      static_cast<int>(run_time_error::balancer_failed), call.library_.c_str(), did,
                      call.function_, node);
    static_cast<void>(!write(STDERR_FILENO, text, static_cast<std::size_t>(length)));
  }
  static void on_exit() {
    if (!under_way) return;
    std::fflush(nullptr);
    say("called exit()");
    _exit(exit_run_time_error);
  }
  /// Prints the sentence, then restores the former handler for the signal. comes_again: the signal
  /// repeats by itself, as that of a fault does; else it is raised again.
  void on_signal(int number, bool comes_again) const {
    if (under_way) {
      char did[64];
      const char* const name = sigdescr_np(number);
      std::snprintf(did, sizeof did, "crashed (%s)", name ? name : "a signal");
      say(did);
      under_way = nullptr;
    }
    for (std::size_t i = 0; i < std::size(signals); ++i)
      if (signals[i] == number) sigaction(number, &before[i], nullptr);
    if (!comes_again) raise(number);
  }
};

policy_call::policy_call(const std::string& library, const char* function, int node)
    : library_(library), function_(function), node_(node), outer_(under_way) {
  policy_faults::of_process();
  under_way = this;
}
policy_call::~policy_call() { under_way = outer_; }

namespace {

/// Counts the starts and ends of one node's policy calls. Odd: a call is under way.
struct call_count {
  atomic<std::uint64_t> now{0};      // the thread in the policy writes, policy_watch reads
  atomic<const char*> function{""};  // likewise
  atomic<int> node{0};               // likewise
};

/// Checks at intervals whether a policy is still in the same call as before.
class policy_watch {
 public:
  explicit policy_watch(std::string library) : library_(std::move(library)) {}

  std::shared_ptr<call_count> add() {
    const std::lock_guard hold(lock_);
    all_.push_back({std::make_shared<call_count>(), 0, 0});
    if (!looks_)
      looks_ = std::make_unique<repeating_thread>(std::chrono::milliseconds(1000 / looks_a_second),
                                                  [this] { look(); });
    return all_.back().count;
  }

 private:
  struct watched {
    std::shared_ptr<call_count> count;
    std::uint64_t seen;
    int looks;  // how many checks in a row found the same call
  };
  void look() {
    const std::lock_guard hold(lock_);
    for (watched& each : all_) {
      const std::uint64_t now = each.count->now.load(memory_order_acquire);
      each.looks = now % 2 == 1 && now == each.seen ? each.looks + 1 : 0;
      each.seen = now;
      if (each.looks < call_seconds_max * looks_a_second) continue;
      std::fprintf(stderr,
                   "terrane: R-%d: the balancer %s has not returned from %s at node %d for %d s: "
                   "it must not block\n",
                   static_cast<int>(run_time_error::balancer_failed), library_.c_str(),
                   each.count->function.load(memory_order_relaxed),
                   each.count->node.load(memory_order_relaxed), call_seconds_max);
      std::_Exit(exit_run_time_error);
    }
  }

  const std::string library_;
  std::mutex lock_;
  std::vector<watched> all_;                 // under lock_
  std::unique_ptr<repeating_thread> looks_;  // last member: ends before what it uses is destroyed
};

class guarded_balancer final : public balancer {
 public:
  guarded_balancer(const std::string& library, std::unique_ptr<balancer> policy,
                   std::shared_ptr<policy_watch> watch)
      : library_(library), policy_(std::move(policy)), watch_(std::move(watch)) {
    count_ = watch_->add();
  }
  ~guarded_balancer() override {
    const policy_call inside(library_, "its destructor");
    policy_.reset();
  }

  void on_start(node_view& node) override {
    call(node, "on_start", [&] { policy_->on_start(node); });
  }
  void on_idle(node_view& node) override {
    call(node, "on_idle", [&] { policy_->on_idle(node); });
  }
  void on_surplus(node_view& node) override {
    call(node, "on_surplus", [&] { policy_->on_surplus(node); });
  }
  void on_note(node_view& node, node_id from, const note& what) override {
    call(node, "on_note", [&] { policy_->on_note(node, from, what); });
  }
  void on_token(node_view& node, node_id from, const load_hint& hint) override {
    call(node, "on_token", [&] { policy_->on_token(node, from, hint); });
  }
  void on_tick(node_view& node) override {
    call(node, "on_tick", [&] { policy_->on_tick(node); });
  }
  void on_threads(node_view& node, std::span<const ready_thread> ready) override {
    call(node, "on_threads", [&] { policy_->on_threads(node, ready); });
  }
  void on_thread(node_view& node, node_id from, terrane_slot_ref id) override {
    call(node, "on_thread", [&] { policy_->on_thread(node, from, id); });
  }
  void on_thread_stays(node_view& node, terrane_slot_ref id) override {
    call(node, "on_thread_stays", [&] { policy_->on_thread_stays(node, id); });
  }

 private:
  template <class Call>
  void call(node_view& node, const char* function, Call&& policy) {
    const policy_call inside(library_, function, static_cast<int>(node.me()));
    // Only one thread at a time is in the policy of a node, so there is one writer.
    const std::uint64_t calls = count_->now.load(memory_order_relaxed);
    count_->node.store(static_cast<int>(node.me()), memory_order_relaxed);
    count_->function.store(function, memory_order_relaxed);
    count_->now.store(calls + 1, memory_order_release);  // publishes function and node
    without_exceptions(library_, function, policy);
    count_->now.store(calls + 2, memory_order_relaxed);
  }

  const std::string library_;
  std::unique_ptr<balancer> policy_;
  std::shared_ptr<policy_watch> watch_;
  std::shared_ptr<call_count> count_;
};

}  // namespace

balancer_factory guarded(const std::string& library, balancer_factory make) {
  return [library, make = std::move(make),
          watch = std::make_shared<policy_watch>(library)]() -> std::unique_ptr<balancer> {
    const policy_call inside(library, "its constructor");
    auto made = without_exceptions(library, "its constructor", make);
    if (!made)
      fail(run_time_error::balancer_failed, "the balancer %s made no object", library.c_str());
    return std::make_unique<guarded_balancer>(library, std::move(made), watch);
  };
}

}  // namespace terrane
