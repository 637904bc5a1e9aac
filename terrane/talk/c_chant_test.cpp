// SPDX-License-Identifier: Apache-2.0
// c_chant_test.cpp: the words of terrane_chant.h that take many requests, and found messages.
#include <cstring>

#include "terrane/c/terrane_chant.h"
#include "terrane/talk/send_recv.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class c_words : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, c_words, small_machines(), machine_name);

constexpr terrane_operation c_work{"c_chant_test", 1000};

/// Answers ten numbers of whoever asks, the last first.
void answer_backwards(terrane_thread whom) {
  long all[10];
  for (int i = 0; i < 10; ++i) {
    terrane_recv_from(whom, i, &all[i], sizeof all[i]);
    terrane_charge(&c_work, 1);
  }
  for (int i = 10; i-- != 0;) {
    all[i] *= 2;
    terrane_send_to(whom, i, &all[i], sizeof all[i]);
    terrane_charge(&c_work, 1);
  }
}

TEST_P(c_words, wait_for_some_test_any_and_find_messages) {
  expect([](faults& wrong) {
    for (node_id there = 0; there < terrane_nodes(); ++there) {
      thread other =
          thread::create_on(there, {.name = "answers"}, &answer_backwards, terrane_self());
      const terrane_thread its = other.name();
      long out[10], in[10] = {};
      terrane_request all[10];
      for (int i = 0; i < 10; ++i) {
        out[i] = 100 + i;
        all[i] = terrane_irecv_from(its, i, &in[i], sizeof in[i]);
      }
      terrane_message_status how{};
      wrong.unless(terrane_request_test_any(all, 10, &how) == 10);
      for (int i = 0; i < 10; ++i) {
        terrane_send_to(its, i, &out[i], sizeof out[i]);
        terrane_charge(&c_work, 1);
      }
      std::size_t sum = 0, done[10];
      while (sum < 8) {
        const std::size_t some = terrane_request_wait_some(all, 10, done);
        terrane_charge(&c_work, 1);
        wrong.unless(some > 0);
        for (std::size_t i = 0; i < some; ++i) wrong.unless(!all[done[i]].its);
        sum += some;
      }
      while (sum < 10) {
        const std::size_t one = terrane_request_test_any(all, 10, &how);
        if (one < 10) wrong.unless(how.tag == static_cast<int>(one) && how.source == its);
        sum += one < 10 ? 1 : 0;
        terrane_charge(&c_work, 1);
        this_thread::yield();
      }
      wrong.unless(terrane_request_wait_some(all, 10, done) == 0);
      for (int i = 0; i < 10; ++i) wrong.unless(in[i] == 2 * out[i]);
      other.join();
      terrane_charge(&c_work, 1);
    }
    // With oneself.
    const terrane_thread me = terrane_self();
    int out = 5, in = 0;
    const auto got = terrane_sendrecv_with(me, 3, &out, sizeof out, me, 3, &in, sizeof in);
    wrong.unless(in == 5 && got.source == me && got.bytes == sizeof in);
    const terrane_request sent = terrane_isend_to(me, 4, &out, sizeof out);
    terrane_found_message found = terrane_mprobe_for(TERRANE_ANY_SOURCE, TERRANE_ANY_TAG);
    wrong.unless(found.what.tag == 4 && found.what.bytes == sizeof out);
    wrong.unless(!terrane_iprobe_for(me, 4, nullptr));
    in = 0;
    terrane_recv_found(&found, &in, sizeof in);
    wrong.unless(in == 5);
    terrane_request its = sent;
    terrane_request_wait(&its);
    terrane_charge(&c_work, 1);
  });
}

}  // namespace
}  // namespace terrane
