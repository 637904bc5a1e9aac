// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>

#include "terrane/base/clock.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/machine/heartbeat.hpp"
#include "terrane/machine/interruptible.hpp"
#include "terrane/machine/node_child.hpp"
#include "terrane/machine/node_share.hpp"
#include "terrane/machine/output_file.hpp"
#include "terrane/machine/progress.hpp"
#include "terrane/machine/standard_streams.hpp"
#include "terrane/machine/trace_start.hpp"
#include "terrane/transport/pipe_ends.hpp"

namespace terrane {

namespace {

using clock = node_child::clock;
using child = node_child;
using stream = node_child::stream;

class launcher {
 public:
  launcher(const run_options& options, roster& nodes, const interruptible& until_nodes)
      : options_(options),
        nodes_(nodes),
        until_nodes_(until_nodes),
        patience_(std::chrono::milliseconds(3 * options.heartbeat_ms)) {
    if (same_file(STDOUT_FILENO, STDERR_FILENO)) err_ = &out_;
  }
  ~launcher() { end_all(); }

  result<void> start(node_id node, const node_main& as_node);
  run_outcome watch();

 private:
  [[noreturn]] void be_node(const node_process& mine, const int (&ends)[3],
                            const node_main& as_node) const;
  bool any_open() const;
  void wait_for_news();
  void pause();
  void read_from(child& of);
  void pass_on_held();
  void reap(child& of);
  void judge(child& of);
  void look_at_troubles();
  void show_progress();
  void look_for_life(child& of);
  void lose(child& lost, const std::string& how);
  void end(child& of);
  void end_all();
  result<void> collect(run_outcome& whole);

  const run_options& options_;
  roster& nodes_;
  const interruptible& until_nodes_;
  /// A node that gives no sign of life for so long is lost. One that is still starting has ten
  /// times as long, unless it is stopped.
  const clock::duration patience_;
  const bool by_hand_ = nodes_.are_started_by_hand();
  output_place out_{STDOUT_FILENO, interrupted_by}, err_apart_{STDERR_FILENO, interrupted_by};
  output_place* err_ = &err_apart_;  // &out_ if stdout and stderr are the same file
  std::vector<std::unique_ptr<child>> children_;
  struct trouble {
    roster_trouble what;
    clock::time_point since;
  };
  std::vector<trouble> troubles_;  // that the end of a process may explain yet
  int exit_code_ = 0;
  bool over_ = false;                       // all nodes were told to end, or are about to be
  std::optional<clock::time_point> until_;  // set after a loss: the others may run until then
  clock::time_point last_look_ = clock::now(), last_shown_;
  progress_line line_;
};

/// In the child: sets up the standard streams, and closes what only the launcher may hold.
void launcher::be_node(const node_process& mine, const int (&ends)[3],
                       const node_main& as_node) const {
  until_nodes_.end();
  if (!die_with(mine.launcher)) std::_Exit(exit_node_lost);
  for (const auto& each : children_)
    for (const int end : {each->out.from, each->err.from}) close(end);
  nodes_.leave_to_node();
  if (mine.node != 0)
    if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) {
      dup2(nothing, STDIN_FILENO);
      close(nothing);
    }
  dup2(ends[0], STDOUT_FILENO);
  dup2(ends[1], STDERR_FILENO);
  close(ends[0]);
  close(ends[1]);
  std::exit(as_node(mine));
}

result<void> launcher::start(node_id node, const node_main& as_node) {
  auto out = make_pipe(), err = make_pipe();
  for (const auto* each : {&out, &err})
    if (!*each) return error{each->problem()};
  auto share = nodes_.open_share(node);
  if (!share) return error{share.problem()};
  const std::string tag = options_.tag_output ? fmt::format("[node {}] ", node) : "";
  auto made = std::make_unique<child>(child{.node = node,
                                            .out = {out.value().read, forwarded_output(out_, tag)},
                                            .err = {err.value().read, forwarded_output(*err_, tag)},
                                            .last_beat = clock::now()});
  const int ends[] = {out.value().write, err.value().write, share.value()};
  const node_process its{node, ends[2], getpid()};
  made->process = fork();
  children_.push_back(std::move(made));
  child& started = *children_.back();
  if (started.process == 0) be_node(its, ends, as_node);
  const int problem = errno;
  for (const int end : ends)
    if (end >= 0) close(end);
  if (started.process < 0) {
    children_.pop_back();
    return error{fmt::format("world {} could not start node {} of {}: {}", options_.world, node,
                             options_.nodes, std::strerror(problem))};
  }
  for (const int end : {started.out.from, started.err.from}) fcntl(end, F_SETFL, O_NONBLOCK);
  return {};
}

// --- watching ---

run_outcome launcher::watch() {
  while (any_open()) {
    wait_for_news();
    if (pause_wanted != 0) pause();
    const bool too_long = until_ && clock::now() >= *until_;
    if (interrupted_by != 0 || too_long) {
      line_.erase();
      if (interrupted_by == 0)
        std::fprintf(stderr, "terrane: the run was ended %d s after its loss\n",
                     options_.after_loss_s);
      over_ = true;
      end_all();
      break;
    }
    // If the launcher itself was stopped for a while, it missed beats: all nodes get new patience.
    const bool slept = clock::now() - last_look_ > patience_ / 2;
    last_look_ = clock::now();
    nodes_.look();
    look_at_troubles();
    for (auto& each : children_) {
      read_from(*each);
      reap(*each);
      judge(*each);
      if (slept) each->last_beat = last_look_;
      if (!over_) look_for_life(*each);
    }
    pass_on_held();
    show_progress();
  }
  pass_on_held();
  line_.erase();
  run_outcome whole;
  if (out_.problem() != 0) say_output_was_lost(out_.problem());
  whole.output_arrived = out_.problem() == 0;
  if (!over_ && !until_)
    if (auto all = collect(whole); !all) {
      std::fprintf(stderr, "terrane: %s\n", all.problem().c_str());
      exit_code_ = exit_node_lost;
    }
  if (whole.exit_code == 0) whole.exit_code = exit_code_;
  return whole;
}

bool launcher::any_open() const {
  for (const auto& each : children_)
    if (!each->ended || !each->judged || each->out.from >= 0 || each->err.from >= 0) return true;
  return false;
}

void launcher::wait_for_news() {
  std::vector<pollfd> watched;
  for (const auto& each : children_)
    for (const int from : {each->out.from, each->err.from})
      if (from >= 0) watched.push_back({from, POLLIN, 0});
  nodes_.add_waits(watched);
  poll(watched.data(), watched.size(), watched.empty() ? 1 : heartbeat::interval_of(options_));
}

/// Stops all nodes, then itself, until somebody lets it go on (SIGCONT): then they do.
void launcher::pause() {
  line_.erase();
  for (const auto& each : children_)
    if (!each->ended) kill(each->process, SIGSTOP);
  pause_wanted = 0;
  raise(SIGSTOP);
  for (const auto& each : children_) {
    if (!each->ended) kill(each->process, SIGCONT);
    each->last_beat = clock::now();  // nobody could beat
  }
  last_look_ = clock::now();
  if (until_) until_ = clock::now() + std::chrono::seconds(options_.after_loss_s);
}

void launcher::read_from(child& of) {
  for (stream* each : {&of.out, &of.err}) {
    if (each->from < 0) continue;
    read_all(each->from, [&](std::string_view text) {
      line_.erase();
      each->to.add(text);
    });
    if (each->from < 0) each->to.finish();
  }
}

/// Forwards output that waited for another node's long line, if that line has ended meanwhile.
void launcher::pass_on_held() {
  for (auto& each : children_)
    for (stream* one : {&each->out, &each->err}) one->to.pass_on();
}

void launcher::reap(child& of) {
  if (of.ended || waitpid(of.process, &of.status, WNOHANG) != of.process) return;
  of.ended = true;
  of.last_beat = clock::now();
  read_from(of);
  nodes_.look();
}

/// Says why a process has ended, once all is there that it said before.
void launcher::judge(child& of) {
  if (!of.ended || of.judged) return;
  const bool has_time = by_hand_ || clock::now() - of.last_beat < patience_;
  if (nodes_.may_say_more(of.node) && has_time) return;
  of.judged = true;
  if (over_) return;
  if (WIFSIGNALED(of.status)) {
    const int by = WTERMSIG(of.status);
    const char* const perhaps = by == SIGKILL ? ", perhaps for want of memory" : "";
    lose(of, fmt::format("was killed by signal {} ({}){}", by, strsignal(by), perhaps));
  } else if (const int code = WEXITSTATUS(of.status);
             code == exit_run_time_error || code == exit_node_lost) {
    exit_code_ = code;  // the node has printed the reason
    over_ = true;
    end_all();
  } else if (nodes_.share_of(of.node).empty()) {
    const bool came = nodes_.has_come(of.node);
    // A shell reports a signal by a code above 128, and ssh by 255: that is no end of its own.
    const bool killed = came && !options_.hosts.empty() && code > 128;
    const char* const how = killed ? "was killed: what started it there ended"
                            : came ? "ended by itself"
                                   : "did not start: its command ended";
    lose(of, fmt::format("{} with exit code {}", how, code));
    if (code != 0 && came && !killed) exit_code_ = code;
  }
}

/// A connection that has failed is a fault of its own only if no process has ended: it has a
/// heartbeat's time to show that.
void launcher::look_at_troubles() {
  for (roster_trouble& each : nodes_.troubles())
    troubles_.push_back({std::move(each), clock::now()});
  std::erase_if(troubles_, [&](const trouble& it) {
    if (over_ || it.what.is_cause) return over_;
    const bool ended = children_[it.what.node]->ended || children_[it.what.about]->ended;
    return until_ || (ended && !by_hand_);
  });
  const auto worst =
      std::find_if(troubles_.begin(), troubles_.end(), [](auto& it) { return it.what.is_cause; });
  const bool has_cause = worst != troubles_.end();
  if (troubles_.empty() || (!has_cause && clock::now() - troubles_[0].since < patience_ / 3))
    return;
  const roster_trouble first = (has_cause ? *worst : troubles_[0]).what;
  troubles_.clear();
  lose(*children_[first.node], "lost touch: " + first.how);
}

/// Shows the nodes' latest reports, after all nodes have started.
void launcher::show_progress() {
  const std::uint64_t start = nodes_.began_ns();
  if (!nodes_.is_watched() || over_ || start == 0) return;
  if (clock::now() - last_shown_ < progress_line::interval) return;
  last_shown_ = clock::now();
  machine::glance all{.seconds = static_cast<double>(monotonic_ns() - start) / 1e9};
  for (const auto& each : children_) {
    const life_signs signs = nodes_.signs_of(each->node);
    all.tokens += signs.tokens;
    all.busy += signs.busy;
  }
  line_.show(all);
}

void launcher::look_for_life(child& of) {
  if (by_hand_ ? of.judged || nodes_.process_of(of.node) < 0 : of.ended) return;
  const life_signs signs = nodes_.signs_of(of.node);
  const bool at_work = signs.phase != node_phase::starting;
  if (signs.beats != of.beats) {
    of.beats = signs.beats;
    of.last_beat = clock::now();
  } else if (const bool stopped = of.is_stopped();
             clock::now() - of.last_beat > (at_work || stopped ? patience_ : 10 * patience_)) {
    lose(of, stopped ? "is stopped (by a signal or a debugger)"
                     : "shows no sign of life: is the machine overloaded?");
  }
}

void launcher::lose(child& lost, const std::string& how) {
  const node_phase phase = nodes_.signs_of(lost.node).phase;
  // The others cannot go on without node 0, which has the program's root, or before the start, when
  // all nodes wait for each other.
  const bool may_go_on = options_.after_loss_s > 0 && lost.node != 0 && nodes_.began_ns() != 0;
  const std::string then =
      may_go_on ? fmt::format("the others have {} s", options_.after_loss_s) : "the run was ended";
  const std::string host = nodes_.host_of(lost.node);
  line_.erase();
  const std::string sentence =
      fmt::format("node {} (process {}, {}){}{} {}; {}", lost.node,
                  nodes_.process_of(lost.node) >= 0 ? nodes_.process_of(lost.node)
                                                    : static_cast<int>(lost.process),
                  name_of(phase), host.empty() ? "" : " on ", host, how, then);
  std::fprintf(stderr, "terrane: %s\n", sentence.c_str());
  tell_trace_of_loss(options_, lost.node, sentence);
  if (options_.last_events)
    options_.last_events->print_last_of(lost.node, monotonic_ns() - nodes_.began_ns());
  exit_code_ = exit_node_lost;
  if (!may_go_on) {
    over_ = true;
    return end_all();
  }
  end(lost);
  nodes_.lose(lost.node);
  if (!until_) until_ = clock::now() + std::chrono::seconds(options_.after_loss_s);
}

void launcher::end(child& of) {
  if (of.ended) return;
  kill(of.process, SIGKILL);
  waitpid(of.process, &of.status, 0);
  of.ended = of.judged = true;
  read_from(of);
}

void launcher::end_all() {
  for (auto& each : children_)
    if (!each->ended) kill(each->process, SIGKILL);
  for (auto& each : children_) {
    end(*each);
    each->judged = true;
  }
}

result<void> launcher::collect(run_outcome& whole) {
  for (auto& each : children_)
    if (auto added = add_share(whole, nodes_.share_of(each->node)); !added)
      return error{fmt::format("node {} (process {}): {}", each->node,
                               static_cast<int>(each->process), added.problem())};
  for (auto& each : children_)
    if (whole.exit_code == 0) whole.exit_code = WEXITSTATUS(each->status);
  run_statistics& all = whole.statistics;
  all.world = options_.world;
  all.balancer = options_.balancer;
  all.nodes = static_cast<std::uint32_t>(options_.nodes);
  all.processors = static_cast<std::uint32_t>(options_.processors);
  all.seed = options_.seed;
  all.exit_code = whole.exit_code;
  return {};
}

}  // namespace

result<run_outcome> launch(const run_options& options, roster& nodes, const node_main& as_node) {
  std::fflush(nullptr);  // our buffered output must precede what the nodes print
  run_outcome outcome;
  {
    const interruptible until_here;
    launcher watched(options, nodes, until_here);
    for (node_id n = 0; n < nodes.nodes(); ++n)
      if (auto started = watched.start(n, as_node); !started) return error{started.problem()};
    outcome = watched.watch();
  }
  if (interrupted_by != 0) raise(interrupted_by);
  return outcome;
}

}  // namespace terrane
