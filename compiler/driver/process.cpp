// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/process.hpp"

#include <fmt/format.h>

#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

extern char** environ;

namespace terrane::compiler {

namespace {

std::string read_all(int descriptor) {
  std::string all;
  char block[4096];
  for (;;) {
    const ssize_t count = read(descriptor, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return all;
    all.append(block, static_cast<std::size_t>(count));
  }
}

}  // namespace

result<int> run_process(const std::vector<std::string>& words, std::string* said) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& each : words) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  int ends[2] = {-1, -1};
  if (said) {
    if (pipe(ends) != 0) return error{"no pipe: " + std::string(std::strerror(errno))};
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
  }
  pid_t child = 0;
  const int fault =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (said) {
    close(ends[1]);
    if (fault == 0) *said = read_all(ends[0]);
    close(ends[0]);
  }
  if (fault != 0) return error{words[0] + " could not be started: " + std::strerror(fault)};
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return error{words[0] + " was lost: " + std::strerror(errno)};
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

pending_file::pending_file(std::string path) : path_(std::move(path)) {
  const std::filesystem::path wanted(path_);
  const std::string name = fmt::format(".{}-{}-pending{}", wanted.stem().string(), getpid(),
                                       wanted.extension().string());
  meanwhile_ = (wanted.parent_path() / name).string();
}

pending_file::~pending_file() {
  std::error_code ignored;
  std::filesystem::remove(meanwhile_, ignored);
}

std::string pending_file::put_in_place() {
  // A file that is not an ordinary one (/dev/null) is written to, not replaced.
  std::error_code fault;
  if (std::filesystem::exists(path_) && !std::filesystem::is_regular_file(path_)) {
    std::filesystem::copy_file(meanwhile_, path_, std::filesystem::copy_options::overwrite_existing,
                               fault);
    return "";
  }
  std::filesystem::rename(meanwhile_, path_, fault);
  return fault ? "cannot write " + path_ + ": " + fault.message() : "";
}

}  // namespace terrane::compiler
