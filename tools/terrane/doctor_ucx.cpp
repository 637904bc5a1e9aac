// SPDX-License-Identifier: Apache-2.0
// doctor_ucx.cpp: what UCX finds on this machine, and what a run with --wire ucx would take.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "terrane/machine/ucx_wires.hpp"
#include "tools/terrane/doctor.hpp"

namespace terrane {

namespace {

/// Transports, each with the devices that it uses, in the order in which UCX tells them.
class told_ways {
 public:
  static void take(void* raw, const char* transport, const char* device) {
    auto& all = static_cast<told_ways*>(raw)->all_;
    auto its =
        std::find_if(all.begin(), all.end(), [&](auto& it) { return it.first == transport; });
    if (its == all.end()) its = all.insert(its, {transport, {}});
    if (std::find(its->second.begin(), its->second.end(), device) == its->second.end())
      its->second.emplace_back(device);
  }
  std::string text() const {
    std::string text;
    for (const auto& [transport, devices] : all_) {
      text += fmt::format("{}{} (", text.empty() ? "" : ", ", transport);
      for (const std::string& each : devices)
        text += fmt::format("{}{}", &each == devices.data() ? "" : ", ", each);
      text += ')';
    }
    return text.empty() ? "none" : text;
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> all_;
};

/// What is taken between two nodes of this host: two are made here.
int choose(const terrane_ucx_table& ucx, told_ways& ways) {
  terrane_carrier_handle nodes[2];
  const void* address = nullptr;
  std::size_t bytes = 0;
  if (const int wrong = ucx.open(0, 2, &nodes[0], &address, &bytes); wrong != 0) return wrong;
  int wrong = ucx.open(1, 2, &nodes[1], &address, &bytes);
  if (wrong == 0) {
    wrong = ucx.connect(nodes[0], 1, address, bytes);
    if (wrong == 0) wrong = ucx.chosen(nodes[0], 1, &ways, told_ways::take);
    ucx.close(nodes[1]);
  }
  ucx.close(nodes[0]);
  return wrong;
}

}  // namespace

int try_ucx() {
  setenv("UCX_LOG_LEVEL", "fatal", 0);  // what is wrong is said below
  auto opened = open_ucx();
  if (!opened) return std::fprintf(stderr, "%s\n", opened.problem().c_str()), 1;
  const terrane_ucx_table& ucx = *opened.value();
  told_ways offered, taken;
  int wrong = ucx.list(&offered, told_ways::take);
  if (wrong == 0) wrong = choose(ucx, taken);
  if (wrong != 0) {
    char text[256] = "";
    ucx.messages.say(wrong, text, sizeof text);
    return std::fprintf(stderr, "UCX fails: %s\n", text), 1;
  }
  std::fprintf(stderr, "UCX offers %s; between nodes of this host it takes %s\n",
               offered.text().c_str(), taken.text().c_str());
  return 0;
}

}  // namespace terrane
