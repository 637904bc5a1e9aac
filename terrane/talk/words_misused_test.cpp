// SPDX-License-Identifier: Apache-2.0
// words_misused_test.cpp: sends and receives that cannot be, and what is said of threads that wait
// for one another.
#include <array>
#include <regex>
#include <string>

#include "terrane/c/terrane_chant.h"
#include "terrane/talk/send_recv.hpp"
#include "terrane/thread/thread.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class misused_talk : public run_to_failure {};

TEST_F(misused_talk, is_named_with_both_ends) {
  expect_failure<in_a_bare_thread>(
      machine_of(1),
      "R-300: a message of 12 bytes from <0,[0-9]+>, tag 4, is longer than the 8 bytes that "
      "<0,[0-9]+> receives at words_misused_test.cpp:.*",
      +[] {
        std::array<int, 2> room{};
        request left = irecv(any_source, any_tag, room);
        send(this_thread::id(), 4, std::array<int, 3>{});
      });
  expect_failure<in_a_bare_thread>(
      machine_of(1), "R-301: send at .* has the tag -3: tags go from 0.*",
      +[] { send(this_thread::id(), -3, 1); });
  expect_failure<in_a_bare_thread>(
      machine_of(1), "R-302: <0,[0-9]+> sent 4 bytes, tag 6, to <0,[0-9]+>, which has ended.*",
      +[] {
        thread gone = thread::create([] {});
        const thread_id its{gone.name()};
        gone.join();
        send(its, 6, 1);
      });
  expect_failure<in_a_bare_thread>(
      machine_of(1), "R-304: a message of 4 bytes from .*, tag 1, has elements of another type.*",
      +[] {
        float value = 0;
        request left = irecv(any_source, 1, value);
        send(this_thread::id(), 1, 1);
      });
}

TEST(words_in_c, send_receive_probe_and_wait) {
  int count = -1;
  run_machine<in_a_thread>(
      machine_of(1), &count, static_cast<thread_code>([](faults& wrong) {
        const terrane_thread me = terrane_self();
        long room[2] = {}, value = 5, other = 6;
        terrane_request coming[2] = {
            terrane_irecv_from(me, 1, &room[0], sizeof(long)),
            terrane_irecv_from(TERRANE_ANY_SOURCE, 2, &room[1], sizeof(long))};
        terrane_message_status how{};
        wrong.unless(!terrane_request_test(&coming[0], &how));
        terrane_send_to(me, 2, &other, sizeof other);
        wrong.unless(terrane_request_wait_any(coming, 2, &how) == 1 && how.tag == 2 &&
                     room[1] == 6);
        terrane_request going = terrane_isend_to(me, 1, &value, sizeof value);
        terrane_request_wait_all(coming, 2);
        terrane_request_wait(&going);
        wrong.unless(room[0] == 5);
        wrong.unless(!terrane_iprobe_for(TERRANE_ANY_SOURCE, TERRANE_ANY_TAG, nullptr));
        terrane_send_to(me, 3, &value, 3);
        wrong.unless(terrane_probe_for(me, TERRANE_ANY_TAG).bytes == 3);
        wrong.unless(terrane_recv_from(me, 3, room, sizeof room).bytes == 3);
      }));
  EXPECT_EQ(count, 0);
}

TEST(threads_that_wait_for_one_another, are_both_named) {
  const auto outcome = run_machine<in_a_bare_thread>(
      machine_of(1), +[] {
        const thread_id me = this_thread::id();
        thread other = thread::create({.name = "other"}, [me] { recv<int>(me, 8); });
        send(thread_id{other.name()}, 3, 1);
        recv<int>(thread_id{other.name()}, 7);
      });
  EXPECT_TRUE(outcome.deadlock);
  const std::string said = describe_deadlock(outcome.left);
  const std::regex first(
      "thread test waits for <0,[0-9]+> in recv from <0,[0-9]+>, tag 7, "
      "words_misused_test.cpp:[0-9]+\n");
  const std::regex second(
      "thread other waits for <0,[0-9]+> in recv from <0,[0-9]+>, tag 8, "
      "words_misused_test.cpp:[0-9]+; came and not received: tag 3 from <0,[0-9]+>\n");
  EXPECT_TRUE(std::regex_search(said, first)) << said;
  EXPECT_TRUE(std::regex_search(said, second)) << said;
}

}  // namespace
}  // namespace terrane
