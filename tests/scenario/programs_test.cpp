// SPDX-License-Identifier: Apache-2.0
// programs_test.cpp: the programs give their exact answers and counts on every machine, their
// sequential twins the same answers, and all of them refuse wrong arguments.
//
// Source  Counts and answers: docs/programs.md. Where it has none, the head of the program derives
//         them.
#include <tuple>
#include <utility>

#include "programs/sequential/twins.hpp"
#include "tests/support/every_machine.hpp"
#include "tests/support/known_programs.hpp"

namespace terrane::programs {
namespace {

using std::to_string;

constexpr std::uint64_t seeds = 5;

class program_scenario : public on_a_machine {};

TEST_P(program_scenario, queens_counts_every_placement) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    expect_exactly<queens_main>({"queens(8) = 92\n", 380, 951}, machine(seed),
                                {"queens", "8", "3"});
    expect_exactly<queens_main>(known_queens(6, 6), machine(seed), {"queens", "6", "6"});
  }
}

TEST_P(program_scenario, queens_ends_on_boards_without_a_solution) {
  for (const char* n : {"1", "2", "3"})
    expect_exactly<queens_main>(known_queens(std::stoi(n), std::stoi(n)), machine(1),
                                {"queens", n});
}

TEST_P(program_scenario, knary_visits_every_node) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    for (const int serial : {0, 1, 3})
      expect_exactly<knary_main>(known_knary(4, 3, serial), machine(seed),
                                 {"knary", "4", "3", to_string(serial), "20"});
}

TEST_P(program_scenario, reduce_hears_of_every_processor) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    expect_exactly<reduce_main>(known_reduce(processors()), machine(seed), {"reduce"});
}

TEST_P(program_scenario, remote_sum_fetches_both_numbers) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    expect_exactly<remote_sum_main>(known_remote_sum(), machine(seed), {"remote_sum"});
}

TEST_P(program_scenario, matmul_stores_every_block) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    expect_exactly<matmul_main>({"sum -1 sumsq 169107\n", 8, 26}, machine(seed),
                                {"matmul", "64", "8"});
    expect_exactly<matmul_main>(known_matmul(23, 5), machine(seed), {"matmul", "23", "5"});
  }
}

TEST_P(program_scenario, barrier_keeps_the_rounds_apart) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    expect_exactly<barrier_main>(known_barrier(processors(), 10), machine(seed), {"barrier"});
}

TEST_P(program_scenario, quadrature_integrates_every_part) {
  expect_exactly<quadrature_main>(known_quadrature(7, 5), machine(1), {"quadrature", "7", "5"});
}

INSTANTIATE_TEST_SUITE_P(everywhere, program_scenario, every_machine(), machine_name);

class large_program : public on_a_machine {};

TEST_P(large_program, queens_comes_to_the_numbers_of_the_paper) {
  expect_exactly<queens_main>({"queens(12) = 14200\n", 9'916, 24'791}, machine(1), {"queens"});
  expect_exactly<queens_main>({"queens(10) = 724\n", 3'692, 9'231}, machine(1), {"queens", "10"});
}

TEST_P(large_program, queens_comes_to_the_same_without_a_throttle) {
  expect_exactly<queens_main>(known_queens(9, 9), machine(1), {"queens", "9", "9"});
}

TEST_P(large_program, knary_comes_to_the_numbers_of_the_paper) {
  expect_exactly<knary_main>({"knary(7,7,2) = 137257\n", 98'040, 274'516}, machine(1), {"knary"});
}

TEST_P(large_program, matmul_comes_to_the_known_sums) {
  expect_exactly<matmul_main>({"sum -7 sumsq 3785653\n", 16, 50}, machine(1), {"matmul"});
}

INSTANTIATE_TEST_SUITE_P(somewhere, large_program, few_machines(), machine_name);

TEST(sequential_twins, know_the_answers) {
  EXPECT_EQ(queens_sequential(8), 92);
  EXPECT_EQ(queens_sequential(10), 724);
  EXPECT_EQ(queens_sequential(12), 14'200);
  EXPECT_EQ(placements(12, 4), 4'958);
  EXPECT_EQ(placements(12, 12), 856'188);
  EXPECT_EQ(knary_sequential(7, 7, 400), 137'257);
  EXPECT_EQ(knary_sequential(1, 5, 0), 1);
  EXPECT_EQ(reduce_sequential(14), 91);
  EXPECT_EQ(remote_sum_sequential(), 42);
  EXPECT_EQ(barrier_sequential(14, 10), 10);
  const auto [sum, squares] = matmul_sequential(256);
  EXPECT_EQ(sum, -7);
  EXPECT_EQ(squares, 3'785'653);
  for (const auto& [cities, best] : {std::pair(8, 2535), {9, 2545}, {10, 3014}})
    EXPECT_EQ(tsp_sequential(cities), best);
  EXPECT_EQ(spmd_sequential({4, 4, 0, 1000}), 2'100'000);
  EXPECT_EQ(spmd_sequential({1, 1, 0, 1000}), 100'000);
}

TEST(sequential_twins, know_the_mesh) {
  const tomcatv_answer first = tomcatv_sequential(257, 1), tenth = tomcatv_sequential(257, 10);
  EXPECT_NEAR(first.x_residual, 1.249760e-09, 5e-16);
  EXPECT_NEAR(first.y_residual, 5.191501e-10, 5e-17);
  EXPECT_NEAR(tenth.x_residual, 1.236728e-09, 5e-16);
  EXPECT_NEAR(tenth.y_residual, 5.170297e-10, 5e-17);
}

TEST(sequential_twins, know_the_integral) {
  for (const int parts : {1, 16}) {  // powers of two leave the same intervals
    const quadrature_answer all = quadrature_sequential(parts, 1e-9);
    EXPECT_NEAR(all.integral, 0.004414193760, 5e-13);
    EXPECT_EQ(all.evaluations, 538'232 + static_cast<std::uint64_t>(parts));
  }
  EXPECT_EQ(quadrature_sequential(1, 1e-8).evaluations, 223'967);
}

TEST(sequential_twins, know_the_paraffins) {
  const paraffins_answer all = paraffins_sequential(20);
  EXPECT_EQ(all.number[10], 75);
  EXPECT_EQ(all.number[14], 1'858);
  EXPECT_EQ(all.number[18], 60'523);
  EXPECT_EQ(all.number[20], 366'319);
}

TEST(sequential_twins, know_the_alignments) {
  const auto known = [](int n, int score, int row, int column, long sum) {
    const atgc_alignment found = atgc_sequential(n);
    EXPECT_EQ(std::tie(found.score, found.row, found.column, found.sum),
              std::tie(score, row, column, sum));
  };
  known(100, 6, 84, 70, 5'645);
  known(1000, 13, 296, 433, 786'131);
  known(4000, 17, 3821, 3050, 12'593'897);
}

template <class Main>
void expect_refusal(const std::vector<std::string>& words, const std::string& sentence) {
  testing::internal::CaptureStderr();
  const program_run run = run_program<Main>({}, words);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), sentence + "\n");
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.outcome.exit_code, 2);
  EXPECT_EQ(run.outcome.left.frames, 0u);
}

TEST(program_arguments, a_wrong_number_is_refused_with_its_range) {
  const std::string range = "fib: N must be a whole number from 0 to 90, not '";
  for (const std::string wrong : {"x", "", "-1", "91", "3.5", "3x", "99999999999"})
    expect_refusal<fib_main>({"build/bin/fib", wrong}, range + wrong + "'");
  expect_refusal<queens_main>({"queens", "8", "9"},
                              "queens: T must be a whole number from 1 to 8, not '9'");
  expect_refusal<knary_main>({"knary", "7", "7", "8"},
                             "knary: R must be a whole number from 0 to 7, not '8'");
  expect_refusal<matmul_main>({"matmul", "0"},
                              "matmul: N must be a whole number from 1 to 4096, not '0'");
  expect_refusal<barrier_main>(
      {"barrier", "-1"}, "barrier: ROUNDS must be a whole number from 0 to 1000000, not '-1'");
}

TEST(program_arguments, only_the_first_wrong_one_is_named) {
  expect_refusal<queens_main>({"queens", "x", "y", "z"},
                              "queens: N must be a whole number from 1 to 20, not 'x'");
}

TEST(program_arguments, one_too_many_is_refused) {
  expect_refusal<fib_main>({"fib", "3", "4"}, "fib: '4' is one argument too many: it takes N");
  expect_refusal<queens_main>({"queens", "8", "3", "1"},
                              "queens: '1' is one argument too many: it takes N T");
  expect_refusal<reduce_main>({"reduce", "1"},
                              "reduce: '1' is one argument too many: it takes none");
  expect_refusal<remote_sum_main>({"remote_sum", "1"},
                                  "remote_sum: '1' is one argument too many: it takes none");
}

TEST(program_arguments, a_twin_takes_those_of_its_program) {
  expect_refusal<sequential_main>({"sequential", "tsp", "14"},
                                  "tsp: N must be a whole number from 1 to 13, not '14'");
  expect_refusal<sequential_main>(
      {"sequential", "chess"},
      "sequential: NAME must be one of fib, queens, tsp, knary, matmul, tomcatv, spmd, paraffins, "
      "atgc, quadrature, wator, not 'chess'");
}

}  // namespace
}  // namespace terrane::programs
