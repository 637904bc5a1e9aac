// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "terrane/core/balancer.hpp"
#include "terrane/machine/balancer_file.hpp"
#include "terrane/machine/network_options.hpp"
#include "terrane/machine/trace_options.hpp"
#include "terrane/machine/worded_options.hpp"
#include "terrane/machine/wording.hpp"
#include "terrane/machine/worlds.hpp"

namespace terrane {

namespace {

/// One row of the help and of the parser. A problem completes "--name ...".
struct option {
  std::string_view name;
  std::string_view value;  // its name in the help; empty: the option is a flag
  std::string_view text;   // lines of the help
  result<void> (*read)(std::string_view given, run_options& into);
  bool (*of)(const world_row&) = nullptr;  // which worlds it is for; null: all
  std::string_view choices = {};           // as in option_row
};

bool is_simulated(const world_row& world) { return world.simulated; }
bool runs_in_real_time(const world_row& world) { return !world.simulated; }
bool has_processes(const world_row& world) { return world.make == nullptr; }
bool has_wires(const world_row& world) { return world.shares_nothing; }
bool has_launcher(const world_row& world) { return world.make_job != nullptr; }
bool is_from_outside(const world_row& world) { return world.is_started != nullptr; }
bool has_network(const world_row& world) { return has_wires(world) || is_from_outside(world); }

template <class Number>
bool read_number(std::string_view text, std::type_identity_t<Number> least,
                 std::type_identity_t<Number> most, Number& into) {
  Number number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool right = read.ec == std::errc() && read.ptr == text.data() + text.size() &&
                     number >= least && number <= most;
  if (right) into = number;
  return right;
}

template <class Number>
result<void> read_whole(std::string_view text, std::type_identity_t<Number> least,
                        std::type_identity_t<Number> most, Number& into) {
  if (read_number(text, least, most, into)) return {};
  return error{fmt::format("needs a whole number from {} to {}, not '{}'", least, most, text)};
}

template <std::string run_options::* Place>
result<void> read_text(std::string_view text, run_options& into) {
  into.*Place = text;
  return {};
}

template <bool run_options::* Place>
result<void> set_flag(std::string_view, run_options& into) {
  into.*Place = true;
  return {};
}

result<void> read_world(std::string_view text, run_options& into) {
  const auto found = find_world(text);
  if (!found) return error{found.problem()};
  into.world = text;
  return {};
}

result<void> read_enough(std::string_view text, run_options& into) {
  constexpr int most = 1'000'000;
  if (text == "all")
    into.enough = node_view::enough_all;
  else if (!read_number(text, 0, most, into.enough))
    return error{fmt::format("needs a whole number from 0 to {}, or all, not '{}'", most, text)};
  return {};
}

result<void> read_pinning(std::string_view text, run_options& into) {
  const auto read = parse_pinning_option(text);
  if (!read) return error{fmt::format("takes auto, on or off, not '{}'", text)};
  into.pinning = read.value();
  return {};
}

constexpr auto table = std::to_array<option>({
    {"--nodes", "N", "groups of processors that share no memory (default: 1)",
     [](std::string_view given, run_options& into) {
       into.nodes_given = true;
       return read_whole(given, 1, processors_max, into.nodes);
     }},
    {"--processors", "P",
     "of each node (default: the CPUs we may use, shared out;\n"
     "simulated: 1)",
     [](std::string_view given, run_options& into) {
       return read_whole(given, 1, processors_max, into.processors);
     }},
    {"--ranks", "N", "of an MPI program (terrane mpicc; default: one a processor)",
     [](std::string_view given, run_options& into) {
       return read_whole(given, 1, 1'000'000, into.ranks);
     }},
    {"--world", "WORLD", "how nodes reach each other, and so what they are:", read_world},
    {"--network", "NAME", "what it costs: a preset or file (default: modern)",
     read_text<&run_options::network>, is_simulated},
    {"--faults", "RATES",
     "what goes wrong: any of delay, heavy, reorder, slow, pause\n"
     "and late, as in delay=0.1,pause=0.001; or none (simulated\n"
     "machines; builds with rare branches: rare too, anywhere)",
     [](std::string_view given, run_options& into) -> result<void> {
       auto read = read_faults(given);
       if (!read) return error{read.problem()};
       into.faults = read.value();
       return {};
     }},
    {"--log", "FILE", "where to write every event, a line each", read_text<&run_options::log_file>,
     is_simulated},
    {"--balancer", "NAME",
     "who moves work between nodes: NAME (default: rand), or\n"
     "NAME:PARAMETER=NUMBER,... (see terrane balancers)",
     read_text<&run_options::balancer>},
    {"--balance-log", "FILE", "where central writes what it sees and does, at node 0",
     read_text<&run_options::balance_log>},
    {"--seed", "S", "of all random choices (default: 1)",
     [](std::string_view given, run_options& into) {
       return read_whole(given, 0, std::numeric_limits<std::uint64_t>::max(), into.seed);
     }},
    {"--stats", "FORM",
     "what to say on stderr at the end: text, json (last line),\n"
     "json=FILE (into FILE instead) or none (default: text under\n"
     "terrane run, none for a program run directly)",
     read_statistics, nullptr, "text json none"},
    {"--enough", "N",
     "tokens a processor keeps queued before it runs more at\n"
     "once, or all to queue every one (default: the balancer's)",
     read_enough},
    {"--pinning", "WHEN",
     "bind processors to CPUs: on, off or auto (default), which\n"
     "is on unless others use this machine too",
     read_pinning, nullptr, "on off auto"},
    {"--frame-memory", "MIB", "MiB for the frames of a processor (default and most: 3584)",
     [](std::string_view given, run_options& into) {
       return read_whole(given, 1, 3584, into.frame_memory_mib);
     }},
    {"--stack", "KIB",
     "KiB for the stack of a future that another processor\n"
     "took, and of a message's thread (default: 4096)",
     [](std::string_view given, run_options& into) {
       return read_whole(given, 16, 1'048'576, into.stack_kib);
     }},
    {"--eager", "BYTES",
     "messages between threads up to this size are sent at\n"
     "once; longer ones wait for a receive (default: 16384)",
     [](std::string_view given, run_options& into) {
       return read_whole(given, 0, std::uint64_t{1} << 40, into.letters.eager_bytes_max);
     }},
    {"--recv-wait", "HOW",
     "who looks for a message that a thread waits for: the\n"
     "scheduler (default), each waiting thread in turn, or the\n"
     "thread alone, which spins (for studies)",
     read_receive_wait, nullptr, "scheduler thread spin"},
    {"--waits", "",
     "say at the end who waited how long for whose messages,\n"
     "and how much of it other work hid",
     [](std::string_view, run_options& into) -> result<void> {
       into.letters.notes_waits = true;
       return {};
     }},
    {"--rope-balancer", "WHO",
     "who places the members of a rope at its balance(): none,\n"
     "greedy, refine (default), neighbours, or a file, as\n"
     "./mine.so (docs/chant.md)",
     read_rope_balancer, nullptr, "none greedy refine neighbours"},
    {"--longest-sleep", "MS",
     "ms after which a sleeping\n"
     "processor looks for work by itself (default: when the\n"
     "balancer is to be asked, 20 at most); a long time shows\n"
     "wake-ups that were lost, and --stats json counts them",
     [](std::string_view given, run_options& into) {
       return read_whole(given, 1, 1'000'000, into.longest_sleep_ms);
     },
     runs_in_real_time},
    {"--max-memory", "MIB", "MiB that a node's process may use (default: no limit)",
     [](std::string_view given, run_options& into) {
       return read_whole(given, 1, std::uint64_t{1} << 40, into.memory_mib_max);
     },
     has_processes},
    {"--after-loss", "SEC", "seconds that the others go on after a loss (default: 0)",
     [](std::string_view given, run_options& into) {
       return read_whole(given, 0, 1'000'000, into.after_loss_s);
     },
     has_launcher},
    {"--heartbeat", "SEC",
     "between signs of life (default: 1); a node that gives\n"
     "none for three of them is lost",
     read_heartbeat, has_launcher},
    {"--progress", "WHO",
     "who serves sockets: poll (processors), watchdog (the\n"
     "default: they, and a thread when they do not) or modules\n"
     "(a thread that sends and one that receives)",
     read_progress, has_network, "poll watchdog modules"},
    {"--connect", "WHEN",
     "eager: all nodes with each other at the start (the\n"
     "default up to 64 nodes); or lazy: when they need it",
     read_connect, has_wires, "eager lazy"},
    {"--wire", "WHICH",
     "own (default): sockets, or the MPI; or ucx: what UCX\n"
     "finds between the hosts (docs/ucx.md)",
     read_wire, has_network, "own ucx"},
    {"--hosts", "HOSTS",
     "where nodes run: names with commas between them; a:4 takes\n"
     "four nodes (default: this host; docs/clusters.md)",
     read_hosts, has_wires},
    {"--hostfile", "FILE", "the same, from a file for Open MPI or MPICH", read_hosts_file,
     has_wires},
    {"--launcher", "HOW",
     "what starts nodes on hosts: ssh (default), or a command\n"
     "with {host} and {command} in it",
     read_launcher, has_wires},
    {"--copy", "", "send the program to the hosts first; each deletes it",
     set_flag<&run_options::copy>, has_wires},
    {"--interface", "NAME",
     "where the nodes call this host: an interface or address\n"
     "of it (default: the one that leads to the hosts)",
     read_text<&run_options::interface>, has_wires},
    {"--env", "NAMES",
     "variables for nodes on hosts: NAME or NAME=VALUE, with\n"
     "commas between them",
     read_variables, has_wires},
    {"--tls", "", "encrypt what nodes send (TLS 1.3; docs/security.md)",
     set_flag<&run_options::tls>, has_wires},
    {"--mpi", "NAME", "openmpi or mpich (default: what started the program, or is in it)", read_mpi,
     is_from_outside, "openmpi mpich"},
    {"--tag-output", "", "each line of output says which node printed it",
     set_flag<&run_options::tag_output>, has_launcher},
    {"--layout", "WHERE",
     "same (the default): code lies at equal addresses in\n"
     "all nodes, and threads may move; or own: each node starts\n"
     "the program anew, at addresses of its own",
     read_layout, has_launcher, "same own"},
    {"--trace", "FILE", "record the run's events in FILE (see terrane trace)",
     read_text<&run_options::trace_file>},
    {"--report", "FILE", "make a page that shows the run, at its end (terrane run alone)",
     read_text<&run_options::report_file>},
    {"--events", "CLASSES",
     "which events a trace has (default: all): classes, as in\n"
     "fiber,message; -token leaves one out (docs/events.md)",
     read_events},
    {"--trace-full", "WHAT",
     "what an event does that finds no room: drop (it is counted)\n"
     "or wait (default: drop; simulated machines: wait)",
     read_full_trace, nullptr, "drop wait"},
    {"--metrics", "LIST", "measure loads: n-threads, rq-length, rem-comm, cpu-time:window=10",
     read_measured},
    {"--metrics-file", "FILE", "tell Prometheus once a second, in FILE",
     read_text<&run_options::metrics_file>},
    {"--live", "PORT", "a page that shows the run while it goes on (0: any free port)",
     [](std::string_view given, run_options& into) {
       return read_whole(given, 0, 65535, into.live_port);
     }},
    {"--quiet", "", "no progress and no notices on stderr", set_flag<&run_options::quiet>},
});

/// A line that would be longer than a terminal goes on in the next one.
std::string help_row(std::string_view left, std::string_view text) {
  constexpr std::size_t column = 23, width = 80 - column;
  std::string row = fmt::format("  {:<{}}", left, column - 2);
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    if (end > width) end = std::min(text.rfind(' ', width), end);
    row += text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!text.empty()) row += '\n' + std::string(column, ' ');
  }
  return row + '\n';
}

/// The worlds for the help, one line each.
std::string describe_worlds() {
  std::string text;
  for (const world_row* each : worlds())
    text += fmt::format("\n{}{}: {}", each->name, text.empty() ? " (the default)" : "",
                        each->nodes_are);
  return text;
}

std::string help_text(const std::string& usage) {
  std::string text = usage + "\nOptions:\n";
  for (const option_row& each : option_rows()) {
    const std::string of = each.worlds.empty() ? "" : each.worlds + ": ";
    const std::string worlds_lines = each.name == "--world" ? describe_worlds() : "";
    std::string flows(each.text);
    std::replace(flows.begin(), flows.end(), '\n', ' ');
    text += help_row(fmt::format("{} {}", each.name, each.value), of + flows + worlds_lines);
  }
  text += help_row("-h, --help", "print this and exit");
  text += help_row("--", "end of the options, where what follows looks like one");
  return text +
         "\nOptions may stand in the environment variable TERRANE_OPTIONS too; those of the\n"
         "command line win.\n";
}

error no_such_option(std::string_view name) {
  std::vector<std::string_view> names{"--help"};
  for (const option& each : table) names.push_back(each.name);
  const std::string_view near = nearest(name, names);
  if (!near.empty())
    return {fmt::format("there is no option {}: did you mean {}? (see --help)", name, near)};
  return {fmt::format("there is no option {} (see --help; the program's own go after --)", name)};
}

/// Reads the option at the start of `words`, and its value. Returns how many words it took.
result<std::ptrdiff_t> read_option(std::span<const std::string> words, run_options& into) {
  const std::string_view first = words.front(), name = first.substr(0, first.find('='));
  const auto known =
      std::find_if(table.begin(), table.end(), [&](const option& it) { return it.name == name; });
  if (known == table.end()) return no_such_option(name);
  const bool attached = name.size() < first.size(), flag = known->value.empty();
  if (flag && attached) return error{fmt::format("{} takes no value: write {} alone", name, name)};
  if (!flag && !attached && words.size() == 1)
    return error{fmt::format("{} needs a value: {} {} (see --help)", name, name, known->value)};
  std::string_view value;
  if (attached)
    value = first.substr(name.size() + 1);
  else if (!flag)
    value = words[1];
  if (const auto read = known->read(value, into); !read)
    return error{fmt::format("{} {}", name, read.problem())};
  if (known->of) into.for_some.emplace_back(name);
  return flag || attached ? 1 : 2;
}

}  // namespace

std::vector<option_row> option_rows() {
  std::vector<option_row> rows;
  for (const option& each : table)
    rows.push_back({each.name, each.value, each.text, each.choices,
                    each.of ? world_names(each.of) : std::string()});
  return rows;
}

result<parsed_options> parse_options(const std::vector<std::string>& words,
                                     const run_options& defaults, const std::string& usage) {
  parsed_options parsed{defaults, {}, {}, ""};
  auto next = words.begin();
  while (next != words.end()) {
    if (*next == "-h" || *next == "--help") {
      parsed.help = help_text(usage);
      return parsed;
    }
    if (*next == "--") {
      ++next;
      break;
    }
    if (!next->starts_with("--")) break;
    const auto used = read_option({next, words.end()}, parsed.options);
    if (!used) return error{used.problem()};
    parsed.own.insert(parsed.own.end(), next, next + used.value());
    next += used.value();
  }
  parsed.rest.assign(next, words.end());
  const bool simulated = parsed.options.world == "sim";
  auto policy =
      find_balancer(parsed.options.balancer, simulated ? parsed.options.network : std::string());
  if (!policy) return error{policy.problem()};
  return parsed;
}

result<void> fits_world(const run_options& options, const world_row& world) {
  const auto misplaced = [&](std::string_view name, bool (*of)(const world_row&)) {
    return error{
        fmt::format("{} is for world {}, and this is world {}: leave it out, or choose "
                    "with --world",
                    name, world_names(of), world.name)};
  };
  for (const std::string& given : options.for_some)
    for (const option& each : table)
      if (each.name == given && !each.of(world)) return misplaced(each.name, each.of);
  fault_options of_simulated = options.faults;
  of_simulated.rare = 0;
  if (!world.simulated && to_text(of_simulated) != "none")
    return misplaced("--faults", is_simulated);
  return {};
}

}  // namespace terrane
