// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/run_watch.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "terrane/machine/answering_thread.hpp"
#include "terrane/machine/live_client.hpp"
#include "terrane/machine/live_page.hpp"
#include "terrane/machine/repeating_thread.hpp"
#include "terrane/monitor/run_view.hpp"
#include "terrane/transport/tcp/random_bytes.hpp"

namespace terrane {

namespace {

run_view look_at_own_run() {
  run_view view;
  for (const live_process& each : live_processes_of(getpid()))
    if (const auto said = ask(each, "look")) view.add(*said);
  return view;
}

/// 128 random bits as hexadecimal digits; nothing if the system has none.
std::optional<std::string> random_word() {
  unsigned char bits[16];
  if (!fill_with_random(bits)) return {};
  std::string word;
  for (const unsigned char each : bits) word += fmt::format("{:02x}", each);
  return word;
}

}  // namespace

// --- the file ---

/// Replaces the file as a whole: who reads it sees one state or the next.
class run_watch::file_teller {
 public:
  explicit file_teller(std::string path) : path_(std::move(path)) {}
  result<void> tell(const run_view& view) {
    const std::string text = to_openmetrics(view), beside = path_ + ".new";
    std::FILE* const to = std::fopen(beside.c_str(), "w");
    const bool written = to && std::fwrite(text.data(), 1, text.size(), to) == text.size();
    const bool closed = to && std::fclose(to) == 0;
    if (written && closed && std::rename(beside.c_str(), path_.c_str()) == 0) return {};
    return error{
        fmt::format("--metrics-file {}: {}; choose another FILE", path_, std::strerror(errno))};
  }
  void begin() {
    repeated_.emplace(std::chrono::milliseconds(1000), [this] {
      if (const run_view view = look_at_own_run(); !view.nodes.empty())
        if (const auto told = tell(view); !told) return;  // the end says so
    });
  }
  void end(const run_view& last) {
    repeated_.reset();
    if (const auto told = tell(last); !told)
      std::fprintf(stderr, "terrane: %s\n", told.problem().c_str());
  }

 private:
  const std::string path_;
  std::optional<repeating_thread> repeated_;
};

// --- the page ---

class run_watch::page_server {
 public:
  page_server(int listener, std::string word)
      : word_(std::move(word)),
        answering_(listener, [this](int asker) { return answer_to(read_head(asker)); }) {}

 private:
  static std::string read_head(int from) {
    constexpr std::size_t most = 8192;
    std::string head;
    char piece[1024];
    while (head.size() < most && head.find("\r\n\r\n") == head.npos) {
      const ssize_t got = recv(from, piece, sizeof piece, 0);
      if (got <= 0) break;
      head.append(piece, static_cast<std::size_t>(got));
    }
    return head;
  }
  std::string answer_to(const std::string& head) const {
    const std::string line = head.substr(0, head.find("\r\n"));
    const std::string start = "GET /" + word_ + "/";
    const auto space = line.rfind(" HTTP/1.");
    if (!line.starts_with(start) || space == line.npos || space < start.size())
      return response("404 Not Found", "text/plain", "There is nothing here.\n");
    const std::string path = line.substr(start.size(), space - start.size());
    if (path.empty()) return response("200 OK", "text/html; charset=utf-8", live_page);
    if (path == "data") return response("200 OK", "application/json", to_json(look_at_own_run()));
    if (path == "metrics")
      return response("200 OK", "application/openmetrics-text; version=1.0.0; charset=utf-8",
                      to_openmetrics(look_at_own_run()));
    return response("404 Not Found", "text/plain", "There is nothing here.\n");
  }
  static std::string response(std::string_view status, std::string_view type,
                              std::string_view body) {
    return fmt::format(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
        "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
        "X-Content-Type-Options: nosniff\r\n"
        "Content-Security-Policy: default-src 'none'; connect-src 'self'; style-src "
        "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\r\n\r\n{}",
        status, type, body.size(), body);
  }

  const std::string word_;
  answering_thread answering_;  // last: it asks the rest
};

// --- both ---

run_watch::run_watch() = default;
run_watch::run_watch(run_watch&&) noexcept = default;
run_watch::~run_watch() = default;

result<run_watch> run_watch::begin(const run_options& options) {
  run_watch made;
  if (!options.metrics_file.empty()) {
    made.file_ = std::make_unique<file_teller>(options.metrics_file);
    if (const auto told = made.file_->tell({}); !told) return error{told.problem()};
  }
  if (options.live_port >= 0) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(options.live_port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int again = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again);
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    const auto word = random_word();
    if (listener < 0 || !word || bind(listener, raw, size) != 0 || listen(listener, 8) != 0 ||
        getsockname(listener, raw, &size) != 0) {
      const int problem = errno;
      if (listener >= 0) close(listener);
      return error{fmt::format("--live {}: {}; choose another PORT", options.live_port,
                               std::strerror(problem))};
    }
    std::fprintf(stderr, "terrane: the run is shown at http://127.0.0.1:%d/%s/\n",
                 ntohs(address.sin_port), word->c_str());
    made.page_ = std::make_unique<page_server>(listener, *word);
  }
  if (made.file_) made.file_->begin();
  return made;
}

void run_watch::end(const std::string& words, const run_statistics& statistics) {
  if (file_) file_->end(run_view::of(words, statistics));
}

}  // namespace terrane
