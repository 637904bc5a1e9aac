// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace terrane {

namespace {

error cannot_write(const std::string& path) {
  return {"cannot write " + path + ": " + std::strerror(errno)};
}

}  // namespace

bool same_file(int left, int right) {
  struct stat one, other;
  return fstat(left, &one) == 0 && fstat(right, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

result<output_file> output_file::open(const std::string& path) {
  const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (made < 0) return cannot_write(path);
  for (const int printed : {STDOUT_FILENO, STDERR_FILENO}) {
    if (!same_file(made, printed)) continue;
    ::close(made);
    const int copy = fcntl(printed, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return cannot_write(path);
    return output_file(path, copy, true);
  }
  return output_file(path, made, false);
}

output_file::~output_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

result<void> output_file::replace(std::string_view text) {
  struct stat about;
  const bool plain = fstat(descriptor_, &about) == 0 && S_ISREG(about.st_mode);
  if (plain && !follows_ && ftruncate(descriptor_, 0) != 0) return cannot_write(path_);
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot_write(path_);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace terrane
