// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/live_socket.hpp"

#include <dirent.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

namespace terrane {

namespace {

/// True if the folder is there, is this user's and nobody else may enter it.
bool own_folder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return false;
  struct stat about{};
  return lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
         (about.st_mode & 077) == 0;
}

/// Sockets of processes that were killed stay behind.
void remove_left(const std::string& folder) {
  DIR* const all = opendir(folder.c_str());
  if (!all) return;
  while (const dirent* const each = readdir(all)) {
    const std::string_view name = each->d_name;
    const auto dot = name.find('.');
    int pid = 0;
    if (dot == name.npos || !name.ends_with(".sock")) continue;
    if (std::from_chars(name.data() + dot + 1, name.data() + name.size(), pid).ec != std::errc())
      continue;
    if (kill(pid, 0) != 0 && errno == ESRCH) unlink((folder + "/" + std::string(name)).c_str());
  }
  closedir(all);
}

std::string read_line(int from) {
  std::string line;
  for (char next; line.size() < 200 && recv(from, &next, 1, 0) == 1 && next != '\n';) line += next;
  return line;
}

}  // namespace

std::string live_folder() {
  const char* const given = std::getenv("XDG_RUNTIME_DIR");
  if (given && *given == '/')
    if (const std::string folder = std::string(given) + "/terrane"; own_folder(folder))
      return folder;
  const std::string folder = "/tmp/terrane-" + std::to_string(geteuid());
  return own_folder(folder) ? folder : "";
}

std::string title_of(const terrane_root_args& args) {
  std::string title;
  for (int i = 0; i < args.argc; ++i) {
    const char* const word = args.argv[i];
    const char* const slash = i == 0 ? std::strrchr(word, '/') : nullptr;
    (title += i == 0 ? "" : " ") += slash ? slash + 1 : word;
  }
  return title;
}

live_socket::live_socket(machine& asked, pid_t launcher, std::string words)
    : asked_(asked), words_(std::move(words)) {
  const std::string folder = live_folder();
  if (folder.empty()) return;
  remove_left(folder);
  const pid_t mine = getpid();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path_ = folder + "/" + std::to_string(launcher > 0 ? launcher : mine) + "." +
          std::to_string(mine) + ".sock";
  if (path_.size() >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return;
  unlink(path_.c_str());
  const bool listens =
      bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      chmod(path_.c_str(), 0600) == 0 && listen(listener, 4) == 0;
  try {
    if (listens)
      answering_.emplace(listener, [this](int asker) { return answer(read_line(asker)) + "\n"; });
  } catch (const std::system_error&) {  // no more threads
  }
  if (answering_) return;
  close(listener);
  unlink(path_.c_str());
}

live_socket::~live_socket() {
  over_.store(true, memory_order_relaxed);
  if (!path_.empty()) unlink(path_.c_str());
}

std::string live_socket::answer(const std::string& question) {
  if (question == "look") return asked_.state_text(words_);
  if (question == "threads") {
    const auto text = asked_.threads_text(over_);
    return text ? text.value() : "error " + text.problem();
  }
  if (question == "dump") return asked_.last_events();
  const bool on = question.starts_with("on "), off = question.starts_with("off ");
  event_mask classes = 0;
  const char* const digits = question.c_str() + (on ? 3 : 4);
  if ((on || off) &&
      std::from_chars(digits, question.c_str() + question.size(), classes).ec == std::errc()) {
    if (asked_.choose_events(on ? classes : 0, off ? classes : 0)) return "done";
    return "error this run makes no trace: start it with --trace FILE --events none";
  }
  return "error '" + question + "' is no question that a run answers";
}

}  // namespace terrane
