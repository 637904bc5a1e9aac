// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/host_health.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace terrane {
namespace {

constexpr std::uint64_t one_gib = std::uint64_t{1} << 30;

host_facts sound_host() {
  host_facts facts;
  facts.cores = resolve_cpu_budget({"/nowhere", 8, 8});
  facts.memory_bytes = 16 * one_gib;
  facts.memory_free_bytes = 12 * one_gib;
  facts.open_files = 1024;
  facts.mappings = 65530;
  facts.asked_bytes = facts.reserved_bytes = 80 * one_gib;
  facts.reads_other_processes = true;
  return facts;
}

/// The findings that are not good, each with its cure.
std::vector<std::string> faults_of(const host_facts& facts, int nodes = 2, int processors = 8,
                                   bool network = false) {
  std::vector<std::string> all;
  for (const finding& each : judge_host(facts, nodes, processors, network))
    if (each.is != finding::weight::good) {
      EXPECT_FALSE(each.cure.empty()) << each.what;
      all.push_back(std::string(each.is == finding::weight::bad ? "bad: " : "note: ") + each.what +
                    ": " + each.cure);
    }
  return all;
}

using texts = std::vector<std::string>;

TEST(host_health, a_sound_host_has_no_fault) {
  EXPECT_EQ(faults_of(sound_host()), texts{});
  EXPECT_EQ(faults_of(sound_host(), 4, 0, true), texts{});
}

TEST(host_health, too_many_processors_and_others_at_work_are_noted) {
  EXPECT_EQ(faults_of(sound_host(), 2, 20),
            texts{"note: processors: 8 (online CPUs), and 20 are to run here: say --processors 8, "
                  "or they take turns"});
  host_facts busy = sound_host();
  busy.load = 7.25;
  EXPECT_EQ(faults_of(busy),
            texts{"note: processors: 8 (online CPUs); others keep 7.2 cores busy: expect slower "
                  "runs, or wait until they have ended"});
}

TEST(host_health, memory_is_what_the_cgroup_leaves) {
  host_facts facts = sound_host();
  facts.cgroup_memory_bytes = one_gib;
  facts.cgroup_used_bytes = one_gib - (one_gib >> 4);  // 64 MiB are left
  const auto faults = faults_of(facts, 2);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].find("bad: free memory: 64 MiB of 1 GiB, the cgroup's limit"), 0u)
      << faults[0];
  EXPECT_EQ(faults_of(facts, 1)[0].find("note: free memory: 64 MiB"), 0u);
  facts.cgroup_used_bytes = 2 * one_gib;  // above its limit, as may be read while it shrinks
  EXPECT_EQ(faults_of(facts)[0].find("bad: free memory: 0 KiB of 1 GiB"), 0u);
  facts.cgroup_memory_bytes = 64 * one_gib;  // more than the machine has
  facts.cgroup_used_bytes = 0;
  EXPECT_EQ(faults_of(facts), texts{});
}

TEST(host_health, limits_name_the_command_that_lifts_them) {
  host_facts facts = sound_host();
  facts.address_bytes = 4 * one_gib;
  EXPECT_EQ(faults_of(facts),
            texts{"bad: address space is limited to 4 GiB; 8 processors need 80 GiB: ulimit -v "
                  "unlimited"});
  facts = sound_host();
  facts.reserved_bytes = 10 * one_gib;
  facts.overcommit = 2;
  EXPECT_EQ(faults_of(facts),
            texts{"bad: of 80 GiB of address space 10 GiB could be reserved; 8 processors need 80 "
                  "GiB: sysctl vm.overcommit_memory=0"});
  facts = sound_host();
  facts.open_files = 40;
  EXPECT_EQ(faults_of(facts, 16), texts{"bad: open files: 40; 16 nodes need 80: ulimit -n 1024"});
  facts = sound_host();
  facts.locked_bytes = 0;
  EXPECT_EQ(faults_of(facts),
            texts{"note: locked memory: 0 KiB: ulimit -l 64, or a run's secret may be written to "
                  "the swap space"});
  facts = sound_host();
  facts.mappings = 1000;
  facts.processes = 20;
  EXPECT_EQ(faults_of(facts).size(), 2u);
}

TEST(host_health, what_is_missing_matters_where_it_is_needed) {
  host_facts facts = sound_host();
  facts.openssl = "there is no OpenSSL";
  EXPECT_EQ(faults_of(facts), texts{"note: there is no OpenSSL: world tcp needs it"});
  EXPECT_EQ(faults_of(facts, 2, 8, true), texts{"bad: there is no OpenSSL: world tcp needs it"});
  facts = sound_host();
  facts.reads_other_processes = false;
  EXPECT_EQ(faults_of(facts).size(), 1u);
}

TEST(host_health, this_host_is_read) {
  const host_facts facts = read_host_facts(1);
  EXPECT_GE(facts.cores.allowed, 1);
  EXPECT_GT(facts.memory_bytes, 0u);
  EXPECT_GT(facts.memory_free_bytes, 0u);
  EXPECT_EQ(facts.asked_bytes, 10 * one_gib);
  for (const finding& each : judge_host(facts, 1, 1, false)) {
    EXPECT_FALSE(each.what.empty());
    EXPECT_EQ(each.what.find('\n'), std::string::npos);
    EXPECT_EQ(each.cure.empty(), each.is == finding::weight::good) << each.what;
  }
}

TEST(host_health, bytes_are_said_in_words) {
  EXPECT_EQ(bytes_in_words(0), "0 KiB");
  EXPECT_EQ(bytes_in_words(64 << 10), "64 KiB");
  EXPECT_EQ(bytes_in_words(std::uint64_t{3} << 29), "1.5 GiB");
  EXPECT_EQ(bytes_in_words(123 * one_gib + 7), "123 GiB");
}

}  // namespace
}  // namespace terrane
