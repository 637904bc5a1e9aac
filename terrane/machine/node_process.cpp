// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/node_process.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>

#include "terrane/core/failure.hpp"
#include "terrane/machine/heartbeat.hpp"
#include "terrane/machine/live_socket.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/machine/node_share.hpp"
#include "terrane/machine/progress.hpp"
#include "terrane/machine/wording.hpp"

namespace terrane {

namespace {

/// Reports this node's progress to the launcher.
class progress_teller {
 public:
  progress_teller(roster_line& shown, machine& watched)
      : repeated_(progress_line::interval / 2, [&shown, &watched] {
          const machine::glance seen = watched.look();
          shown.show(seen.tokens, seen.busy);
        }) {}

 private:
  repeating_thread repeated_;
};

}  // namespace

bool die_with(pid_t launcher) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return getppid() == launcher;  // the launcher may have died before the call of prctl
}

int refuse_node(node_id node, const std::string& why) {
  std::fprintf(stderr, "terrane: node %u: %s\n", node, one_line(why).c_str());
  return exit_node_lost;
}

int run_node(roster_line& shown, const node_process& mine, const run_options& options,
             const node_maker& make, const terrane_function& root, const terrane_root_args& args) {
  if (mine.launcher >= 0 && !die_with(mine.launcher)) return exit_node_lost;
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // the launcher forwards it line by line

  prctl(PR_SET_NAME, ("terrane node " + std::to_string(mine.node)).c_str());

  auto made = make();
  if (!made) return refuse_node(mine.node, made.problem());

  const heartbeat alive(shown, mine.node, options, [&] {
    if (shown.any_lost()) made.value()->interrupt();
  });
  std::optional<progress_teller> telling;
  if (shown.is_watched()) telling.emplace(shown, *made.value());
  std::optional<live_socket> answering(std::in_place, *made.value(), mine.launcher, title_of(args));
  const run_outcome outcome = made.value()->run(root, &args);
  answering.reset();
  shown.enter(node_phase::ending);
  const bool printed = std::fflush(nullptr) == 0 && !std::ferror(stdout);
  shown.hand_in(share_text(outcome));
  return printed ? 0 : 1;
}

}  // namespace terrane
