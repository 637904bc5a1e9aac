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
#include "terrane/machine/machine.hpp"
#include "terrane/machine/node_share.hpp"
#include "terrane/machine/progress.hpp"
#include "terrane/machine/wording.hpp"
#include "terrane/transport/shm.hpp"

namespace terrane {

namespace {

void write_all(int descriptor, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = write(descriptor, text.data() + at, text.size() - at);
    if (written <= 0) return;  // the launcher is gone
    at += static_cast<std::size_t>(written);
  }
}

/// Tells the launcher how far this node is.
class progress_teller {
 public:
  progress_teller(job_node& shown, machine& watched)
      : repeated_(progress_line::interval / 2, [&shown, &watched] {
          const machine::glance seen = watched.look();
          shown.tokens.store(seen.tokens, memory_order_relaxed);
          shown.busy.store(seen.busy, memory_order_relaxed);
        }) {}

 private:
  repeating_thread repeated_;
};

}  // namespace

bool die_with(pid_t launcher) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return getppid() == launcher;  // it may have died before that line
}

int refuse_node(node_id node, const std::string& why) {
  std::fprintf(stderr, "terrane: node %u: %s\n", node, one_line(why).c_str());
  return exit_node_lost;
}

result<std::unique_ptr<machine>> make_node(const shm_job& job, node_id node, run_options options) {
  const job_head& head = job.head();
  options.nodes = static_cast<int>(head.nodes);
  options.processors = static_cast<int>(head.processors_per_node);
  crew_options about;
  about.spin = head.spin;
  for (std::uint32_t p = 0; p < job.processors() && head.cpu_of_processor[p] >= 0; ++p)
    about.cpu_of_processor.push_back(head.cpu_of_processor[p]);
  return machine::make(options, std::make_unique<shm_world>(job, node, std::move(about)));
}

int run_node(shm_job& job, const node_process& mine, const run_options& options,
             const terrane_function& root, const terrane_root_args& args) {
  if (!die_with(mine.launcher)) return exit_node_lost;
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // the launcher forwards it line by line

  prctl(PR_SET_NAME, ("terrane node " + std::to_string(mine.node)).c_str());

  if (auto mapped = job.map_processors(mine.node); !mapped)
    return refuse_node(mine.node, mapped.problem());
  auto made = make_node(job, mine.node, options);
  if (!made) return refuse_node(mine.node, made.problem());

  job_node& shown = job.node(mine.node);
  const heartbeat alive(shown, mine.node, options.memory_mib_max << 20, [&] {
    if (job.head().any_lost.load(memory_order_relaxed)) made.value()->interrupt();
  });
  std::optional<progress_teller> telling;
  if (job.head().watched) telling.emplace(shown, *made.value());
  const run_outcome outcome = made.value()->run(root, &args);
  shown.phase.store(job_phase::ending, memory_order_relaxed);
  const bool printed = std::fflush(nullptr) == 0 && !std::ferror(stdout);
  write_all(mine.result, share_text(outcome));
  return printed ? 0 : 1;
}

}  // namespace terrane
