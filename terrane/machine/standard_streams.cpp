// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/standard_streams.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace terrane {

namespace {

/// The errno for which stdout accepts no more; 0: it would accept more now. For an error that stdio
/// recorded without its errno.
int why_no_more_fits() {
  struct stat about{};
  rlimit largest{};
  if (fstat(STDOUT_FILENO, &about) != 0) return errno;
  if (!S_ISREG(about.st_mode)) return 0;
  if (getrlimit(RLIMIT_FSIZE, &largest) == 0 &&
      static_cast<rlim_t>(about.st_size) >= largest.rlim_cur)
    return EFBIG;
  if (fallocate(STDOUT_FILENO, FALLOC_FL_KEEP_SIZE, about.st_size, 4096) == 0) return 0;
  return errno == EOPNOTSUPP ? 0 : errno;
}

}  // namespace

void hold_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      // open() takes the lowest free descriptor, which is this one. It is opened in the wrong
      // direction, so that its use fails as before.
      static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

void say_output_was_lost(int why) {
  const char* const reason = why == 0       ? "a write failed while the program ran"
                             : why == EBADF ? "stdout is closed"
                                            : std::strerror(why);
  std::fprintf(stderr, "terrane: what the program printed could not all be written: %s\n", reason);
}

bool flush_output() {
  errno = 0;
  if (std::fflush(stdout) != 0) {
    say_output_was_lost(errno);
    return false;
  }
  if (!std::ferror(stdout)) return true;
  say_output_was_lost(why_no_more_fits());
  return false;
}

}  // namespace terrane
