// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/progress.hpp"

#include <unistd.h>

#include <cstdio>

#include "terrane/machine/worlds.hpp"

namespace terrane {

bool is_progress_wanted(const run_options& options) {
  if (options.quiet || !isatty(STDERR_FILENO)) return false;
  const auto world = find_world(options.world);
  return world && !world.value()->simulated;  // to watch a simulated run would change its schedule
}

void progress_line::show(const machine::glance& seen) {
  if (seen.seconds < 1) return;
  std::fprintf(stderr, "\r\033[Kterrane: %.1f s, %llu tokens, %d processor%s busy", seen.seconds,
               static_cast<unsigned long long>(seen.tokens), seen.busy, seen.busy == 1 ? "" : "s");
  std::fflush(stderr);
  shown_ = true;
}

void progress_line::erase() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

progress::progress(machine& watched)
    : repeated_(progress_line::interval, [this, &watched] { line_.show(watched.look()); }) {}

}  // namespace terrane
