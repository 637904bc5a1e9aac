// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/network_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "terrane/machine/read_word.hpp"

namespace terrane {

result<void> read_progress(std::string_view text, run_options& into) {
  return read_word(text,
                   {std::pair<std::string_view, progress_form>{"poll", progress_form::poll},
                    {"watchdog", progress_form::watchdog},
                    {"modules", progress_form::modules}},
                   into.progress);
}

result<void> read_connect(std::string_view text, run_options& into) {
  return read_word(text,
                   {std::pair<std::string_view, connect_time>{"eager", connect_time::eager},
                    {"lazy", connect_time::lazy}},
                   into.connect);
}

result<void> read_wire(std::string_view text, run_options& into) {
  return read_word(text,
                   {std::pair<std::string_view, wire_choice>{"own", wire_choice::own},
                    {"ucx", wire_choice::ucx}},
                   into.wire);
}

result<void> read_hosts(std::string_view text, run_options& into) {
  auto read = parse_hosts(text);
  if (!read) return error{read.problem()};
  into.hosts = std::move(read).value();
  return {};
}

result<void> read_hosts_file(std::string_view text, run_options& into) {
  auto read = read_hostfile(std::string(text));
  if (!read) return error{read.problem()};
  into.hosts = std::move(read).value();
  return {};
}

result<void> read_launcher(std::string_view text, run_options& into) {
  auto read = launcher_command::parse(text);
  if (!read) return error{read.problem()};
  into.launcher = std::move(read).value();
  return {};
}

result<void> read_variables(std::string_view text, run_options& into) {
  into.environment.clear();
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    const std::string_view name = one.substr(0, one.find('='));
    const bool sound = !name.empty() && name.find_first_of("0123456789") != 0 &&
                       std::all_of(name.begin(), name.end(), [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                (c >= '0' && c <= '9') || c == '_';
                       });
    if (!sound)
      return error{fmt::format("takes NAME or NAME=VALUE, with commas between, not '{}'", one)};
    into.environment.emplace_back(one);
    text.remove_prefix(std::min(text.size(), one.size() + 1));
  }
  return {};
}

result<void> read_heartbeat(std::string_view text, run_options& into) {
  constexpr double least = 0.1, most = 3600;
  double seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  if (!whole || !(seconds >= least && seconds <= most))
    return error{
        fmt::format("needs a number of seconds from {} to {}, not '{}'", least, most, text)};
  into.heartbeat_ms = static_cast<int>(seconds * 1000);
  return {};
}

result<void> read_layout(std::string_view text, run_options& into) {
  return read_word(text,
                   {std::pair<std::string_view, node_layout>{"same", node_layout::same},
                    {"own", node_layout::own}},
                   into.layout);
}

}  // namespace terrane
