// SPDX-License-Identifier: Apache-2.0
// probed_process.hpp: a command that the launcher started on a host, and that answers lines.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane {

class probed_process {
 public:
  using clock = std::chrono::steady_clock;

  /// Executes the words; what it writes to stderr is kept.
  static result<probed_process> start(const std::vector<std::string>& words);
  probed_process(probed_process&& other) noexcept;
  probed_process& operator=(probed_process&&) = delete;
  ~probed_process();  // ends it

  /// False: it does not listen any more.
  bool write(std::span<const unsigned char> bytes);
  /// The next line; the error says how it ended, or that it is silent.
  result<std::string> read_line(clock::time_point until);

 private:
  probed_process(pid_t process, int to, int from, int errors)
      : process_(process), to_(to), from_(from), errors_(errors) {}
  std::string end_in_words();
  void read_errors();

  pid_t process_;
  int to_, from_, errors_;
  std::string unread_, said_;  // of its output; on stderr
};

}  // namespace terrane
