// SPDX-License-Identifier: Apache-2.0
// cc.cpp: terrane cc: replaces this process by terrane-cc, the compiler of Threaded-C, which lies
// beside this command. It is a separate program, so that this one does not need Clang.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "tools/terrane/command.hpp"

namespace terrane {

int cc_command(const words& arguments) {
  std::error_code wrong;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", wrong);
  const std::string compiler = (self.parent_path() / "terrane-cc").string();
  words copy = arguments;
  std::vector<char*> argv{const_cast<char*>(compiler.c_str())};
  for (std::string& each : copy) argv.push_back(each.data());
  argv.push_back(nullptr);
  execv(compiler.c_str(), argv.data());
  return refuse(
      fmt::format("cannot start the compiler of Threaded-C, {}: {}; it is built where "
                  "Clang 19's libraries are (Debian: libclang-19-dev, llvm-19-dev)",
                  compiler, std::strerror(errno)));
}

}  // namespace terrane
