// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/progress.hpp"

#include <cstdio>

namespace terrane {

progress::progress(machine& watched) : watched_(watched) {
  repeated_.emplace(std::chrono::milliseconds(500), [this] { show(); });
}

progress::~progress() {
  repeated_.reset();
  if (shown_) std::fputs("\r\033[K", stderr);
}

void progress::show() {
  const machine::glance seen = watched_.look();
  if (seen.seconds < 1) return;
  std::fprintf(stderr, "\r\033[Kterrane: %.1f s, %llu tokens, %d processor%s busy", seen.seconds,
               static_cast<unsigned long long>(seen.tokens), seen.busy, seen.busy == 1 ? "" : "s");
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace terrane
