// SPDX-License-Identifier: Apache-2.0
#include "tools/terrane/written_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tools/terrane/command.hpp"

namespace terrane {

int write_file(const std::string& path,
               const std::function<result<void>(const text_sink&)>& write) {
  const auto cannot = [&] {
    return refuse(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  };
  std::FILE* const out = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
  if (!out) return cannot();
  const auto written = write([&](std::string_view bytes) {
    return std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
  });
  const bool closed = out == stdout ? std::fflush(out) == 0 : std::fclose(out) == 0;
  if (written && closed) return 0;
  const int problem = written ? cannot() : refuse(written.problem());
  if (out != stdout) std::remove(path.c_str());
  return problem;
}

}  // namespace terrane
