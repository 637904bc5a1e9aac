// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/coroutine_frame.hpp"

#include <array>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/core/frame_arena.hpp"
#include "terrane/core/processor.hpp"

namespace terrane {

namespace {

terrane_step resume(terrane_frame* frame);

extern const std::array<terrane_function, TERRANE_FRAME_CLASSES> kinds;
const terrane_fiber resumes{resume, &kinds[0], "resume", nullptr, 0, TERRANE_PRIORITY_DEFAULT,
                            true};
const terrane_fiber* const fibers[] = {&resumes, nullptr};

constexpr terrane_function kind_of_class(std::uint32_t frame_class) {
  const auto bytes = static_cast<std::uint32_t>(frame_class_bytes(frame_class));
  return {"coroutine", nullptr, 0, frame_class, bytes, 0, nullptr, nullptr, fibers, 0};
}
template <std::size_t... Class>
constexpr std::array<terrane_function, TERRANE_FRAME_CLASSES> kinds_of(
    std::index_sequence<Class...>) {
  return {kind_of_class(Class)...};
}
/// Frames differ in size alone, so there is a kind for each class of sizes.
const std::array<terrane_function, TERRANE_FRAME_CLASSES> kinds =
    kinds_of(std::make_index_sequence<TERRANE_FRAME_CLASSES>());

/// Where the coroutine begins in its frame. Its variables may want a cache line's alignment, and
/// g++ 12 tells nobody so; frames have it.
constexpr std::size_t begins_at = 64;
static_assert(begins_at >= sizeof(terrane_frame));
void* coroutine_in(terrane_frame* frame) { return reinterpret_cast<char*>(frame) + begins_at; }
terrane_frame* frame_of(void* at) {
  return reinterpret_cast<terrane_frame*>(static_cast<char*>(at) - begins_at);
}

/// The coroutine, and those that continue it, until one waits or the last has ended. Each of them
/// may have ended, and its frame be freed, when its resume returns.
terrane_step resume(terrane_frame* frame) {
  std::coroutine_handle<> running = std::coroutine_handle<>::from_address(coroutine_in(frame));
  while (running) {
    coroutine_wake::next = nullptr;
    running.resume();
    running = std::exchange(coroutine_wake::next, nullptr);
  }
  return TERRANE_WAIT;
}

}  // namespace

void* make_coroutine_frame(std::size_t bytes) {
  if (!terrane_is_processor())
    fail(run_time_error::not_a_processor,
         "a coroutine was called in a thread of the operating system that is no processor of a "
         "run: call it in a terrane::thread");
  const std::size_t whole = bytes + begins_at;
  if (whole > TERRANE_FRAME_BYTES_MAX)
    fail(run_time_error::out_of_memory,
         "a coroutine has %zu bytes of variables, and a frame holds at most 1 MiB: put large ones "
         "behind a std::unique_ptr",
         bytes);
  const std::uint32_t frame_class = TERRANE_FRAME_CLASS(static_cast<std::uint32_t>(whole));
  return coroutine_in(terrane_frame_new(terrane_here, &kinds[frame_class], frame_class));
}

void free_coroutine_frame(void* made) {
  terrane_frame* const frame = frame_of(made);
  if (terrane_owner_of_frame(frame) != terrane_here) {
    if (!terrane_is_processor()) return;  // after the run
    fail(run_time_error::future_misused,
         "a coroutine was destroyed on processor %u, which did not make it", terrane_here->number);
  }
  terrane_frame_free(terrane_here, frame, frame->function->frame_class);
}

void coroutine_wake::bind(void* at) {
  wake_.count = 1;
  wake_.index = static_cast<std::uint32_t>(terrane_slot_bits(
      reinterpret_cast<const char*>(&wake_) - reinterpret_cast<const char*>(frame_of(at))));
  wake_.fiber = &resumes;
}

}  // namespace terrane
