// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/live_client.hpp"

#include <dirent.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "terrane/machine/live_socket.hpp"

namespace terrane {

std::vector<live_process> live_processes() {
  std::vector<live_process> found;
  const std::string folder = live_folder();
  DIR* const listing = folder.empty() ? nullptr : opendir(folder.c_str());
  if (!listing) return found;
  while (const dirent* const each = readdir(listing)) {
    const std::string_view name = each->d_name;
    live_process one{0, 0, folder + "/" + std::string(name)};
    const char *const first = name.data(), *const end = first + name.size();
    const auto launcher = std::from_chars(first, end, one.launcher);
    if (launcher.ec != std::errc() || launcher.ptr == end || *launcher.ptr != '.') continue;
    const auto pid = std::from_chars(launcher.ptr + 1, end, one.pid);
    if (pid.ec != std::errc() || std::string_view(pid.ptr, end) != ".sock") continue;
    if (kill(one.pid, 0) == 0) found.push_back(one);
  }
  closedir(listing);
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.launcher != b.launcher ? a.launcher < b.launcher : a.pid < b.pid;
  });
  return found;
}

std::vector<live_process> live_processes_of(int launcher) {
  std::vector<live_process> all = live_processes();
  std::erase_if(all, [&](const live_process& each) { return each.launcher != launcher; });
  return all;
}

std::optional<std::string> ask(const live_process& whom, std::string_view question) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (whom.path.size() >= sizeof address.sun_path) return {};
  std::memcpy(address.sun_path, whom.path.c_str(), whom.path.size() + 1);
  const int line = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (line < 0) return {};
  const timeval patience{3, 0};
  for (const int way : {SO_RCVTIMEO, SO_SNDTIMEO})  // connect() waits as long as sending may
    setsockopt(line, SOL_SOCKET, way, &patience, sizeof patience);
  const std::string sent = std::string(question) + "\n";
  std::string answer;
  const bool asked =
      connect(line, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      send(line, sent.data(), sent.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(sent.size());
  char piece[4096];
  ssize_t got = 0;
  while (asked && (got = recv(line, piece, sizeof piece, 0)) > 0)
    answer.append(piece, static_cast<std::size_t>(got));
  close(line);
  if (!asked || got < 0 || !answer.ends_with('\n')) return {};
  answer.pop_back();
  return answer;
}

}  // namespace terrane
