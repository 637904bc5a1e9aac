// SPDX-License-Identifier: Apache-2.0
// noexcept_test.cpp: functions that are spawned, posted or invoked may be noexcept.
#include "terrane/thread/future.hpp"
#include "terrane/thread/handlers.hpp"
#include "tests/support/moving_threads.hpp"

namespace terrane {
namespace {

class what_throws_nothing : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, what_throws_nothing, small_machines(), machine_name);

long twice(long number) noexcept { return 2 * number; }
void answer_twice(long number, reply<long> to) noexcept { to.send(2 * number); }
struct answers_twice : threaded<answers_twice> {
  long number;
  reply<long> out;
  join ready = on<&answers_twice::end>();
  step start(long given, reply<long> to) noexcept {
    number = given;
    out = to;
    ready.one().signal();
    return await(ready);
  }
  step end() noexcept {
    out.send(2 * number);
    return done;
  }
};

TEST_P(what_throws_nothing, may_say_so) {
  expect([](faults& wrong) {
    const std::uint32_t last = terrane::processors() - 1;
    long posted = 0, invoked = 0;
    this_thread::await(
        [&](slot_ref done) { post<answer_twice>(last, 4L, reply<long>{{done.raw, &posted}}); });
    this_thread::await([&](slot_ref done) {
      activation<answers_twice, false>::invoke(last, 5L, reply<long>{{done.raw, &invoked}});
    });
    wrong.unless(spawn(twice, 3L).join() == 6 && posted == 8 && invoked == 10);
  });
}

/// The root of a program, too.
struct root : threaded<root> {
  step start(int, char**) noexcept { return done; }
};
[[maybe_unused]] int program(int argc, char** argv) { return run<root>(argc, argv); }

}  // namespace
}  // namespace terrane
