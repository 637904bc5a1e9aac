// SPDX-License-Identifier: Apache-2.0
// waits_for_ever_test.cpp: ten programs whose threads wait for one another for ever: the report is
// there at once, and says who waits for whom, in what, and what came and matches nothing.
#include <chrono>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "terrane/base/sanitizers.hpp"
#include "terrane/talk/remote_call.hpp"
#include "terrane/talk/rope.hpp"
#include "terrane/talk/send_recv.hpp"
#include "terrane/thread/thread.hpp"
#include "tests/support/moving_threads.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

/// No stack is unwound when a run ends so; what it owned would be a leak.
template <class T>
T& kept(T made) {
  static std::vector<void*>& all = *new std::vector<void*>;
  auto* const one = new T(std::move(made));
  all.push_back(one);
  return *one;
}
/// A rope of so many members on node 0, which run that; then waits for its end.
template <class F>
void members(std::uint32_t n, const F& call) {
  kept(rope::create(n, rope_mapping::block(), call)).join();
}

struct program {
  const char* name;
  void (*code)();
  std::vector<std::string> said;  // each somewhere in the report
};

const std::vector<program>& programs() {
  static const std::vector<program> all{
      {"crossed tags",
       +[] {
         members(2, [] {
           const rope us = this_rope();
           us.send(1 - us.rank(), us.rank(), 1);
           us.recv<int>(1 - us.rank(), us.rank());
         });
       },
       {"rank 0 <0,N> in recv from rank 1 <0,N>, tag 0, AT; came and not received: tag 1 from",
        "rank 1 <0,N> in recv from rank 0 <0,N>, tag 1, AT; came and not received: tag 0 from"}},
      {"each receives first",
       +[] {
         members(2, [] {
           const rope us = this_rope();
           us.recv<int>(1 - us.rank(), 5);
           us.send(1 - us.rank(), 5, 1);
         });
       },
       {"rank 0 <0,N> in recv from rank 1 <0,N>, tag 5, AT",
        "rank 1 <0,N> in recv from rank 0 <0,N>, tag 5, AT"}},
      {"both send and wait for the receive",
       +[] {
         members(2, [] {
           const rope us = this_rope();
           us.ssend(1 - us.rank(), 6, 1);
           us.recv<int>(1 - us.rank(), 6);
         });
       },
       {"rank 0 <0,N> in send to rank 1 <0,N>, tag 6, AT",
        "rank 1 <0,N> in send to rank 0 <0,N>, tag 6, AT"}},
      {"a ring of receives",
       +[] {
         members(3, [] {
           const rope us = this_rope();
           us.recv<int>((us.rank() + 2) % 3, 1);
           us.send((us.rank() + 1) % 3, 1, 1);
         });
       },
       {"rank 0 <0,N> in recv from rank 2 <0,N>, tag 1", "rank 1 <0,N> in recv from rank 0 <0,N>",
        "rank 2 <0,N> in recv from rank 1 <0,N>"}},
      {"a member that misses the barrier",
       +[] {
         members(3, [] {
           if (this_rope().rank() == 1)
             this_rope().recv<int>(0, 9);
           else
             this_rope().barrier();
         });
       },
       {"rank 0 of rope <0,N>, is in a barrier, AT", "rank 2 of rope <0,N>, is in a barrier, AT",
        "rank 1 <0,N> in recv from rank 0 <0,N>, tag 9, AT"}},
      {"a message to the wrong rank",
       +[] {
         members(3, [] {
           const rope us = this_rope();
           if (us.rank() == 0) us.send(2, 4, 1);
           if (us.rank() == 1) us.recv<int>(0, 4);
           if (us.rank() == 2) us.recv<int>(1, 4);
         });
       },
       {"rank 1 <0,N> in recv from rank 0 <0,N>, tag 4, AT",
        "rank 2 <0,N> in recv from rank 1 <0,N>, tag 4, AT; came and not received: tag 4 from"}},
      {"one message too few",
       +[] {
         members(2, [] {
           const rope us = this_rope();
           for (int i = 0; us.rank() == 0 && i < 3; ++i) us.send(1, 2, i);
           for (int i = 0; us.rank() == 1 && i < 4; ++i) us.recv<int>(0, 2);
         });
       },
       {"rank 1 <0,N> in recv from rank 0 <0,N>, tag 2, AT"}},
      {"a plain message for a receive of the rope",
       +[] {
         members(2, [] {
           const rope us = this_rope();
           if (us.rank() == 0) send(us.id_of(1), 3, 1);
           if (us.rank() == 1) us.recv<int>(0, 3);
         });
       },
       {"rank 1 <0,N> in recv from rank 0 <0,N>, tag 3, AT; came and not received: tag 3 from"}},
      {"a probe of what nobody sends",
       +[] { probe(any_source, 11); },
       {"in probe from any thread, tag 11, AT"}},
      {"a thread that waits for itself, and who waits for it",
       +[] {
         const thread_id me = this_thread::id();
         kept(thread::create({.name = "other"}, [me] { recv<int>(me, 8); }));
         recv<int>(me, 7);
       },
       {"thread test waits for <0,N> in recv from <0,N>, tag 7, AT",
        "thread other waits for <0,N> in recv from <0,N>, tag 8, AT"}},
  };
  return all;
}

std::string pattern_of(std::string text) {
  const auto replace = [&](const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
      text.replace(at, what.size(), by);
  };
  replace("<0,N>", "<0,[0-9]+>");
  replace("AT", "waits_for_ever_test.cpp:[0-9]+");
  return text;
}

TEST(programs_that_wait_for_ever, are_each_explained_in_two_seconds) {
#ifdef TERRANE_ASAN
  GTEST_SKIP() << "a run that ends so unwinds no stack: what its threads own would be leaks";
#endif
  for (const char* world : {"local", "sim"})
    for (const program& each : programs()) {
      run_options options = machine_of(1);
      options.world = world;
      const auto start = std::chrono::steady_clock::now();
      const auto outcome = run_machine<in_a_bare_thread>(options, each.code);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      EXPECT_TRUE(outcome.deadlock) << each.name;
      EXPECT_EQ(outcome.exit_code, 121) << each.name;
      EXPECT_LT(took.count(), 2) << each.name;
      const std::string said = describe_deadlock(outcome.left);
      for (const std::string& expected : each.said)
        EXPECT_TRUE(std::regex_search(said, std::regex(pattern_of(expected))))
            << each.name << " in " << world << ": no '" << expected << "' in\n"
            << said;
    }
}

}  // namespace
}  // namespace terrane
