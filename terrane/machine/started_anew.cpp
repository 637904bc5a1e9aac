// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/started_anew.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace terrane {

namespace {

/// Reads exactly `count` whole numbers, each at least 0, separated by colons; otherwise nothing.
template <std::size_t count>
std::optional<std::array<int, count>> read_numbers(std::string_view text) {
  std::array<int, count> all;
  const char *at = text.data(), *const end = at + text.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0 && (at == end || *at++ != ':')) return {};
    const auto read = std::from_chars(at, end, all[i]);
    if (read.ec != std::errc() || all[i] < 0) return {};
    at = read.ptr;
  }
  if (at != end) return {};
  return all;
}

bool is_pipe_to_write(int descriptor) {
  struct stat file{};
  const int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) == O_WRONLY && fstat(descriptor, &file) == 0 &&
         S_ISFIFO(file.st_mode);
}

void close_on_exec(int descriptor, bool so) { fcntl(descriptor, F_SETFD, so ? FD_CLOEXEC : 0); }

}  // namespace

error start_anew(const shm_job& job, const node_process& mine, char** argv) {
  for (const int kept : {job.descriptor(), mine.result}) close_on_exec(kept, false);
  const std::string told =
      fmt::format("{}:{}:{}:{}", mine.node, job.descriptor(), mine.result, mine.launcher);
  if (setenv(node_variable, told.c_str(), 1) == 0) execv("/proc/self/exe", argv);
  return error{fmt::format("the program could not be started anew: {}", std::strerror(errno))};
}

result<std::optional<node_started_anew>> this_node_started_anew() {
  const char* const told = std::getenv(node_variable);
  if (!told) return std::optional<node_started_anew>();
  const std::string text = told;
  unsetenv(node_variable);
  const auto wrong = [&](const std::string& why) {
    return error{
        fmt::format("the environment variable {} is for nodes that terrane starts, and '{}' "
                    "names none that is this process ({}): unset it",
                    node_variable, text, why)};
  };
  const auto numbers = read_numbers<4>(text);
  if (!numbers) return wrong("it is to be four numbers");
  const auto [node, job, result_to, launcher] = *numbers;
  if (launcher != getppid()) return wrong("its launcher is not the parent");
  if (!is_pipe_to_write(result_to)) return wrong("its second descriptor is no pipe to write to");
  auto joined = shm_job::join(job);
  if (!joined) return wrong(joined.problem());
  if (static_cast<std::uint32_t>(node) >= joined.value().head().nodes)
    return wrong("the run has no such node");
  for (const int kept : {job, result_to}) close_on_exec(kept, true);
  return std::optional(node_started_anew{std::move(joined).value(),
                                         {static_cast<node_id>(node), result_to, launcher}});
}

}  // namespace terrane
