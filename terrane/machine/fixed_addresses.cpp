// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/fixed_addresses.hpp"

#include <fcntl.h>
#include <sys/personality.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "terrane/machine/remote_nodes.hpp"
#include "terrane/machine/started_anew.hpp"
#include "terrane/transport/tcp/socket.hpp"

namespace terrane {

namespace {

constexpr unsigned long which_is_it = 0xffffffff;

/// The words of this process's command line, each with a zero byte at its end.
std::string own_command_line() {
  std::string all;
  const descriptor file(open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC));
  char some[4096];
  for (ssize_t got; file && (got = read(file.number(), some, sizeof some)) > 0;)
    all.append(some, static_cast<std::size_t>(got));
  return all;
}

/// Once: in the program that begins again the kernel has been told.
[[gnu::constructor]] void begin_again() {
  const char* const told = std::getenv(node_variable);
  if (!told || std::strncmp(told, same_layout_mark, std::strlen(same_layout_mark)) != 0) return;
  const int now = personality(which_is_it);
  if (now < 0 || (now & ADDR_NO_RANDOMIZE) != 0) return;
  std::string words = own_command_line();
  std::vector<char*> argv;
  for (std::size_t at = 0; at < words.size(); at += std::strlen(words.data() + at) + 1)
    argv.push_back(words.data() + at);
  argv.push_back(nullptr);
  if (argv.size() == 1 || personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) < 0)
    return;
  execv("/proc/self/exe", argv.data());  // if that fails, it goes on with addresses of its own
}

}  // namespace

void end_fixed_addresses() {
  const int now = personality(which_is_it);
  if (now >= 0 && (now & ADDR_NO_RANDOMIZE) != 0)
    personality(static_cast<unsigned long>(now) & ~static_cast<unsigned long>(ADDR_NO_RANDOMIZE));
}

}  // namespace terrane
