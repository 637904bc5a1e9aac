// SPDX-License-Identifier: Apache-2.0
// Traces that are cut off or changed: whatever the bytes are, they are read in part or refused.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "dashboard/activity.hpp"
#include "dashboard/converters.hpp"
#include "dashboard/report.hpp"
#include "programs/fib/fib.hpp"
#include "terrane/base/random.hpp"
#include "terrane/machine/trace_start.hpp"
#include "terrane/trace/format.hpp"
#include "tests/support/damaged_bytes.hpp"
#include "tests/support/run_program.hpp"

namespace terrane {
namespace {

std::string trace_of_fib() {
  run_options options{.nodes = 3, .processors = 1, .world = "sim"};
  options.trace_file = testing::TempDir() + "damaged_traces_test.trace";
  const auto started = start_trace(options, {"fib", "12"});
  EXPECT_TRUE(started) << (started ? "" : started.problem());
  run_program<programs::fib_main>(options, {"fib", "12"});
  std::ifstream file(options.trace_file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::remove(options.trace_file.c_str());
  return bytes;
}

struct judged {
  bool refused = false;
  std::uint64_t events = 0, bytes_out = 0;
};

/// Reads everything there is, in every way.
judged judge(const std::string& bytes, bool convert) {
  judged found;
  const auto read = trace_file::read(bytes);
  found.refused = !read;
  if (!read) {
    EXPECT_FALSE(read.problem().empty());
    return found;
  }
  const trace_file& file = *read.value();
  found.bytes_out += describe_run(file).size();
  trace_file::in_time events(file);
  for (trace_event event; events.next(event); ++found.events)
    found.bytes_out += file.sentence_of(event).size();
  EXPECT_LE(found.events, bytes.size());
  if (!convert) return found;
  for (const converter& each : converters()) {
    if (!each.write) continue;
    const auto written = each.write(file, [&](std::string_view text) {
      found.bytes_out += text.size();
      return true;
    });
    EXPECT_TRUE(written);
  }
  const auto reported = write_report(file, "x", [&](std::string_view text) {
    found.bytes_out += text.size();
    return true;
  });
  EXPECT_TRUE(reported);
  return found;
}

TEST(damaged_traces, a_whole_one_is_read_to_its_end) {
  const judged whole = judge(trace_of_fib(), true);
  EXPECT_FALSE(whole.refused);
  EXPECT_GT(whole.events, 300u);
}

TEST(damaged_traces, one_that_is_cut_off_anywhere_is_read_up_to_there) {
  const std::string bytes = trace_of_fib();
  const judged whole = judge(bytes, false);
  random_stream random(1, 1);
  std::uint64_t refused = 0, read_in_part = 0;
  for (int i = 0; i < 1000; ++i) {
    const judged cut =
        judge(bytes.substr(0, random.below(static_cast<std::uint32_t>(bytes.size()))), i % 10 == 0);
    EXPECT_LE(cut.events, whole.events);
    refused += cut.refused;
    read_in_part += cut.events > 0;
  }
  EXPECT_GT(refused, 0u);  // in the head
  EXPECT_GT(read_in_part, 0u);
}

TEST(damaged_traces, ten_thousand_changed_ones_are_read_in_part_or_refused) {
  const std::string bytes = trace_of_fib();
  random_stream random(2, 2);
  std::uint64_t refused = 0, read = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::string changed = bytes;
    damage(changed, random);
    if (i % 2 == 0) mend_sums(changed);
    const judged its = judge(changed, i % 20 == 0);
    refused += its.refused;
    read += !its.refused;
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(read, 1000u);
}

TEST(damaged_traces, names_in_a_trace_cannot_leave_their_place_in_the_page) {
  constexpr std::string_view attack = "</script><img src=x onerror=alert(1)>";
  std::string bytes = trace_of_fib();
  const auto replace_all = [&](std::string_view old) {
    for (auto at = bytes.find(old); at != bytes.npos; at = bytes.find(old, at + attack.size()))
      bytes.replace(at, old.size(), attack.substr(0, old.size()));
  };
  replace_all("programs::fib_main");
  replace_all("fib 9");
  mend_sums(bytes);
  const auto read = trace_file::read(bytes);
  ASSERT_TRUE(read);
  std::string page;
  ASSERT_TRUE(write_report(*read.value(), "</script><script>alert(2)</script>",
                           [&](std::string_view text) { return page.append(text), true; }));
  const auto data = page.find("application/json");
  ASSERT_NE(data, page.npos);
  const auto end = page.find("</script>", data);
  EXPECT_EQ(page.find('<', data), end);  // the first markup behind the data is their end
  EXPECT_NE(page.find("\\u003c/script", data), page.npos);
}

TEST(damaged_traces, one_changed_bit_costs_the_chunk_that_it_is_in_and_no_other) {
  const std::string bytes = trace_of_fib();
  const auto whole = trace_file::read(bytes);
  ASSERT_TRUE(whole);
  chunk_head head;
  std::memcpy(&head, bytes.data() + trace_magic.size(), sizeof head);
  std::string changed = bytes;
  const std::size_t second = trace_magic.size() + sizeof head + head.bytes;
  changed[second + sizeof head + 1] ^= 4;
  const auto read = trace_file::read(changed);
  ASSERT_TRUE(read);
  EXPECT_EQ(read.value()->problems().size(), 1u);
}

}  // namespace
}  // namespace terrane
