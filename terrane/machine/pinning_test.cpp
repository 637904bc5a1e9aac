// SPDX-License-Identifier: Apache-2.0
// pinning_test.cpp: tests plans on machines of known shape, and the signs that turn pinning off.
#include "terrane/machine/pinning.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace terrane {
namespace {

using cpus = std::vector<int>;

/// A machine whose CPUs are numbered as on x86: first one thread of every core, then the others.
topology regular(int packages, int cores, int threads) {
  topology machine{{}, "test"};
  for (int package = 0; package < packages; ++package)
    for (int core = 0; core < cores; ++core)
      for (int thread = 0; thread < threads; ++thread)
        machine.threads.push_back({(thread * packages + package) * cores + core, core, package});
  return machine;
}

topology without(topology machine, const cpus& gone) {
  std::erase_if(machine.threads, [&](const hardware_thread& one) {
    return std::find(gone.begin(), gone.end(), one.cpu) != gone.end();
  });
  return machine;
}

/// Signs of a machine that nobody else uses.
sharing_signs quiet() { return {4, 8, false, 8, 8, 0.1}; }

std::string reason_of(const sharing_signs& signs) {
  std::string reason;
  return machine_is_shared(signs, reason) ? reason : "not shared";
}

TEST(pinning, every_core_gets_one_processor_before_any_gets_two) {
  EXPECT_EQ(plan_pinning(regular(1, 4, 2), 8), cpus({0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(plan_pinning(regular(1, 4, 2), 5), cpus({0, 1, 2, 3, 4}));
}

TEST(pinning, hardware_threads_numbered_side_by_side_are_known_by_their_core) {
  const topology machine{{{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {3, 1, 0}}, "test"};
  EXPECT_EQ(plan_pinning(machine, 2), cpus({0, 2}));
  EXPECT_EQ(plan_pinning(machine, 4), cpus({0, 2, 1, 3}));
}

TEST(pinning, processors_that_fit_into_one_package_stay_in_it) {
  EXPECT_EQ(plan_pinning(regular(2, 4, 2), 4), cpus({0, 1, 2, 3}));
}

TEST(pinning, the_cores_of_another_package_come_before_second_hardware_threads) {
  EXPECT_EQ(plan_pinning(regular(2, 2, 2), 6), cpus({0, 1, 2, 3, 4, 5}));
}

TEST(pinning, equal_core_numbers_in_two_packages_are_two_cores) {
  const topology machine{{{0, 0, 0}, {1, 0, 1}}, "test"};
  EXPECT_EQ(plan_pinning(machine, 2), cpus({0, 1}));
}

TEST(pinning, the_package_in_which_all_fit_is_taken_before_a_smaller_one) {
  const topology machine = without(regular(2, 4, 1), {1, 2, 3});  // one CPU left in the first
  EXPECT_EQ(plan_pinning(machine, 3), cpus({4, 5, 6}));
}

TEST(pinning, the_tightest_package_that_fits_leaves_the_larger_one_free) {
  const topology machine = without(regular(2, 4, 1), {2, 3});
  EXPECT_EQ(plan_pinning(machine, 2), cpus({0, 1}));
}

TEST(pinning, when_no_package_holds_all_the_largest_is_filled_first) {
  const topology machine = without(regular(2, 4, 1), {2, 3});
  EXPECT_EQ(plan_pinning(machine, 5), cpus({4, 5, 6, 7, 0}));
}

TEST(pinning, a_package_is_as_large_as_its_cores_whatever_their_hardware_threads) {
  const topology machine{
      {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {3, 1, 0}, {4, 0, 1}, {5, 1, 1}, {6, 2, 1}, {7, 3, 1}},
      "test"};
  EXPECT_EQ(plan_pinning(machine, 4), cpus({4, 5, 6, 7}));
}

TEST(pinning, more_processors_than_cpus_go_round_again) {
  EXPECT_EQ(plan_pinning(regular(1, 2, 1), 5), cpus({0, 1, 0, 1, 0}));
}

TEST(pinning, nothing_to_place_or_nowhere_to_place_it_gives_an_empty_plan) {
  EXPECT_EQ(plan_pinning(regular(1, 4, 1), 0), cpus());
  EXPECT_EQ(plan_pinning(regular(1, 4, 1), -1), cpus());
  EXPECT_EQ(plan_pinning({}, 4), cpus());
}

TEST(pinning, the_topology_is_read_from_sysfs_within_the_mask) {
  std::string root = testing::TempDir() + "pinning_XXXXXX";
  ASSERT_NE(mkdtemp(root.data()), nullptr);
  const auto describe = [&](int cpu, const std::string& core, const std::string& package) {
    const std::filesystem::path place =
        root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology";
    std::filesystem::create_directories(place);
    std::ofstream(place / "core_id") << core << "\n";
    std::ofstream(place / "physical_package_id") << package << "\n";
  };
  describe(0, "0", "0");
  describe(1, "4", "0");
  describe(2, "0", "0");
  describe(3, "4", "0");
  describe(4, "garbage", "0");

  EXPECT_EQ(plan_pinning(sysfs_topology(root, {0, 1, 2, 3}), 4), cpus({0, 1, 2, 3}));
  EXPECT_EQ(plan_pinning(sysfs_topology(root, {0, 2, 3}), 3), cpus({0, 3, 2}));
  EXPECT_EQ(plan_pinning(sysfs_topology(root, {0, 2, 3}), 2), cpus({0, 3}));
  // each CPU that sysfs does not describe counts as a core of its own
  EXPECT_EQ(plan_pinning(sysfs_topology(root, {4, 5}), 2).size(), 2u);
  const cpus mixed = plan_pinning(sysfs_topology(root, {0, 2, 4, 5}), 3);
  EXPECT_EQ(std::count(mixed.begin(), mixed.end(), 2), 0);
  std::filesystem::remove_all(root);
}

TEST(pinning, the_option_is_auto_on_or_off_and_nothing_else) {
  EXPECT_EQ(parse_pinning_option("auto").value(), pinning_option::automatic);
  EXPECT_EQ(parse_pinning_option("on").value(), pinning_option::on);
  EXPECT_EQ(parse_pinning_option("off").value(), pinning_option::off);
  for (const char* const text : {"", "On", "automatic", "1", "off "})
    EXPECT_EQ(parse_pinning_option(text).problem(),
              "--pinning is auto, on or off, not \"" + std::string(text) + "\"");
}

TEST(pinning, a_quiet_machine_of_our_own_is_not_shared) {
  EXPECT_EQ(reason_of(quiet()), "not shared");
}

TEST(pinning, what_cannot_be_read_is_no_sign_of_sharing) {
  EXPECT_EQ(reason_of({1, 1, false, 0, 0, -1}), "not shared");
}

TEST(pinning, more_processors_than_the_budget_share_it) {
  sharing_signs signs = quiet();
  signs.processors = 8;
  EXPECT_EQ(reason_of(signs), "not shared");
  signs.processors = 9;
  EXPECT_EQ(reason_of(signs), "9 processors share 8 CPUs");
}

TEST(pinning, a_quota_in_force_means_sharing) {
  sharing_signs signs = quiet();
  signs.quota_in_force = true;
  EXPECT_EQ(reason_of(signs), "a cgroup quota would throttle us in place");
}

TEST(pinning, a_mask_somebody_narrowed_means_sharing) {
  sharing_signs signs = quiet();
  signs.affinity = 6;
  EXPECT_EQ(reason_of(signs),
            "the affinity mask leaves us 6 of 8 CPUs, perhaps not alone; "
            "--pinning=on stays inside it");
}

TEST(pinning, a_load_above_half_of_the_cpus_means_sharing) {
  sharing_signs signs = quiet();
  signs.load = 4.0;
  EXPECT_EQ(reason_of(signs), "not shared");
  signs.load = 4.26;
  EXPECT_EQ(reason_of(signs), "others are at work: load 4.3 on 8 CPUs");
}

TEST(pinning, auto_pins_on_a_quiet_machine_and_says_where) {
  const auto decision =
      decide_pinning(pinning_option::automatic, quiet(), [] { return regular(1, 8, 1); });
  EXPECT_TRUE(decision.on);
  EXPECT_EQ(decision.cpu_of_processor, cpus({0, 1, 2, 3}));
  EXPECT_EQ(decision.reason,
            "pinning: on (nobody else seems to use this machine; CPUs 0,1,2,3 by test)");
}

TEST(pinning, auto_does_not_pin_on_a_shared_machine_and_says_why) {
  sharing_signs signs = quiet();
  signs.quota_in_force = true;
  const auto decision =
      decide_pinning(pinning_option::automatic, signs, [] { return regular(1, 8, 1); });
  EXPECT_FALSE(decision.on);
  EXPECT_EQ(decision.reason, "pinning: off (a cgroup quota would throttle us in place)");
  EXPECT_EQ(decision.cpu_of_processor, cpus());
}

TEST(pinning, on_pins_whatever_the_signs_and_stays_inside_the_mask) {
  sharing_signs signs = quiet();
  signs.affinity = 2;
  signs.processors = 2;
  const topology inside = without(regular(1, 8, 1), {0, 1, 2, 3, 4, 6});
  const auto decision = decide_pinning(pinning_option::on, signs, [&] { return inside; });
  EXPECT_TRUE(decision.on);
  EXPECT_EQ(decision.cpu_of_processor, cpus({5, 7}));
}

TEST(pinning, off_pins_nothing_and_does_not_even_look_at_the_topology) {
  const auto decision = decide_pinning(pinning_option::off, quiet(), []() -> topology {
    ADD_FAILURE() << "the topology was read for nothing";
    return {};
  });
  EXPECT_FALSE(decision.on);
  EXPECT_EQ(decision.reason, "pinning: off (--pinning=off)");
}

TEST(pinning, on_without_any_known_cpu_stays_off_and_says_so) {
  const auto decision = decide_pinning(pinning_option::on, quiet(), [] { return topology(); });
  EXPECT_FALSE(decision.on);
  EXPECT_EQ(decision.reason, "pinning: off (no CPU can be read here)");
}

TEST(pinning, the_signs_come_from_the_budget_and_the_load_file) {
  std::string root = testing::TempDir() + "pinning_XXXXXX";
  ASSERT_NE(mkdtemp(root.data()), nullptr);
  const cpu_view view{root, 4, 8};
  const cpu_budget budget = resolve_cpu_budget(view, 6);
  EXPECT_LT(read_sharing_signs(view, budget).load, 0);
  std::filesystem::create_directories(root + "/proc");
  for (const auto& [text, load] :
       {std::pair("3.25 1.00 0.50 2/86 4031\n", 3.25), std::pair("", -1.0), std::pair("nan", -1.0),
        std::pair("-2 1 1", -1.0), std::pair("abc", -1.0)}) {
    std::ofstream(root + "/proc/loadavg") << text;
    EXPECT_EQ(read_sharing_signs(view, budget).load, load) << text;
  }
  const sharing_signs signs = read_sharing_signs(view, budget);
  EXPECT_EQ(signs.processors, 6);
  EXPECT_EQ(signs.allowed, 4);
  EXPECT_EQ(signs.affinity, 4);
  EXPECT_EQ(signs.online, 8);
  std::filesystem::remove_all(root);
}

TEST(pinning, this_machine_has_a_place_for_each_cpu_of_the_mask) {
  const cpus mask = affinity_cpus();
  cpus plan = plan_pinning(read_topology(mask), static_cast<int>(mask.size()));
  std::sort(plan.begin(), plan.end());
  EXPECT_EQ(plan, mask);
}

TEST(pinning, hwloc_and_sysfs_agree_on_how_many_cores_this_machine_has) {
  const cpus mask = affinity_cpus();
  const auto by_hwloc = hwloc_topology(mask);
  if (!by_hwloc) GTEST_SKIP() << "hwloc is not built in or not installed";
  const auto cores = [](const topology& machine) {
    std::set<std::pair<int, int>> all;
    for (const auto& one : machine.threads) all.emplace(one.package, one.core);
    return all.size();
  };
  EXPECT_EQ(cores(*by_hwloc), cores(sysfs_topology("", mask)));
}

TEST(pinning, a_pinned_thread_runs_on_its_cpu_and_nowhere_else) {
  for (const int cpu : affinity_cpus()) {
    std::thread([cpu] {
      const auto pinned = pin_this_thread(cpu);
      ASSERT_TRUE(pinned) << pinned.problem();
      EXPECT_EQ(affinity_cpus(), cpus({cpu}));
      EXPECT_EQ(sched_getcpu(), cpu);
    }).join();
  }
}

TEST(pinning, a_cpu_that_is_not_there_is_refused_with_a_sentence) {
  for (const int cpu : {-1, 1 << 16, (1 << 16) - 1}) {
    const auto pinned = pin_this_thread(cpu);
    ASSERT_FALSE(pinned);
    const std::string start = "cannot pin a thread to CPU " + std::to_string(cpu) + ": ";
    EXPECT_TRUE(pinned.problem().starts_with(start)) << pinned.problem();
    EXPECT_NE(pinned.problem().find("--pinning=off"), std::string::npos);
  }
}

}  // namespace
}  // namespace terrane
