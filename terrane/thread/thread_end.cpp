// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/thread_end.hpp"

#include <cstdio>
#include <memory>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"

namespace terrane {

namespace {

template <class Use>
void with_text(const std::exception_ptr& failure, Use&& use) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& known) { use(known.what()); } catch (...) {
    use("an exception that is no std::exception");
  }
}

}  // namespace

thread_end end_for(processor_id joiner, std::exception_ptr failure) {
  thread_end end;
  if (!failure) return end;
  end.thrown = true;
  const processor& self = here();
  if (joiner / self.processors_per_node() == self.home().number())
    end.exception = reinterpret_cast<std::uintptr_t>(new std::exception_ptr(std::move(failure)));
  else
    write_text(failure, end.says);
  return end;
}

void write_text(const std::exception_ptr& failure, std::span<char> into) {
  with_text(failure,
            [into](const char* says) { std::snprintf(into.data(), into.size(), "%s", says); });
}

std::exception_ptr failure_of(const thread_end& end) {
  if (!end.thrown) return nullptr;
  if (end.exception == 0) return std::make_exception_ptr(remote_exception(end.says));
  const std::unique_ptr<std::exception_ptr> mine(
      reinterpret_cast<std::exception_ptr*>(end.exception));
  return *mine;
}

void rethrow(const thread_end& end) {
  if (end.thrown) std::rethrow_exception(failure_of(end));
}

void unheard_exception(const char* thread, const std::exception_ptr& failure) {
  with_text(failure, [thread](const char* says) {
    fail(run_time_error::exception_in_thread, "an exception left thread %s, which was detached: %s",
         thread, says);
  });
  __builtin_unreachable();
}

}  // namespace terrane
