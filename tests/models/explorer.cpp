// SPDX-License-Identifier: Apache-2.0
#include "tests/models/explorer.hpp"

#include <ucontext.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace terrane::model {

namespace {

constexpr std::size_t stack_bytes = 64 * 1024;

struct stored {
  std::uint64_t value;
  view released;
};
struct location {
  const void* where;
  std::vector<stored> values;
  std::size_t last_seq_cst = 0;
};
/// Of plain data: who wrote last, and who read since.
struct access_record {
  const void* where;
  int writer = -1;
  std::uint16_t written = 0;
  std::array<std::uint16_t, threads_max> read{};
};

bool acquires(order how) { return how != order::relaxed && how != order::release; }
bool releases(order how) { return how != order::relaxed && how != order::acquire; }

}  // namespace

void view::join(const view& other) {
  for (std::size_t i = 0; i < oldest.size(); ++i) oldest[i] = std::max(oldest[i], other.oldest[i]);
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other.clock[i]);
}

class search {
 public:
  explicit search(const limits& bounds) : bounds_(bounds) {
    for (auto& each : stacks_) each.reset(new char[stack_bytes]);
  }

  verdict all(const std::function<void(execution&)>& scenario) {
    verdict found;
    bool more = true;
    while (more && found.fault.empty() && found.executions < bounds_.executions_max) {
      ++found.executions;
      once(scenario);
      found.fault = fault_;
      more = next_choices();
    }
    found.complete = !more && !cut_off_;
    return found;
  }

  // --- operations of the thread that runs; of none: setting up, or looking at the end ---
  location& at(const void* where, std::uint64_t initial) {
    for (location& each : locations_)
      if (each.where == where) return each;
    if (locations_.size() == locations_max) std::abort();
    locations_.push_back({where, {{initial, {}}}, 0});
    return locations_.back();
  }
  std::uint64_t load(const void* where, std::uint64_t initial, order how) {
    step();
    location& place = at(where, initial);
    const std::size_t newest = place.values.size() - 1;
    if (running_ < 0) return place.values[newest].value;
    view& mine = threads_[running_].knows;
    std::size_t oldest = mine.oldest[index_of(place)];
    if (how == order::seq_cst) oldest = std::max(oldest, place.last_seq_cst);
    return take(place, newest - choose(newest - oldest + 1), how);
  }
  void store(const void* where, std::uint64_t initial, std::uint64_t value, order how) {
    step();
    location& place = at(where, initial);
    append(place, value, how, {});
  }
  std::uint64_t modify(const void* where, std::uint64_t initial,
                       const std::function<std::uint64_t(std::uint64_t)>& change, order how) {
    step();
    location& place = at(where, initial);
    const stored newest = place.values.back();
    take(place, place.values.size() - 1, how);
    append(place, change(newest.value), how, newest.released);
    return newest.value;
  }
  bool exchange_if(const void* where, std::uint64_t initial, std::uint64_t& expected,
                   std::uint64_t value, order how) {
    step();
    location& place = at(where, initial);
    std::vector<std::size_t> readable{place.values.size() - 1};  // an older one only to fail
    if (running_ >= 0)
      for (std::size_t i = readable[0]; i-- > threads_[running_].knows.oldest[index_of(place)];)
        if (place.values[i].value != expected && (how != order::seq_cst || i >= place.last_seq_cst))
          readable.push_back(i);
    const std::size_t which = readable[choose(readable.size())];
    const stored found = place.values[which];
    take(place, which, how);
    const bool same = found.value == expected;
    if (same)
      append(place, value, how, found.released);
    else
      expected = found.value;
    return same;
  }
  void futex_wait(const void* where, std::uint64_t initial, std::uint64_t expected) {
    step();
    if (at(where, initial).values.back().value != expected) return;
    threads_[running_].sleeps_at = where;
    block();
  }
  void futex_wake(const void* where) {
    step();
    for (auto& each : threads_)
      if (each.sleeps_at == where) {
        each.sleeps_at = nullptr;
        return;
      }
  }
  void wait_for_change() {
    step();
    one_thread& self = threads_[running_];
    if (!see_all(self)) return;
    self.waits_since = stores_;
    block();
    self.waits_since = 0;
    see_all(self);
  }
  void plain_access(const void* where, bool writes) {
    if (running_ < 0) return;
    auto found = std::find_if(plain_.begin(), plain_.end(),
                              [&](const access_record& each) { return each.where == where; });
    if (found == plain_.end()) found = plain_.insert(plain_.end(), access_record{where});
    const view& mine = threads_[running_].knows;
    const auto me = static_cast<std::size_t>(running_);
    if (found->writer >= 0 && found->writer != running_ &&
        mine.clock[static_cast<std::size_t>(found->writer)] < found->written)
      end_with("a race: plain data is accessed while another thread writes it");
    for (std::size_t i = 0; writes && i < threads_max; ++i)
      if (i != me && mine.clock[i] < found->read[i])
        end_with("a race: plain data is written while another thread reads it");
    if (!writes) {
      found->read[me] = mine.clock[me];
      return;
    }
    found->writer = running_;
    found->written = mine.clock[me];
    found->read = {};
  }
  [[noreturn]] void end_with(const char* fault) {
    fault_ = fault;
    if (running_ < 0) std::abort();  // while setting up
    running_ = -1;
    setcontext(&main_);
    std::abort();
  }
  bool in_thread() const { return running_ >= 0; }
  void note_fault(const char* fault) { fault_ = fault; }

  static search* now;

 private:
  struct one_thread {
    std::function<void()> body;
    ucontext_t context{};
    view knows;
    const void* sleeps_at = nullptr;
    std::uint64_t waits_since = 0;  // stores there were; 0: does not wait
    bool ended = false;
  };
  struct choice {
    std::size_t taken, of;
  };

  std::size_t index_of(const location& place) const {
    return static_cast<std::size_t>(&place - locations_.data());
  }
  std::size_t choose(std::size_t options) {
    if (options == 1) return 0;
    if (depth_ == choices_.size()) choices_.push_back({0, options});
    return choices_[depth_++].taken;
  }
  bool next_choices() {
    choices_.resize(depth_);  // an execution with a fault may have ended early
    while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().of)
      choices_.pop_back();
    if (choices_.empty()) return false;
    ++choices_.back().taken;
    return true;
  }

  std::uint64_t take(location& place, std::size_t which, order how) {
    const stored& read = place.values[which];
    if (running_ >= 0) {
      view& mine = threads_[running_].knows;
      mine.oldest[index_of(place)] = static_cast<std::uint16_t>(which);
      if (acquires(how)) mine.join(read.released);
    }
    return read.value;
  }
  void append(location& place, std::uint64_t value, order how, const view& handed_on) {
    ++stores_;
    if (running_ < 0) {
      place.values.assign(1, {value, {}});
      place.last_seq_cst = 0;
      return;
    }
    view& mine = threads_[running_].knows;
    const std::size_t index = index_of(place), which = place.values.size();
    mine.oldest[index] = static_cast<std::uint16_t>(which);
    view released = handed_on;
    if (releases(how)) released.join(mine);
    released.oldest[index] = static_cast<std::uint16_t>(which);
    ++mine.clock[static_cast<std::size_t>(running_)];  // what follows is not part of it
    place.values.push_back({value, released});
    if (how == order::seq_cst) place.last_seq_cst = which;
  }

  /// True if it had seen all.
  bool see_all(one_thread& self) {
    bool saw_all = true;
    for (const location& each : locations_) {
      std::uint16_t& oldest = self.knows.oldest[index_of(each)];
      saw_all = saw_all && oldest == each.values.size() - 1;
      oldest = static_cast<std::uint16_t>(each.values.size() - 1);
    }
    return saw_all;
  }
  bool can_go_on(const one_thread& each) const {
    const bool waits = each.waits_since != 0 && each.waits_since == stores_;
    return !each.ended && each.sleeps_at == nullptr && !waits;
  }
  /// Before an operation: perhaps another thread goes first.
  void step() {
    if (running_ < 0 || std::exchange(chosen_, false)) return;
    std::vector<int> ready{running_};
    for (int i = 0; i < static_cast<int>(threads_.size()); ++i)
      if (i != running_ && can_go_on(threads_[i])) ready.push_back(i);
    if (ready.size() > 1 && preemptions_ == bounds_.preemptions_max) cut_off_ = true;
    if (preemptions_ == bounds_.preemptions_max) return;
    const std::size_t which = choose(ready.size());
    if (which == 0) return;
    ++preemptions_;
    go_on(ready[which]);
  }
  /// This thread cannot go on.
  void block() {
    std::vector<int> ready;
    for (int i = 0; i < static_cast<int>(threads_.size()); ++i)
      if (can_go_on(threads_[i])) ready.push_back(i);
    if (ready.empty()) end_with("all threads wait for ever");
    go_on(ready[choose(ready.size())]);
    chosen_ = true;
  }
  void go_on(int next) {
    const int before = running_;
    running_ = next;
    swapcontext(&threads_[before].context, &threads_[next].context);
  }
  static void begin() {
    search& all = *now;
    all.chosen_ = true;
    all.threads_[all.running_].body();
    all.thread_ended();
  }
  void thread_ended() {
    threads_[running_].ended = true;
    const bool over = std::all_of(threads_.begin(), threads_.end(),
                                  [](const one_thread& each) { return each.ended; });
    if (!over) block();  // never comes back
    running_ = -1;
    setcontext(&main_);
  }

  void once(const std::function<void(execution&)>& scenario) {
    execution run;
    threads_.clear();
    locations_.clear();
    locations_.reserve(locations_max);
    plain_.clear();
    depth_ = 0;
    stores_ = 1;
    preemptions_ = 0;
    running_ = -1;
    now = this;
    fault_.clear();
    scenario(run);
    threads_.resize(run.bodies_.size());
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      one_thread& each = threads_[i];
      each.body = run.bodies_[i];
      each.knows.clock[i] = 1;
      getcontext(&each.context);
      each.context.uc_stack.ss_sp = stacks_[i].get();
      each.context.uc_stack.ss_size = stack_bytes;
      makecontext(&each.context, begin, 0);
    }
    volatile bool began = false;
    getcontext(&main_);
    if (!began) {
      began = true;
      running_ = static_cast<int>(choose(threads_.size()));
      setcontext(&threads_[running_].context);
    }
    if (fault_.empty() && run.finally_) run.finally_();
  }

  const limits bounds_;
  std::array<std::unique_ptr<char[]>, threads_max> stacks_;
  ucontext_t main_{};
  std::vector<one_thread> threads_;
  int running_ = -1;
  bool chosen_ = false;  // that thread, for the operation that comes next
  std::vector<location> locations_;
  std::vector<access_record> plain_;
  std::uint64_t stores_ = 1;
  int preemptions_ = 0;
  bool cut_off_ = false;
  std::vector<choice> choices_;
  std::size_t depth_ = 0;
  std::string fault_;
};

search* search::now = nullptr;

void* execution::memory(std::size_t bytes) {
  void* const made = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  std::memset(made, 0, bytes);
  kept_.emplace_back(made, std::free);
  return made;
}

void execution::thread(std::function<void()> body) {
  if (bodies_.size() == threads_max) std::abort();
  bodies_.push_back(std::move(body));
}

void execution::require(bool holds, const char* fault) {
  if (holds) return;
  if (search::now->in_thread()) search::now->end_with(fault);
  search::now->note_fault(fault);
}

void execution::wait_for_change() { search::now->wait_for_change(); }

verdict explore(const limits& bounds, const std::function<void(execution&)>& scenario) {
  return search(bounds).all(scenario);
}

std::uint64_t load(const void* where, std::uint64_t initial, order how) {
  return search::now->load(where, initial, how);
}
void store(const void* where, std::uint64_t initial, std::uint64_t value, order how) {
  search::now->store(where, initial, value, how);
}
std::uint64_t modify(const void* where, std::uint64_t initial,
                     const std::function<std::uint64_t(std::uint64_t)>& change, order how) {
  return search::now->modify(where, initial, change, how);
}
bool exchange_if(const void* where, std::uint64_t initial, std::uint64_t& expected,
                 std::uint64_t value, order how) {
  return search::now->exchange_if(where, initial, expected, value, how);
}
void futex_wait(const void* where, std::uint64_t initial, std::uint64_t expected) {
  search::now->futex_wait(where, initial, expected);
}
void futex_wake(const void* where) { search::now->futex_wake(where); }
void wait_for_change() { search::now->wait_for_change(); }
void read_plain(const void* where) { search::now->plain_access(where, false); }
void write_plain(const void* where) { search::now->plain_access(where, true); }

}  // namespace terrane::model
