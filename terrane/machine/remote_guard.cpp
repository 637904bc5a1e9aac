// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/remote_guard.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace terrane {

namespace {

/// In the guard. The process that it was copied from may have had threads, so it calls nothing but
/// the system. The node's end is seen at a pipe whose other end the node alone has open.
[[noreturn]] void guard(pid_t node, int lives) {
  prctl(PR_SET_NAME, "terrane guard");
  close(STDIN_FILENO);  // the end of the output must not wait for the guard
  close(STDOUT_FILENO);
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(each, SIG_IGN);
  for (;;) {
    pollfd watched[] = {{lives, POLLIN, 0}, {STDERR_FILENO, 0, 0}};
    if (poll(watched, 2, -1) < 0 && errno != EINTR) _exit(0);
    if (watched[0].revents != 0 || getppid() != node) _exit(0);
    if (watched[1].revents == 0) continue;
    kill(node, SIGKILL);
    _exit(0);
  }
}

}  // namespace

void guard_this_process() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  const pid_t node = getpid();
  const pid_t guards = fork();
  if (guards == 0) {
    close(ends[1]);
    guard(node, ends[0]);
  }
  close(ends[0]);
  if (guards < 0) close(ends[1]);  // else it stays open until this process ends
}

}  // namespace terrane
