// SPDX-License-Identifier: Apache-2.0
// explorer.hpp: a small model checker: tries every way in which a few threads of a protocol may
// interleave, and every value that the C++ memory model lets their loads return.
//
//   const auto found = explore({}, [](execution& run) {
//     auto& flag = run.make<atomic<int>>(0);      // shared, made anew for each execution
//     auto& data = run.make<plain<int>>();
//     run.thread([&] { data.write(7); flag.store(1, memory_order_release); });
//     run.thread([&] { if (flag.load(memory_order_acquire)) run.require(data.read() == 7, "7"); });
//   });
//   EXPECT_EQ(found.fault, "");
//
// Memory      Each location keeps all values that were stored there, in one order. A thread has a
//             view: for each location, the oldest value that it may still read. A load returns that
//             value or any later one; an acquire load joins the view that a release store left with
//             the value. A read-modify-write reads the newest value and passes on the view that it
//             found. A seq_cst load reads no value older than the last that a seq_cst operation
//             stored. So relaxed stores are seen late and out of order, as with store buffers that
//             are not FIFO. Not modelled: fences, loads that run ahead of earlier stores to other
//             locations (load buffering), stores that enter the order of their location before
//             older ones.
// Races       `plain` data is checked by vector clocks: two accesses, one a write, of which neither
//             happens before the other, are a fault.
// Search      Depth first over a list of choices: which thread runs next, before each atomic
//             operation, and which value a load reads. The search is exhaustive if
//             `preemptions_max` cut nothing off.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace terrane::model {

inline constexpr std::size_t threads_max = 4;
inline constexpr std::size_t locations_max = 64;

/// What a thread knows: for each location the oldest value that it may read; for each thread, how
/// far it has seen that thread run.
struct view {
  std::array<std::uint16_t, locations_max> oldest{};
  std::array<std::uint16_t, threads_max> clock{};
  void join(const view& other);
};

struct limits {
  int preemptions_max = 1000;  // switches away from a thread that could go on
  std::uint64_t executions_max = 20'000'000;
};

struct verdict {
  std::string fault;  // of the first execution that has one; empty: none has
  std::uint64_t executions = 0;
  bool complete = false;  // none was cut off, by either limit
};

class execution {
 public:
  template <class T, class... A>
  T& make(A&&... values) {
    auto made = std::make_shared<T>(std::forward<A>(values)...);
    kept_.push_back(made);
    return *made;
  }
  /// Zeroed, aligned to 64.
  void* memory(std::size_t bytes);
  void thread(std::function<void()> body);
  /// After all threads have ended.
  void finally(std::function<void()> check) { finally_ = std::move(check); }
  /// Ends the execution with that fault unless `holds`.
  void require(bool holds, const char* fault);
  /// A thread that found nothing to do waits until something is stored. It has then seen all that
  /// was stored before.
  void wait_for_change();

 private:
  friend class search;
  std::vector<std::shared_ptr<void>> kept_;
  std::vector<std::function<void()>> bodies_;
  std::function<void()> finally_;
};

verdict explore(const limits&, const std::function<void(execution&)>& scenario);

// --- what the modelled atomics are made of; outside of threads they act at once ---

enum class order : std::uint8_t { relaxed, acquire, release, acq_rel, seq_cst };

std::uint64_t load(const void* where, std::uint64_t initial, order);
void store(const void* where, std::uint64_t initial, std::uint64_t value, order);
/// change: from the value that was there to the new one.
std::uint64_t modify(const void* where, std::uint64_t initial,
                     const std::function<std::uint64_t(std::uint64_t)>& change, order);
/// True if it was stored; otherwise `expected` is what was there.
bool exchange_if(const void* where, std::uint64_t initial, std::uint64_t& expected,
                 std::uint64_t value, order);
/// As the kernel's: sleeps if `expected` is there now, until a wake.
void futex_wait(const void* where, std::uint64_t initial, std::uint64_t expected);
void futex_wake(const void* where);
/// execution::wait_for_change, for who has no execution at hand.
void wait_for_change();
void read_plain(const void* where);
void write_plain(const void* where);

/// Data that is not atomic, on which threads must not race.
template <class T>
class plain {
 public:
  T read() const {
    read_plain(this);
    return value_;
  }
  void write(T value) {
    write_plain(this);
    value_ = value;
  }

 private:
  T value_{};
};

}  // namespace terrane::model
