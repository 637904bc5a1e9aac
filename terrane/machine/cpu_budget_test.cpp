// SPDX-License-Identifier: Apache-2.0
// cpu_budget_test.cpp: tests fake machines, each a small tree of files, and the line for each.
#include "terrane/machine/cpu_budget.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace terrane {
namespace {

using file_list = std::vector<std::pair<std::string, std::string>>;

/// A temporary directory that stands for the root directory of a machine.
class fake_root {
 public:
  explicit fake_root(const file_list& files) {
    std::string pattern = testing::TempDir() + "cpu_budget_XXXXXX";
    root_ = mkdtemp(pattern.data());
    for (const auto& [path, text] : files) write(path, text);
  }
  fake_root(const fake_root&) = delete;
  fake_root& operator=(const fake_root&) = delete;
  ~fake_root() { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path full = root_ + "/" + path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full, std::ios::binary) << text;
  }
  const std::string& path() const { return root_; }

 private:
  std::string root_;
};

struct machine_case {
  std::string name;
  file_list files;
  int affinity, online, asked;
  int processors;
  std::string rule, words;
  bool quota_in_force;
};

const std::string own = "proc/self/cgroup";
const std::string v2 = "sys/fs/cgroup/";
const std::string hybrid = "sys/fs/cgroup/unified/";
const std::string v1 = "sys/fs/cgroup/cpu/";
const std::pair<std::string, std::string> v2_here{v2 + "cgroup.controllers", "cpuset cpu io\n"};
const std::pair<std::string, std::string> hybrid_here{hybrid + "cgroup.controllers", "\n"};

/// The two files of a v1 quota in the cgroup at `where`.
file_list v1_quota(const std::string& line, const std::string& where, const std::string& quota,
                   const std::string& period = "100000\n") {
  return {{own, line}, {where + "cpu.cfs_quota_us", quota}, {where + "cpu.cfs_period_us", period}};
}

// name, files, affinity, online, asked -> processors, rule, words, quota in force
// clang-format off: a row is read as a sentence
const std::vector<machine_case> machines = {
    // nothing limits
    {"bare_machine", {}, 8, 8, 0, 8, "online", "online CPUs", false},
    {"one_cpu", {}, 1, 1, 0, 1, "online", "online CPUs", false},
    {"nothing_can_be_read", {}, 0, 0, 0, 1, "online", "no CPU count can be read here", false},
    {"only_the_affinity_mask_is_known", {}, 3, 0, 0, 3, "affinity", "affinity mask", false},
    {"only_the_online_count_is_known", {}, 0, 6, 0, 6, "online", "online CPUs", false},

    // the affinity mask
    {"affinity_mask_is_smaller", {}, 2, 8, 0, 2, "affinity", "affinity mask, 8 CPUs online", false},
    {"affinity_mask_is_smaller_than_the_quota",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", "400000 100000\n"}},
     2, 8, 0, 2, "affinity", "affinity mask, 8 CPUs online", false},
    {"affinity_mask_is_named_before_an_equal_quota",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", "200000 100000\n"}},
     2, 8, 0, 2, "affinity", "affinity mask, 8 CPUs online", false},

    // cgroup v2
    {"v2_quota_rounds_up",
     {v2_here, {own, "0::/user.slice\n"}, {v2 + "user.slice/cpu.max", "150000 100000\n"}},
     8, 8, 0, 2, "cgroup v2", "cgroup v2 quota 150000/100000 in /user.slice", true},
    {"v2_quota_of_half_a_cpu_gives_one",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", "50000 100000\n"}},
     8, 8, 0, 1, "cgroup v2", "cgroup v2 quota 50000/100000 in /job", true},
    {"v2_quota_of_a_hundredth_gives_one",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", "1000 100000\n"}},
     8, 8, 0, 1, "cgroup v2", "cgroup v2 quota 1000/100000 in /job", true},
    {"v2_quota_a_hair_above_two_gives_three",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", "200001 100000\n"}},
     8, 8, 0, 3, "cgroup v2", "cgroup v2 quota 200001/100000 in /job", true},
    {"v2_quota_with_an_odd_period",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", "60000 20000\n"}},
     8, 8, 0, 3, "cgroup v2", "cgroup v2 quota 60000/20000 in /job", true},
    {"v2_quota_of_one_and_a_half_on_two_cpus_is_the_quotas_win",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", "150000 100000\n"}},
     2, 2, 0, 2, "cgroup v2", "cgroup v2 quota 150000/100000 in /job", true},
    {"v2_quota_equal_to_the_machine_limits_nothing",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", "400000 100000\n"}},
     4, 4, 0, 4, "online", "online CPUs", false},
    {"v2_quota_above_the_machine_limits_nothing",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", "6400000 100000\n"}},
     4, 4, 0, 4, "online", "online CPUs", false},
    {"v2_max_is_no_limit",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", "max 100000\n"}},
     4, 4, 0, 4, "online", "online CPUs", false},
    {"v2_burst_raises_nothing",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", "200000 100000\n"},
      {v2 + "job/cpu.max.burst", "800000\n"}},
     8, 8, 0, 2, "cgroup v2", "cgroup v2 quota 200000/100000 in /job", true},
    {"v2_nested_parent_is_tighter",
     {v2_here, {own, "0::/a/b/c\n"}, {v2 + "a/b/c/cpu.max", "max 100000\n"},
      {v2 + "a/b/cpu.max", "600000 100000\n"}, {v2 + "a/cpu.max", "300000 100000\n"}},
     8, 8, 0, 3, "cgroup v2", "cgroup v2 quota 300000/100000 in /a", true},
    {"v2_nested_leaf_is_tighter",
     {v2_here, {own, "0::/a/b\n"}, {v2 + "a/b/cpu.max", "250000 100000\n"},
      {v2 + "a/cpu.max", "600000 100000\n"}},
     8, 8, 0, 3, "cgroup v2", "cgroup v2 quota 250000/100000 in /a/b", true},
    {"v2_container_sees_its_quota_at_the_root",
     {v2_here, {own, "0::/\n"}, {v2 + "cpu.max", "200000 100000\n"}},
     16, 16, 0, 2, "cgroup v2", "cgroup v2 quota 200000/100000 in /", true},
    {"v2_path_of_the_host_is_not_mounted_in_the_container",
     {v2_here, {own, "0::/docker/0123abcd\n"}, {v2 + "cpu.max", "200000 100000\n"}},
     16, 16, 0, 2, "cgroup v2", "cgroup v2 quota 200000/100000 in /", true},
    {"v2_path_outside_the_namespace",
     {v2_here, {own, "0::/../other\n"}, {v2 + "cpu.max", "200000 100000\n"},
      {"sys/fs/other/cpu.max", "100000 100000\n"}},
     16, 16, 0, 2, "cgroup v2", "cgroup v2 quota 200000/100000 in /", true},
    {"v2_path_with_a_colon",
     {v2_here, {own, "0::/app:web\n"}, {v2 + "app:web/cpu.max", "200000 100000\n"}},
     16, 16, 0, 2, "cgroup v2", "cgroup v2 quota 200000/100000 in /app:web", true},
    {"v2_garbage_in_the_leaf_leaves_the_parent_in_force",
     {v2_here, {own, "0::/a/b\n"}, {v2 + "a/b/cpu.max", "abc\n"},
      {v2 + "a/cpu.max", "300000 100000\n"}},
     8, 8, 0, 3, "cgroup v2", "cgroup v2 quota 300000/100000 in /a", true},
    {"v2_cpuset_with_a_hole",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpuset.cpus.effective", "0,2-3\n"}},
     8, 8, 0, 3, "cgroup v2", "cgroup v2 cpuset 0,2-3 in /job", false},
    {"v2_cpuset_of_a_parent",
     {v2_here, {own, "0::/a/b\n"}, {v2 + "a/cpuset.cpus.effective", "4-5\n"},
      {v2 + "cpuset.cpus.effective", "0-7\n"}},
     8, 8, 0, 2, "cgroup v2", "cgroup v2 cpuset 4-5 in /a", false},
    {"v2_quota_below_the_cpuset",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpuset.cpus.effective", "0-3\n"},
      {v2 + "job/cpu.max", "200000 100000\n"}},
     4, 8, 0, 2, "cgroup v2", "cgroup v2 quota 200000/100000 in /job", true},
    {"v2_empty_cpuset_is_no_limit",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpuset.cpus.effective", "\n"}},
     8, 8, 0, 8, "online", "online CPUs", false},
    {"v2_is_not_mounted",
     {{own, "0::/job\n"}}, 8, 8, 0, 8, "online", "online CPUs", false},
    {"v2_directory_stands_where_a_file_should",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max/surprise", "1 1\n"}},
     8, 8, 0, 8, "online", "online CPUs", false},

    // cgroup v1
    {"v1_quota",
     v1_quota("4:cpu:/docker/abc\n", v1 + "docker/abc/", "200000\n"),
     8, 8, 0, 2, "cgroup v1", "cgroup v1 quota 200000/100000 in /docker/abc", true},
    {"v1_quota_of_half_a_cpu_gives_one",
     v1_quota("4:cpu:/job\n", v1 + "job/", "50000\n"),
     8, 8, 0, 1, "cgroup v1", "cgroup v1 quota 50000/100000 in /job", true},
    {"v1_quota_of_minus_one_is_no_limit",
     v1_quota("4:cpu:/job\n", v1 + "job/", "-1\n"), 8, 8, 0, 8, "online", "online CPUs", false},
    {"v1_quota_of_a_parent",
     v1_quota("4:cpu:/a/b\n", v1 + "a/", "300000\n"),
     8, 8, 0, 3, "cgroup v1", "cgroup v1 quota 300000/100000 in /a", true},
    {"v1_container_sees_its_quota_at_the_root",
     v1_quota("4:cpu,cpuacct:/docker/abc\n", v1, "150000\n"),
     8, 8, 0, 2, "cgroup v1", "cgroup v1 quota 150000/100000 in /", true},
    {"v1_mount_is_named_after_both_controllers",
     v1_quota("7:cpu,cpuacct:/job\n", "sys/fs/cgroup/cpu,cpuacct/job/", "200000\n"),
     8, 8, 0, 2, "cgroup v1", "cgroup v1 quota 200000/100000 in /job", true},
    {"v1_cpuacct_and_cpuset_are_not_cpu",
     v1_quota("3:cpuset:/job\n2:cpuacct:/job\n", v1 + "job/", "200000\n"),
     8, 8, 0, 8, "online", "online CPUs", false},
    {"v1_quota_without_a_period",
     {{own, "4:cpu:/job\n"}, {v1 + "job/cpu.cfs_quota_us", "200000\n"}},
     8, 8, 0, 8, "online", "online CPUs", false},
    {"v1_period_of_zero",
     v1_quota("4:cpu:/job\n", v1 + "job/", "200000\n", "0\n"),
     8, 8, 0, 8, "online", "online CPUs", false},

    // both at once
    {"hybrid_with_the_quota_in_v1",
     {hybrid_here, {own, "2:cpuacct:/\n1:cpu:/job\n0::/job\n"},
      {v1 + "job/cpu.cfs_quota_us", "300000\n"}, {v1 + "job/cpu.cfs_period_us", "100000\n"}},
     8, 8, 0, 3, "cgroup v1", "cgroup v1 quota 300000/100000 in /job", true},
    {"hybrid_with_the_quota_in_v2",
     {hybrid_here, {own, "1:name=systemd:/\n0::/job\n"},
      {hybrid + "job/cpu.max", "200000 100000\n"}},
     8, 8, 0, 2, "cgroup v2", "cgroup v2 quota 200000/100000 in /job", true},
    {"hybrid_where_v1_is_tighter_than_v2",
     {hybrid_here, {own, "1:cpu:/job\n0::/job\n"}, {hybrid + "job/cpu.max", "400000 100000\n"},
      {v1 + "job/cpu.cfs_quota_us", "200000\n"}, {v1 + "job/cpu.cfs_period_us", "100000\n"}},
     8, 8, 0, 2, "cgroup v1", "cgroup v1 quota 200000/100000 in /job", true},
    {"hybrid_where_both_are_equal_names_v2",
     {hybrid_here, {own, "1:cpu:/job\n0::/job\n"}, {hybrid + "job/cpu.max", "200000 100000\n"},
      {v1 + "job/cpu.cfs_quota_us", "200000\n"}, {v1 + "job/cpu.cfs_period_us", "100000\n"}},
     8, 8, 0, 2, "cgroup v2", "cgroup v2 quota 200000/100000 in /job", true},

    // the user's word
    {"flag_below_the_limit", {}, 8, 8, 3, 3, "--processors", "--processors", false},
    {"flag_equal_to_the_limit", {}, 8, 8, 8, 8, "--processors", "--processors", false},
    {"flag_above_the_online_count", {}, 4, 4, 16, 16, "--processors",
     "--processors, above the limit of 4: online CPUs", false},
    {"flag_above_a_quota",
     {v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", "150000 100000\n"}},
     8, 8, 4, 4, "--processors",
     "--processors, above the limit of 2: cgroup v2 quota 150000/100000 in /job", true},
    {"flag_below_one_counts_as_not_given", {}, 4, 4, -3, 4, "online", "online CPUs", false},
};
// clang-format on

class cpu_budget_of : public testing::TestWithParam<machine_case> {};

TEST_P(cpu_budget_of, this_machine_is_exact) {
  const machine_case& machine = GetParam();
  const fake_root root(machine.files);
  const cpu_budget budget =
      resolve_cpu_budget({root.path(), machine.affinity, machine.online}, machine.asked);
  EXPECT_EQ(budget.processors, machine.processors);
  EXPECT_EQ(budget.rule, machine.rule);
  EXPECT_EQ(budget.sentence,
            "processors: " + std::to_string(machine.processors) + " (" + machine.words + ")");
  EXPECT_EQ(budget.quota_in_force, machine.quota_in_force);
  EXPECT_GE(budget.allowed, 1);
}

INSTANTIATE_TEST_SUITE_P(machines, cpu_budget_of, testing::ValuesIn(machines),
                         [](const auto& row) { return row.param.name; });

TEST(cpu_budget, a_flag_does_not_hide_what_the_machine_allows) {
  EXPECT_EQ(resolve_cpu_budget({"/nowhere", 4, 4}, 16).allowed, 4);
  EXPECT_EQ(resolve_cpu_budget({"/nowhere", 4, 4}, 2).allowed, 4);
}

const std::vector<std::string> garbage = {"",
                                          "\n",
                                          " ",
                                          "max",
                                          "max 100000",
                                          "-1",
                                          "-1 100000",
                                          "0 100000",
                                          "50000",
                                          "100000 0",
                                          "99999999999999999999 1",
                                          "1 99999999999999999999",
                                          "abc",
                                          "1e5 100000",
                                          "0x10 1",
                                          "+5 1",
                                          "5 -1",
                                          "1 2 3",
                                          "1.5 1",
                                          "5,1",
                                          std::string("1\0 1", 4),
                                          std::string(5, '\0'),
                                          std::string(200000, '7'),
                                          std::string(70000, ' ') + "1 1"};

TEST(cpu_budget, what_is_no_v2_quota_is_passed_over) {
  for (const std::string& text : garbage) {
    const fake_root root({v2_here, {own, "0::/job\n"}, {v2 + "job/cpu.max", text}});
    EXPECT_EQ(resolve_cpu_budget({root.path(), 8, 8}).sentence, "processors: 8 (online CPUs)")
        << "cpu.max: " << text.substr(0, 40);
  }
}

TEST(cpu_budget, what_is_no_v1_quota_or_period_is_passed_over) {
  for (const std::string& text : garbage) {
    if (text == "50000") continue;  // in v1, a quota and a period
    for (const auto& [quota, period] :
         {std::pair(text, std::string("100000\n")), std::pair(std::string("100000\n"), text)}) {
      const fake_root root(v1_quota("1:cpu:/job\n", v1 + "job/", quota, period));
      EXPECT_EQ(resolve_cpu_budget({root.path(), 8, 8}).sentence, "processors: 8 (online CPUs)")
          << "quota " << quota.substr(0, 40) << " period " << period.substr(0, 40);
    }
  }
}

TEST(cpu_budget, what_is_no_cgroup_table_is_passed_over) {
  const std::vector<std::string> tables = {"",
                                           "\n\n",
                                           ":",
                                           "::",
                                           "0:",
                                           "0::",
                                           "0:/job",
                                           "job",
                                           "1:cpu",
                                           "x:cpu",
                                           "0:::::",
                                           std::string(65536, ':'),
                                           std::string(65536, '/'),
                                           "0::" + std::string(65000, '/'),
                                           "0::relative",
                                           std::string("0:\0:/job", 8)};
  for (const std::string& table : tables) {
    const fake_root root({v2_here, {own, table}, {v2 + "job/cpu.max", "100000 100000\n"}});
    EXPECT_EQ(resolve_cpu_budget({root.path(), 8, 8}).sentence, "processors: 8 (online CPUs)")
        << "table: " << table.substr(0, 40);
  }
}

TEST(cpu_budget, any_bytes_in_any_file_give_at_least_one_processor) {
  const fake_root root({v2_here});
  std::mt19937 random(1994);
  const std::string alphabet = "0123456789,-:/ \nmaxcpu.";
  for (int round = 0; round < 300; ++round) {
    for (const char* const file :
         {"proc/self/cgroup", "sys/fs/cgroup/cpu.max", "sys/fs/cgroup/cpuset.cpus.effective",
          "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "sys/fs/cgroup/cpu/cpu.cfs_period_us"}) {
      std::string text = file[0] == 'p' ? "0::/\n1:cpu:/\n" : "";
      for (unsigned i = random() % 12; i > 0; --i) text += alphabet[random() % alphabet.size()];
      root.write(file, text);
    }
    const cpu_budget budget = resolve_cpu_budget({root.path(), 8, 8});
    ASSERT_GE(budget.processors, 1) << "round " << round;
    ASSERT_LE(budget.processors, 8) << "round " << round;
  }
}

TEST(cpu_budget, an_empty_file_is_there_but_a_directory_is_no_file) {
  const fake_root root({{"sys/empty", ""}, {"sys/ten", "0123456789"}});
  EXPECT_EQ(read_system_file(root.path() + "/sys/empty"), "");
  EXPECT_EQ(read_system_file(root.path() + "/sys/ten"), "0123456789");
  EXPECT_EQ(read_system_file(root.path() + "/sys"), std::nullopt);
  EXPECT_EQ(read_system_file(root.path() + "/sys/missing"), std::nullopt);
}

TEST(cpu_budget, a_cpu_list_is_read_as_the_kernel_writes_it) {
  using cpus = std::vector<int>;
  EXPECT_EQ(parse_cpu_list("0\n"), cpus({0}));
  EXPECT_EQ(parse_cpu_list("0,2-3"), cpus({0, 2, 3}));
  EXPECT_EQ(parse_cpu_list("2-3,0,3"), cpus({0, 2, 3}));
  for (const char* const text :
       {"", "\n", ",", "-", "-1", "3-", "3-1", "0-99999999999", "0-99999999999999999999", "65536",
        "a", "0 1", "0-1-2", "0,x", "0-65535,0-65535,0-65535"})
    EXPECT_EQ(parse_cpu_list(text), std::nullopt) << text;
}

TEST(cpu_budget, this_machine_gives_at_least_one_processor_and_one_line) {
  const cpu_view view = this_machine();
  EXPECT_GE(view.online, 1);
  EXPECT_GE(view.affinity, 1);
  const cpu_budget budget = resolve_cpu_budget(view);
  EXPECT_GE(budget.processors, 1);
  EXPECT_LE(budget.processors, view.online);
  EXPECT_EQ(budget.sentence.find('\n'), std::string::npos);
  RecordProperty("sentence", budget.sentence);
}

TEST(cpu_budget, the_cpus_of_the_affinity_mask_hold_the_one_we_run_on) {
  const std::vector<int> cpus = affinity_cpus();
  EXPECT_NE(std::find(cpus.begin(), cpus.end(), sched_getcpu()), cpus.end());
}

}  // namespace
}  // namespace terrane
