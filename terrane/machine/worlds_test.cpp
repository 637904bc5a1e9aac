// SPDX-License-Identifier: Apache-2.0
// worlds_test.cpp: tests the promise of the table of worlds: a new world is one class and one row.
#include "terrane/machine/worlds.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <deque>
#include <thread>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"
#include "terrane/terrane.hpp"

namespace terrane {
namespace {

/// The one class: every processor has its turn on one thread, and each turn takes a nanosecond.
class toy_world final : public world, public wire, public crew {
 public:
  explicit toy_world(std::uint32_t processors)
      : world({.wire = *this, .crew = *this}), terrane::crew(false), inboxes_(processors) {}

  void attach(std::span<node* const> nodes) override { nodes_ = nodes; }
  void failed(int exit_code) override { std::fprintf(stderr, "toy: ends with %d\n", exit_code); }
  std::uint64_t now() override { return turns_; }
  bool wake(processor&) override { return false; }
  void post_note(processor* mover, node& from, node_id to, const note& what, int load) override {
    nodes_[to]->policy().note_arrived(mover, from.number(), what, load);
  }
  void post_token(processor* mover, node& from, node_id to, const terrane_token& token,
                  const load_hint& hint) override {
    nodes_[to]->policy().token_arrived(mover, from.number(), token, hint);
  }
  void send(processor& from, processor_id to, entry kind, bytes_view head,
            bytes_view body) override {
    letter written{kind, from.number, {}};
    for (const bytes_view part : {head, body}) {
      const auto* const first = static_cast<const unsigned char*>(part.data);
      written.bytes.insert(written.bytes.end(), first, first + part.size);
    }
    inboxes_[to].push_back(std::move(written));
    processors_[to]->notice();
  }
  void poll(processor& here) override {
    auto& mine = inboxes_[here.number];
    for (; !mine.empty(); mine.pop_front()) {
      const letter& next = mine.front();
      handle(here, {next.kind, next.from, next.bytes.size(), next.bytes.data(), no_place});
    }
  }
  void run(std::span<processor* const> processors) override {
    processors_ = processors;
    for (processor* each : processors) each->bind(std::size_t{1} << 20);
    for (std::size_t running = 1; running != 0;) {
      running = 0;
      for (processor* each : processors) running += has_turn(*each);
    }
    terrane_here = TERRANE_NO_PROCESSOR;
  }

 private:
  struct letter {
    entry kind;
    processor_id from;
    std::vector<unsigned char> bytes;
  };

  bool has_turn(processor& self) {
    if (self.stopping()) return false;
    ++turns_;
    terrane_here = &self;
    if (!self.turn() && !self.stopping()) self.while_idle(true);
    return true;
  }

  std::span<node* const> nodes_;
  std::span<processor* const> processors_;
  std::vector<std::deque<letter>> inboxes_;
  std::uint64_t turns_ = 0;
};

result<std::unique_ptr<world>> make_toy(const run_options& options, const placement&) {
  return std::unique_ptr<world>(std::make_unique<toy_world>(options.nodes * options.processors));
}

/// The one row.
constexpr world_row toy_row{.name = "toy",
                            .nodes_are = "in turns on one thread",
                            .processors_max = 6,
                            .make = make_toy,
                            .start = start_here};

struct toy_fib : threaded<toy_fib> {
  reply<long> out;
  long x, y;
  join both = on<&toy_fib::sum>();
  step start(int n, reply<long> to) {
    if (n <= 1) {
      to.send(1);
      return done;
    }
    out = to;
    spawn<toy_fib>(n - 1, both.into(x));
    spawn<toy_fib>(n - 2, both.into(y));
    return await(both);
  }
  step sum() {
    out.send(x + y);
    return done;
  }
};

struct toy_main : threaded<toy_main> {
  long answer;
  join told = on<&toy_main::check>();
  step start(int, char**) {
    invoke<toy_fib>(processors() - 1, 12, told.into(answer));
    return await(told);
  }
  step check() {
    set_exit_code(answer == 233 ? 7 : 1);
    return done;
  }
};

struct toy_failure : threaded<toy_failure> {
  step start(int argc, char**) {
    const auto fails = [] { terrane_fail(299, "%s was wrong", "it"); };
    if (argc == 1) fails();
    std::thread(fails).join();  // for example, the world's receiver thread
    return done;
  }
};

template <class Main = toy_main>
int run_toy(std::vector<std::string> command_line) {
  std::vector<char*> argv;
  for (std::string& each : command_line) argv.push_back(each.data());
  argv.push_back(nullptr);
  return terrane::run<Main>(static_cast<int>(command_line.size()), argv.data());
}

class a_world_from_elsewhere : public testing::Test {
 protected:
  const added_world toy_{toy_row};
};

TEST_F(a_world_from_elsewhere, is_one_class_and_one_row) {
  EXPECT_EQ(run_toy({"program", "--world", "toy", "--nodes", "1", "--processors", "1"}), 7);
  for (const char* balancer : {"nop", "rand", "spn"})
    EXPECT_EQ(run_toy({"program", "--world", "toy", "--nodes", "3", "--processors", "2",
                       "--balancer", balancer, "--enough", "all"}),
              7)
        << balancer;
}

TEST_F(a_world_from_elsewhere, hears_of_a_failure_before_the_process_ends) {
  EXPECT_EXIT(run_toy<toy_failure>({"program", "--world", "toy", "--processors", "2"}),
              testing::ExitedWithCode(exit_run_time_error),
              "^terrane: R-299: it was wrong .on processor 0 of node 0, .* into the run.\n"
              "toy: ends with 122\n$");
  EXPECT_EXIT(run_toy<toy_failure>({"program", "--world", "toy", "--processors", "2", "word"}),
              testing::ExitedWithCode(exit_run_time_error),
              "^terrane: R-299: it was wrong\ntoy: ends with 122\n$");
}

TEST_F(a_world_from_elsewhere, is_named_by_the_help_and_by_errors) {
  EXPECT_NE(parse_options({"--help"}, {}, "").value().help.find("toy: in turns on one thread"),
            std::string::npos);
  EXPECT_EQ(parse_options({"--world", "moon"}, {}, "").problem(),
            "--world takes local, shm, tcp, mpi, sim or toy, not 'moon'");
}

TEST_F(a_world_from_elsewhere, takes_no_more_processors_than_its_row_says) {
  run_options options;
  options.world = "toy";
  options.nodes = 7;
  options.processors = 1;
  const auto placed = place(options, toy_row);
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.problem(),
            "--nodes 7 with 1 processors each are 7 threads: world toy takes up to 6, so ask for "
            "fewer nodes or --processors");
}

TEST(worlds, that_nobody_knows_are_an_error_and_no_other_world) {
  run_options options;
  options.processors = 1;
  options.world = "moon";
  EXPECT_EQ(machine::make(options, placement{}).problem(),
            "--world takes local, shm, tcp, mpi or sim, not 'moon'");
  options.world = "shm";
  EXPECT_EQ(machine::make(options, placement{}).problem(),
            "world shm has a process for each node: it is to be started");
}

TEST(worlds, keep_the_rows_of_others_only_as_long_as_those_live) {
  { const added_world toy(toy_row); }
  EXPECT_FALSE(find_world("toy"));
  EXPECT_EQ(find_world("local").value(), worlds().front());
  EXPECT_TRUE(simulated_world().simulated);
}

}  // namespace
}  // namespace terrane
