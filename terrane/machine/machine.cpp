// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/machine/balancer_file.hpp"
#include "terrane/machine/cpu_budget.hpp"
#include "terrane/machine/live_threads.hpp"
#include "terrane/machine/rope_balancer_file.hpp"
#include "terrane/machine/worlds.hpp"
#include "terrane/monitor/run_state.hpp"
#include "terrane/node_data/node_data.hpp"
#include "terrane/talk/post_office.hpp"

namespace terrane {

namespace {

/// The kernel's VmHWM. Unlike the value of getrusage, it does not include the memory that the
/// process had before it started this program.
std::uint64_t peak_resident_bytes() {
  const auto status = read_system_file("/proc/self/status");
  constexpr std::string_view label = "VmHWM:";
  const auto at = status ? status->find(label) : std::string::npos;
  return at == std::string::npos
             ? 0
             : std::strtoull(status->c_str() + at + label.size(), nullptr, 10) * 1024;
}

/// What threads of that processor had to wait for.
void add_letters(const processor& of, run_statistics& all) {
  all.waits.is_noted = of.letters().notes_waits;
  const post_office* const office = post_office::of(of);
  if (!office) return;
  all.messages_unexpected_peak = std::max(all.messages_unexpected_peak, office->letters_kept_max());
  for (const auto& [key, sum] : office->waits())
    all.waits.add({sum.who, sum.whom, sum.where, sum.times, sum.waited_ns, sum.hidden_ns});
}

}  // namespace

result<std::unique_ptr<machine>> machine::make(const run_options& options,
                                               const placement& placed) {
  const auto row = find_world(options.world);
  if (!row) return error{"--world " + row.problem()};
  if (!row.value()->make)
    return error{"world " + options.world + " has a process for each node: it is to be started"};
  auto world = row.value()->make(options, placed);
  if (!world) return error{world.problem()};
  return make(options, std::move(world).value());
}

result<std::unique_ptr<machine>> machine::make(const run_options& options,
                                               std::unique_ptr<terrane::world> world) {
  const bool simulated = world->crew.is_simulated();
  auto policy = find_balancer(options.balancer, simulated ? options.network : std::string());
  if (!policy) return error{policy.problem()};
  auto of_ropes = find_rope_balancer(options.rope_balancer);
  if (!of_ropes) return error{of_ropes.problem()};
  std::unique_ptr<machine> made(new machine(options, std::move(world)));
  if (auto built = made->build(policy.value(), of_ropes.value()); !built)
    return error{built.problem()};
  return made;
}

machine::machine(const run_options& options, std::unique_ptr<terrane::world> world)
    : options_(options),
      process_(getpid()),
      world_(std::move(world)),
      own_last_(options.last_events ? nullptr
                                    : std::make_unique<flight_recorder>(
                                          processors(), static_cast<std::uint32_t>(options.nodes),
                                          world_->crew.is_simulated())),
      last_(own_last_ ? *own_last_ : *options.last_events) {}

machine::~machine() = default;

result<void> machine::build(const balancer_factory& policy, const rope_balancer_factory& of_ropes) {
  const auto nodes = static_cast<std::uint32_t>(options_.nodes);
  const auto each = static_cast<std::uint32_t>(options_.processors);
  // Under sim every token is queued, as in EARTH: a tree that runs inline would be one long event.
  const bool simulated = world_->crew.is_simulated();
  const int enough = options_.enough >= 0 ? options_.enough : simulated ? node_view::enough_all : 1;
  neighbours* const others = world_->neighbours;
  node_list_.resize(nodes);
  std::size_t held = 0;
  for (node_id n = 0; n < nodes; ++n) held += world_->holds(n) ? each : 0;
  // One mapping for all: a process may have 65,530, and each one takes system calls.
  const auto arena_of = [&](processor_id p) -> void* {
    if (void* const there = others ? others->arena(p) : nullptr) return there;
    if (!arenas_)
      arenas_ = std::make_unique<reservation>(held * TERRANE_ARENA_BYTES, TERRANE_ARENA_BYTES);
    if (!arenas_->address()) return nullptr;
    return static_cast<char*>(arenas_->address()) + processors_.size() * TERRANE_ARENA_BYTES;
  };
  for (node_id n = 0; n < nodes; ++n) {
    if (!world_->holds(n)) continue;
    const node_options about{.number = n,
                             .nodes = nodes,
                             .processors = each,
                             .seed = options_.seed,
                             .enough = enough,
                             .enough_fixed = options_.enough >= 0 || simulated};
    nodes_.push_back(std::make_unique<node>(about, policy(), *world_));
    node_list_[n] = nodes_.back().get();
    for (std::uint32_t p = 0; p < each; ++p) {
      auto made = processor::make({.number = n * each + p,
                                   .processors = nodes * each,
                                   .processors_per_node = each,
                                   .frame_bytes_max = options_.frame_memory_mib << 20,
                                   .stack_bytes = options_.stack_kib << 10,
                                   .letters = options_.letters,
                                   .balances_ropes = of_ropes,
                                   .arena = arena_of(n * each + p)},
                                  *nodes_.back(), *world_, *this);
      if (!made)
        return error{"no address space for processor " + std::to_string(n * each + p) +
                     ": each needs 8 GiB of it (is there a limit set with ulimit -v?)"};
      processors_.push_back(made.get());
      owners_.push_back(std::move(made));
    }
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    nodes_[i]->attach(std::span<processor* const>(processors_).subspan(i * each, each));
  world_->attach(node_list_);
  if (auto logs = build_balance_log(); !logs) return logs;
  return build_recorder();
}

/// Node 0 writes it, line by line.
result<void> machine::build_balance_log() {
  if (options_.balance_log.empty() || !node_list_[0]) return {};
  std::FILE* const file = std::fopen(options_.balance_log.c_str(), "we");
  if (!file)
    return error{"--balance-log " + options_.balance_log + ": " + std::strerror(errno) +
                 "; choose another FILE"};
  balance_log_.reset(file);
  std::setvbuf(file, nullptr, _IOLBF, BUFSIZ);
  node_list_[0]->policy().write_log_to([file](std::string_view line) {
    std::fprintf(file, "%.*s\n", static_cast<int>(line.size()), line.data());
  });
  return {};
}

result<void> machine::build_recorder() {
  const bool traced = !options_.trace_file.empty();
  const bool wait = options_.when_full == full_trace::wait ||
                    (options_.when_full == full_trace::automatic && world_->crew.is_simulated());
  rooms_ = std::make_unique<event_rooms>(
      event_options{.traced = options_.traced, .rings = traced, .wait = wait}, processors_, nodes_,
      last_);
  if (!traced) return {};
  auto opened = trace_recorder::open(options_.trace_file, *rooms_, *world_, nodes_[0]->number(),
                                     options_.traced);
  if (!opened) return error{opened.problem()};
  chosen_.store(options_.traced, memory_order_relaxed);
  recorder_ = std::move(opened).value();
  return {};
}

run_outcome machine::run(const terrane_function& root, const void* args) {
  const node_data variables(static_cast<std::uint32_t>(nodes_.size()));
  for (std::size_t p = 0; p < processors_.size(); ++p)
    variables.attach(*processors_[p], static_cast<node_id>(p / options_.processors));
  for (auto& each : nodes_) {
    for (const metric_choice& what : options_.metrics) each->policy().measure(what);
    each->policy().start();
  }
  if (node_list_[0]) processors_[0]->start_here(root, args);
  {
    const failing_run while_it_runs(*this);
    world_->crew.run(processors_);
  }
  const bool trace_is_whole = !recorder_ || recorder_->finish();
  if (deadlock_) last_.print_last(world_->now());
  if (!node_list_[0]) end_ns_ = world_->now();

  run_outcome outcome;
  outcome.deadlock = deadlock_;
  outcome.exit_code = deadlock_ ? static_cast<int>(exit_deadlock) : exit_code_;
  outcome.left = find_live_frames(processors_, waiting_listed);
  for (processor* each : processors_) {
    each->tokens().trim();  // places of futures that were joined
    outcome.tokens_left += each->tokens().size();
  }
  for (auto& each : nodes_) outcome.tokens_left += each->exchange().pool().size();
  outcome.statistics = statistics();
  outcome.statistics.exit_code = outcome.exit_code;
  outcome.output_arrived = outcome.statistics.of_world.complete && trace_is_whole;
  return outcome;
}

/// If the program itself has forked, the child has only this OS thread: no other processor must be
/// told, and nothing waits for the run to end.
void machine::root_ended(processor& here) {
  if (getpid() != process_) std::exit(exit_code_);
  end_ns_ = world_->now();
  stop_all(here);
}

void machine::quiet(processor& here) {
  deadlock_ = true;
  root_ended(here);
}

/// Prints the sentence first: the process may be ended at any time while it prints the rest.
void machine::failed(const char* sentence, int exit_code) {
  std::fflush(stdout);
  std::fprintf(stderr, "terrane: %s\n", sentence);
  last_.print_last(world_->now());
  if (recorder_) recorder_->fail(sentence, exit_code);
  if (!options_.repeated_by.empty())
    std::fprintf(stderr, "terrane: to repeat this run: %s\n", options_.repeated_by.c_str());
  std::fflush(nullptr);  // also flushes an event log
  world_->failed(exit_code);
  std::_Exit(exit_code);
}

void machine::stop_all(processor& here) {
  if (tells_by_tree()) return told_to_stop(here);
  for (processor_id each = 0; each < processors(); ++each)
    if (each != here.number) here.send(each, entry::stop, {});
  here.stop();
}

/// On a large simulated machine each processor tells `told_by_one` others, from processor 0 on.
/// Otherwise one after the other would learn of the end, while all those that still wait for it
/// look for work: most of the events of a short run.
void machine::told_to_stop(processor& here) {
  if (tells_by_tree()) {
    const std::uint64_t first = std::uint64_t{here.number} * told_by_one + 1;
    const std::uint64_t end = std::min<std::uint64_t>(first + told_by_one, processors());
    for (std::uint64_t each = first; each < end; ++each)
      here.send(static_cast<processor_id>(each), entry::stop, {});
  }
  here.stop();
}

machine::glance machine::look() {
  glance seen{.seconds = static_cast<double>(world_->now()) / 1e9};
  for (processor* each : processors_) {
    const auto published = each->published();
    seen.tokens += published.tokens;
    seen.busy += !published.idle;
    each->notice();  // it publishes new values when it heeds
  }
  return seen;
}

std::string machine::state_text(const std::string& words) {
  // A simulated run goes its way whether it is watched or not: nobody is asked to publish.
  if (!world_->crew.is_simulated())
    for (processor* each : processors_) each->notice();
  const double seconds = world_->crew.is_simulated() ? 0 : static_cast<double>(world_->now()) / 1e9;
  return run_state(words, options_.world, getpid(), seconds, processors_, nodes_);
}

std::string machine::last_events() {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const to = open_memstream(&text, &size);
  if (!to) return "";
  last_.print_last(world_->crew.is_simulated() ? 0 : world_->now(), ~0u, to);
  std::fclose(to);
  std::string events(text, size);
  std::free(text);
  return events.empty() ? "terrane: no event was kept yet\n" : events;
}

result<std::string> machine::threads_text(const atomic<bool>& over) {
  if (world_->crew.is_simulated())
    return error{
        "a simulated run goes its way whether it is watched or not: look at its threads with gdb's "
        "terrane threads"};
  return describe_threads(processors_, over);
}

bool machine::choose_events(event_mask on, event_mask off) {
  if (!recorder_) return false;
  event_mask before = chosen_.load(memory_order_relaxed);
  const auto after = [&] { return ((before | on) & ~off) & all_events; };
  while (!chosen_.compare_exchange_weak(before, after(), memory_order_relaxed)) {}
  const event_mask now = after();
  for (processor* each : processors_) {
    each->choose_events(now);
    if (!world_->crew.is_simulated()) each->notice();
  }
  for (const auto& each : nodes_) each->policy().choose_events(now);
  return true;
}

void machine::interrupt() {
  for (processor* each : processors_) {
    each->notice();
    world_->crew.wake(*each);
  }
}

run_statistics machine::statistics() const {
  run_statistics all;
  all.world = options_.world;
  all.balancer = options_.balancer;
  all.nodes = static_cast<std::uint32_t>(options_.nodes);
  all.processors = static_cast<std::uint32_t>(options_.processors);
  all.seed = options_.seed;
  all.elapsed_seconds = static_cast<double>(end_ns_) / 1e9;
  all.per_processor.reserve(processors_.size());
  for (processor* each : processors_) {
    processor_statistics one{.processor = each->number,
                             .node = each->home().number(),
                             .tokens_generated = each->tokens_generated(),
                             .fibers_executed = each->fibers_executed(),
                             .tokens_inlined = each->inlined,
                             .tokens_from_pool = each->counts().tokens_from_pool,
                             .messages_sent = each->counts().messages_sent,
                             .bytes_sent = each->counts().bytes_sent,
                             .split = each->times()};
    // A processor learns of the end after it happened; its idle time in between is not part of the
    // run.
    time_split& split = one.split;
    const std::uint64_t busy = split.balance + split.poll + split.switching;
    split.idle = std::min(split.idle, end_ns_ - std::min(end_ns_, busy));
    one.run_seconds = static_cast<double>(end_ns_ - std::min(end_ns_, busy + split.idle)) / 1e9;
    all.tokens_generated += one.tokens_generated;
    all.fibers_executed += one.fibers_executed;
    all.messages_sent += one.messages_sent;
    all.cache_hits += each->counts().cache_hits;
    all.cache_misses += each->counts().cache_misses;
    all.names_reused += each->frames().names_reused();
    all.late_wake_ups += each->counts().late_wake_ups;
    all.messages_forwarded += each->counts().letters_sent_on;
    all.members_moved += each->counts().members_moved;
    add_letters(*each, all);
    all.frame_bytes += each->frames().bytes();
    all.per_processor.push_back(one);
  }
  all.waits.keep_longest();
  for (const auto& each : nodes_) {
    all.tokens_moved += each->policy().tokens_moved();
    all.notes_sent += each->policy().notes_sent();
  }
  for (const auto& each : nodes_) {
    const load_meter& meter = each->meter();
    node_load load;
    load.node = each->number();
    for (const metric what : {metric::n_threads, metric::rq_length, metric::cpu_time})
      if (const auto mean = meter.mean(what)) load.means.push_back({name_of(what), *mean});
    for (node_id other = 0; meter.measures(metric::rem_comm) && other < all.nodes; ++other)
      if (const std::uint64_t sent = meter.sent_in_all(other); sent != 0)
        load.sent_to.emplace_back(other, sent);
    if (!load.means.empty() || meter.measures(metric::rem_comm))
      all.loads.push_back(std::move(load));
  }
  for (processor* each : processors_) each->finish_profile(end_ns_);
  all.profile = summarise(processors_, nodes_);
  all.messages_sent += all.notes_sent + all.tokens_moved;
  world_->describe(all.of_world);
  all.peak_resident_bytes = peak_resident_bytes();
  return all;
}

}  // namespace terrane
