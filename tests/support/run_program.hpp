// SPDX-License-Identifier: Apache-2.0
// run_program.hpp: runs the main activation of a program inside a test, on a machine of its own,
// and keeps what it prints.
//
//   const auto run = run_program<fib_main>({.nodes = 4}, {"fib", "20"});
//   EXPECT_EQ(run.output, "fib(20) = 10946\n");
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/run_machine.hpp"

namespace terrane {

struct program_run {
  run_outcome outcome;
  std::string output;  // stdout; stderr stays, so that the report of a crash is seen
};

/// words: the argv of main.
template <class Main>
program_run run_program(const run_options& options, std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  program_run run;
  testing::internal::CaptureStdout();
  run.outcome = run_machine<Main>(options, static_cast<int>(words.size()), argv.data());
  run.output = testing::internal::GetCapturedStdout();
  return run;
}

/// What a program prints and how often it does what, however it was balanced.
struct known_run {
  std::string output;
  std::uint64_t tokens, fibers;
};

/// Runs the program and expects it to do exactly that, and to leave nothing behind. Returns what
/// the run says of itself.
template <class Main>
run_statistics expect_exactly(const known_run& known, const run_options& options,
                              const std::vector<std::string>& words) {
  SCOPED_TRACE(words.front() + " with seed " + std::to_string(options.seed));
  const program_run run = run_program<Main>(options, words);
  EXPECT_EQ(run.output, known.output);
  EXPECT_EQ(run.outcome.exit_code, 0);
  EXPECT_EQ(run.outcome.statistics.tokens_generated, known.tokens);
  EXPECT_EQ(run.outcome.statistics.fibers_executed, known.fibers);
  EXPECT_EQ(run.outcome.left.frames, 0u);
  EXPECT_EQ(run.outcome.tokens_left, 0u);
  return run.outcome.statistics;
}

}  // namespace terrane
