// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/progress.hpp"

#include <chrono>
#include <cstdio>

namespace terrane {

progress::progress(machine& watched) : watched_(watched), thread_([this] { watch(); }) {}

progress::~progress() {
  {
    const std::lock_guard hold(lock_);
    over_ = true;
  }
  over_changed_.notify_all();
  thread_.join();
}

void progress::watch() {
  std::unique_lock hold(lock_);
  bool shown = false;
  while (!over_changed_.wait_for(hold, std::chrono::milliseconds(500), [this] { return over_; })) {
    const machine::glance seen = watched_.look();
    if (seen.seconds < 1) continue;
    std::fprintf(stderr, "\r\033[Kterrane: %.1f s, %llu tokens, %d processor%s busy", seen.seconds,
                 static_cast<unsigned long long>(seen.tokens), seen.busy,
                 seen.busy == 1 ? "" : "s");
    std::fflush(stderr);
    shown = true;
  }
  if (shown) std::fputs("\r\033[K", stderr);
}

}  // namespace terrane
