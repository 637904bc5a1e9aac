// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/trace_start.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <thread>

#include "terrane/machine/build_id.hpp"
#include "terrane/machine/wording.hpp"
#include "terrane/machine/worlds.hpp"
#include "terrane/monitor/trace_encoder.hpp"
#include "terrane/trace/format.hpp"

namespace terrane {

namespace {

using json = nlohmann::ordered_json;

std::string text_of(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Two runs differ in it: the time to a nanosecond, and the process.
std::string new_run_id(std::int64_t wall_ns) {
  std::uint64_t mixed = static_cast<std::uint64_t>(wall_ns) ^ static_cast<std::uint64_t>(getpid())
                                                                  << 40;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
  return fmt::format("{:016x}", mixed ^ mixed >> 27);
}

/// As in 2026-01-31 12:00:00.000000 UTC.
std::string utc_text(std::int64_t wall_ns) {
  const std::time_t seconds = wall_ns / 1'000'000'000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  return fmt::format("{}.{:06} UTC", text, wall_ns / 1000 % 1'000'000);
}

std::string this_executable() {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  return size < 0 ? "" : std::string(path, static_cast<std::size_t>(size));
}

json head_of(const run_options& options, const std::vector<std::string>& words) {
  utsname system{};
  uname(&system);
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  const auto wall_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count();
  const auto of_world = find_world(options.world);
  const auto build = own_build_id();
  return {{"format", 1},
          {"id", new_run_id(wall_ns)},
          {"program", this_executable()},
          {"build", build ? build.value() : ""},
          {"command", join_words(words)},
          {"options", join_words(repeating_options(options))},
          {"seed", options.seed},
          {"host", system.nodename},
          {"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
          {"version", TERRANE_VERSION},
          {"cores", std::thread::hardware_concurrency()},
          {"world", options.world},
          {"network", options.network},
          {"balancer", options.balancer},
          {"nodes", options.nodes},
          {"processors", std::max(1, options.processors)},
          {"simulated", of_world && of_world.value()->simulated},
          {"started", utc_text(wall_ns)},
          {"classes", json::parse(classes_json())},
          {"messages", json::parse(messages_json())},
          {"events", json::parse(events_json())}};
}

void append(const run_options& options, const json& end, std::uint32_t process) {
  if (options.trace_file.empty()) return;
  const int descriptor = open(options.trace_file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) return;
  append_whole(descriptor, make_chunk(chunk_kind::end, process, 0, text_of(end)));
  close(descriptor);
}

}  // namespace

bool append_whole(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

result<void> start_trace(const run_options& options, const std::vector<std::string>& words) {
  const int descriptor =
      open(options.trace_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  const std::string head =
      std::string(trace_magic) +
      make_chunk(chunk_kind::head, launcher_process, 0, text_of(head_of(options, words)));
  const bool written = descriptor >= 0 && append_whole(descriptor, head);
  const int problem = errno;
  if (descriptor >= 0) close(descriptor);
  if (written) return {};
  return error{fmt::format("--trace {}: {}; choose another FILE", options.trace_file,
                           std::strerror(problem))};
}

void end_trace(const run_options& options, const std::string& statistics) {
  if (options.trace_file.empty()) return;
  append(options, {{"statistics", json::parse(statistics, nullptr, false)}}, launcher_process);
}

void tell_trace_of_loss(const run_options& options, node_id lost, const std::string& sentence) {
  append(options, {{"lost", lost}, {"sentence", sentence}}, launcher_process);
}

std::string exchange_chunk(node_id process, std::uint64_t asked, std::uint64_t launcher,
                           std::uint64_t told) {
  const std::uint64_t fields[] = {asked, launcher, told};
  return make_chunk(chunk_kind::exchange, process, 0,
                    {reinterpret_cast<const char*>(fields), sizeof fields});
}

std::string end_chunk(node_id process, std::string_view sentence, int exit_code) {
  return make_chunk(chunk_kind::end, process, 0,
                    text_of({{"failed", sentence}, {"exit_code", exit_code}}));
}

}  // namespace terrane
