// SPDX-License-Identifier: Apache-2.0
#include "tools/terrane/probed_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "terrane/machine/wording.hpp"

namespace terrane {

result<probed_process> probed_process::start(const std::vector<std::string>& words) {
  int ends[6];
  for (int i = 0; i < 3; ++i)
    if (pipe2(ends + 2 * i, O_CLOEXEC) != 0)
      return error{fmt::format("there is no pipe for it: {}", std::strerror(errno))};
  std::vector<char*> all;
  for (const std::string& each : words) all.push_back(const_cast<char*>(each.c_str()));
  all.push_back(nullptr);
  const pid_t process = fork();
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[0], STDIN_FILENO);
    dup2(ends[3], STDOUT_FILENO);
    dup2(ends[5], STDERR_FILENO);
    execvp(all[0], all.data());
    const std::string problem = fmt::format("{}: {}\n", words[0], std::strerror(errno));
    [[maybe_unused]] const ssize_t written = ::write(2, problem.data(), problem.size());
    _exit(127);
  }
  for (const int each : {ends[0], ends[3], ends[5]}) close(each);
  if (process < 0) return error{fmt::format("it could not be started: {}", std::strerror(errno))};
  fcntl(ends[4], F_SETFL, O_NONBLOCK);
  return probed_process(process, ends[1], ends[2], ends[4]);
}

probed_process::probed_process(probed_process&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      to_(std::exchange(other.to_, -1)),
      from_(std::exchange(other.from_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      unread_(std::move(other.unread_)),
      said_(std::move(other.said_)) {}

probed_process::~probed_process() {
  for (const int each : {to_, from_, errors_})
    if (each >= 0) close(each);
  if (process_ <= 0) return;
  // At the end of its input it ends by itself, on its host too; a launcher that hangs is killed.
  for (int i = 0; i < 50; ++i) {
    if (waitpid(process_, nullptr, WNOHANG) == process_) return;
    poll(nullptr, 0, 10);
  }
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

bool probed_process::write(std::span<const unsigned char> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

void probed_process::read_errors() {
  constexpr std::size_t said_bytes_max = 4096;
  char part[1024];
  for (ssize_t got; (got = read(errors_, part, sizeof part)) > 0;)
    if (said_.size() < said_bytes_max) said_.append(part, static_cast<std::size_t>(got));
}

std::string probed_process::end_in_words() {
  int status = 0;
  const pid_t ended = waitpid(process_, &status, 0);
  read_errors();
  process_ = -1;
  while (said_.ends_with('\n') || said_.ends_with('\r')) said_.pop_back();
  const std::string last = one_line(said_.substr(said_.rfind('\n') + 1));
  std::string how = "it ended";
  if (ended > 0 && WIFSIGNALED(status))
    how = fmt::format("it was killed by signal {}", WTERMSIG(status));
  else if (ended > 0)
    how = fmt::format("it ended with exit code {}", WEXITSTATUS(status));
  return last.empty() ? how : fmt::format("{}: {}", how, last);
}

result<std::string> probed_process::read_line(clock::time_point until) {
  for (;;) {
    if (const std::size_t end = unread_.find('\n'); end != unread_.npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - clock::now());
    pollfd inputs[] = {{from_, POLLIN, 0}, {errors_, POLLIN, 0}};
    if (process_ < 0) return error{"it has ended"};
    if (left.count() <= 0 || poll(inputs, 2, static_cast<int>(left.count()) + 1) == 0) {
      read_errors();
      return error{said_.empty()
                       ? "it did not answer in time"
                       : fmt::format("it did not answer in time, and said: {}", one_line(said_))};
    }
    if ((inputs[1].revents & POLLIN) != 0) read_errors();
    if ((inputs[0].revents & (POLLIN | POLLHUP)) != 0) {
      char part[4096];
      const ssize_t got = read(from_, part, sizeof part);
      if (got <= 0) return error{end_in_words()};
      unread_.append(part, static_cast<std::size_t>(got));
      continue;
    }
    if ((inputs[1].revents & POLLHUP) != 0) poll(nullptr, 0, 10);  // its end is near
  }
}

}  // namespace terrane
