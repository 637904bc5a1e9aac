// SPDX-License-Identifier: Apache-2.0
// run_watch.hpp: tells what a run does while it goes on: in a file, and as a page in a browser.
//
// Method      Once a second, or when the page asks, the process that started the run asks all its
//             processes by their sockets (live_socket.hpp). Nodes on other hosts are not asked.
// Page        Plain GETs on 127.0.0.1 under a path that begins with 128 random bits, which stderr
//             prints; nothing but reading: / is the page, /data what it shows, as JSON, and
//             /metrics the same as OpenMetrics. Everything else is 404, and so is each path without
//             the bits.
#pragma once

#include <memory>
#include <string>

#include "terrane/base/result.hpp"
#include "terrane/machine/options.hpp"
#include "terrane/monitor/statistics.hpp"

namespace terrane {

class run_watch {
 public:
  /// An error: the file cannot be written, or the port is taken.
  static result<run_watch> begin(const run_options& options);
  run_watch(run_watch&&) noexcept;
  ~run_watch();
  /// Tells the last state in the file. words: the run's title.
  void end(const std::string& words, const run_statistics& statistics);

 private:
  class file_teller;
  class page_server;
  run_watch();
  std::unique_ptr<file_teller> file_;
  std::unique_ptr<page_server> page_;
};

}  // namespace terrane
