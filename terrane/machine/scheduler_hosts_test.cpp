// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/scheduler_hosts.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <random>

namespace terrane {
namespace {

using name_list = std::vector<std::string>;
using number_list = std::vector<int>;

TEST(slurm_hosts, brackets_are_ranges) {
  EXPECT_EQ(parse_slurm_hosts("a").value(), name_list({"a"}));
  EXPECT_EQ(parse_slurm_hosts("node[01-03,7],gpu[0-1]-ib,login").value(),
            name_list({"node01", "node02", "node03", "node7", "gpu0-ib", "gpu1-ib", "login"}));
  EXPECT_EQ(parse_slurm_hosts("n[9-11]").value(), name_list({"n9", "n10", "n11"}));
  EXPECT_EQ(parse_slurm_hosts("n[009-011]").value(), name_list({"n009", "n010", "n011"}));
  EXPECT_EQ(parse_slurm_hosts("r[0-1]n[1-2]").value(), name_list({"r0n1", "r0n2", "r1n1", "r1n2"}));
}

TEST(slurm_hosts, nonsense_is_one_sentence) {
  for (const char* const text : {"", ",", "a,", "a,,b", "n[", "n]", "n[]", "n[1", "n1]", "n[1-]",
                                 "n[-1]", "n[3-1]", "n[a-b]", "n[1,]", "n[[1]]", "n[1-99999]",
                                 "n[0-9999]m[0-9999]", "n[1-9999999999]", "n[0-9999],m[0-9999]"}) {
    const auto read = parse_slurm_hosts(text);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.problem().find("is no list of hosts"), std::string::npos) << text;
  }
}

TEST(slurm_hosts, counts_may_be_repeated) {
  EXPECT_EQ(parse_slurm_counts("2").value(), number_list({2}));
  EXPECT_EQ(parse_slurm_counts("2(x3),1").value(), number_list({2, 2, 2, 1}));
  for (const char* const text : {"", ",", "x", "2(x", "2(x)", "2(x0)", "(x2)", "0", "-1", "2(x-1)",
                                 "2(x99999)", "1,,2", "2(3)", "2(x3)4", "99999999999"})
    EXPECT_FALSE(parse_slurm_counts(text)) << text;
}

TEST(slurm_hosts, any_bytes_are_read_or_refused) {
  std::mt19937 random(3);
  const std::string letters = "ab019-,[]()x.";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (unsigned i = random() % 16; i > 0; --i) text += letters[random() % letters.size()];
    (void)parse_slurm_hosts(text);
    (void)parse_slurm_counts(text);
  }
}

result<std::optional<scheduler_hosts>> found_in(const std::map<std::string, std::string>& all) {
  return find_scheduler_hosts([&](const char* name) {
    const auto it = all.find(name);
    return it == all.end() ? nullptr : it->second.c_str();
  });
}

TEST(scheduler_hosts, slurms_job_is_found) {
  const auto found =
      found_in({{"SLURM_JOB_NODELIST", "n[1-3]"}, {"SLURM_TASKS_PER_NODE", "2(x2),1"}});
  ASSERT_TRUE(found && found.value());
  EXPECT_EQ(found.value()->scheduler, "Slurm");
  EXPECT_EQ(found.value()->hosts, (std::vector<host>{{"n1", 2, 0}, {"n2", 2, 0}, {"n3", 1, 0}}));
  const auto uncounted = found_in({{"SLURM_JOB_ID", "7"}, {"SLURM_NODELIST", "n[1-2]"}});
  ASSERT_TRUE(uncounted && uncounted.value());
  EXPECT_EQ(uncounted.value()->hosts, (std::vector<host>{{"n1", 0, 0}, {"n2", 0, 0}}));
}

TEST(scheduler_hosts, a_job_that_makes_no_sense_names_its_variable) {
  EXPECT_EQ(found_in({{"SLURM_JOB_NODELIST", "n[1"}}).problem(),
            "SLURM_JOB_NODELIST: 'n[1' is no list of hosts: a [ has no ]");
  EXPECT_EQ(found_in({{"SLURM_JOB_NODELIST", "n[1-2]"}, {"SLURM_TASKS_PER_NODE", "1"}}).problem(),
            "SLURM_TASKS_PER_NODE has 1 counts and SLURM_JOB_NODELIST 2 hosts: say --hosts");
  EXPECT_EQ(found_in({{"PBS_NODEFILE", "/nowhere"}}).problem(),
            "PBS_NODEFILE: the hostfile /nowhere cannot be read: No such file or directory");
}

TEST(scheduler_hosts, pbs_has_a_line_for_each_slot) {
  const std::string path = testing::TempDir() + "/nodes";
  std::ofstream(path) << "a\na\nb\na\n";
  const auto found = found_in({{"PBS_NODEFILE", path}});
  std::remove(path.c_str());
  ASSERT_TRUE(found && found.value());
  EXPECT_EQ(found.value()->scheduler, "PBS");
  EXPECT_EQ(found.value()->hosts, (std::vector<host>{{"a", 3, 0}, {"b", 1, 0}}));
}

TEST(scheduler_hosts, outside_of_a_job_there_are_none) {
  EXPECT_FALSE(found_in({}).value());
  EXPECT_FALSE(found_in({{"SLURM_JOB_NODELIST", ""}, {"PBS_NODEFILE", ""}}).value());
}

}  // namespace
}  // namespace terrane
