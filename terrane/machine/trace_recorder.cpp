// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/trace_recorder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "terrane/base/signals_blocked.hpp"
#include "terrane/base/ticks.hpp"
#include "terrane/machine/cpu_budget.hpp"
#include "terrane/machine/trace_start.hpp"
#include "terrane/trace/format.hpp"

namespace terrane {

namespace {

constexpr std::size_t write_bytes = 256 * 1024;
constexpr std::uint64_t write_ns = 100'000'000;
constexpr std::uint64_t much_words = 16 * 1024;  // then the thread looks again at once
constexpr auto interval = std::chrono::milliseconds(1);
constexpr auto patience = std::chrono::milliseconds(200);  // of a failing thread

std::uint64_t resident_bytes() {
  const auto text = read_system_file("/proc/self/statm");
  const auto space = text ? text->find(' ') : std::string::npos;
  if (space == std::string::npos) return 0;
  return std::strtoull(text->c_str() + space, nullptr, 10) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

result<std::unique_ptr<trace_recorder>> trace_recorder::open(const std::string& path,
                                                             const event_rooms& rooms,
                                                             terrane::world& world, node_id process,
                                                             event_mask traced) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0)
    return error{fmt::format("cannot write the trace {}: {}", path, std::strerror(errno))};
  return std::unique_ptr<trace_recorder>(
      new trace_recorder(descriptor, rooms, world, process, traced));
}

trace_recorder::trace_recorder(int descriptor, const event_rooms& rooms, terrane::world& world,
                               node_id process, event_mask traced)
    : descriptor_(descriptor),
      rooms_(rooms),
      world_(world),
      process_(process),
      encoder_(process),
      memory_ring_(256) {
  // A simulated run has no memory of its own nodes, and its clock is not read by this thread.
  if (!world.crew.is_simulated())
    memory_.attach(nullptr, &memory_ring_, traced & bit_of(event_class::memory), nullptr, 0, false);
  const signals_blocked while_it_starts;
  thread_ = std::thread([this] { work(); });
}

trace_recorder::~trace_recorder() {
  finish();
  close(descriptor_);
}

void trace_recorder::work() {
  std::unique_lock hold(lock_);
  while (!over_) {
    const bool much = take_all() >= much_words;
    if (waiting_.size() >= write_bytes || monotonic_ns() - written_ns_ >= write_ns) write_out();
    if (much) {
      hold.unlock();  // a failing thread may want it
      hold.lock();
    } else {
      over_changed_.wait_for(hold, interval, [this] { return over_; });
    }
  }
}

std::uint64_t trace_recorder::take_all() {
  std::uint64_t taken = 0;
  for (const event_rooms::room& each : rooms_.rooms())
    taken += encoder_.take(*each.ring, each.source, waiting_);
  return taken;
}

void trace_recorder::note_memory() {
  if (!memory_.traces(event_class::memory)) return;
  memory_.look();
  memory_.put<event_id::memory_used>(resident_bytes());
  encoder_.take(memory_ring_, source_of_process | process_, waiting_);
}

void trace_recorder::write_out() {
  note_memory();
  if (!world_.crew.is_simulated())
    encoder_.add_clock(read_ticks(), monotonic_ns(), world_.now(), waiting_);
  written_ns_ = monotonic_ns();
  if (problem_ == 0 && !append_whole(descriptor_, waiting_)) {
    problem_ = errno;
    for (const event_rooms::room& each : rooms_.rooms())
      each.ring->closed.store(true, memory_order_relaxed);
  }
  waiting_.clear();
}

bool trace_recorder::finish() {
  {
    const std::lock_guard hold(lock_);
    if (std::exchange(over_, true)) return problem_ == 0;
  }
  over_changed_.notify_one();
  thread_.join();
  take_all();
  write_out();
  if (problem_ != 0)
    std::fprintf(stderr, "terrane: the trace is not complete: %s\n", std::strerror(problem_));
  return problem_ == 0;
}

void trace_recorder::fail(const char* sentence, int exit_code) {
  std::unique_lock hold(lock_, std::defer_lock);
  for (auto waited = std::chrono::milliseconds(0); !hold.try_lock(); waited += interval) {
    if (waited >= patience) return;  // the failing thread itself may hold it
    std::this_thread::sleep_for(interval);
  }
  take_all();
  write_out();
  append_whole(descriptor_, end_chunk(process_, sentence, exit_code));
}

}  // namespace terrane
