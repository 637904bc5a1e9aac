// SPDX-License-Identifier: Apache-2.0
// wires_test.cpp: world tcp in all its forms: who serves the sockets, when nodes are connected,
// plain or encrypted, or over UCX. Counts are exact in each.
#include <ostream>
#include <string>

#include "terrane/base/openssl.hpp"
#include "terrane/machine/ucx_wires.hpp"
#include "tests/support/known_programs.hpp"

namespace terrane::programs {
namespace {

struct wire_form {
  int nodes, processors;
  progress_form progress;
  connect_time connect;
  bool tls;
  wire_choice wire = wire_choice::own;
};

std::string name_of(const wire_form& form) {
  constexpr const char* progress[] = {"poll", "watchdog", "modules"};
  return std::to_string(form.nodes) + "x" + std::to_string(form.processors) + "_" +
         progress[static_cast<int>(form.progress)] +
         (form.connect == connect_time::lazy ? "_lazy" : "_eager") + (form.tls ? "_tls" : "") +
         (form.wire == wire_choice::ucx ? "_ucx" : "");
}
void PrintTo(const wire_form& form, std::ostream* out) { *out << name_of(form); }

auto all_forms() {
  std::vector<wire_form> all;
  for (const int nodes : {2, 3, 7})
    for (const auto progress :
         {progress_form::poll, progress_form::watchdog, progress_form::modules})
      for (const auto connect : {connect_time::eager, connect_time::lazy})
        for (const bool tls : {false, true})
          all.push_back({nodes, nodes == 3 ? 2 : 1, progress, connect, tls});
  for (const int nodes : {2, 3, 7})
    for (const auto progress :
         {progress_form::poll, progress_form::watchdog, progress_form::modules})
      all.push_back(
          {nodes, nodes == 3 ? 2 : 1, progress, connect_time::eager, false, wire_choice::ucx});
  return testing::ValuesIn(all);
}

class wires : public testing::TestWithParam<wire_form> {
 protected:
  static run_options machine(std::uint64_t seed) {
    run_options options;
    options.world = "tcp";
    options.nodes = GetParam().nodes;
    options.processors = GetParam().processors;
    options.progress = GetParam().progress;
    options.connect = GetParam().connect;
    options.tls = GetParam().tls;
    options.wire = GetParam().wire;
    options.seed = seed;
    options.enough = 0;  // work moves
    if (rare_common) options.faults.rare = 0.2;
    return options;
  }
  void SetUp() override {
    if (!openssl_problem().empty()) GTEST_SKIP() << openssl_problem();
    if (GetParam().wire != wire_choice::ucx) return;
    if (const auto ucx = open_ucx(); !ucx) GTEST_SKIP() << ucx.problem();
  }
};

TEST_P(wires, carry_every_token) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed)
    expect_exactly<fib_main>(known_fib(18), machine(seed), {"fib", "18"});
}

TEST_P(wires, carry_large_messages) {
  const run_statistics told =
      expect_exactly<matmul_main>(known_matmul(96, 16), machine(1), {"matmul", "96", "16"});
  for (const wire_statistics& each : told.of_world.wires) {
    EXPECT_LT(each.to, static_cast<std::uint32_t>(GetParam().nodes));
    EXPECT_GE(each.messages, each.frames == 0 ? 0u : 1u);
  }
}

INSTANTIATE_TEST_SUITE_P(tcp, wires, all_forms(),
                         [](const auto& form) { return name_of(form.param); });

}  // namespace
}  // namespace terrane::programs
