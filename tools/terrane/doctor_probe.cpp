// SPDX-License-Identifier: Apache-2.0
// doctor_probe.cpp: what the doctor starts on a host: it answers questions about that host.
//
// Protocol    First the line of a secret (job_secret.hpp), then a question a line; parts of a line
//             are separated by tabs. Unasked it says
//               probe 1 HOSTNAME BUILD
//             and then answers
//               be NUMBER NODES          ok
//               look NODES PROCESSORS    WEIGHT WHAT CURE ..., end
//               resolve NAME             ok ADDRESS | no WHY
//               file PATH                ok BUILD | no WHY
//               clock                    ok NANOSECONDS
//               listen OTHER...          ok ADDRESS PORT INTERFACE MTU WHY | no WHY
//               reach NUMBER ADDRESS PORT, measure NUMBER ADDRESS PORT
//                                        ok ROUND_TRIP MTU BANDWIDTH | no WHY
//             until its input ends.
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "terrane/base/openssl.hpp"
#include "terrane/machine/build_id.hpp"
#include "terrane/machine/interface_choice.hpp"
#include "terrane/transport/tcp/frame.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/doctor.hpp"
#include "tools/terrane/doctor_wire.hpp"

namespace terrane {

namespace {

constexpr int silence_ms_max = 60'000;  // whoever asked is not there any more

void say(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

/// Reads a byte at a time, so that nothing waits in a buffer while poll is asked.
std::optional<std::string> next_line() {
  std::string line;
  for (;;) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    char letter = 0;
    if (poll(&input, 1, silence_ms_max) <= 0 || read(STDIN_FILENO, &letter, 1) != 1)
      return std::nullopt;
    if (letter == '\n') return line;
    line += letter;
  }
}

class probed_host {
 public:
  explicit probed_host(const job_secret& secret) : secret_(secret) {
    facts_.build = own_build_id().value();
    facts_.host = name_of_this_host();
    facts_.version = wire_version;
  }

  void answer(const words& question) {
    const std::string& what = question[0];
    const std::size_t parts = question.size();
    if (what == "be" && parts == 3) return be(question);
    if (what == "look" && parts == 3) return look(question);
    if (what == "resolve" && parts == 2) return say_result(address_of_name(question[1]));
    if (what == "file" && parts == 2) return say_result(build_id_of_file(question[1]));
    if (what == "clock") return tell_time();
    if (what == "listen") return listen({question.begin() + 1, question.end()});
    if ((what == "reach" || what == "measure") && parts == 4) return reach(question);
    say("no\tthat is no question");
  }

 private:
  static void say_result(const result<std::string>& of) {
    say(of ? "ok\t" + of.value() : "no\t" + of.problem());
  }

  void be(const words& question) {
    nodes_ = static_cast<node_id>(std::atoi(question[2].c_str()));
    mine_.emplace(static_cast<node_id>(std::atoi(question[1].c_str())), secret_, facts_);
    say("ok");
  }

  static void look(const words& question) {
    const int nodes = std::atoi(question[1].c_str()), processors = std::atoi(question[2].c_str());
    const host_facts facts = read_host_facts(processors);
    for (const finding& each : judge_host(facts, nodes, processors, true))
      say(fmt::format("{}\t{}\t{}", static_cast<int>(each.is), each.what, each.cure));
    say("end");
  }

  static void tell_time() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    say(fmt::format("ok\t{}", now.tv_sec * 1'000'000'000LL + now.tv_nsec));
  }

  void listen(const words& others) {
    if (!mine_) return say("no\tit has no number yet");
    const auto chosen = choose_interface(interfaces_of_this_host(), others);
    if (!chosen) return say("no\t" + chosen.problem());
    const network_interface& is = chosen.value().interface;
    auto made = doctor_listener::listen(*mine_, nodes_, is.address);
    if (!made) return say("no\t" + made.problem());
    listener_ = std::move(made).value();
    say(fmt::format("ok\t{}\t{}\t{}\t{}\t{}", is.address, listener_->port(), is.name, is.mtu,
                    chosen.value().why));
  }

  void reach(const words& question) {
    if (!mine_) return say("no\tit has no number yet");
    const auto peer = static_cast<node_id>(std::strtoul(question[1].c_str(), nullptr, 10));
    const auto port = static_cast<std::uint16_t>(std::atoi(question[3].c_str()));
    const auto found =
        measure_wire(*mine_, nodes_, peer, question[2], port, question[0] == "measure");
    if (!found) return say("no\t" + found.problem());
    say(fmt::format("ok\t{}\t{}\t{:.0f}", found.value().round_trip_ns, found.value().mtu,
                    found.value().bytes_per_second));
  }

  const job_secret& secret_;
  node_facts facts_;
  node_id nodes_ = 0;
  std::optional<identity> mine_;
  std::unique_ptr<doctor_listener> listener_;
};

}  // namespace

words parts_of(const std::string& line) {
  words parts;
  std::size_t from = 0;
  for (std::size_t tab; (tab = line.find('\t', from)) != line.npos; from = tab + 1)
    parts.push_back(line.substr(from, tab - from));
  parts.push_back(line.substr(from));
  return parts;
}

std::string own_path() {
  std::error_code wrong;
  return std::filesystem::read_symlink("/proc/self/exe", wrong).string();
}

result<std::string> address_of_name(const std::string& name) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  const int problem = getaddrinfo(name.c_str(), nullptr, &wanted, &found);
  if (problem != 0) return error{gai_strerror(problem)};
  char text[NI_MAXHOST] = "";
  getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
  freeaddrinfo(found);
  return std::string(text);
}

int probe() {
  if (!openssl_problem().empty()) {
    say("problem\t" + openssl_problem());
    return 1;
  }
  const auto secret = job_secret::read_from(STDIN_FILENO);
  if (!secret) {
    say("problem\t" + secret.problem());
    return 1;
  }
  const auto build = own_build_id();
  say(fmt::format("probe\t1\t{}\t{}", name_of_this_host(), build ? build.value() : "?"));
  probed_host here(secret.value());
  while (const auto line = next_line()) here.answer(parts_of(*line));
  return 0;
}

}  // namespace terrane
