// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/ucx_wires.hpp"

#include <cstdlib>
#include <utility>

#include "terrane/machine/part_library.hpp"
#include "terrane/transport/ucx/ucx_network.hpp"

namespace terrane {

namespace {

/// A variable of the environment that UCX reads while it is loaded, unless the user has set it.
class while_loading {
 public:
  while_loading(const char* name, const char* value)
      : name_(name), ours_(std::getenv(name) == nullptr) {
    if (ours_) setenv(name, value, 0);
  }
  while_loading(const while_loading&) = delete;
  while_loading& operator=(const while_loading&) = delete;
  ~while_loading() {
    if (ours_) unsetenv(name_);
  }

 private:
  const char* const name_;
  const bool ours_;
};

}  // namespace

/// UCX would take signals for itself that mean a thread's full stack here, or a terminal's end, and
/// speak between the lines of a program's output.
result<const terrane_ucx_table*> open_ucx() {
  static const terrane_ucx_table* opened = nullptr;
  if (opened) return opened;
  const while_loading no_errors("UCX_ERROR_SIGNALS", ""), no_debugging("UCX_DEBUG_SIGNO", "0"),
      no_output("UCX_LOG_FILE", "stderr");
  auto table = open_part({.title = "UCX",
                          .file = "libterrane_ucx.so",
                          .table = TERRANE_UCX_PART_NAME,
                          .version = TERRANE_UCX_TABLE_VERSION,
                          .package = "libucx0",
                          .headers = "libucx-dev",
                          .asked_with = "--wire ucx"});
  if (!table) return error{table.problem()};
  return opened = static_cast<const terrane_ucx_table*>(table.value());
}

result<network_maker> wires_for(const run_options& options, network_maker own) {
  if (options.wire == wire_choice::own) return own;
  if (options.tls) return error{"--tls encrypts sockets, not --wire ucx: leave one of them out"};
  if (options.connect == connect_time::lazy)
    return error{"--wire ucx connects all nodes at the start: leave --connect lazy out"};
  auto ucx = open_ucx();
  if (!ucx) return error{ucx.problem()};
  return network_maker(
      [ucx = ucx.value(), own = std::move(own)](const network_shape& shape, network_user& user) {
        return std::make_unique<ucx_network>(*ucx, own, shape, user);
      });
}

}  // namespace terrane
