// SPDX-License-Identifier: Apache-2.0
// hand_over_test.cpp: a message goes straight into the receive that is posted for it, and into no
// other than the one that would have had it as a letter.
#include <array>

#include "terrane/talk/send_recv.hpp"
#include "terrane/thread/thread.hpp"
#include "tests/support/moving_threads.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class messages_handed_over : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, messages_handed_over, small_machines(), machine_name);

/// A thread beside the calling one, that has begun what it does.
template <class F>
thread begun(const F& call) {
  thread made = thread::create({.name = "beside"}, call);
  this_thread::yield();
  return made;
}

TEST_P(messages_handed_over, go_to_an_earlier_receive_though_its_thread_waits_for_a_later_one) {
  expect([](faults& wrong) {
    const thread_id me = this_thread::id();
    thread other = begun([me, &wrong] {
      int first = 0, second = 0;
      request earlier = irecv(me, 3, first);
      recv(me, 3, second);  // waits, and is not the one that was posted first
      wrong.unless(earlier.wait().tag == 3);
      wrong.unless(first == 1 && second == 2);
      request any = irecv(any_source, any_tag, first);
      recv(me, 4, second);
      any.wait();
      wrong.unless(first == 3 && second == 4);
    });
    const thread_id its{other.name()};
    for (int i = 1; i <= 4; ++i) send(its, i < 3 ? 3 : 4, i);
    other.join();
  });
}

TEST_P(messages_handed_over, leave_alone_what_waits_for_another_tag_or_sender) {
  expect([](faults& wrong) {
    const thread_id me = this_thread::id();
    thread other = begun([me, &wrong] {
      wrong.unless(recv<int>(me, 9) == 3);
      wrong.unless(recv<int>(me, 8) == 1 && recv<int>(any_source, 7) == 2);
    });
    const thread_id its{other.name()};
    send(its, 8, 1);
    thread third = thread::create({}, [its] { send(its, 7, 2); });
    third.join();
    send(its, 9, 3);
    other.join();
  });
}

TEST_P(messages_handed_over, are_received_when_ssend_returns_and_may_go_to_their_sender) {
  expect([](faults& wrong) {
    const thread_id me = this_thread::id();
    static thread_local int seen;
    seen = 0;
    thread other = begun([me] {
      std::array<int, 3> room{};
      const status got = recv(me, 1, room);
      seen = room[0] + room[1] + static_cast<int>(got.count<int>());
    });
    ssend(thread_id{other.name()}, 1, std::array<int, 2>{4, 5});
    other.join();
    wrong.unless(seen == 11);
    int mine = 0;
    request own = irecv(me, 2, mine);
    send(me, 2, 6);
    wrong.unless(own.wait().source == me && mine == 6);
  });
}

}  // namespace
}  // namespace terrane
