// SPDX-License-Identifier: Apache-2.0
// run_on_processes.hpp: a machine whose nodes are processes inside a test: node 0 in the test's own
// process, the others in children forked for one run. A further child is the launcher: it serves
// the roster.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/machine/node_share.hpp"
#include "terrane/machine/process_job.hpp"

namespace terrane {

/// A child that is one node; it tells its share of the run through a pipe.
struct forked_node {
  pid_t process;
  int share_from;
};

/// While it lives, this process ends as soon as one of its children fails, with that child's
/// status: the other nodes would wait for the child in vain. Every child is looked at whenever one
/// ends, since the system tells of several that end together by one signal.
class ends_with_failed_children {
 public:
  ends_with_failed_children() {
    struct sigaction action{};
    action.sa_flags = SA_RESTART;
    action.sa_handler = [](int) {
      const int problem = errno;
      look();
      errno = problem;
    };
    sigaction(SIGCHLD, &action, nullptr);
  }
  ~ends_with_failed_children() {
    signal(SIGCHLD, SIG_DFL);
    for (auto& each : children_) each.store(0, memory_order_relaxed);
  }
  ends_with_failed_children(const ends_with_failed_children&) = delete;
  ends_with_failed_children& operator=(const ends_with_failed_children&) = delete;

  void add(pid_t child) {
    for (auto& each : children_) {
      pid_t nobody = 0;
      if (!each.compare_exchange_strong(nobody, child, memory_order_relaxed)) continue;
      return look();  // it may have ended before it was known
    }
    std::abort();
  }

 private:
  static void look() {
    for (const auto& each : children_) {
      const pid_t child = each.load(memory_order_relaxed);
      siginfo_t its{};
      if (child == 0 ||
          waitid(P_PID, static_cast<id_t>(child), &its, WEXITED | WNOHANG | WNOWAIT) != 0 ||
          its.si_pid == 0)
        continue;
      if (its.si_code != CLD_EXITED || its.si_status != 0) _exit(its.si_status);
    }
  }

  static inline std::array<atomic<pid_t>, 64> children_{};
};

/// Fails the test where a child does, and adds what it did to `whole`.
inline void join_node(const forked_node& child, run_outcome& whole) {
  std::string share;
  char buffer[4096];
  for (ssize_t got; (got = read(child.share_from, buffer, sizeof buffer)) > 0;)
    share.append(buffer, static_cast<std::size_t>(got));
  close(child.share_from);
  int status = 0;
  waitpid(child.process, &status, 0);
  EXPECT_EQ(status, 0);
  const auto added = add_share(whole, share);
  EXPECT_TRUE(added) << (added ? "" : added.problem());
}

/// Serves the roster until every node has left; returns the child that does.
inline pid_t fork_launcher(process_job& job) {
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (std::vector<pollfd> waits;;) {
    job.nodes().look();
    waits.clear();
    job.nodes().add_waits(waits);
    if (waits.empty()) std::_Exit(0);
    poll(waits.data(), waits.size(), 250);
  }
}

inline run_outcome run_on_processes(const world_row& world, const run_options& options,
                                    const terrane_function& root, const void* args) {
  auto made = world.make_job(options, {.one_core_each = options.nodes * options.processors <= 2});
  if (!made) {
    ADD_FAILURE() << made.problem();
    return {};
  }
  process_job& job = *made.value();
  const auto run = [&](node_id n) -> run_outcome {
    job.nodes().leave_to_node();
    auto line = job.join({.node = n});
    if (!line) ADD_FAILURE() << line.problem();
    if (testing::Test::HasFailure()) std::_Exit(1);
    auto part = job.make_node(*line.value(), n, options);
    if (!part) ADD_FAILURE() << part.problem();
    if (testing::Test::HasFailure()) std::_Exit(1);
    return part.value()->run(root, args);
  };
  std::fflush(nullptr);
  ends_with_failed_children watched;
  const pid_t launcher = fork_launcher(job);
  watched.add(launcher);
  std::vector<forked_node> others;
  for (int n = 1; n < options.nodes; ++n) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    const pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves none behind
      const std::string share = share_text(run(static_cast<node_id>(n)));
      std::fflush(nullptr);
      const bool told = write(ends[1], share.data(), share.size()) >= 0;
      std::_Exit(told && !testing::Test::HasFailure() ? 0 : 1);
    }
    close(ends[1]);
    others.push_back({child, ends[0]});
    watched.add(child);
  }
  run_outcome whole = run(0);
  for (const forked_node& each : others) join_node(each, whole);
  waitpid(launcher, nullptr, 0);
  return whole;
}

}  // namespace terrane
