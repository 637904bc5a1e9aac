// SPDX-License-Identifier: Apache-2.0
// doctor_hosts.cpp: the hosts of a run and the ways between them, before the run.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <memory>
#include <optional>

#include "terrane/base/openssl.hpp"
#include "terrane/base/plural.hpp"
#include "terrane/machine/build_id.hpp"
#include "terrane/machine/interface_choice.hpp"
#include "terrane/transport/tcp/frame.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/doctor.hpp"
#include "tools/terrane/doctor_wire.hpp"
#include "tools/terrane/examined_host.hpp"

namespace terrane {

namespace {

using clock = probed_process::clock;
constexpr std::chrono::seconds start_time_max{15};

class examination {
 public:
  explicit examination(const doctor_options& options) : options_(options) {
    here_.of = fmt::format("this machine, {}", name_of_this_host());
  }

  std::vector<diagnosis> all() {
    if (prepare()) {
      start_probes();
      look_at_hosts();
      listen();
      reach();
      measure();
    }
    std::vector<diagnosis> found{here_};
    for (auto& each : hosts_) found.push_back(each.found);
    found.push_back(ways_);
    return found;
  }

 private:
  bool prepare();
  void start_probes();
  void look_at_hosts();
  void listen();
  void reach();
  void say_wire(examined_host& of, const std::string& from, const std::string& to,
                const result<words>& answer);
  void measure();

  const doctor_options& options_;
  diagnosis here_, ways_{"between them", {}};
  std::vector<examined_host> hosts_;
  std::string build_, program_build_;
  std::optional<job_secret> secret_;
  std::unique_ptr<identity> mine_;
  std::unique_ptr<doctor_listener> listener_;
  std::string own_address_;
};

bool examination::prepare() {
  if (!openssl_problem().empty()) {
    here_.bad(openssl_problem(), "world tcp needs it");
    return false;
  }
  auto secret = job_secret::mint();
  auto build = own_build_id();
  const auto where = place_nodes(
      options_.hosts, options_.nodes != 0 ? options_.nodes : default_nodes(options_.hosts));
  if (!secret || !build || !where) {
    here_.bad(!secret  ? secret.problem()
              : !build ? build.problem()
                       : where.problem(),
              "mend that first");
    return false;
  }
  secret_ = std::move(secret).value();
  build_ = build.value();
  node_facts facts;
  facts.build = build_;
  facts.host = name_of_this_host();
  facts.version = wire_version;
  mine_ = std::make_unique<identity>(launcher_node, *secret_, facts);
  for (const host& each : options_.hosts) {
    examined_host made;
    made.is = &each;
    made.found.of = each.name;
    const int number = static_cast<int>(&each - options_.hosts.data());
    made.nodes = static_cast<int>(std::count(where.value().begin(), where.value().end(), number));
    hosts_.push_back(std::move(made));
  }
  here_.good(fmt::format("{} for {} from {}", plural(where.value().size(), "node"),
                         plural(hosts_.size(), "host"), options_.hosts_from));
  if (!options_.program.empty()) {
    const auto id = build_id_of_file(options_.program);
    if (id)
      program_build_ = id.value();
    else
      here_.bad(id.problem(), "build it, or name another");
  }
  return true;
}

void examination::start_probes() {
  std::vector<std::future<result<std::string>>> addresses;
  for (auto& each : hosts_)
    addresses.push_back(std::async(std::launch::async, address_of_name, each.is->address()));
  const words command{own_path(), "doctor", "--probe"};
  for (auto& each : hosts_) {
    auto started = probed_process::start(
        options_.launcher.words_for(each.is->name, shell_command("", {}, command)));
    if (!started) {
      each.found.bad(fmt::format("nothing could be started: {}", started.problem()), "mend that");
      continue;
    }
    each.probe = std::make_unique<probed_process>(std::move(started).value());
    job_secret::line line;
    secret_->write(line);
    each.probe->write(line.text());
  }
  const auto until = clock::now() + start_time_max;
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    examined_host& its = hosts_[i];
    if (its.probe) its.greet(until, options_.launcher.program(), build_);
    const auto address = addresses[i].get();
    if (address) {
      its.here_address = address.value();
      its.found.good(fmt::format("its name means {} on this machine", address.value()));
    } else if (its.probe) {
      its.found.note(fmt::format("this machine knows no address of its name ({}), but {} does",
                                 address.problem(), options_.launcher.program()),
                     "put it into /etc/hosts or DNS if other programs need it");
    } else {
      its.found.bad(
          fmt::format("this machine knows no address of that name: {}", address.problem()),
          "check the spelling; else put it into /etc/hosts or DNS");
    }
  }
}

void examination::look_at_hosts() {
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    examined_host& its = hosts_[i];
    if (!its.probe) continue;
    its.ask(fmt::format("be\t{}\t{}", i, hosts_.size()));
    its.ask(fmt::format("look\t{}\t0", its.nodes));
  }
  for (auto& each : hosts_) {
    if (!each.probe || !each.hear()) continue;
    for (;;) {
      const words parts = each.next_parts();
      if (parts.size() != 3) break;
      each.found.findings.push_back(
          {static_cast<finding::weight>(std::atoi(parts[0].c_str()) % 3), parts[1], parts[2]});
    }
    if (!program_build_.empty()) each.look_at_program(options_.program, program_build_);
    each.look_at_clock();
    each.look_at_names(hosts_);
  }
}

void examination::listen() {
  std::vector<std::string> others;
  for (const auto& each : hosts_)
    if (!each.here_address.empty()) others.push_back(each.here_address);
  const auto chosen = choose_interface(interfaces_of_this_host(), others);
  if (!chosen) return here_.bad(chosen.problem(), "bring up an interface that leads there");
  const network_interface& is = chosen.value().interface;
  auto made = doctor_listener::listen(*mine_, static_cast<node_id>(hosts_.size()), is.address);
  if (!made) return here_.bad(made.problem(), "mend that");
  listener_ = std::move(made).value();
  own_address_ = is.address;
  here_.good(fmt::format("listens at {} ({}), since {}", is.address, is.name, chosen.value().why));
  // Others see a name that means loopback here as this machine's address.
  std::string all = own_address_;
  for (const auto& each : hosts_)
    if (!each.here_address.empty() && !is_loopback_address(each.here_address))
      all += "\t" + each.here_address;
  for (auto& each : hosts_) each.ask("listen\t" + all);
  for (auto& each : hosts_) {
    if (!each.probe) continue;
    const auto answer = each.hear();
    if (!answer || answer.value().size() != 5) {
      each.found.bad(answer ? "it answered with nonsense" : answer.problem(),
                     "bring up an interface that leads to the other hosts");
      continue;
    }
    const words& parts = answer.value();
    each.address = parts[0];
    each.port = static_cast<std::uint16_t>(std::atoi(parts[1].c_str()));
    each.found.good(fmt::format("listens at {} ({}, MTU {}), since {}", parts[0], parts[2],
                                parts[3], parts[4]));
  }
}

void examination::say_wire(examined_host& of, const std::string& from, const std::string& to,
                           const result<words>& answer) {
  if (answer && answer.value().size() == 3) return;
  of.found.bad(fmt::format("{} cannot reach {}: {}", from, to,
                           answer ? "it answered with nonsense" : answer.problem()),
               fmt::format("let TCP connections from {} to {} through, to any port", from, to));
}

/// Everybody calls everybody, all hosts at once, this machine included.
void examination::reach() {
  if (!listener_) return;
  for (auto& each : hosts_) {
    if (each.address.empty()) continue;
    each.ask(fmt::format("reach\t{}\t{}\t{}", launcher_node, own_address_, listener_->port()));
    for (std::size_t i = 0; i < hosts_.size(); ++i)
      if (&hosts_[i] != &each && !hosts_[i].address.empty())
        each.ask(fmt::format("reach\t{}\t{}\t{}", i, hosts_[i].address, hosts_[i].port));
  }
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    examined_host& its = hosts_[i];
    if (its.address.empty()) continue;
    const auto made = measure_wire(*mine_, static_cast<node_id>(hosts_.size()),
                                   static_cast<node_id>(i), its.address, its.port, false);
    say_wire(its, "this machine", its.is->name,
             made ? result<words>(words(3)) : result<words>(error{made.problem()}));
  }
  int ways = 0;
  for (auto& each : hosts_) {
    if (each.address.empty()) continue;
    say_wire(each, each.is->name, "this machine", each.hear());
    for (auto& other : hosts_) {
      if (&other == &each || other.address.empty()) continue;
      say_wire(each, each.is->name, other.is->name, each.hear());
      ++ways;
    }
  }
  if (ways != 0)
    ways_.good(fmt::format("{} between hosts tried, both ways, and those with this machine",
                           plural(static_cast<std::uint64_t>(ways), "connection")));
}

/// One after the other, so that they do not disturb each other: each host to the next, or to this
/// machine.
void examination::measure() {
  for (std::size_t i = 0; listener_ && i < hosts_.size(); ++i) {
    examined_host& its = hosts_[i];
    const std::size_t next = (i + 1) % hosts_.size();
    const bool home = hosts_.size() == 1 || hosts_[next].address.empty();
    if (its.address.empty()) continue;
    its.ask(
        home ? fmt::format("measure\t{}\t{}\t{}", launcher_node, own_address_, listener_->port())
             : fmt::format("measure\t{}\t{}\t{}", next, hosts_[next].address, hosts_[next].port));
    const auto answer = its.hear();
    const std::string to = home ? "this machine" : hosts_[next].is->name;
    if (!answer || answer.value().size() != 3) {
      say_wire(its, its.is->name, to, answer);
      continue;
    }
    const words& parts = answer.value();
    const double bandwidth = std::strtod(parts[2].c_str(), nullptr);
    const std::string what =
        fmt::format("{} to {}: there and back in {:.0f} us, MTU {}, {:.0f} MB/s", its.is->name, to,
                    std::strtod(parts[0].c_str(), nullptr) / 1e3, parts[1], bandwidth / 1e6);
    if (bandwidth < 1e6)
      ways_.note(what, "that is very slow: is it the right network?");
    else
      ways_.good(what);
  }
}

}  // namespace

std::vector<diagnosis> examine_hosts(const doctor_options& options) {
  ::signal(SIGPIPE, SIG_IGN);  // a probe may have ended
  return examination(options).all();
}

}  // namespace terrane
