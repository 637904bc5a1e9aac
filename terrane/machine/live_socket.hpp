// SPDX-License-Identifier: Apache-2.0
// live_socket.hpp: answers questions about a run while it goes on: terrane top, ps, dump, trace on.
//
// Place       A socket of mode 0600 in the folder `terrane` of the user's run-time folder
//             (XDG_RUNTIME_DIR, else /tmp/terrane-UID), which nobody else may enter. Its name is
//             LAUNCHER.PID.sock: every process of a run has one, and the launcher's number says
//             which belong together.
// Protocol    One line each way in a connection: a question (look, threads, dump, on MASK,
//             off MASK), and the answer up to the connection's end. What cannot be answered begins
//             with "error ".
// Cost        A thread that sleeps. If the socket cannot be made, there is none, and the run goes
//             on: nobody is asked to care.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "terrane/base/atomic.hpp"
#include "terrane/machine/answering_thread.hpp"
#include "terrane/machine/machine.hpp"

namespace terrane {

/// The folder of the sockets; empty: there is none, and none can be made.
std::string live_folder();

/// The program's command, for a title.
std::string title_of(const terrane_root_args& args);

class live_socket {
 public:
  /// launcher: the process that started the run; below 1: this one. words: the run's title.
  live_socket(machine& asked, pid_t launcher, std::string words);
  ~live_socket();
  live_socket(const live_socket&) = delete;
  live_socket& operator=(const live_socket&) = delete;

 private:
  std::string answer(const std::string& question);

  machine& asked_;
  const std::string words_;
  std::string path_;
  atomic<bool> over_{false};
  std::optional<answering_thread> answering_;  // last: it asks the rest
};

}  // namespace terrane
